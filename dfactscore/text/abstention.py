"""Recognizes answers that say nothing about the person: refusals, nothing found, empty text."""

from __future__ import annotations

import re

from dfactscore.text.sentences import split_sentences

__all__ = ["is_abstention"]

_QUOTED = re.compile(r"[\"“][^\"“”]{1,200}[\"”]|(?<!\w)'[^']{1,200}'(?!\w)")

_INFORMATION = (
    r"(?:information|details|data|results?|records?|mention|evidence|biograph\w+|knowledge)"
)
_SOURCES = (
    r"(?:(?:provided|given|available|retrieved|above)\s+)*"
    r"(?:search\s+results?|documents?|passages?|sources?|texts?|context|information|results?)"
)
_REFUSAL = re.compile(
    "|".join(
        [
            r"^(?:i['’]?m|i\s+am|we['’]?re|we\s+are)\s+(?:\w+\s+){0,2}(?:sorry|unable|not\s+able|"
            r"not\s+sure|not\s+aware|not\s+familiar)\b",
            r"^(?:sorry|apologies|my\s+apologies|i\s+(?:sincerely\s+)?apologi[sz]e|unfortunately"
            r",?\s+(?:i|we|there|no|the\s+" + _SOURCES + r"))\b",
            r"\b(?:i|we)\s+(?:\w+\s+){0,1}(?:cannot|can['’]?t|can\s+not|could\s+not|couldn['’]?t|"
            r"do\s+not|don['’]?t|did\s+not|didn['’]?t|was\s+unable|were\s+unable|am\s+unable|"
            r"wasn['’]?t\s+able|was\s+not\s+able|will\s+not|won['’]?t|have\s+no|had\s+no|"
            r"have\s+not|haven['’]?t|lack)\b",
            r"^as\s+an?\s+(?:ai|artificial|(?:large\s+)?language\s+model)\b",
            r"\b"
            + _SOURCES
            + r"\s+(?:\w+\s+){0,2}(?:do(?:es)?\s+not|don['’]?t|doesn['’]?t|did\s+not"
            r"|cannot)\s+(?:\w+\s+){0,2}(?:contain|mention|provide|include|offer|give|have|say|refer)",
            r"\bnone\s+of\s+the\s+" + _SOURCES,
            r"^(?:however,?\s+)?(?:there\s+(?:is|are|was|were|seems?\s+to\s+be|appears?\s+to\s+be)\s+)?"
            r"(?:no|not\s+enough|insufficient|little\s+to\s+no)\s+(?:\w+\s+){0,3}" + _INFORMATION,
            r"\b(?:no|insufficient)\s+(?:\w+\s+){0,3}"
            + _INFORMATION
            + r"\s+(?:\w+\s+){0,3}(?:found|available|provided)\b",
            r"\b"
            + _INFORMATION
            + r"\s+(?:\w+\s+){0,4}not\s+(?:be\s+)?(?:found|available|provided)\b",
            r"\bnot\s+(?:be\s+)?(?:mentioned|found|included|listed)\s+in\s+(?:any\s+of\s+)?"
            r"(?:the|these|those|your|my)\s+" + _SOURCES,
            r"^(?:unable\s+to\s+(?:find|locate|provide|write|answer|generate|create)\b|"
            r"(?:not\s+enough|insufficient)\s+context\b|(?:n/?a|none|unknown)\W*$)",
            r"^[^,:;()]{1,80}\b(?:could|can)\s*not\s+be\s+(?:found|identified|located)\W*$",
            r"\bit\s+is\s+(?:not\s+possible|impossible)\s+to\s+(?:write|provide|give|create|compose)",
        ]
    ),
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(
    r"^(?:(?:could|can|would|will)\s+you\s+(?:please\s+)?(?:be\s+more\s+specific|"
    r"(?:specify|clarify|tell|provide|give|say|indicate|let)\b)"
    r"|please\s+(?:be\s+more\s+specific|(?:specify|clarify|tell|provide|give|say|indicate|let)\b)"
    r"|(?:which|what)\s+(?:one|person|individual|of\s+them|\w+(?:\s+\w+){0,3})\s+"
    r"(?:do|did|are|would)\s+you\b"
    r"|(?:do|did|are)\s+you\s+(?:mean|meaning|referring|asking|looking|interested)\b"
    r"|it\s+is\s+(?:unclear|not\s+clear)\s+(?:which|who|what)\b)",
    re.IGNORECASE,
)
_PEOPLE = r"(?:people|persons?|individuals?|entries|results)\b"
# "There are several people of this name", with nothing about any of them, and what goes politely
# with a question back.
_MANY = re.compile(
    "|".join(
        [
            r"^there\s+(?:are|is|may\s+be|might\s+be|could\s+be|have\s+been)\s+"
            r"(?:(?:more\s+than\s+one|\w+)\s+){0,4}" + _PEOPLE + r"[^,:;()]*$",
            r"^(?:\w+\s+){0,3}" + _PEOPLE + r"\s+(?:share|bear|have)\s+(?:the|this)\s+(?:same\s+)?"
            r"name\b[^,:;()]*$",
            r"^the\s+" + _SOURCES + r"\s+(?:mention|contain|describe|list|include|show|are\s+about|"
            r"refer\s+to)\s+(?:more\s+than\s+one|several|multiple|many|different|two|three)\s+"
            r"(?:\w+\s+){0,2}" + _PEOPLE + r"[^,:;()]*$",
            r"^(?:the|this)\s+name\b[^,:;()]{0,60}\b(?:is|seems)\s+(?:\w+\s+){0,2}(?:ambiguous|common)\W*$",
            r"^i(?:['’]d|\s+would)\s+be\s+(?:happy|glad)\b|^i\s+need\s+(?:more|some)\b|"
            r"^(?:sure|certainly|of\s+course|happy\s+to\s+help)\W*$",
        ]
    ),
    re.IGNORECASE,
)
# Sentences that go with a refusal and state nothing about the person.
_PADDING = re.compile(
    r"^(?:however,?\s+|but\s+|therefore,?\s+|thus,?\s+|additionally,?\s+)?"
    r"(?:(?:can|could|would|will|do|did|are|is)\s+you\b|please\b|if\s+(?:you|there|possible|this)\b|"
    r"it\s+(?:is|['’]s|would|may|might|could|seems|appears)\b|(?:it['’]s)\b|there\s+(?:are|may|might|could)\b|"
    r"perhaps\b|maybe\b|without\s+(?:more|further|additional|any)\b|i\b|i['’]|we\b|let\s+me\b|"
    r"feel\s+free\b|this\s+(?:name|person|individual|may|might|could|is)\b|"
    r"the\s+name\b|more\s+(?:information|context|details)\b|thank|as\s+(?:such|an?\s+ai)\b|"
    r"(?:s?he|they)\s+(?:may|might|could)\b|to\s+(?:help|assist|provide|write)\b|what\b|which\b|who\b)",
    re.IGNORECASE,
)


def is_abstention(text: str) -> bool:
    """Whether an answer gives no biography: it refuses, found nothing, or is empty.

    An answer that apologizes and then states something about a person is not an abstention: every
    sentence must be a refusal, or padding such as "Could you provide more details?".

    Args:
        text: The answer; citation marks do no harm.

    Example:
        >>> is_abstention("I'm sorry, I couldn't find John Doe. Could you give more details?")
        True
        >>> is_abstention("I couldn't find a singer of that name. John Doe is an English actor.")
        False
        >>> is_abstention("Brenda Lee sang 'I'm Sorry' in 1960.")
        False
    """
    sentences = [s.text.strip(" \t\"'*_#>-") for s in split_sentences(text)]
    sentences = [s for s in sentences if any(map(str.isalnum, s))]
    if not sentences:
        return True
    if any(
        not (_PADDING.match(s) or _ASKS_BACK.match(s) or _MANY.match(s) or _refuses(s))
        for s in sentences
    ):
        return False  # the first sentence of most biographies
    refusals = [_refuses(s) for s in sentences]
    if any(refusals):
        return all(
            refused or _PADDING.match(s) for s, refused in zip(sentences, refusals, strict=True)
        )
    # A question back is an answer without a biography, unless it also describes a person.
    asks = [bool(_ASKS_BACK.match(s)) for s in sentences]
    return any(asks) and all(ask or _MANY.match(s) for s, ask in zip(sentences, asks, strict=True))


def _refuses(sentence: str) -> bool:
    """Whether a sentence is a refusal; what is quoted in it is a title or someone's words."""
    return _REFUSAL.search(_QUOTED.sub(" ", sentence[:400])) is not None
