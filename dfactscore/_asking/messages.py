"""Requests to a model, its answers in various forms, finish reasons, and exceptions."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from dfactscore._errors import DFactScoreError
from dfactscore._util.jsonl import JSONError, parse_json


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


_KEY_FORMAT = 1  # must be increased when the meaning of a stored answer changes


def digest(request: Request | Call, endpoint: str, body: Mapping[str, Any]) -> bytes:
    """Returns the cache key of a request: a hash of everything that can affect its answer."""
    route = request.route if isinstance(request, Call) else ""
    parts = [_KEY_FORMAT, endpoint, route, request.version, request.sample, body]
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


RESPONSES = "/responses"
"""The route that some reasoning models answer instead of chat completions."""

_DATA = "data:"
# Fields that the route of responses does not know, or knows under another name.
_CHAT_FIELDS = ("messages", "response_format", "logprobs", "top_logprobs", "seed", "max_tokens",
                "max_completion_tokens", "reasoning_effort")  # fmt: skip


def joined_stream(text: str) -> dict[str, Any] | None:
    r"""Joins the events of a stream into one chat completion; returns None for any other text.

    Some gateways always stream, whether asked to or not.

    Example:
        >>> joined_stream('data: {"choices": [{"delta": {"content": "Yes"}}]}\n\ndata: [DONE]\n')
        {'choices': [{'message': {'role': 'assistant', 'content': 'Yes'}}]}
    """
    events = list(_events(text))
    if not any("choices" in event for event in events):
        return events[0] if len(events) == 1 else None
    reply: dict[str, Any] = {}
    choice: dict[str, Any] = {"message": {"role": "assistant"}}
    for event in events:
        reply |= {k: v for k, v in event.items() if k != "choices" and v is not None}
        for part in (event.get("choices") or [])[:1]:
            choice |= {k: v for k, v in part.items() if k in ("finish_reason", "error") and v}
            if isinstance(found := (part.get("logprobs") or {}).get("content"), list):
                choice.setdefault("logprobs", {"content": []})["content"] += found
            for key, value in (part.get("delta") or part.get("message") or {}).items():
                if isinstance(value, str) and key != "role":
                    choice["message"][key] = choice["message"].get(key, "") + value
    return {**reply, "choices": [choice]}


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        content = line[len(_DATA) :].strip()
        if not line.startswith(_DATA) or content == "[DONE]":
            continue
        try:
            event = parse_json(content, strict=False)
        except JSONError:
            return  # the stream broke off
        if isinstance(event, dict):
            yield event


def as_responses_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """Rewrites the body of a chat request for the route of responses."""
    sent = {k: v for k, v in body.items() if k not in _CHAT_FIELDS}
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is not None:
        sent["max_output_tokens"] = max(16, limit)  # the least that is allowed
    form = body.get("response_format")
    if isinstance(form, Mapping):
        sent["text"] = {"format": {"type": form["type"], **form.get("json_schema", {})}}
    if effort := body.get("reasoning_effort"):
        sent["reasoning"] = {"effort": effort}
    return {**sent, "input": list(body["messages"]), "store": False}


def as_chat_reply(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rewrites a response as a chat completion."""
    if "output" not in reply:
        return reply
    items = [item for item in reply["output"] or () if isinstance(item, Mapping)]
    said = [item for item in items if item.get("type") == "message"]
    parts = [part for item in said for part in item.get("content") or ()]
    text = "".join(str(part.get("text", "")) for part in parts if part.get("type") == "output_text")
    refusal = "".join(str(part.get("refusal") or "") for part in parts)
    usage = reply.get("usage") or {}
    reason = (reply.get("incomplete_details") or {}).get("reason")
    finish = reason or ("stop" if reply.get("status") in (None, "completed") else reply["status"])
    return {
        "model": reply.get("model"),
        "error": reply.get("error"),
        "choices": [
            {
                "message": {"role": "assistant", "content": text, "refusal": refusal or None},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": usage.get("input_tokens"),
            "completion_tokens": usage.get("output_tokens"),
            "prompt_tokens_details": usage.get("input_tokens_details"),
            "completion_tokens_details": usage.get("output_tokens_details"),
        },
    }


def wants_responses(message: str) -> bool:
    """Whether an error says that a model answers the route of responses only.

    Example:
        >>> wants_responses("This model is only supported in v1/responses.")
        True
        >>> wants_responses("Invalid response_format")
        False
    """
    return "v1/responses" in message or "Responses API" in message
