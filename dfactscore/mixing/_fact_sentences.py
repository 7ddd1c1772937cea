"""Tells facts of one sentence in the sentence's own words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from dfactscore._records import Fact

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ARTICLE_END = re.compile(r"(?:^|\s)(?:an?|the)$", re.IGNORECASE)
_LINK = re.compile(r"\s*(?:,\s*)?(?:(?:and|but|or|an?|the)\s+)*", re.IGNORECASE)
_END = ".!?…"


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch of a sentence with its facts.

    Attributes:
        start, end: Characters of the text.
        facts: Indices of the facts that lie within it.
        lead: The words before its own if it is alone.
    """

    start: int
    end: int
    facts: tuple[int, ...]
    lead: str = ""


def retell(
    text: str, facts: Sequence[Fact], of_sentence: Sequence[int], chosen: Collection[int]
) -> list[str]:
    """Tells the chosen facts of one sentence.

    The whole sentence if all of its facts are chosen, else each clause of which all are,
    else the facts themselves.

    Args:
        text: The text.
        facts: All facts of the text.
        of_sentence: Those of the sentence, in reading order.
        chosen: Those to tell.

    Returns:
        Sentences; none if nothing is chosen.
    """
    told: list[str] = []
    before: _Unit | None = None
    for unit in _clauses(facts, of_sentence):
        lead = _lead(text, facts, unit) if set(unit.facts) <= set(chosen) else None
        if lead is None:
            told += [facts[f].text for f in unit.facts if f in chosen]
            before = None
            continue
        if before is not None and _goes_on(text, before, unit, lead):
            told.pop()
            unit, lead = replace(before, end=unit.end), before.lead
        before = replace(unit, lead=lead)
        told.append(f"{lead} {_body(text, unit)}")
    loose = [f for f in of_sentence if facts[f].span is None and f in chosen]
    return _stated([*told, *(facts[f].text for f in loose)])


def _clauses(facts: Sequence[Fact], of_sentence: Sequence[int]) -> list[_Unit]:
    """The widest stretches that facts were read from, in reading order."""
    spans = sorted(
        {span for f in of_sentence if (span := facts[f].span) is not None},
        key=lambda span: (span[0], -span[1]),
    )
    widest: list[tuple[int, int]] = []
    for start, end in spans:
        if not widest or end > widest[-1][1]:
            widest.append((start, end))
    units, taken = [], set()
    for start, end in widest:
        own = [
            f
            for f in of_sentence
            if (span := facts[f].span) is not None
            and start <= span[0]
            and span[1] <= end
            and f not in taken
        ]
        taken.update(own)
        units.append(_Unit(start, end, tuple(own)))
    return units


def _lead(text: str, facts: Sequence[Fact], unit: _Unit) -> str | None:
    """Returns the words before a clause's in one of its facts: subject, verb of a description.

    None if no fact shows it: the clause's first word is in none, or the fact has other words.
    """
    body = text[unit.start : unit.end].strip()
    first = _WORD.search(body)
    if first is None:
        return None
    for f in unit.facts:
        span, said = facts[f].span, facts[f].text
        if span is None or span[0] != unit.start:
            continue
        at = re.search(rf"(?<!\w){re.escape(body[: first.end()])}(?!\w)", said)
        if at is not None and _same(said[at.start() :], body):
            return _ARTICLE_END.sub("", said[: at.start()].strip())
    return None


def _body(text: str, unit: _Unit) -> str:
    """The words of a clause, with the article before them."""
    article = _ARTICLE_END.search(text[: unit.start].rstrip())
    between = text[article.start() : unit.start].lstrip() if article else ""
    return between + text[unit.start : unit.end].strip()


def _goes_on(text: str, before: _Unit, unit: _Unit, lead: str) -> bool:
    """Whether a clause continues what the previous one says of the same subject."""
    return before.lead == lead and bool(_LINK.fullmatch(text[before.end : unit.start]))


def _same(said: str, body: str) -> bool:
    """Whether a fact says only words of a clause, in their order."""
    words = iter(_WORD.findall(body))
    return all(any(word == other for other in words) for word in _WORD.findall(said))


def _stated(texts: Sequence[str]) -> list[str]:
    """The sentences, without those that another one contains."""
    words = [[word.casefold() for word in _WORD.findall(text)] for text in texts]
    kept = [
        i
        for i, own in enumerate(words)
        if not any(
            _within(own, other) and (len(own) < len(other) or j < i)
            for j, other in enumerate(words)
            if j != i
        )
    ]
    return [_closed(texts[i]) for i in kept]


def _within(own: Sequence[str], other: Sequence[str]) -> bool:
    rest = iter(other)
    return all(any(word == said for said in rest) for word in own)


def _closed(text: str) -> str:
    body = text.strip().rstrip(",;:—–- ")
    return f"{body[:1].upper()}{body[1:]}" + (
        "" if body[-1:] in _END or body[-2:-1] in _END else "."
    )
