"""Builds AmbigFACTOR from pages of people who share a name, and writes it with their pages."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._records import Document
from dfactscore._text.names import name_words, plain_name
from dfactscore._util.files import check_output, make_folder
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.factor._ambig.facts import (
    SINGLE,
    SLOTS,
    Filler,
    Namesake,
    SlotFact,
    fill,
    has_origin,
    read_person,
    without_origin,
)
from dfactscore.factor._ambig.values import (
    content_words,
    date_in,
    fields_of,
    fits_gender,
    gender_of,
    is_telling,
    may_hold,
    names_one,
)
from dfactscore.factor._contexts import all_pages
from dfactscore.factor._description import baselines
from dfactscore.factor._factor_items import Contradiction, FactorItem, item_record
from dfactscore.factor._settings import Slot
from dfactscore.retrieval import Page

_MOST = 3  # false completions per item
_PLACES = ("birth_place", "death_place")
#: Slots whose values may differ in length, by at most `_WORDS` words.
_FREE = ("occupation", "affiliation", "award")
_WORDS = 3


@dataclass(frozen=True)
class AmbigBuild:
    """The result of the build."""

    items: tuple[FactorItem, ...]  # items, sorted by name, title and slot
    pages: Mapping[str, Page]
    names: int  # number of names for which at least two people have pages
    facts: Mapping[str, int]
    drops: Mapping[str, int]  # number of excluded names, facts and completions, by reason

    @property
    def empty_slots(self) -> tuple[str, ...]:
        """The slots for which no page has a fact."""
        return tuple(slot for slot in SLOTS if not self.facts.get(slot))


def build_ambig(
    pages: Any,
    *,
    names: Mapping[str, Collection[str]] | None = None,
    slots: Sequence[Slot] = SLOTS,
    seed: int = 1,
) -> AmbigBuild:
    """Builds items whose false completions are true of another person with the same name."""
    pages_by_title = all_pages(pages)
    drops: Counter[str] = Counter()
    groups = _groups(pages_by_title, names, drops)
    people = {
        name: _distinct([read_person(name, pages_by_title[title]) for title in titles], drops)
        for name, titles in groups.items()
    }
    facts = Counter(s.slot for group in people.values() for p in group for s in p.statements)
    drops["a name with one person"] += sum(len(group) < 2 for group in people.values())
    several = [group for group in people.values() if len(group) > 1]
    builder = _Builder(people, seed, drops)
    items = [
        item for group in several for person in group for item in builder.items_of(person, slots)
    ]
    used = {t for name in people for t in (p.title for p in people[name])}
    return AmbigBuild(
        tuple(items),
        {title: pages_by_title[title] for title in sorted(used)},
        len(several),
        dict(sorted(facts.items())),
        dict(sorted(drops.items())),
    )


def _groups(
    pages: Mapping[str, Page],
    names: Mapping[str, Collection[str]] | None,
    drops: Counter[str],
) -> dict[str, list[str]]:
    """Sorted titles by name, excluding names whose people are all included under another name."""
    if names is not None:
        listed = {}
        for name in sorted(names):
            titles = sorted({title for title in names[name] if title in pages})
            drops["a person without a page"] += sum(t not in pages for t in set(names[name]))
            listed[name] = titles
        return {name: titles for name, titles in listed.items() if titles}
    titles_by_name: dict[str, list[str]] = {}
    for name in sorted({plain_name(title) for title in pages}):
        if len(name_words(name)) > 1:
            titles_by_name[name] = [title for title in pages if _bears(title, name)]
    wider = {
        name: titles
        for name, titles in titles_by_name.items()
        if not any(
            set(titles) < set(others) or (titles == others and other < name)
            for other, others in titles_by_name.items()
        )
    }
    return wider


def _bears(title: str, name: str) -> bool:
    """Whether a title contains all words of a name, in the same order."""
    words = iter(name_words(title))
    return all(word in words for word in name_words(name))


def _distinct(people: Sequence[Namesake], drops: Counter[str]) -> list[Namesake]:
    """The people whose page text differs from everyone else's."""
    texts = Counter(person.text for person in people)
    same = [person for person in people if texts[person.text] > 1]
    drops["equal pages"] += len(same)
    return [person for person in people if texts[person.text] == 1]


