"""Facts with one value changed to another of its kind from the same page, eleven kinds.

These rules are for measuring only; `contrast.py`, which creates training pairs, has other rules.
They select changed facts that are false:

- the original is labelled supported, and its value is in a sentence of the page that also contains
  a third of the fact's other content words (so the page states the original);
- the new value is of the same kind, on the page, not in the fact, and not within two words
  of the original value (Boston in "Boston, Massachusetts" does not contradict it);
- no supported fact of the page has the changed fact's content words;
- a new year, number or name is not nearer to the fact's event word than the original;
- a new role is in no "was a …", "as a …" or apposition of the page.
"""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from verifier_data import Documents, Pair

from dfactscore._text.sentences import sentence_spans
from dfactscore.engines._builtin.language.tokens import tokens

KINDS = (
    "year",
    "date",
    "number",
    "place",
    "organization",
    "person",
    "event",
    "role",
    "birth/death",
    "arguments",
    "negation",
)
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = re.compile(rf"{_MONTH} \d{{1,2}}(?:, \d{{4}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?")
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_NUMBER = re.compile(
    r"\b(?:\d{1,3}(?:,\d{3})+|\d{1,3})(?:st|nd|rd|th)?\b(?![.,]\d)"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|first|second"
    r"|third|fourth|fifth)\b"
)
_SPAN = re.compile(
    r"\b[A-Z][\w'’-]*[a-z](?:(?: (?:of|for|and|de|van|the)(?: the)?)? [A-Z][\w'’-]+)*"
)
_ORGANIZATION = set(
    """University College School Club F.C. FC United Company Corporation Party Army Navy Museum
    Academy Institute Church Records Orchestra Association Council Parliament Senate Society Times
    Press League Ministry Department Theatre Band Bank Hospital Regiment Rovers City Union Court
    Commission Committee Assembly House Service Opera Guard Federation Group Team Rangers Press
    Foundation Agency Force Center Centre Studios Office Network Conservatory Seminary""".split()
)
_EVENT = set(
    """War Battle Olympics Games Championship Championships Cup Tournament Prize Award Awards Medal
    Revolution Conference Festival Election Open Prix Congress Series Bowl Rebellion Marathon Race
    Siege Campaign Derby Trophy Finals Fellowship Order""".split()
)
_PLACE_BEFORE = re.compile(r"\b(?:in|at|near|from|to|of)\s\Z")
_PERSON_BEFORE = re.compile(
    r"\b(?:son|daughter|wife|husband|brother|sister|father|mother|by|with|under|married|president"
    r"|king|mr|sir|dr|governor|senator|bishop|of|and|,)\s\Z",
    re.IGNORECASE,
)
_ROLES = set(
    """actor actress singer painter poet novelist writer author politician lawyer judge banker
    merchant farmer soldier officer general admiral captain bishop priest minister senator governor
    mayor congressman ambassador diplomat teacher professor scientist physicist chemist botanist
    physician surgeon nurse engineer architect inventor sculptor photographer journalist editor
    publisher composer pianist violinist drummer guitarist conductor director producer screenwriter
    dancer comedian footballer cricketer swimmer boxer cyclist golfer coach manager goalkeeper
    pitcher king queen duke earl baron count prince historian philosopher theologian economist
    mathematician astronomer explorer missionary sailor pilot secretary treasurer chairman president
    clerk librarian activist defender midfielder forward striker""".split()
)
_ASSERTED = r"(?:\b(?:was|is|as|became|become)\b[^.;]{0,60}|,\s(?:an?|the)\s[^.;,]{0,30})\b%s\b"
_VERB = re.compile(r"\b(?:was|is|has|were|had)\b")
_BORN = re.compile(r"\b(?:was |is |were )?born\b")
_DIED = re.compile(r"\b(?:died|passed away|was killed)\b")
Span = tuple[int, int]


@dataclass(frozen=True)
class Case:
    """A fact of a page, before and after the change."""

    kind: str
    pair: Pair
    fact: str
    old: str
    new: str


