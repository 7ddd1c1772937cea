"""Weighs whether two passages are about one bearer of a name: one table of weights."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import NamedTuple

from dfactscore._evidence.clues import Clues, Definition
from dfactscore._evidence.words import FIELDS, FURNITURE, RANKS
from dfactscore._text.names import is_numbered_otherwise
from dfactscore._text.person_names import read_name
from dfactscore._text.role_words import go_together, nations_differ
from dfactscore._text.thing_names import compare_names
from dfactscore._util.jsonl import parse_json
from dfactscore.engines._builtin.language.tokens import token
from dfactscore.engines._builtin.verify.fact_words import UNKNOWN_IDF
from dfactscore.engines._builtin.verify.model import word_frequencies

_FITTED = parse_json(files(__package__).joinpath("weights.json").read_bytes())
WEIGHTS: Mapping[str, float] = MappingProxyType(_FITTED["reasons"])
"""Log-odds that two passages are about one bearer, by what they share or differ in.

Fitted by training/fit_owners.py, as are `PLACING` and `UNSEEN`.
"""
PLACING: Sequence[float] = tuple(_FITTED["placing"].values())
"""Weights of the evidence that a passage belongs to a bearer."""
UNSEEN: Mapping[str, Sequence[Sequence[float]]] = MappingProxyType(_FITTED["unseen"])
"""Log-odds that a passage is about a bearer that no other passage introduces, by where it names
one: with one other bearer and with several, a constant and a factor of the log of its words."""
VERSION = sha256(json.dumps(_FITTED, sort_keys=True).encode()).hexdigest()[:6]
"""Digest of these weights, which a run records."""
APART = -2.5
"""Log-odds from which two passages are never about one bearer."""
_CONFLICT = -2.0  # of what two passages of one document say
_MOST_TEXT = 20_000  # characters of a passage that are read
_MOST_PARTS = 40  # of a document that are compared with each other
_RUN = 12  # consecutive words; only parts of one document share this many
_MOST_DESCRIPTION, _MOST_DESCRIPTION_OF_THINGS = 3.75, 1.25  # shared words
_RARE, _FREE, _MOST_WORDS = 6.0, 0.4, 3.0  # of the inverse document frequency of shared words
_FIELD_WEIGHT, _MOST_FIELD = 0.5, 2.0
_EMPTY_WORDS = frozenset(token(word).key for word in ("professional", "former", "retired"))


class Relation(NamedTuple):
    """The log-odds that two passages are about one bearer, and the reasons (keys of `WEIGHTS`)."""

    log_odds: float = 0.0
    reasons: tuple[str, ...] = ()


def relation(
    a: Clues, b: Clues, *, catalog: bool, one_bearer: bool, parted: Collection[str] = ()
) -> Relation:
    """Weighs everything two passages say."""
    # `catalog`: whether each title is one entity, as in a wiki; `one_bearer`: whether their
    # document, if they share one, is about one bearer; `parted`: documents of several passages.
    reasons = list(_described(a, b))
    reasons += _titled(a, b, catalog=catalog)
    if a.bears == "subject" and not a.identifies:  # "Ann Lee was convicted of fraud"
        documents = {a.document, b.document}
        if "" not in documents and len(documents) > 1 and not documents.isdisjoint(parted):
            reasons = [*(r for r in reasons if r != "equal bare titles"), "other document"]
        if _other_field(a.content, b.definition.roles):
            reasons.append("other field")
    if a.document and a.document == b.document and one_bearer:
        reasons.append("same document")
    told_apart = a.introduces and b.introduces and sum(WEIGHTS[r] for r in reasons) < 0
    if not told_apart and not word_runs(a.text).isdisjoint(word_runs(b.text)):
        reasons.append("shared words in a row")
    value = sum(WEIGHTS[reason] for reason in reasons)
    value += WEIGHTS["word of the description"] * described_alike(a, b)
    return Relation(value, tuple(reasons))


def described_alike(a: Clues, b: Clues) -> float:
    """Returns the number of words that two descriptions share besides the first, up to a limit."""
    if not (a.identifies and b.identifies):
        return 0.0
    x, y = a.definition, b.definition
    shared = x.words & y.words - _origin_keys(x) - _origin_keys(y)
    most = _MOST_DESCRIPTION_OF_THINGS if x.kinds and y.kinds else _MOST_DESCRIPTION
    return min(most, max(0, len(shared) - 1))


def conflict(a: Clues, b: Clues) -> bool:
    """Whether the texts of two passages show that they are about different bearers."""
    return sum(WEIGHTS[reason] for reason in _described(a, b)) <= _CONFLICT


def shared_words(own: frozenset[str], others: frozenset[str], content: frozenset[str]) -> float:
    """Log-odds from the words that a passage shares with one bearer's passages only."""
    frequencies = word_frequencies()
    weights = (
        min(1.0, frequencies.get(word, UNKNOWN_IDF) / _RARE - _FREE)
        for word in content & own - others
    )
    return min(_MOST_WORDS, sum(weight for weight in weights if weight > 0))