class _Builder:
    """Builds items from people's facts, and counts what it excludes."""

    def __init__(
        self, people: Mapping[str, Sequence[Namesake]], seed: int, drops: Counter[str]
    ) -> None:
        self._people, self._seed, self._drops = people, seed, drops
        self._verifier = BuiltinVerifier()

    def items_of(self, person: Namesake, slots: Sequence[Slot]) -> Iterator[FactorItem]:
        """The items about a person."""
        self._drops.update(person.doubts)
        if not person.statements:
            self._drops["a page without facts in the slots"] += 1
        number: Counter[str] = Counter()
        for statement in person.statements:
            slot = statement.slot
            if slot not in slots:
                continue
            if not self._supports(person, statement.sentence):
                self._drops["its own page does not support it"] += 1
                continue
            number[slot] += 1
            key = f"{person.name}|{person.title}|{slot}|{number[slot]}"
            draw = random.Random(f"{self._seed}|{key}")
            false: dict[str, Contradiction] = {}
            self._add(false, "namesake", person, statement, draw)
            if not false:
                self._drops["no namesake's completion"] += 1
                continue
            self._add(false, "stranger", person, statement, draw)
            namesakes = [p.title for p in self._people[person.name] if p is not person]
            yield _item(key, person, statement, tuple(false.values()), namesakes)

    def _add(
        self,
        false: dict[str, Contradiction],
        kind: str,
        person: Namesake,
        statement: SlotFact,
        draw: random.Random,
    ) -> None:
        """Adds completions that are true of namesakes or strangers, up to the maximum."""
        group = self._people[person.name]
        others, drops = [p for p in group if p is not person], self._drops
        if kind == "stranger":
            others = [p for n, members in self._people.items() if n != person.name for p in members]
            drops = Counter()  # not counted, since most strangers do not fit
        titles = {p.title for p in group}
        for other in draw.sample(others, len(others)):
            if len(false) == _MOST:
                return
            if kind == "stranger" and other.title in titles:
                continue
            completion = self._of(other, statement, person, draw, drops)
            if completion is None or completion in false:
                continue
            if kind == "stranger" and any(
                self._supports(namesake, completion) for namesake in group
            ):
                self._drops["a stranger's completion that a namesake's page supports"] += 1
                continue
            false[completion] = Contradiction(completion, statement.slot, kind, other.title)

    def _of(
        self,
        other: Namesake,
        statement: SlotFact,
        person: Namesake,
        draw: random.Random,
        drops: Counter[str],
    ) -> str | None:
        """Another person's fact put into the target's frame, if it passes all checks."""
        slot, target = statement.slot, statement.filler
        fillers = [one.filler for one in other.statements if one.slot == slot]
        if slot == "occupation" and not has_origin(target.value):
            fillers = [replace(one, value=without_origin(one.value)) for one in fillers]
        size = len(target.value.split())
        sentences = [(one, fill(target, one)) for one in draw.sample(fillers, len(fillers))]
        # Prefer values of the same length, so that length does not reveal the true one.
        for one, sentence in sorted(sentences, key=lambda f: abs(len(f[0].value.split()) - size)):
            text = sentence.replace("{}", person.name)
            reason = _doubt(text, statement, one, person) or _unlike(target, one)
            if not reason and self._supports(person, text):
                reason = "the target's page supports it"
            if not reason and not self._supports(other, sentence.replace("{}", other.name)):
                reason = "the other's page does not support it"
            if not reason:
                return text
            drops[reason] += 1
        return None

    def _supports(self, person: Namesake, sentence: str) -> bool:
        document = Document(person.title, person.text)
        (value,) = self._verifier.probabilities([sentence], [document], person.name)
        return bool(value >= self._verifier.threshold)


def _item(
    key: str,
    person: Namesake,
    statement: SlotFact,
    false: tuple[Contradiction, ...],
    namesakes: Sequence[str],
) -> FactorItem:
    prefix = f"{person.title}\n{person.text[: statement.start]}"
    about = {
        "name": person.name,
        "entity": person.title,
        "title": person.title,
        "slot": statement.slot,
        "value": statement.filler.value,
        "leak": _leaks(statement, prefix, person.name),
        "namesakes": list(namesakes),
    }
    return FactorItem(key, person.title, prefix, statement.sentence, false, about)


