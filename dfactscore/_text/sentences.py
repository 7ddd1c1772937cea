"""Splits paragraphs and pages into sentences with character offsets."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

# Matches only from the first mark in a run; otherwise a page of dots would take quadratic time. The
# pattern begins with one class of characters, because the matcher searches for that fast.
_END = re.compile(
    r"[.!?\n](?:(?<!\n)(?<![.!?][.!?])[.!?]*[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\Wa-z_])|(?<=\n)\n*)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[^\W\d_]|Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|Gov|Sen|Rep|Pres|vs"
    r"|No|Vol|Mt|Ft|Co|Inc|Ltd|Bros|ca|fl|Feb|Jan|Aug|Sept?|Oct|Nov|Dec)|\b(?:[^\W\d_]\.)+[^\W\d_])\Z"
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Returns the start and end (exclusive, in characters) of each sentence of a page.

    For text written by a model, use `dfactscore._text.sentences`, which is more accurate. This
    splitter takes a fifth of the time, which matters for whole pages. The verifier's coefficients
    were trained on the sentences it produces.

    >>> text = "J. F. Smith was born in St. Ives. He died in 1918."
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['J. F. Smith was born in St. Ives.', 'He died in 1918.']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for end in _END.finditer(text):
        stop = end.start()
        if text[stop] == "." and _ABBREVIATION.search(text, max(start, stop - 12), stop):
            continue
        _append(spans, text, start, end.end())
        start = end.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    body = piece.strip()
    if body:
        spans.append((start + left, start + left + len(body)))


# `sentencex` takes quadratic time on unclosed quotation marks; blocks of this size limit it.
_BLOCK = 8_000

# Nothing reads more than this many words and marks of a sentence together, so that the work grows
# as the text does. Sentences of people and models have fewer: a longer one is a list or damaged.
_LONGEST = 300

_TOKENS = re.compile(r"(?:\w{1,200}|[^\w\s])\s*")

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINES = re.compile(r"[^\r\n\v\f\x85\u2028\u2029]+")
_MARKER = re.compile(r"(?:(?:[-*•–—·]|\*\*|#{1,6}|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s*)+")
# Abbreviations after which `sentencex` ends a sentence even if a name or number continues it.
_OPEN_END = re.compile(
    r"(?:(?<![\w.])(?:[Nn]o|[Pp]rof|[Rr]ev|[Hh]on|[Ff]r|[Mm]sgr|[Vv]en|[Ll]t|[Cc]ol|[Gg]en|[Cc]apt|"
    r"[Ss]gt|[Ll]dr|[Cc]llr|[Ss]upt|[Ii]nsp|[Cc]pl|[Cc]dr|[Ss]qn|[Dd]ra|[Ii]ng|habil|[Mm]aj|[Bb]rig|[Aa]dm|[Cc]mdr|[Gg]ov|[Ss]en|[Rr]ep|[Ss]t|[Mm]t|[Ff]t|[Dd]r|[Mm]r|[Mm]rs|"
    r"[Mm]s|[Cc]a?|[Ff]l|[Bb]|[Dd]|[Rr]|[Vv]s?|[Bb]ros|[Cc]f|e\.g|i\.e|[Vv]ol|[Oo]p|[Nn]ée|[Aa]pprox|"
    r"(?:[A-Z]\.)*[A-Z])|Wham|Jeopardy|Yahoo|Panic)[.!]$"
)
_INITIALISM_END = re.compile(r"(?:[A-Z]\.){2,}$")
_SINGLE_INITIAL = re.compile(r"(?:^|[\s(.])[A-Z]\.$")
_PLAIN_END = re.compile(
    r"(?<=[a-z]{3})[.!?]\s+(?=(?:He|She|They|It|His|Her|Their|In|At|On|Born|After|During|Additionally|"
    r"Another|The)\b)"
)
# Punctuation within a quotation also ends the sentence: "She sang "Sky." He danced."
_QUOTE_END = re.compile(
    r"(?<=\w[.!?][\"”])\s+(?=(?:He|She|They|His|Her|Their|In|At|After|During|Born|The)\s)"
)
VERB = (
    r"(?:(?:also|later|then|currently|now|subsequently|first|further|once|soon|often)\s+)?"
    r"(?:is|was|are|were|has|had|did|won|became|began|wrote|made|took|went|left|held|led|grew|met|"
    r"lost|ran|sang|taught|built|rose|spent|got|gave|came|drew|fought|sold|sat|stood|saw|knew|"
    r"[a-z]{2,}ed)"
)
# Words that `sentencex` takes for abbreviations even if the next sentence begins after them.
_NAME_OPENS = re.compile(
    r"(?<![\w.])(?:[Aa]rt|May|Mar|Inc|Ltd|Corp|Co|Jr|Sr|Esq|etc|al|Ave|Blvd|Rd|Univ|Bros)\.\s+"
    rf"(?=(?:[A-Z][\w'’-]*\s+){{1,4}}{VERB}\b|(?:He|She|His|Her|They|Born|After|During)\s)"
)
_HAS_VERB = re.compile(rf"\b{VERB}\b")
# Sentences that begin with a small letter: a pronoun, a particle of a name ("al-", "von"), "iQuil".
_SMALL_OPENS = re.compile(
    r"(?<=[^\W_]{3})[.!?][\"”’)]*\s+(?=(?:he|she|they|his|her|their|it|its)\s"
    r"|(?:al|el|as|ash|ad|an|ar|at|az)-[A-Z]|(?:von|van|de|del|della|di|da|bin|ibn|ten|ter)\s"
    r"(?:[a-z]+\s)?[A-Z]|[a-z][A-Z]|[a-z]\.\s?[a-z]\.)"
)
_SMALL_NAME = re.compile(r"\W{0,3}(?:[a-z]\.\s?){0,3}([a-z][\w'’-]+)(?:\s+([a-z][\w'’-]+))?")
_STARTERS = frozenset(
    (
        "a an the he she they it his her their its in on at after before during from since while "
        "when as this that these those there another however additionally finally furthermore "
        "moreover meanwhile following despite although by with for upon born one both"
    ).split(" ")
)


class Sentence(NamedTuple):
    """A sentence of a paragraph."""

    start: int  # offset of the sentence's first character in the paragraph
    # Offset after the sentence's last character; surrounding spaces are not part of the sentence.
    end: int
    text: str


def split_sentences(text: str) -> list[Sentence]:
    """Splits a paragraph into sentences, in order.

    A line break always ends a sentence, a list marker is part of the sentence after it, and an
    unfinished last sentence also counts as a sentence. A sentence of more than 300 words and marks
    is split, after a comma if possible. The running time is linear in the length of the text.

    Example:
        >>> [s.text for s in split_sentences("A. E. Kahn wrote. He lived in the U.S. He died.")]
        ['A. E. Kahn wrote.', 'He lived in the U.S.', 'He died.']
    """
    return list(_split(text))


@lru_cache(maxsize=4)  # several roles split the same text one after the other
def _split(text: str) -> tuple[Sentence, ...]:
    sentences: list[Sentence] = []
    named = _small_name(text)
    for line in _LINES.finditer(text):
        start = line.start()
        while start < line.end():
            stop = _block_end(text, start, line.end())
            sentences.extend(_split_block(text, start, stop, named))
            start = stop
    return tuple(sentences)


def _small_name(text: str) -> re.Pattern[str] | None:
    """Returns the pattern of sentences that begin with the name in small letters of a text."""
    match = _SMALL_NAME.match(text)
    if match is None:
        return None
    words = "|".join(re.escape(word) for word in match.groups() if word and len(word) > 2)
    return re.compile(rf"(?<=[^\W_]{{3}})[.!?]\s+(?=(?:{words})\b)") if words else None


def _block_end(text: str, start: int, end: int) -> int:
    """Returns the end of the block that begins at `start`, after a space if possible."""
    if end - start <= _BLOCK:
        return end
    limit = start + _BLOCK
    for mark in (". ", " "):
        cut = text.rfind(mark, start + _BLOCK // 2, limit)
        if cut > 0:
            return cut + len(mark)
    return limit


def _split_block(text: str, start: int, end: int, named: re.Pattern[str] | None) -> list[Sentence]:
    """Splits a line, or a part of a very long line."""
    from sentencex import get_sentence_boundaries

    # UTF-8 cannot encode lone surrogates; the replacement keeps the offsets.
    block = _SURROGATE.sub("\ufffd", text[start:end])
    sentences: list[Sentence] = []
    for boundary in get_sentence_boundaries("en", block):
        left, right = boundary["start_index"], boundary["end_index"]
        piece = block[left:right]
        left += len(piece) - len(piece.lstrip())
        right -= len(piece) - len(piece.rstrip())
        if left >= right:
            continue
        left, right = left + start, right + start
        if sentences and _is_continued(
            text[sentences[-1].start : sentences[-1].end], text[left:right]
        ):
            left = sentences.pop().start
        sentences.extend(_split_unquoted(text, left, right, named))
    return sentences


def _split_unquoted(
    text: str, start: int, end: int, named: re.Pattern[str] | None = None
) -> list[Sentence]:
    """Splits text that `sentencex` did not split, usually because of an unclosed quotation mark."""
    cuts = [start]
    straight, closed = text.count('"', start, end), text.count("”", start, end)
    if text[start].isdigit() or straight % 2 or text.count("“", start, end) > closed:
        cuts.extend(match.end() for match in _PLAIN_END.finditer(text, start, end))
    elif straight or closed or text.find(".", start, end - 1) >= 0:
        openings = (_NAME_OPENS, _QUOTE_END, _SMALL_OPENS, *([named] if named else ()))
        matches = (opening.finditer(text, start, end) for opening in openings)
        for match in sorted(itertools.chain(*matches), key=lambda match: match.start()):
            if match.re in (_SMALL_OPENS, named) and _OPEN_END.search(
                text, text.rfind(" ", start, match.start()) + 1, match.start() + 1
            ):
                continue  # "approx. van Dyck's age"
            small = match.re in (_SMALL_OPENS, named) and " " in text[cuts[-1] : match.start()]
            if small or _HAS_VERB.search(text, cuts[-1], match.start()):
                cuts.append(match.end())
    ends = [*cuts[1:], end]
    cuts = [cut for left, right in zip(cuts, ends, strict=True) for cut in _cuts(text, left, right)]
    pieces = [text[left:right].rstrip() for left, right in zip(cuts, [*cuts[1:], end], strict=True)]
    return [Sentence(c, c + len(p), p) for c, p in zip(cuts, pieces, strict=True)]


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Yields the start of a sentence, and of each further part if it is too long."""
    yield start
    if end - start <= _LONGEST:
        return
    count, comma = 0, None
    for token in _TOKENS.finditer(text, start, end):
        if count >= _LONGEST:
            yield (cut := comma or token.start())
            count = 0 if comma is None else len(_TOKENS.findall(text, cut, token.start()))
            comma = None
        count += 1
        if token[0][0] in ",;" and count > _LONGEST // 2:
            comma = token.end()