def field_words(roles: Iterable[str], others: Iterable[str], content: frozenset[str]) -> float:
    """Log-odds from words of the fields of some roles, and from words of others' fields."""
    mine, theirs = _fields(roles), _fields(others)
    if not mine or not theirs or mine & theirs:
        return 0.0
    found = [field for word in content if (field := _FIELD_KEYS.get(word))]
    fits = sum(bool(field & mine) - bool(field & theirs) for field in found)
    return max(-_MOST_FIELD, min(_MOST_FIELD, _FIELD_WEIGHT * fits))


def _other_field(content: frozenset[str], roles: Iterable[str]) -> bool:
    """Whether several words of a passage are of fields, and none of them is of the roles'."""
    fields = _fields(roles)
    found = [field for word in content if (field := _FIELD_KEYS.get(word))]
    return bool(fields) and len(found) > 1 and not any(field & fields for field in found)


def _fields(roles: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(FIELDS.get(role, frozenset()) for role in roles))


_FIELD_KEYS: dict[str, frozenset[str]] = {}
for _word, _found in FIELDS.items():
    _FIELD_KEYS[token(_word).key] = _FIELD_KEYS.get(token(_word).key, frozenset()) | _found


def _origin_keys(definition: Definition) -> frozenset[str]:
    return frozenset(token(origin).key for origin in definition.origins)


def _described(a: Clues, b: Clues) -> Iterable[str]:
    """Yields the reasons in what two passages say about their subjects."""
    yield from _lives(a, b)
    x, y = a.definition, b.definition
    if a.classes and b.classes and not a.classes & b.classes:
        yield "other kind of thing"
    else:
        if x.roles and y.roles:
            yield from _roles(a, b)
        if x.kinds and y.kinds:
            yield "same kind" if x.kinds & y.kinds else "other kind"
    if nations_differ(x.origins, y.origins):
        yield "other nation"
    elif x.origins & y.origins:
        yield "same nation"
    if a.thing and b.thing:
        yield from _things(a, b)
    elif x.places and y.places:
        yield "same place" if x.places & y.places else "other place"
    person = "person" in (a.classes | b.classes) and "it" in (a.gender, b.gender)
    if person or (a.gender and b.gender and a.gender != b.gender):
        yield "other gender"
    yield from _named(a, b)


def _lives(a: Clues, b: Clues) -> Iterable[str]:
    """Yields the reasons in the dates of two lives."""
    x, y = a.definition.life, b.definition.life
    for event, one, other in (("birth", x.born, y.born), ("death", x.died, y.died)):
        if one is None or other is None:
            continue
        if one == other:
            yield f"same year of {event}"
        else:
            near = abs(one - other) == 1
            yield f"years of {event} one apart" if near else f"other year of {event}"
    if x.birthday and y.birthday:
        yield "same birthday" if x.birthday == y.birthday else "other birthday"
    for life, other_life, years in ((x, y, b.years), (y, x, a.years)):
        if life.born and not other_life.born and any(year < life.born for year in years):
            yield "years before birth"
        if life.died and not other_life.died and any(year > life.died + 3 for year in years):
            yield "years after death"


def _roles(a: Clues, b: Clues) -> Iterable[str]:
    """Yields the reason in the roles of two people, and in where they hold these."""
    x, y = a.definition, b.definition
    employed = bool(x.employers and y.employers)
    together = bool(x.employers & y.employers)
    if not go_together(x.roles, y.roles):
        alike = {x.life.born, x.life.died} & {y.life.born, y.life.died} - {None}
        sure = a.identifies and b.identifies and not alike
        yield "other role" if sure else "perhaps other role"
    elif x.roles | y.roles <= RANKS and employed:
        yield "same office and place" if together else "same office elsewhere"
    elif not x.roles & y.roles:
        yield (
            "roles of one person, other names"
            if employed and not together
            else ("roles of one person")
        )
    elif not x.roles & y.roles <= RANKS or not employed or together:
        own = frozenset(token(role).key for role in x.roles | y.roles) | _EMPTY_WORDS
        added = [d.words - own - _origin_keys(d) for d in (x, y)]
        otherwise = x.head == y.head and all(added) and not added[0] & added[1]
        both = a.identifies and b.identifies
        yield "same role, otherwise described" if both and otherwise else "same role"