def binding_cases(pairs: Sequence[Pair], seed: int = 7, most: int = 400) -> list[Case]:
    """Returns the changed facts that the rules allow, at most one per fact and kind."""
    said: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
    for pair in pairs:
        if pair.kind == 0 and pair.label:
            said[pair.name, pair.title].add(_atom(pair.fact))
    found: dict[str, list[Case]] = defaultdict(list)
    seen: set[tuple[str, str, str]] = set()
    for pair in pairs:
        key = (pair.name, pair.title, pair.fact.lower())
        if pair.kind or not pair.label or key in seen or len(pair.fact) > 200:
            continue
        seen.add(key)
        chance = random.Random(f"{seed} {pair.name} {pair.fact}")
        page = _text(pair.documents)
        for kind in KINDS:
            made = [
                case
                for case in _MAKERS[kind](pair, page, kind)
                if _atom(case.fact) not in said[pair.name, pair.title] or kind in _ORDERED
            ]
            if made:
                found[kind].append(chance.choice(made))
    chance = random.Random(seed)
    return [
        case
        for kind in KINDS
        for case in sorted(
            chance.sample(found[kind], min(most, len(found[kind]))),
            key=lambda case: (case.pair.name, case.fact),
        )
    ]


def _atom(fact: str) -> frozenset[str]:
    return frozenset(item.key for item in tokens(fact) if item.kind)


def _text(documents: Documents) -> str:
    """Returns the text of the documents, without titles repeated in passages."""
    return "\n".join(body.removeprefix(title).strip() for title, body in documents)


def _values(text: str, kind: str, name: str) -> list[tuple[Span, str]]:
    """Finds the values of a kind in a text: their spans and meanings."""
    if kind == "date":
        return [(m.span(), m[0]) for m in _DATE.finditer(text)]
    dates = [m.span() for m in _DATE.finditer(text)]
    if kind == "year":
        spans = [m.span() for m in _YEAR.finditer(text)]
    elif kind == "number":
        spans = [m.span() for m in _NUMBER.finditer(text)]
    elif kind == "role":
        spans = [m.span() for m in re.finditer(r"\b[a-z]{4,}\b", text) if m[0] in _ROLES]
    else:
        own = set(re.findall(r"\w+", name))
        spans = [
            m.span()
            for m in _SPAN.finditer(text)
            if _sort(text, m, own) == kind and not set(re.findall(r"\w+", m[0])) & own
        ]
    return [
        ((a, b), text[a:b])
        for a, b in spans
        if not any(x <= a and b <= y for x, y in dates) or kind not in ("year", "number")
    ]


def _sort(text: str, match: re.Match[str], own: set[str]) -> str:
    """Returns the kind of a capitalized span, by its words and the word before it."""
    words = match[0].split()
    if words[0] in _STARTS or re.fullmatch(_MONTH, words[0]):
        return ""
    if set(words) & _EVENT:
        return "event"
    if set(words) & _ORGANIZATION:
        return "organization"
    before = text[max(0, match.start() - 12) : match.start()]
    if len(words) in (2, 3) and _PERSON_BEFORE.search(before) and "of" not in words:
        return "person"
    if _PLACE_BEFORE.search(before) and len(words) < 4 and not before.endswith("of "):
        return "place"
    return ""


_STARTS = set(
    "He She It They The A An In On At His Her Their This That After Before During While When As For"
    " From With By And But Its There These Later However Also Since Until Under".split()
)
_ORDERED = ("birth/death", "arguments", "negation")


