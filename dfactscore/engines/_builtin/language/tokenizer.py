"""Words and punctuation of a sentence, each with its character range and nesting depth."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"[A-Za-z][a-z]*(?=[ ,])"  # most words, which the last but one would find as well
    r"|\b(?:[Tt]here|[Hh]e|[Ss]he)(?=['’]s\b)"
    r"|(?<=[eE])['’]s\b"
    r"|\b(?:Ph|LL|Ed|Sc|Th|Litt)\.[BDM]\b\.?"
    r"|(?:[A-Z]\.){2,}"
    r"|(?<!\w)[A-Z]\.(?=\s?[A-Z(\"“])"
    r"|(?:Jr|Sr|Dr|St|Mr|Mrs|Ms|Prof|Rev|Gen|Col|Lt|Capt|Sgt|Hon|Maj|No|vs|ca?|b|d|fl|r|Co|Inc|Ltd|Mt|Ft)"
    r"\.(?=[\s,)\d.])"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?(?!\w)"
    r"|\w[\w\u0300-\u036f]*(?:(?:[-'’&]|:(?=[A-Z]))[\w\u0300-\u036f]+)*(?:['’](?!\w))?"
    r"|[^\w\s]"
)
# Other quotation marks, treated like '"': 'Hud', ‘Hud’, «Hud», ‹Hud›, „Hud“
_OTHER_QUOTES = re.compile(
    r"(?<![\w.])['‘](?=[A-Z]|the [A-Z])(?:(?!['’](?!\w))[^\"“”\n]){1,80}['’](?!\w)"
    r"|(?<=[a-z.] )\((?=[A-Z][a-z]+\.?\) [A-Z][a-z])[A-Za-z.]+\)"  # "Richard (Dick) Hill"
    r"|«[^«»\n]{1,80}»|‹[^‹›\n]{1,80}›|„[^„“”\n]{1,80}[“”]"
)
_PADDING = 100
_OPEN = {"(": ")", "[": "]", "“": "”"}


class Token(NamedTuple):
    """A word or a punctuation mark."""

    text: str
    low: str  # token in lowercase
    start: int  # index of the first character in the source text
    end: int  # index after the last character
    # Number of brackets and quotations around the token; their own delimiters count as inside.
    depth: int
    capital: bool  # whether the token is a word that begins with a capital letter
    word: bool

    @property
    def comma(self) -> bool:
        """Whether it is a comma outside brackets and quotations."""
        return self.text == "," and not self.depth


class Tokens(list[Token]):
    """The tokens of a sentence, padded on each side with one that is neither word nor punctuation.

    Rules may look ahead or back by more than the length of the sentence, even though a text can be
    cut off after any word. A slice past the end includes the padding; iteration does not.

    Example:
        >>> found = tokenize("Ann Lee")
        >>> len(found), found[1].low, found[2].low, found[-1].word
        (2, 'lee', '', False)
    """

    def __init__(self, tokens: Iterable[Token]) -> None:
        super().__init__(tokens)
        self._size = super().__len__()
        end = super().__getitem__(-1).end if self._size else 0
        # Real elements instead of a `__getitem__` of our own: no call is more frequent. From the
        # end, a list is also indexed backward.
        outside = Token(" ", "", end, end, 0, capital=False, word=False)
        self.extend([outside] * (self._size + _PADDING))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Token]:
        return itertools.islice(super().__iter__(), self._size)


def tokenize(text: str) -> Tokens:
    """Splits a sentence into tokens, without the asterisks and hash signs of Markdown.

    Brackets that are never closed do not add a nesting level.

    Example:
        >>> [t.text for t in tokenize("A. E. Kahn (born 1912) died.")]
        ['A.', 'E.', 'Kahn', '(', 'born', '1912', ')', 'died', '.']
    """
    spans = [(m[0], *m.span()) for m in _TOKEN.finditer(text)]
    if any(sign in text for sign in "'‘«‹„("):
        spans = _with_one_quote(spans, text)
    inside = [0] * (len(spans) + 1)
    stack: list[tuple[str, int]] = []
    quote = -1
    for i, (token, _, _) in enumerate(spans):
        if token == '"':
            if quote < 0:
                quote = i
            else:
                inside[quote] += 1
                inside[i + 1] -= 1
                quote = -1
        elif token in _OPEN:
            stack.append((_OPEN[token], i))
        elif stack and token == stack[-1][0]:
            inside[stack.pop()[1]] += 1
            inside[i + 1] -= 1
    depths = itertools.accumulate(inside)
    return Tokens(
        [
            Token(token, token.lower(), start, end, depth, token[0].isupper(), token[0].isalnum())
            for (token, start, end), depth in zip(spans, depths, strict=False)
            if token not in "*#"
        ]
    )


def _with_one_quote(spans: list[tuple[str, int, int]], text: str) -> list[tuple[str, int, int]]:
    """Replaces other quotation marks with '"' and makes one that follows a word a token."""
    marks = {place for m in _OTHER_QUOTES.finditer(text) for place in (m.start(), m.end() - 1)}
    quoted = []
    for token, start, end in spans:
        if start in marks:
            quoted.append(('"', start, end))
        elif end - 1 in marks:
            quoted += [(token[:-1], start, end - 1), ('"', end - 1, end)]
        else:
            quoted.append((token, start, end))
    return quoted
