"""Sentences that ask, unlike titles that do."""

from __future__ import annotations

import re

_LABEL = re.compile(
    r"(?:question|query|prompt|user|answer|assistant|q|a|note)\s*:\s*", re.IGNORECASE
)
_WH = r"(?:who|whom|whose|what|which|when|where|why|how)"
_AUX = (
    r"(?:is|was|are|were|am|did|does|do|has|had|have|can|could|will|would|should|may|might|is\s*n['’]t|"
    r"was\s*n['’]t|did\s*n['’]t|do\s*n['’]t)"
)
_OPENS = (
    r"(?:(?:and|but|so|now|also|or|well|then|first|finally|ok|okay)\b[,\s]+)*"
    r"(?:(?:in|at|for|from|to|by|on|with|about|of|during|since|until|after|under)\s+)?"
)
_ASKS = re.compile(
    rf"{_OPENS}(?:{_WH}\b(?:['’]s\b)?(?!\s+(?-i:[A-Z])\w+\s+(?-i:[A-Z]))|{_AUX}\s)", re.IGNORECASE
)
# Asked without a mark: "Who is Ann Lee", "What did she paint"
_ASKS_UNMARKED = re.compile(
    rf"(?-i:Who|What|When|Where|Why|How|Which\s+\w+)\s+{_AUX}\s+(?:he|she|they|his|her|"
    r"(?-i:[A-Z])[\w.’'-]+(?:\s+(?-i:[A-Z])[\w.’'-]+)*)(?:\s+(?-i:[a-z])[\w-]+){0,5}\W*$",
    re.IGNORECASE,
)
_TITLE_ASKS = re.compile(
    r"\s[A-Z][\w'’]*\W?\?$|\s(?:Who|What|Where|When|Why|How|Is|Are|Do|Does|Did|Can)(?:['’]s)?\s.*\?$"
)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks; a title that asks ("appeared in Who's There?") does not.

    Example:
        >>> is_question("So, who is Ann Lee?"), is_question("What did she paint.")
        (True, True)
        >>> is_question("She sang in Where Are You?"), is_question("What's Up, Doc? is a film.")
        (False, False)
    """
    words = _asked(sentence)
    if not words.endswith("?"):
        return _ASKS_UNMARKED.match(words) is not None
    name = all(word[:1].isupper() for word in words.split()) and words.count(" ") < 4
    return name or _ASKS.match(words) is not None or not _TITLE_ASKS.search(words)


def is_interrogative(sentence: str) -> bool:
    """Whether a sentence opens as a question does: "What did she paint", not "She paints?"."""
    return _ASKS.match(_asked(sentence)) is not None


def _asked(sentence: str) -> str:
    """A sentence without what "Q:", quotation marks and list marks put around it."""
    words = sentence.strip(" \t*_#>-")
    words = without_label(words)
    if words[:1] in "\"'“‘" and words[-1:] in "\"'”’":
        words = words[1:-1]
    return words.rstrip(" *_")


def without_label(text: str) -> str:
    """A text after "Question:", "A:" and the like."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text
