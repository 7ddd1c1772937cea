"""A chat endpoint with scripted answers per kind of prompt: queries, revision, relevance."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from counting_server import CountingServer

from dfactscore._asking.client import ChatClient
from dfactscore._asking.settings import OpenAIModel

#: The start of each prompt of the search.
QUERY, REVISE, RELEVANT = (
    "You look for evidence",
    "Numbered statements were taken out",
    "A response was written to a question",
)


class Script:
    """A chat endpoint with scripted answers by stage; it keeps its requests."""

    def __init__(self):
        self.server = CountingServer()
        self.server.answer = self._answer
        self.answers = {}
        self.prompts = []

    def _answer(self, prompt):
        stage = next((s for s in (QUERY, REVISE, RELEVANT) if prompt.startswith(s)), "verdict")
        self.prompts.append((stage, prompt))
        said = self.answers[stage]
        said = said(prompt) if callable(said) else said
        return said if isinstance(said, str) else json.dumps(said)

    def asked(self, stage):
        return [prompt for kind, prompt in self.prompts if kind == stage]

    def run(self, work):
        """Runs the coroutine that `work` returns for a client."""

        async def job():
            model = OpenAIModel("scripted", base_url=self.server.base_url, backoff=0.01, retries=1)
            client = ChatClient(model)
            try:
                return await work(client)
            finally:
                await client.aclose()

        return asyncio.run(job())


def statements(prompt):
    """Returns the numbered statements of a prompt."""
    return dict(re.findall(r"^(\d+)\. (.*)$", prompt.rpartition("Statements:")[2], re.MULTILINE))


@pytest.fixture
def script():
    made = Script()
    yield made
    made.server.close()
