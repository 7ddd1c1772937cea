"""Reads facts word by word: their content words, and the units on which a page could differ."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count, pairwise

from dfactscore.engines._builtin.language.announcements import ORDINALS
from dfactscore.engines._builtin.language.life_dates import life_terms
from dfactscore.engines._builtin.language.tokens import PRONOUNS, tokens
from dfactscore.engines._builtin.language.word_classes import ARTICLES
from dfactscore.engines._builtin.verify.event_classes import event_class_of
from dfactscore.engines._builtin.verify.name_types import ORGANIZATION, type_hint, word_type
from dfactscore.engines._builtin.verify.positions import (
    AGE,
    PREPOSITIONS,
    ReadWord,
    chained,
    read_forms,
)
from dfactscore.engines._builtin.verify.reading import plain_fact

MAX_CHARACTERS = 4000
MAX_WORDS = 400  # further words are ignored, in case a "fact" is a whole paragraph
UNKNOWN_IDF = 9.0
COPULAS = frozenset("is was are were be been become became becoming as".split())
CAPITAL = 3  # flag of a capitalized word in `FactWords.flags`; for other words it is their kind
UNIT_ROW = tuple("begin owner sort before denied type event verb backward size place".split())
_BEGIN, _, _SORT, _BEFORE, _, _TYPE, _EVENT, _VERB, _BACKWARD, _SIZE, _ = range(len(UNIT_ROW))
_BEARER = frozenset(("he", "she", "they"))
_BEARERS = frozenset(("his", "her", "their"))
_TO, _BETWEEN = PREPOSITIONS["to"], (PREPOSITIONS["between"], PREPOSITIONS["and"])
_INSIDE_NAMES = frozenset("of the de van von".split())
_LONG_AGO = -9  # words


class Family:
    """Words or sequences of words from all facts, and the index at which each fact ends."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.ends: list[int] = []

    def add(self, items: Iterable[str]) -> None:
        """Adds the items of the next fact."""
        self.items += items
        self.ends.append(len(self.items))


class FactWords:
    """The words of facts about the bearer of a name, in lists that grow with every fact."""

    def __init__(self, name: str, idf: Mapping[str, float]) -> None:
        self.idf = idf
        self.name_words = {item.exact for item in tokens(name)}
        self.name_keys = {item.key for item in tokens(name)}
        # a new form gets the next number
        self.forms: defaultdict[tuple[str, str, str], int] = defaultdict(count(1).__next__)
        self.forms["", "", ""] = 0  # the empty word
        self.place: list[int] = []
        self.starts: list[int] = []
        self.values: list[float] = []  # inverse document frequency of each content word
        self.flags: list[int] = []
        self.pairs, self.triples = Family(), Family()
        self.subject, self.leads, self.named = Family(), Family(), Family()
        self.edges: list[int] = []
        self.heads: list[int] = []
        self.roles: list[frozenset[str]] = []
        self.shape: list[tuple[float, ...]] = []
        self.units: list[list[int]] = []

    def add(self, text: str) -> None:
        """Reads the next fact."""
        text = plain_fact(text[:MAX_CHARACTERS])
        forms = read_forms(text)[:MAX_WORDS]
        if _counts_namesakes(forms, self.name_words):
            forms = forms[2:]  # "the second" in "The second Ann Lee" is about the text
        number, start, first_unit = len(self.starts), len(self.place), len(self.units)
        self.starts.append(start)
        self.place.append(0)
        self.values.append(0.0)
        self.flags.append(0)
        fact = _Fact(self, number)
        fact.read(forms)
        exact = [form[1] for form in forms]
        leading = list(_leading_names(forms))
        self.triples.add(map(chained, zip(exact, exact[1:], exact[2:], strict=False)))
        self.pairs.add(map(chained, pairwise(fact.keys)))
        self.subject.add(leading)
        self.leads.add(leading[:1])
        self.named.add(fact.named)
        backward = self.mark_backward(first_unit)
        content = len(fact.keys)
        self.edges += (start + min(1, content), len(self.place) - 1)
        self.heads.append(fact.head or start)
        terms = life_terms(text)
        self.roles.append(terms)
        self.shape.append(
            (
                len(forms),
                content,
                fact.total / max(1, content),
                0,  # `prepare_claims` counts capitals and numbers
                0,
                fact.negated,
                bool(exact) and exact[0] in PRONOUNS,
                len(fact.named) > 0,
                len(terms) > 0,
                _subject(forms, self.name_words),
                backward,
            )
        )

    def mark_backward(self, start: int) -> bool:
        """Marks ranges that run from a later to an earlier year; returns whether there are any."""
        has_backward = False
        for first_date, second_date in pairwise(self.units[start:]):
            if first_date[_SORT] == second_date[_SORT] == 3:
                links = first_date[_BEFORE], second_date[_BEFORE]
                if links[1] == _TO or links == _BETWEEN:
                    years = self.year_in(first_date), self.year_in(second_date)
                    if years[0] > years[1] > 0:
                        first_date[_BACKWARD] = second_date[_BACKWARD] = 1
                        has_backward = True
        return has_backward

    def year_in(self, unit: list[int]) -> int:
        """Returns the year in a date, which may begin with a day and month; 0 if there is none."""
        keys = list(self.forms)
        for place in self.place[unit[_BEGIN] : unit[_BEGIN] + 3]:
            key = keys[place][0]
            if len(key) == 4 and key.isdecimal():
                return int(key)
        return 0


