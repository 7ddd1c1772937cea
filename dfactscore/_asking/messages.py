"""Requests to a model, the model's answers, their finish reasons, and exceptions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from dfactscore._errors import DFactScoreError
from dfactscore._util.jsonl import parse_json


class ModelError(DFactScoreError):
    """Every request to the endpoint fails, for example because the key or the model is wrong."""


class NotThere(ModelError):
    """The endpoint does not have the model, or there is no endpoint at the address."""

    def __init__(self, where: str, reply: str, model: str) -> None:
        super().__init__(
            f"{where}: no model {model!r} there, or a wrong address ({reply}); check --model and "
            "--base-url"
        )
        self.where = where
        self.reply = reply


class BudgetError(DFactScoreError):
    """The user's limit has been reached; the command can be resumed with a higher limit."""


class CacheError(DFactScoreError):
    """The answer cache cannot be read or written."""


class CallError(Exception):
    """A single request failed; the run continues without its answer."""

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing


class AnswerError(Exception):
    """An answer cannot be used."""

    passing = False

    def __init__(
        self,
        reason: str,  # problem, worded for the model that is asked to repair the answer
        kind: Literal["unparsed", "refused"] = "unparsed",
        *,
        final: bool = False,
    ) -> None:
        super().__init__(reason)
        self.final = final
        self.reason = reason
        self.kind = kind


Ending = Literal["ended", "cut", "refused", "faulty", "unknown"]
"""Complete; cut at a token limit; refused; interrupted by a fault; with an unknown reason."""

# In lower case without punctuation and prefixes: "FinishReason.MAX_TOKENS" becomes "maxtokens".
# From OpenAI, Azure, Anthropic, Gemini, Bedrock, Cohere, Mistral, DeepSeek, Zhipu, OpenRouter, TGI,
# vLLM and SGLang.
_WORDS: Mapping[Ending, str] = {
    "ended": "stop stopped stopsequence stopword stoptoken end endturn eos eostoken eosbytoken "
    "complete completed done finish finished normal success toolcalls toolcall tooluse "
    "functioncall",
    "cut": "length maxlength maxtokens maxtoken maxoutputtokens maxcompletiontokens maxnewtokens "
    "modellength lengthcapped truncated incomplete tokenlimit contextlength contextlengthexceeded "
    "contextwindowexceeded modelcontextwindowexceeded",
    "refused": "contentfilter contentfiltered filtered filter refusal refused safety recitation "
    "blocklist prohibitedcontent spii sensitive moderation moderated guardrailintervened guardrail "
    "guardrails policyviolation contentpolicy contentpolicyviolation language errortoxic",
    "faulty": "error errored failed failure fail fault abort aborted cancel cancelled canceled "
    "timeout timedout networkerror insufficientsystemresource malformedfunctioncall "
    "unexpectedtoolcall malformedmodeloutput malformedtooluse other interrupted overloaded "
    "servererror internalerror unavailable disconnected errorlimit userabort usercancel "
    "providererror upstreamerror",
}
_KNOWN: Mapping[str, Ending] = {w: kind for kind, words in _WORDS.items() for w in words.split()}
_PREFIX = re.compile(r"^.*\.|^finish_?reason_?", re.IGNORECASE)
_DECLINES = re.compile(
    r"moderat(?:ion|ed)|\bflagged\b|content[\s_-]*(?:management |safety )?(?:polic|filter)"
    r"|(?:usage|acceptable[\s_-]use|safety|community|responsible ?ai) ?polic"
    r"|violat\w*.{0,40}(?:polic|guideline)|polic(?:y|ies)[\s_-]*violation"
    r"|safety (?:system|filter|setting|reason)|prohibited content|guardrail",
    re.IGNORECASE,
)
_OF_ACCOUNT = re.compile(r"\baccount\b|suspended|disabled|deactivated|banned", re.IGNORECASE)


def finish_word(value: Any) -> str:
    """Returns a server's finish reason as a single word; empty if there is none."""
    if isinstance(value, Mapping):
        value = value.get("type") or value.get("reason")
    word = "".join(c for c in str(value) if c.isprintable()).strip()[:40] if value else ""
    return "" if word.lower() in ("null", "none") else word


@lru_cache(maxsize=256)
def ending(word: str) -> Ending:
    """Returns what a finish reason means.

    Example:
        >>> ending("FinishReason.MAX_TOKENS"), ending("end_turn"), ending("banana")
        ('cut', 'ended', 'unknown')
    """
    plain = re.sub(r"[\W_]", "", _PREFIX.sub("", word)).lower()
    return _KNOWN.get(plain, "unknown") if plain else "ended"


def declines(message: str) -> bool:
    """Whether an error says that moderation or a content policy rejected the prompt.

    Example:
        >>> declines("Your input was flagged"), declines("blocked by your data policy")
        (True, False)
    """
    return _DECLINES.search(message) is not None and not _OF_ACCOUNT.search(message)


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
