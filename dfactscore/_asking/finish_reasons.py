"""Interprets the finish reasons of answers, which servers spell differently."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

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