def _swapped(pair: Pair, page: str, kind: str) -> Iterator[Case]:
    fact = pair.fact
    others = _values(page, kind, pair.name)
    for (start, end), old in _values(fact, kind, pair.name):
        rest = _content(fact[:start] + " " + fact[end:], pair.name)
        homes = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", page)]
        if not rest or not homes or not _near(page, homes, rest):
            continue
        event = _event(fact, start, pair.name)
        for (a, b), new in others:
            if new.lower() in fact.lower() or old in new or new in old:
                continue
            if set(_content(new, "")) & set(_content(fact, "")):
                continue
            if any(abs(a - y) < 14 or abs(x - b) < 14 for x, y in homes):
                continue
            if kind == "role":
                if re.search(_ASSERTED % re.escape(new), page):
                    continue
            elif _distance(page, event, (a, b)) <= min(_distance(page, event, h) for h in homes):
                continue
            yield Case(kind, pair, _put(fact, start, end, new), old, new)


def _content(text: str, name: str) -> set[str]:
    own = {item.key for item in tokens(name)}
    return {item.key for item in tokens(text) if item.kind in (1, 2)} - own


def _near(page: str, homes: list[Span], rest: set[str]) -> bool:
    for start, end in sentence_spans(page):
        if any(start <= a and b <= end for a, b in homes):
            held = {term for item in tokens(page[start:end]) for term in item.terms}
            if len(rest & held) >= max(1, len(rest) / 3):
                return True
    return False


def _event(fact: str, start: int, name: str) -> str:
    """Returns the last lower-case content word before the value, or the first in the fact."""
    own = {item.key for item in tokens(name)}
    before = [t for t in tokens(fact[:start]) if t.kind == 1 and not t.upper and t.key not in own]
    if before:
        return before[-1].key
    after = [t for t in tokens(fact[start:]) if t.kind == 1 and not t.upper and t.key not in own]
    return after[0].key if after else ""


def _distance(page: str, event: str, span: Span) -> int:
    """Returns the distance of a value from the nearest event word; large if there is none."""
    best = 10**6
    for match in re.finditer(r"\w+", page):
        if any(item.key == event for item in tokens(match[0])):
            best = min(best, max(match.start() - span[1], span[0] - match.end(), 0))
    return best


def _put(fact: str, start: int, end: int, new: str) -> str:
    before = fact[:start]
    if before.endswith((" a ", " an ")) and new[:1].islower():
        before = before[: before.rstrip().rfind(" ")] + (" an " if new[0] in "aeiou" else " a ")
    return before + new + fact[end:]


def _lives(pair: Pair, page: str, kind: str) -> Iterator[Case]:
    value = _YEAR.search(pair.fact)
    if not value or page.count(value[0]) != 1:
        return
    for pattern, word in ((_BORN, "died"), (_DIED, "was born")):
        match = pattern.search(pair.fact)
        if match and not (_BORN.search(pair.fact) and _DIED.search(pair.fact)):
            yield Case(
                kind, pair, pair.fact[: match.start()] + word + pair.fact[match.end() :],
                match[0], word,
            )  # fmt: skip


def _exchanged(pair: Pair, page: str, kind: str) -> Iterator[Case]:
    """Exchanges two values of one kind, unless only "and", "or" or a comma joins them."""
    fact = pair.fact
    for sort in ("place", "person", "organization", "event", "year", "date", "number"):
        values = _values(fact, sort, pair.name)
        for ((a, b), one), ((c, d), other) in pairwise(values):
            between = fact[b:c].strip()
            if between in ("and", "or", ",", "&", ", and", "-", "–", "in") or one == other:
                continue
            if one in page and other in page and not (sort == "number" and between == "of"):
                yield Case(kind, pair, fact[:a] + other + between.join("  ") + one + fact[d:],
                           one, other)  # fmt: skip


def _denied(pair: Pair, page: str, kind: str) -> Iterator[Case]:
    match = _VERB.search(pair.fact)
    if match and not re.search(r"\b(?:not|never|no)\b", pair.fact):
        yield Case(
            kind, pair, f"{pair.fact[: match.end()]} not{pair.fact[match.end() :]}", "", "not"
        )


_MAKERS = {
    **dict.fromkeys(KINDS[:8], _swapped),
    "birth/death": _lives,
    "arguments": _exchanged,
    "negation": _denied,
}
