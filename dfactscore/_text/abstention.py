"""Recognizes answers that say nothing about the person: refusals, failed searches, and the like."""

from __future__ import annotations

import re

from dfactscore._text.remarks import remark_of
from dfactscore._text.sentences import split_sentences

# Indicates missing knowledge if the text says nothing else: "The painter could not be found"
_NOT_FOUND = re.compile(
    r"[^,:;()]{1,80}\b(?:could|can)\s*not\s+be\s+(?:found|identified|located)\W*$|"
    r"unfortunately,?\s+(?:i|we|there|no)\b",
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(
    r"(?:(?:could|can|would|will)\s+you\s+(?:please\s+)?(?:be\s+more\s+specific|"
    r"(?:specify|clarify|tell|provide|give|say|indicate|let|share)\b)"
    r"|please\s+(?:be\s+more\s+specific|(?:specify|clarify|tell|provide|give|say|indicate|let)\b)"
    r"|(?:which|what)\s+(?:one|person|individual|of\s+them|\w+(?:\s+\w+){0,3})\s+"
    r"(?:do|did|are|would)\s+you\b"
    r"|(?:do|did|are)\s+you\s+(?:mean|meaning|referring|asking|looking|interested)\b"
    r"|it\s+is\s+(?:unclear|not\s+clear)\s+(?:which|who|what)\b)",
    re.IGNORECASE,
)
# Sentences that accompany a refusal and state nothing about the person.
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
    """Whether an answer contains no biography: it refuses, reports finding nothing, or is empty.

    An answer that apologizes and then states something about a person is not an abstention: every
    sentence must be a refusal or padding such as "Could you provide more details?".

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
    asks = missing = False
    talks_only = True  # whether the text consists of remarks and questions to the reader
    for sentence in sentences:
        remark = remark_of(sentence)
        asks_back = _ASKS_BACK.match(sentence) is not None
        if not (remark or asks_back or _PADDING.match(sentence) or _NOT_FOUND.match(sentence)):
            return False  # in most biographies, this is the first sentence
        asks = asks or asks_back
        missing = missing or remark == "missing knowledge" or _NOT_FOUND.match(sentence) is not None
        talks_only = talks_only and (asks_back or remark is not None)
    return missing or (asks and talks_only)
