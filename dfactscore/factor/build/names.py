"""The names of a corpus by kind: what can stand in another's place."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dfactscore.engines.builtin.language.word_classes import MONTHS, is_demonym
from dfactscore.engines.builtin.language.word_lists import GIVEN_NAMES
from dfactscore.retrieval import Page

__all__ = ["Mention", "Names", "mentions"]

_CAP = r"(?:[A-Z][\w’'&.-]*[\w&]|[A-Z]\.(?= [A-Z])|[A-Z])"
_JOIN = r"(?: (?:of|for|de|la|du|van|von|del)(?: the)? | )"
_PROPER = re.compile(rf"(?<![\w’'-]){_CAP}(?:{_JOIN}{_CAP})*")
_HEADS: Mapping[str, str] = {
    **dict.fromkeys(("University", "College", "School", "Academy", "Institute"), "education"),
    **dict.fromkeys(("Senate", "Congress", "Parliament", "Assembly", "Council"), "government"),
    **dict.fromkeys(("Navy", "Army", "Corps", "Force"), "military"),
    **dict.fromkeys(("Party", "Democrats", "Republicans"), "party"),
    **dict.fromkeys(("Company", "Productions", "Studios", "Radio", "Television"), "company"),
    **dict.fromkeys(("Museum", "Society", "Laboratory", "Library"), "institution"),
    **dict.fromkeys(("Prize", "Award", "Medal", "Cup", "League"), "prize"),
    "War": "war",
    **dict.fromkeys(("Battle", "Raid"), "battle"),
}
_TITLES = frozenset(
    ("Mr Mrs Ms Dr Sir Lord Lady King Queen President Admiral General Captain").split()
)
_SKIP = frozenset(
    (
        "the a an he she it they his her its their in on at by for from with as after before when "
        "while during since until that this these those two three four five six seven eight nine "
        "ten there then later meanwhile although because though but and or so not no i as both "
        "one mr mrs english british american cup league god bible christmas easter monday tuesday "
        "wednesday thursday friday saturday sunday"
    ).split()
)
# Words before a name that is a place there.
_BEFORE_PLACE = re.compile(r"\b(in|from|near) $")
_AFTER_PLACE = re.compile(
    r"(?:[.,;]|$| (?:in|on|and|to|from|until|with|where|as|for|when|by|at)\b)"
)
_BEFORE_WORK = re.compile(
    r"\b(?:in|musical|film|book|series|comedy|drama|thriller|play|song|single|album|novel|mystery|"
    r"ship|called) (?:the )?$"
)
_NOT_PLACES = frozenset(
    (
        "Operation Battle Yale Harvard House Congress Parliament NASA Confederation Columbia "
        "Gemini Apollo Trafalgar Midway Heaven Islam Christianity Latin French German Spanish "
        "Italian Greek Hebrew Government"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text.

    Attributes:
        text: The name.
        kind: ``"person"``, ``"place:in"`` (by the word before it), ``"education"`` and the like.
        start, end: Where it stands.
    """

    text: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Names:
    """Names by kind, each with the titles of the pages that have it."""

    by_kind: Mapping[str, Mapping[str, frozenset[str]]]

    @classmethod
    def of(cls, pages: Mapping[str, Page]) -> Names:
        """Collects the names of a corpus."""
        found: dict[str, dict[str, set[str]]] = {}
        people = given_names()
        for title, page in pages.items():
            for one in mentions(page.text, people):
                found.setdefault(one.kind, {}).setdefault(one.text, set()).add(title)
        kinds = {
            kind: {name: frozenset(titles) for name, titles in sorted(names.items())}
            for kind, names in sorted(found.items())
        }
        return cls(kinds)

    def others(self, one: Mention, title: str, unlike: str) -> list[str]:
        """Names of the same kind in other documents that do not stand in a text.

        Args:
            one: The name.
            title: Its document.
            unlike: The text in which they may not stand.
        """
        words = len(one.text.split())
        low = unlike.casefold()
        return [
            name
            for name, titles in self.by_kind.get(one.kind, {}).items()
            if titles - {title}
            and title not in titles
            and abs(len(name.split()) - words) <= 2
            and name.casefold() not in low
            and name.split()[-1].casefold() not in low
        ]


def given_names() -> frozenset[str]:
    """First names: those that the package knows."""
    return frozenset(GIVEN_NAMES)


def mentions(text: str, people: frozenset[str]) -> list[Mention]:
    """The names of a text whose kind is clear."""
    found = []
    for match in _PROPER.finditer(text):
        name, start = match.group(), match.start()
        words = name.split()
        # The first word of a sentence has a capital whatever it is.
        opens = start == 0 or text[max(0, start - 2) : start].strip() in (".", "!", "?", "")
        if opens and words[0].lower() in _SKIP:
            start += len(words[0]) + 1
            name, words = name[len(words[0]) + 1 :], words[1:]
        if not words or not name[0].isupper():
            continue
        kind = _kind(name, words, text[max(0, start - 12) : start], text[start + len(name) :],
                     people)  # fmt: skip
        if kind:
            found.append(Mention(name, kind, start, start + len(name)))
    return found


def _kind(name: str, words: list[str], before: str, after: str, people: frozenset[str]) -> str:
    if any(word.lower() in MONTHS or is_demonym(word) for word in words):
        return ""
    if re.search(r"[A-Z]\w*,? and (?:the )?$", before) or re.match(r" and [A-Z]", after):
        return ""  # a part of a longer name, or of a list whose other names say what it is
    if name in _NOT_PLACES or words[0].lower() in _SKIP or re.match(r"[’'\w-]", after):
        return ""
    if {"Award", "Prize", "Medal"} & set(words):
        return "prize" if len(words) > 1 and before.endswith("the ") else ""
    # "University of Oslo" has its kind in front, "Magdalen College" behind.
    head = words[0] if "of" in words[1:2] else words[-1]
    if head in _HEADS:
        article = "the " if before.endswith("the ") else ""
        return f"{article}{_HEADS[head]}" if len(words) > 1 else ""
    if words[0] in _TITLES or any(word in _HEADS for word in words):
        return ""
    if (
        words[0].lower() in people
        and 2 <= len(words) <= 3
        and not {"of", "for", "the"} & set(words)
        and not _BEFORE_WORK.search(before)
        and not words[1].endswith(("ing", "ed"))
    ):
        return "person"
    if (
        _BEFORE_PLACE.search(before)
        and _AFTER_PLACE.match(after)
        and len(words) <= 3
        and "of" not in words
        and not set(words) & _NOT_PLACES
        and name.upper() != name
    ):
        return "place"
    return ""
