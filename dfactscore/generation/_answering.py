"""Answers prompts with a language model, without retrieval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.errors import AnswerError, CallError
from dfactscore._asking.estimated_requests import estimated_requests
from dfactscore._asking.messages import Answer
from dfactscore._asking.messages import Request as ModelRequest
from dfactscore._errors import InputError
from dfactscore._text.clean_text import clean
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.printable import short_repr
from dfactscore.generation._llm import generation_of
from dfactscore.generation._request import Generation, Request
from dfactscore.work import Asked

_VERSION = "answer-1"
_PROMPT = ("prompt", "question")


def read_prompts(path: Path) -> list[Request]:
    """Reads ``{id, prompt}`` lines; other fields are copied to the answers."""
    requests: dict[str, Request] = {}
    for number, (where, row) in enumerate(read_jsonl(path, error=InputError)):
        if not isinstance(row, Mapping):
            raise InputError(f"{where}: expected an object with 'prompt', found {short_repr(row)}")
        field = next((f for f in _PROMPT if isinstance(row.get(f), str) and row[f].strip()), None)
        if field is None:
            keys = ", ".join(map(str, list(row)[:8]))
            raise InputError(f"{where}: no field 'prompt' with a text; found {keys}")
        identity = str(row.get("id", number))
        if identity in requests:
            raise InputError(f"{where}: the id {identity!r} is repeated")
        text = clean(row[field])
        extra = {k: v for k, v in row.items() if k not in ("id", field)} | {"prompt": text}
        requests[identity] = Request(identity, text, (), extra)
    if not requests:
        raise InputError(f"{path}: contains no prompts")
    return list(requests.values())


class AnswerGenerator:
    """Sends each prompt to a model without an instruction, passages or examples."""

    def __init__(self, client: ChatClient, *, max_tokens: int = 512) -> None:
        self.client = client
        self.max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The name of the model, as given by the user."""
        return self.client.model.model

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an answer."""
        return {
            "generator": "llm-answer",
            **self.client.settings,
            "max_tokens": self.max_tokens,
        }

    def asks(self, request: Request) -> Iterator[Asked]:
        """Estimates the requests needed for an answer."""
        yield from estimated_requests(self.client, self._question(request), self.max_tokens)

    def _question(self, request: Request) -> ModelRequest:
        return ModelRequest(
            stage="generate",
            messages=(("user", request.name),),
            version=_VERSION,
            max_tokens=self.max_tokens,
        )

    async def generate(self, request: Request) -> Generation:
        """Answers one prompt; on failure, returns a `Generation` that states the reason."""

        def read(answer: Answer) -> Generation:
            # Without a name, a repetition of the prompt in the answer is not cut off.
            return generation_of(answer, "", ())

        try:
            return await self.client.ask(self._question(request), read)
        except (AnswerError, CallError) as error:
            return Generation("", "error", note=error.reason)
