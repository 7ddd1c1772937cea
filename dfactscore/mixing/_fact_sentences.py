"""States some of a sentence's facts in the words of the sentence."""

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
    """A clause of a sentence and its facts."""

    start: int  # start and end (exclusive), in characters of the text
    end: int
    facts: tuple[int, ...]
    lead: str = ""


def retell(
    text: str, facts: Sequence[Fact], of_sentence: Sequence[int], chosen: Collection[int]
) -> list[str]:
    """States the chosen facts from one sentence.

    A clause whose facts are all chosen is repeated as it is; any other clause is replaced by the
    texts of its chosen facts.
    """
    sentences: list[str] = []
    previous: _Unit | None = None
    for unit in _clauses(facts, of_sentence):
        lead = _lead(text, facts, unit) if set(unit.facts) <= set(chosen) else None
        if lead is None:
            sentences += [facts[f].text for f in unit.facts if f in chosen]
            previous = None
            continue
        if previous is not None and _continues(text, previous, unit, lead):
            sentences.pop()
            unit, lead = replace(previous, end=unit.end), previous.lead
        previous = replace(unit, lead=lead)
        sentences.append(f"{lead} {_body(text, unit)}")
    without_span = [f for f in of_sentence if facts[f].span is None and f in chosen]
    return _stated([*sentences, *(facts[f].text for f in without_span)])


def _clauses(facts: Sequence[Fact], of_sentence: Sequence[int]) -> list[_Unit]:
    """Returns the widest spans that state facts, in reading order."""
    spans = sorted(
        {span for f in of_sentence if (span := facts[f].span) is not None},
        key=lambda span: (span[0], -span[1]),
    )
    widest: list[tuple[int, int]] = []
    for start, end in spans:
        if not widest or end > widest[-1][1]:
            widest.append((start, end))
    units, assigned = [], set()
    for start, end in widest:
        inside = [
            f
            for f in of_sentence
            if (span := facts[f].span) is not None
            and start <= span[0]
            and span[1] <= end
            and f not in assigned
        ]
        assigned.update(inside)
        units.append(_Unit(start, end, tuple(inside)))
    return units


def _lead(text: str, facts: Sequence[Fact], unit: _Unit) -> str | None:
    """Returns the words, such as a subject, that precede the clause's own words in its fact.

    None if no fact has such words, because none contains the first word of the clause or because
    the rest of the fact differs from the clause.
    """
    body = text[unit.start : unit.end].strip()
    first = _WORD.search(body)
    if first is None:
        return None
    for f in unit.facts:
        span, fact = facts[f].span, facts[f].text
        if span is None or span[0] != unit.start:
            continue
        match = re.search(rf"(?<!\w){re.escape(body[: first.end()])}(?!\w)", fact)
        if match is not None and _same(fact[match.start() :], body):
            return _ARTICLE_END.sub("", fact[: match.start()].strip())
    return None


def _body(text: str, unit: _Unit) -> str:
    """Returns the words of a clause, including a preceding article."""
    article = _ARTICLE_END.search(text[: unit.start].rstrip())
    between = text[article.start() : unit.start].lstrip() if article else ""
    return between + text[unit.start : unit.end].strip()


def _continues(text: str, previous: _Unit, unit: _Unit, lead: str) -> bool:
    """Whether a clause directly continues the previous one and has the same subject."""
    return previous.lead == lead and bool(_LINK.fullmatch(text[previous.end : unit.start]))


def _same(fact: str, clause: str) -> bool:
    """Whether a fact's words occur in a clause in the same order."""
    words = iter(_WORD.findall(clause))
    return all(any(word == other for other in words) for word in _WORD.findall(fact))


def _stated(texts: Sequence[str]) -> list[str]:
    """Returns the sentences, leaving out those whose words another sentence contains."""
    words = [[word.casefold() for word in _WORD.findall(text)] for text in texts]
    distinct = [
        i
        for i, sentence in enumerate(words)
        if not any(
            _within(sentence, other) and (len(sentence) < len(other) or j < i)
            for j, other in enumerate(words)
            if j != i
        )
    ]
    return [_closed(texts[i]) for i in distinct]


def _within(words: Sequence[str], other: Sequence[str]) -> bool:
    others = iter(other)
    return all(any(word == word_of_other for word_of_other in others) for word in words)


def _closed(text: str) -> str:
    body = text.strip().rstrip(",;:—–- ")
    return f"{body[:1].upper()}{body[1:]}" + (
        "" if body[-1:] in _END or body[-2:-1] in _END else "."
    )