def _is_continued(before: str, after: str) -> bool:
    """Whether two consecutive pieces from `sentencex` form one sentence."""
    if _MARKER.fullmatch(before):
        return True
    if before[-1] not in ".!?:;\"”’')…*":
        return True
    first = after[0]
    last = before.rfind(" ") + 1  # the last word suffices: the patterns have no spaces
    if first.islower() or first in ",;:)]%" or (first.isdigit() and _OPEN_END.search(before, last)):
        return not (before[-1] in ".?" and first.islower() and len(before) > 200)
    if len(before) > 1 and _INITIALISM_END.search(before, last):
        return False
    if (
        _OPEN_END.search(before, last)
        and after.split(maxsplit=1)[0].lower().strip(",") not in _STARTERS
    ):
        return True
    return bool(_SINGLE_INITIAL.search(before)) and before.count(" ") < 2


_ENDED = re.compile(r"[.!?…。！？।؟۔][\"'”’»)\]\d]*\s*$")
_SHORTENED = re.compile(r"(?:\b(?:[A-Z]|Jr|Sr|St|Dr|Mr|Mrs|Ms|Inc|Ltd|Co|Corp|d|b|c|ca)\.)\s*$")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_ADDRESS = re.compile(r"(?:[a-z][a-z\d+.-]*://|www\.|/|[A-Za-z]:\\)\S*|\S+\.[A-Za-z]{2,5}\d?")
_ID = re.compile(r"\S*\d\S*|[^\s.]*[_:#/]\S*|[0-9a-f-]{16,}")


