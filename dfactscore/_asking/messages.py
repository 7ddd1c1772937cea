"""Requests to a model and the model's answers, as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from dfactscore._asking.finish_reasons import Ending, ending
from dfactscore._util.jsonl import parse_json

Role = Literal["system", "user", "assistant"]
Message = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """A token in an answer, with its log-probability and its alternatives.

    Attributes:
        token: The text of the token.
        logprob: The natural logarithm of the token's probability.
        top: The alternatives and their log-probabilities, usually including the token itself.
    """

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    Attributes:
        stage: The purpose of the request, under which usage is counted (``"decompose"``,
            ``"group"`` …).
        messages: The messages in order, each with its role and content.
        version: The version of the prompt template.
        max_tokens: The maximum number of answer tokens.
        schema: The JSON schema of the answer, or None for free text.
        logprobs: Whether to request token log-probabilities.
        sample: The index of the repetition.
    """

    stage: str
    messages: tuple[Message, ...]
    version: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    logprobs: bool = False
    sample: int = 0

    def repair(self, answer: Answer, problem: str) -> Request:
        """Returns the question with the unusable answer and its problem appended."""
        note = (
            f"That answer cannot be used: {problem}. Answer again, exactly in the form asked for."
        )
        if answer.text.strip() and answer.ending != "cut":
            tail: tuple[Message, ...] = (("assistant", answer.text[:4000]), ("user", note))
            return replace(self, messages=(*self.messages, *tail))
        role, content = self.messages[-1]
        note = (
            f"(An earlier answer could not be used: {problem}. Keep exactly to the form asked for.)"
        )
        grown = self.max_tokens * 2 if answer.ending == "cut" else self.max_tokens
        messages = (*self.messages[:-1], (role, f"{content}\n\n{note}"))
        return replace(self, messages=messages, max_tokens=grown)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's output.

    Attributes:
        text: The content; may be empty.
        finish: The server's finish reason (``"stop"``, ``"length"`` …); see `ending`.
        refusal: The text of the refusal, if the server marks the answer as one.
        prompt_tokens: The server's count of prompt tokens.
        completion_tokens: The server's count of answer tokens.
        logprobs: One entry per answer token; empty if not available.
        model: The model's name in the response.
        fingerprint: The server's system fingerprint; may be empty.
        thought: Whether the model reasoned before the answer; not stored.
        cached_tokens: Number of prompt tokens read from the server's prefix cache; not stored.
        aside: The field that contains the model's reasoning, if the text is empty; not stored.
        fault: The reason the answer is incomplete, if it is; incomplete answers are not stored.
    """

    text: str
    finish: str = "stop"
    refusal: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    logprobs: tuple[TokenLogprob, ...] = field(default=())
    model: str = ""
    fingerprint: str = ""
    thought: bool = False
    cached_tokens: int = 0
    aside: str = ""
    fault: str = ""

    @property
    def ending(self) -> Ending:
        """The meaning of the finish reason, as a word that is the same for all servers."""
        return "refused" if self.refusal else ending(self.finish)

    def to_json(self) -> str:
        """Formats the answer for `from_json`."""
        probs = [[t.token, t.logprob, [list(x) for x in t.top]] for t in self.logprobs]
        return json.dumps(
            [
                self.text,
                self.finish,
                self.refusal,
                self.prompt_tokens,
                self.completion_tokens,
                probs,
                self.model,
                self.fingerprint,
            ],
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, line: str) -> Answer:
        """Reads the output of `to_json`.

        Raises:
            ValueError, TypeError: If the line does not have this format.
        """
        if not isinstance(line, str):  # a damaged row of a database
            raise TypeError(f"expected a text, found {type(line).__name__}")
        fields = parse_json(line, strict=False)  # a log-probability may be -Infinity
        text, finish, refusal, prompt, completion, probs, model, fingerprint = fields
        tokens = tuple(
            TokenLogprob(token, logprob, tuple((t, p) for t, p in top))
            for token, logprob, top in probs
        )
        return cls(text, finish, refusal, prompt, completion, tokens, model, fingerprint)


@dataclass(frozen=True, slots=True)
class Call:
    """A request to any route, whose body is sent unchanged.

    Attributes:
        stage: The purpose of the call, under which usage is counted.
        route: See `dfactscore._asking.transport.Transport.post`.
        body: The body; None for a GET request.
        version: Everything that can affect the answer, except the endpoint, route and body.
        reduce: Function that turns the response into the answer that is stored and read.
        keep: Whether to store good answers.
        free: Whether the request costs nothing and therefore does not count toward any limit.
        sample: The index of the repetition.
    """

    stage: str
    route: str
    body: Mapping[str, Any] | None
    version: str
    reduce: Callable[[Mapping[str, Any]], Answer]
    keep: bool = True
    free: bool = False
    sample: int = 0
