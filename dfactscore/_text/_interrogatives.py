"""Distinguishes questions from titles that are worded as questions ("Who's There?")."""

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
# Questions without a question mark: "Who is Ann Lee", "What did she paint"
_ASKS_UNMARKED = re.compile(
    rf"(?-i:Who|What|When|Where|Why|How|Which\s+\w+)\s+{_AUX}\s+(?:he|she|they|his|her|"
    r"(?-i:[A-Z])[\w.’'-]+(?:\s+(?-i:[A-Z])[\w.’'-]+)*)(?:\s+(?-i:[a-z])[\w-]+){0,5}\W*$",
    re.IGNORECASE,
)
_TITLE_ASKS = re.compile(
    r"\s[A-Z][\w'’]*\W?\?$|\s(?:Who|What|Where|When|Why|How|Is|Are|Do|Does|Did|Can)(?:['’]s)?\s.*\?$"
)


def is_question(sentence: str) -> bool:
    """Whether a sentence is a question, not one that ends with a title ("I saw Who's There?").

    Example:
        >>> is_question("So, who is Ann Lee?"), is_question("What did she paint.")
        (True, True)
        >>> is_question("She sang in Where Are You?"), is_question("What's Up, Doc? is a film.")
        (False, False)
    """
    text = _bare(sentence)
    if not text.endswith("?"):
        return _ASKS_UNMARKED.match(text) is not None
    is_name = all(word[:1].isupper() for word in text.split()) and text.count(" ") < 4
    return is_name or _ASKS.match(text) is not None or not _TITLE_ASKS.search(text)


def is_interrogative(sentence: str) -> bool:
    """Whether a sentence begins like a question: "What did she paint", but not "She paints?"."""
    return _ASKS.match(_bare(sentence)) is not None


def _bare(sentence: str) -> str:
    """Strips labels ("Q:"), quotation marks and list markers from around a sentence."""
    text = sentence.strip(" \t*_#>-")
    text = without_label(text)
    if text[:1] in "\"'“‘" and text[-1:] in "\"'”’":
        text = text[1:-1]
    return text.rstrip(" *_")


def without_label(text: str) -> str:
    """Strips a label such as "Question:" or "A:" from the start of a text."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text