def _things(a: Clues, b: Clues) -> Iterable[str]:
    """Yields the reasons in two definitions of things: names, numbers and years."""
    x, y = a.definition, b.definition
    only = [
        {word for word in one.proper if word not in other.folded} for one, other in ((x, b), (y, a))
    ]
    if all(only):
        several = len(only[0]) + len(only[1]) > 2
        yield "other names in the definition" if several else "other name in the definition"
    elif x.proper & y.proper:
        yield "same names in the definition"
    if a.population and b.population and not a.population & b.population:
        yield "other number"
    made = x.made | x.years, y.made | y.years
    if all(made):
        yield "same founding year" if made[0] & made[1] else "other founding year"


def _named(a: Clues, b: Clues) -> Iterable[str]:
    """Yields the reasons in the names that two passages give in full."""
    pairs = [(m, n) for m in a.names for n in b.names if min(len(m.words), len(n.words)) > 1]
    if pairs and all(compare_names(m.text, n.text)[0] == "other" for m, n in pairs):
        yield "other name"
    elif any(is_numbered_otherwise(m, [n]) for m, n in pairs) or (
        a.numerals and b.numerals and a.numerals != b.numerals
    ):
        yield "other numeral"


def _titled(a: Clues, b: Clues, *, catalog: bool) -> list[str]:
    """Returns the reason in two titles, if any: evidence, not identity."""
    forms = {a.form, b.form}
    same = a.title.casefold() == b.title.casefold()
    if forms == {"bare"}:
        same = same or read_name(a.title) == read_name(b.title)
    elif forms == {"qualified"} and not catalog:  # a catalog writes one title in one way
        same = same or compare_names(a.title, b.title)[0] == "same"
    if (
        catalog
        and same
        and "none" not in forms
        and (a.document == b.document or "bare" not in forms)
    ):
        return ["equal titles of a catalog"]
    if forms <= {"qualified", "bare"}:
        if forms == {"qualified"}:
            return ["equal qualified titles" if same else _qualified(a, b)]
        if forms == {"bare"}:
            same_reason = "equal full names as titles" if a.fuller else "equal bare titles"
            return [same_reason if same else "two full names"]
        qualified, bare = (a, b) if a.form == "qualified" else (b, a)
        fits = not _words(qualified.qualifier).isdisjoint(bare.definition.roles)
        return ["title fits role" if fits else "one title is qualified"]
    if a.title and a.title == b.title and "dressed" in forms:
        return ["equal titles" if a.document != b.document else "equal titles of one document"]
    return []


def _qualified(a: Clues, b: Clues) -> str:
    """Returns the reason in two different qualifiers: "(painter)", "(painter, born 1950)"."""
    x, y = _words(a.qualifier), _words(b.qualifier)
    if (x <= y or y <= x) and compare_names(a.title, b.title)[0] != "other":
        return "compatible qualifiers"
    alike = ("(" in a.title) == ("(" in b.title)
    return "other qualifier" if alike else "other qualifier, other form"


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


@lru_cache(maxsize=4096)
def word_runs(text: str) -> frozenset[tuple[str, ...]]:
    """Returns all sequences of `_RUN` consecutive words in a text, without those of menus."""
    words = [w for w in text[:_MOST_TEXT].split() if w.casefold().strip(".,:;()") not in FURNITURE]
    proper = [
        word[:1].isupper() and not before.endswith((".", "?", "!"))
        for before, word in pairwise([".", *words])
    ]
    low = [word.casefold() for word in words]
    # Without a name, even a long run is common: "who was 65 years of age or older".
    return frozenset(
        tuple(low[k : k + _RUN]) for k in range(len(low) - _RUN + 1) if any(proper[k : k + _RUN])
    )


def one_bearer_documents(clues: Iterable[Clues]) -> frozenset[str]:
    """Returns the documents none of whose passages show different bearers."""
    by_document: dict[str, list[Clues]] = {}
    for one in clues:
        if one.document:
            by_document.setdefault(one.document, []).append(one)
    return frozenset(
        document
        for document, parts in by_document.items()
        if not any(
            conflict(a, b)
            for a, b in combinations([c for c in parts if c.introduces][:_MOST_PARTS], 2)
        )
    )
