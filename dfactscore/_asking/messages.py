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
    """A token in an answer, with its log-probability and its alternatives."""

    token: str
    logprob: float  # natural logarithm of the token's probability
    # The alternatives and their log-probabilities, usually including the token itself.
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model."""

    stage: str  # purpose of the request, under which usage is counted (`"decompose"`, `"group"` …)
    messages: tuple[Message, ...]  # messages in order, each with its role and content
    version: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None  # JSON schema of the answer, or None for free text
    logprobs: bool = False  # whether to request token log-probabilities
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
    """A model's output."""

    text: str
    finish: str = "stop"  # server's finish reason (`"stop"`, `"length"` …); see `ending`
    refusal: str = ""
    prompt_tokens: int = 0  # server's count of prompt tokens
    completion_tokens: int = 0  # server's count of answer tokens
    # One entry per answer token; empty if not available.
    logprobs: tuple[TokenLogprob, ...] = field(default=())
    model: str = ""
    fingerprint: str = ""
    thought: bool = False  # whether the model reasoned before the answer; not stored
    # Number of prompt tokens read from the server's prefix cache; not stored.
    cached_tokens: int = 0
    aside: str = ""  # field that contains the model's reasoning, if the text is empty; not stored
    fault: str = ""  # reason the answer is incomplete, if it is; incomplete answers are not stored

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
        """Reads the output of `to_json`."""
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
    """A request to any route, whose body is sent unchanged."""

    stage: str
    route: str  # see `dfactscore._asking.transport.Transport.post`
    body: Mapping[str, Any] | None
    version: str  # everything that can affect the answer, except the endpoint, route and body
    reduce: Callable[[Mapping[str, Any]], Answer]
    keep: bool = True
    # Whether the request costs nothing and therefore does not count toward any limit.
    free: bool = False
    sample: int = 0