def is_prose(text: str) -> bool:
    """Whether a text is a sentence or more, rather than a title, an id or an address.

    Example:
        >>> [is_prose(x) for x in ("Ann Lee sang in Bath.", "Ann Lee (painter)", "Ann Lee Jr.")]
        [True, False, False]
    """
    text = text.strip()
    words = text.split()
    if len(words) < 2 and not _WIDE.search(text):
        return False
    if _ENDED.search(text) and not _SHORTENED.search(text):
        return len(words) > 2 or len(_WIDE.findall(text)) > 5
    return len(words) > 14 or len(_WIDE.findall(text)) > 40


_NAME_WORD = re.compile(r"[^\W\d_a-z]\S*|of|the|and|de|la|von|van|der|di|da|al|du")


def is_title(text: str) -> bool:
    """Whether a text is a few capitalized words, perhaps with words in brackets."""
    name, _, _ = text.strip().partition(" (")
    words = name.split()
    return not is_prose(text) and 0 < len(words) < 9 and all(map(_NAME_WORD.fullmatch, words))


def is_address(text: str) -> bool:
    """Whether a text is a URL, a path or the name of a file."""
    return bool(_ADDRESS.fullmatch(text.strip()))


def is_id(text: str) -> bool:
    """Whether a text is an id, a number, an address or the name of a file.

    Example:
        >>> [is_id(text) for text in ("doc_12", "a/b.pdf", "https://x.org/1", "Ann Lee (rower)")]
        [True, True, True, False]
    """
    text = text.strip()
    return bool(_ID.fullmatch(text) or is_address(text))
