"""Requests to a chat model and its answers, as plain data."""

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
    """An answer token with the alternatives that the server names.

    Attributes:
        token: Its text.
        logprob: Natural logarithm of its probability.
        top: Alternatives (usually the token among them) with theirs.
    """

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    Attributes:
        stage: Purpose (``"decompose"``, ``"group"``, ``"verify"`` ...); usage is kept by it.
        messages: Role and content, in order.
        version: Version of the prompt template.
        max_tokens: Maximum tokens of the answer.
        schema: JSON schema of the answer, or None for free text.
        logprobs: Whether token log-probabilities are wanted.
        sample: Index of the repetition.
    """

    stage: str
    messages: tuple[Message, ...]
    version: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    logprobs: bool = False
    sample: int = 0

    def repair(self, answer: Answer, problem: str) -> Request:
        """The same question with the unusable answer and what was wrong with it."""
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
        text: The content, empty if there is none.
        finish: The server's word for how it ended (``"stop"``, ``"length"`` ...); see `ending`.
        refusal: The refusal, if the server marks one.
        prompt_tokens: As the server counted them.
        completion_tokens: As the server counted them.
        logprobs: One entry per answer token, or empty.
        model: The model's name as the server gives it.
        fingerprint: The server's system fingerprint, or empty.
        thought: Whether the model thought before it answered; not stored.
        cached_tokens: Prompt tokens that the server had in its prefix cache; not stored.
        aside: The field with the model's thoughts, if it gave nothing else; not stored.
        fault: The reason why the answer is incomplete, if it is; such an answer is not stored.
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
        """The finish reason, in one spelling for all servers."""
        return "refused" if self.refusal else ending(self.finish)

    def to_json(self) -> str:
        """A line that `from_json` reads back."""
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
            ValueError, TypeError: If it is something else.
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
    """A request of another kind than a question: a route and a body that is sent unchanged.

    Attributes:
        stage: Purpose; usage is kept by it.
        route: See `dfactscore._asking.transport.Transport.post`.
        body: The body; None only asks (GET).
        version: Whatever can change the answer besides endpoint, route and body.
        reduce: Makes an answer of the response: what is stored and read.
        keep: Whether a good answer is stored.
        free: Whether it costs nothing: no tokens are read by the model, no limit counts it.
        sample: Index of the repetition.
    """

    stage: str
    route: str
    body: Mapping[str, Any] | None
    version: str
    reduce: Callable[[Mapping[str, Any]], Answer]
    keep: bool = True
    free: bool = False
    sample: int = 0