class _Fact:
    """State while a fact is read word by word."""

    def __init__(self, facts: FactWords, number: int) -> None:
        self.all, self.number, self.first_unit = facts, number, len(facts.units)
        self.keys: list[str] = []
        self.named: list[str] = []
        self.total = 0.0  # total inverse document frequency of the fact's content words
        self.negated = self.head = self.link = 0  # 1 after a negation, else 0
        self.event = self.event_class = 0  # the last lower-case word, see `Units`
        self.inside, self.last = False, ""  # whether "is a" came last; the last word
        self.latest = _LONG_AGO  # position of the last word of a name or date
        self.dying = self.aging = False

    def read(self, forms: Sequence[ReadWord]) -> None:
        name_words, name_keys = self.all.name_words, self.all.name_keys
        for position, form in enumerate(forms):
            kind, low = form[0], form[1]
            if kind == 0:
                self.function_word(low, form[7])
            elif kind == 3:
                self.negated = 1
                self.latest = _LONG_AGO
            elif self.dying and low in ("age", "aged"):
                self.aging = True
            else:
                key = AGE + form[2] if self.aging and kind == 2 else form[2]
                self.aging = False
                self.dying = self.dying or key == "die"
                if low in name_words or key in name_keys:
                    self.named.append(low)
                    self.link = 0
                    self.latest = _LONG_AGO
                else:
                    self.content_word(position, key, form)

    def function_word(self, low: str, says: int) -> None:
        self.inside = low in ARTICLES and self.last in COPULAS and not self.head
        self.last = low
        if says > 0:  # a preposition
            self.link = says
        named = low == "for" and self.latest >= 0 and self.all.units[-1][_TYPE] >= ORGANIZATION
        if low not in _INSIDE_NAMES and not named:
            self.latest = _LONG_AGO

    def content_word(self, position: int, key: str, form: ReadWord) -> None:
        kind, low, _, short, upper, _, read_as, _ = form
        facts = self.all
        capital = kind == 1 and upper and (position > 0 or key not in facts.idf)
        sort = read_as if capital or read_as != 1 else 0
        if sort and self.latest >= 0 and self.continues(position, sort):
            self.extend_unit(sort, capital, form)
        else:
            self.begin_unit(sort, key, form)
        self.latest = position if sort else _LONG_AGO
        self.link = 0
        if self.inside and kind == 1:
            self.head = len(facts.place)
        value = facts.idf.get(key, UNKNOWN_IDF)
        facts.place.append(facts.forms[key, short, low])
        facts.values.append(value)
        facts.flags.append(CAPITAL if capital else kind)
        self.keys.append(key)
        self.total += value
        self.last = low

    def continues(self, position: int, sort: int) -> bool:
        """Whether a word continues the name or date before it."""
        near = position - self.latest <= 3
        return near and (sort > 1) == (self.all.units[-1][_SORT] > 1)

    def extend_unit(self, sort: int, capital: bool, form: ReadWord) -> None:
        unit = self.all.units[-1]
        unit[_SORT] = max(unit[_SORT], sort)  # a date with a year is a year
        unit[_SIZE] += 1
        if capital:
            hint = -form[7] if form[6] == 1 else type_hint(form[1])
            unit[_TYPE] = max(unit[_TYPE], hint)

    def begin_unit(self, sort: int, key: str, form: ReadWord) -> None:
        _, low, _, _, _, _, read_as, says = form
        units, index = self.all.units, len(self.all.place)
        hint = 0 if sort > 1 else -says if sort == read_as else word_type(low, key)
        event = self.event or index, self.event_class
        place = len(units) - self.first_unit
        units.append([index, self.number, sort, self.link, self.negated, hint, *event, 0, 1, place])
        if sort == 0:
            is_first = not self.event
            self.event, self.event_class = index, event_class_of(key)
            if is_first:  # the first lower-case word is the event of the words before it
                for unit in units[self.first_unit : -1]:
                    unit[_EVENT], unit[_VERB] = index, self.event_class


def _counts_namesakes(forms: Sequence[ReadWord], name: AbstractSet[str]) -> bool:
    """Whether a fact begins by numbering the bearers of a name: "The second Ann Lee"."""
    return (
        len(forms) > 2
        and forms[0][1] == "the"
        and forms[1][1] in ORDINALS
        and forms[2][4]
        and forms[2][1] in name
    )


def _subject(forms: Sequence[ReadWord], name: AbstractSet[str]) -> int:
    """Returns the type of a fact's subject: 3 bearer, 2 "his" or a noun, 1 another name, else 0."""
    for kind, low, _, _, upper, *_ in forms:
        if kind == 1 or low in PRONOUNS:
            if low in _BEARER or low in name:
                return 3
            return 1 if upper and low not in _BEARERS else 2
    return 0


def _leading_names(forms: Sequence[ReadWord]) -> Iterable[str]:
    """Yields the capitalized words at the beginning of a fact, which may follow one other word."""
    for position, (kind, low, _, _, upper, *_) in enumerate(forms):
        if kind == 1 and upper:
            yield low
        elif position or (kind == 0 and low not in ARTICLES):
            return