def _doubt(text: str, statement: SlotFact, filler: Filler, person: Namesake) -> str:
    """Why a completion may also be true of the target; empty if there is no such doubt."""
    slot, value = statement.slot, statement.filler.value
    if text == statement.sentence:
        return "an equal value"
    if slot in SINGLE and _same_date(value, filler.value):
        return "an equal date"
    if slot in _PLACES and may_hold(value, filler.value):
        return "a place that the target's may lie in, or hold"
    if slot == "affiliation" and not names_one(text, person.name):
        return "a body that many places have"
    role = without_origin(filler.value) if slot == "occupation" else filler.value
    if slot == "occupation":
        if not is_telling(role):
            return "a role that many have"
        if not fits_gender(role, gender_of(person.text)):
            return "a role of the other gender"
        if fields_of(role) & person.fields:
            return "a role of the target's field"
    new = content_words(role) - set(name_words(person.name)) - {"{}"}
    if not new - content_words(f"{person.title}\n{person.text}"):
        return "all of its words stand on the target's page"
    return ""


def _unlike(target: Filler, filler: Filler) -> str:
    """The reason why two values are not comparable; empty if they are."""
    if target.slot not in _FREE:
        return ""
    apart = abs(len(filler.value.split()) - len(target.value.split()))
    return "a value of another length" if apart > _WORDS else ""


def _same_date(first: str, second: str) -> bool:
    a, b = date_in(first), date_in(second)
    return a is not None and b is not None and a.same(b)


def _leaks(statement: SlotFact, prefix: str, name: str) -> bool:
    """Whether the prefix contains words of the value or, if it is a date, its day or year."""
    value = statement.filler.value
    words = content_words(prefix) - set(name_words(name))
    date = date_in(value)
    if date is not None:
        return bool({str(date.day), str(date.year)} & words)
    value = value.replace("{}", "")
    if statement.slot in ("affiliation", "award"):
        # The value is a sentence that is revealed only by its names and numbers.
        value = " ".join(re.findall(r"(?<!^)(?:\b[A-Z]|\d)[\w'’-]*", value))
    return bool(content_words(value) & words)


def check_ambig(out: Path, *, inputs: Iterable[Path | None], overwrite: bool) -> None:
    """Checks that the item file and the files next to it can be written."""
    if out.suffix != ".jsonl":
        raise InputError(f"{out}: items are written as .jsonl")
    make_folder(out.parent)
    pages, manifest = _beside(out)
    read = list(inputs)
    for file in (out, manifest):
        check_output(file, "ambigfactor", inputs=read, force=overwrite)
    # A page file does not show which program wrote it; next to an item file, it belongs to it.
    check_output(pages, "ambigfactor", inputs=read, force=overwrite or out.exists())


def _beside(out: Path) -> tuple[Path, Path]:
    return out.with_suffix(".pages.jsonl"), out.with_suffix(".manifest.json")


def describe_build(built: AmbigBuild) -> dict[str, Any]:
    """Describes the number of items, and how many were left out."""
    kinds = Counter(one.kind for item in built.items for one in item.contradictions)
    leaks = sum(bool(item.extra["leak"]) for item in built.items)
    return {
        "items": len(built.items),
        "names": len({item.extra["name"] for item in built.items}),
        "names_offered": built.names,
        "people": len({item.document for item in built.items}),
        "completions": dict(sorted(kinds.items())),
        "leaks": leaks,
        "leak_share": leaks / len(built.items) if built.items else None,
        "slots": dict(sorted(Counter(item.extra["slot"] for item in built.items).items())),
        "facts": dict(built.facts),
        "empty_slots": list(built.empty_slots),
        "drops": {reason: count for reason, count in built.drops.items() if count},
        "baselines": {
            name: counts["accuracy_tie_credit"] for name, counts in baselines(built.items).items()
        },
    }


def write_ambig(built: AmbigBuild, out: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Writes items, pages and counts, replacing existing files."""
    pages, manifest = _beside(out)
    about = {"command": "factor ambig", "settings": settings, **describe_build(built)}
    write_jsonl(out, map(item_record, built.items))
    rows = ({"title": page.title, "text": page.text} for page in built.pages.values())
    write_jsonl(pages, rows)
    write_json(manifest, about)
    return about
