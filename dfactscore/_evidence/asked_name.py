"""The asked name, and the forms in which a passage may write it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import SHORT_FORMS, bears_name, is_numbered_otherwise, plain_name
from dfactscore._text.person_names import PARTICLES, TITLES, PersonName, read_name
from dfactscore._text.thing_names import KINDS, compare_names

WORD = re.compile(r"[^\W\d_]{3,}")
_SPACE = re.compile(r"[\s\-‐‑–]+")
_FORM = re.compile(r"^the\s+|(?<![\s,.])[\s,.]+(?:inc|ltd|llc|plc|gmbh|corp|co)\.?$", re.IGNORECASE)
_ADDED = (  # a middle name, an initial, a nickname, a particle
    rf"(?:[^\W\d_a-z][\w'’-]*\.?|[\"“(][^\"”)]{{1,20}}[\"”)]|(?:{'|'.join(sorted(PARTICLES))}))"
)
_GAP = rf"(?:[\s\-‐‑–]+{_ADDED}){{0,3}}?[\s\-‐‑–]+"
_GIVEN = re.compile(r"(?<!\S)([A-Z][\w'’-]+)\s+$")
_WINDOW = 40  # characters before a name
NUMERAL = re.compile(r"[IVX]{1,5}|\d{1,4}(?:st|nd|rd|th)?")
_MOST_SHORT_FORMS = 12


@dataclass(frozen=True, slots=True)
class AskedName:
    """The name that a text is about, and the patterns of its forms."""

    text: str  # without a qualifier in parentheses
    name: PersonName
    full: re.Pattern[str]  # may lack or add middle names, and shorten the first name
    short: re.Pattern[str] | None  # the surname or first word alone; None for a single word
    words: frozenset[str]  # do not tell bearers apart

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Yields the places where a text may write the name."""
        for match in self.full.finditer(text):
            # "Edward J. Stack" is not "J. Stack".
            inner = match[0][1:2] == "." and _GIVEN.search(text[: match.start()][-_WINDOW:])
            if self.fits(match[0]) and not (inner and inner[1].casefold() not in TITLES):
                yield match

    def fits(self, found: str) -> bool:
        """Whether a name may be the asked one: missing parts do not count, differing parts do."""
        other = read_name(found)
        if is_numbered_otherwise(other, [self.name]):
            return False
        if min(len(self.name.words), len(other.words)) < 2:
            return True
        return compare_names(self.text, found)[0] != "other" or bears_name(found, self.text)


@lru_cache(maxsize=1024)
def asked_name(text: str) -> AskedName:
    """Returns the forms of a name."""
    bare = plain_name(unicodedata.normalize("NFC", text))
    name = read_name(bare)
    if name.titles and len(name.words) > 1:
        bare = name.text  # "Judge Ann Lee"
    written = [word for word in _SPACE.split(_FORM.sub("", bare)) if word] or [bare]
    parts = [w for w in written if len(re.sub(r"\W", "", w)) > 1 or len(written) < 3] or written
    patterns = [_pattern(word) for word in parts]
    person = all(w[:1].isupper() for w in parts) and not KINDS.keys() & {parts[-1].casefold()}
    if len(parts) > 1 and person:
        patterns[0] = _first_name(parts[0])
    forms = [_GAP.join(patterns)]
    if len(parts) > 2 and person:  # a page may lack the middle or the last name
        forms += [patterns[0] + _GAP + patterns[-1], _GAP.join(patterns[:-1])]
    if len(parts) > 1:
        forms.append(rf"{patterns[-1]}, {' '.join(patterns[:-1])}(?: [^\W\d_a-z]\.)?")
    flags = re.IGNORECASE if bare.islower() else re.NOFLAG
    alone = []
    if len(parts) > 1 and NUMERAL.fullmatch(parts[-1]) and not parts[-1].isdigit():
        alone = [patterns[0]]
    elif len(parts) > 1 and person and re.search(r"[^\W\d_]{2}", parts[-1]):
        alone = [patterns[-1], rf"{_pattern(parts[0])}(?=\s+[a-z])"]
    return AskedName(
        bare,
        name,
        re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?!\w|-\w)", flags),
        re.compile(rf"(?<![\w-])(?:{'|'.join(alone)})(?!\w|-\w| [IVX]+\b)") if alone else None,
        frozenset(w.casefold() for w in WORD.findall(fold_accents(bare))),
    )


def _pattern(word: str) -> str:
    """Matches a word with or without its accents."""
    return "".join(_letters(c) for c in unicodedata.normalize("NFC", word))


@lru_cache(maxsize=4096)
def _letters(char: str) -> str:
    plain = fold_accents(char)
    if not char.isalpha() or len(plain) != 1:
        return "['’ʼ‘]" if char in "'’ʼ‘" else re.escape(char)
    return f"[{plain}{_accented().get(plain, '')}]"


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Returns, for each letter, the letters that differ from it by an accent."""
    accented: dict[str, str] = {}
    for char in map(chr, range(0xC0, 0x250)):
        if len(plain := fold_accents(char)) == 1 and plain != char:
            accented[plain] = accented.get(plain, "") + char
    return accented


def _first_name(word: str) -> str:
    """Matches a first name, its initial and its short forms."""
    groups = SHORT_FORMS.get(fold_accents(word).casefold(), frozenset())
    forms = [w.title() for w, others in SHORT_FORMS.items() if not groups.isdisjoint(others)]
    initial = rf"{re.escape(word[0])}(?:\.|[\w'’]+)?" if len(word.strip(".")) == 1 else ""
    short = [*forms[:_MOST_SHORT_FORMS], rf"{re.escape(word[0])}\."]
    return f"(?:{'|'.join(filter(None, (_pattern(word), initial, *short)))})"
