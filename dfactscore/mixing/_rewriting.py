"""Asks a model to write one paragraph per person, given the facts of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.estimated_requests import estimated_requests
from dfactscore._asking.messages import Answer, Request
from dfactscore._scoring import Record
from dfactscore.generation._llm import generation_of
from dfactscore.mixing._unmixed import Unmixed
from dfactscore.work import Asked

_VERSION = "unmix-1"
_TASK = """The text below mixes several people called {name}. Rewrite it so that each person has \
one paragraph. Begin each paragraph with the line given for that person. Use only the facts listed \
for them, in the words of the text as far as possible; add nothing, and leave out every other fact.

Text:
{text}

Facts:
{facts}

Rewritten text:"""


class ModelRewriter:
    """Rewrites a text that mixes people, using a single call."""

    def __init__(self, client: ChatClient, *, max_tokens: int = 1024) -> None:
        self.client = client
        self.max_tokens = max_tokens

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an answer."""
        return {**self.client.settings, "prompt": _VERSION, "max_tokens": self.max_tokens}

    def asks(self, record: Record, unmixed: Unmixed) -> Iterator[Asked]:
        """Estimates the requests needed for a text."""
        if unmixed.changed:
            yield from estimated_requests(
                self.client, self._question(record, unmixed), self.max_tokens // 2
            )

    async def rewrite(self, record: Record, unmixed: Unmixed) -> str:
        """Returns the text that the model writes."""

        def read(answer: Answer) -> str:
            return generation_of(answer, "", ()).output

        return await self.client.ask(self._question(record, unmixed), read)

    def _question(self, record: Record, unmixed: Unmixed) -> Request:
        facts = "\n\n".join(
            "\n".join([f"{person.opening}:", *(f"- {fact}" for fact in person.facts)])
            for person in unmixed.people
        )
        task = _TASK.format(name=record.name, text=record.biography.text, facts=facts)
        return Request(
            stage="unmix",
            messages=(("user", task),),
            version=_VERSION,
            max_tokens=self.max_tokens,
        )
