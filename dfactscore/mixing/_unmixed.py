"""Rewrites a text that mixes people, with one paragraph per person."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.session import estimated_requests
from dfactscore._errors import InputError
from dfactscore._records import Entity, Fact
from dfactscore._results.result import Result
from dfactscore._scoring import Record, cell_values
from dfactscore._text.sentences import sentence_spans, split_sentences
from dfactscore.engines._builtin.language.word_classes import RELATIVES
from dfactscore.generation._llm import generation_of
from dfactscore.work import Asked

_QUALIFIER = re.compile(r"(?<!\s)\s*+\(([^()]+)\)\s*+$")
_LEAD = 700  # length of the start of a page, which describes its person, in characters
_IS_A = re.compile(
    r"\b(?:is|was)\s+(?:(?:an?|the|one of the)\s+)"
    r"(?P<what>[^.;()\n]+?)"
    r"(?=\s*[.;()\n]|,?\s+(?:who(?:m|se)?|which|that|best|known|based|born|active)\b|$)"
)
_LONG = 9  # maximum number of words in a description
_TELLS = re.compile(
    r",?(?<!\s)\s++(?:from|for|of|in|at|with|by|to|on|during|specializing|serving|playing)\s"
)
_BARE = re.compile(r"born\b|\d{3,4}\b")
_ARTICLE = re.compile(r"^(?:an?|the)\s+")


def described(entity: Entity) -> str:
    """Returns a description that distinguishes an entity from its namesakes; empty if none exists.

    This is the title's qualifier or, if that is missing or only a year, the description in the
    first sentence of the page. A year is used only if there is no such description.

    Example:
        >>> from dfactscore._records import Document
        >>> page = Document("Dick Hanley", "Dick Hanley (1894–1970) was an American coach.")
        >>> described(Entity("Dick Hanley", "Dick Hanley", (page,)))
        'American coach'
        >>> described(Entity("Dick Hanley (swimmer)", "Dick Hanley (swimmer)", ()))
        'swimmer'
    """
    qualifier = _QUALIFIER.search(entity.label)
    if qualifier and not _BARE.match(qualifier.group(1)):
        return qualifier.group(1)
    description = _page_description(entity)
    return description or (qualifier.group(1) if qualifier else "")


def opener(entity: Entity) -> str:
    """Returns an entity's name and description, as the heading of a paragraph.

    Example:
        >>> opener(Entity("Ann Lee (rower)", "Ann Lee (rower)", ()))
        'Ann Lee (rower)'
    """
    name, description = bare_title(entity), described(entity)
    return f"{name} ({description})" if description else name


def bare_title(entity: Entity) -> str:
    """Returns an entity's title without the qualifier in parentheses."""
    return _QUALIFIER.sub("", entity.label)


def _page_description(entity: Entity) -> str:
    """Returns the description in the first document that has one."""
    last = bare_title(entity).split()[-1:]
    for document in entity.documents:
        # The sentence that introduces the entity contains the last word of its title.
        start = document.text.find(last[0]) if last else 0
        lead = document.text[max(start, 0) :][:_LEAD]
        for begin, end in sentence_spans(lead)[:1]:
            if (match := _IS_A.search(lead[begin:end])) is not None:
                return _short(match.group("what"))
    return ""


def _short(description: str) -> str:
    words = _ARTICLE.sub("", " ".join(description.split()))
    if tells := _TELLS.search(words):
        words = words[: tells.start()]
    short = " ".join(words.split()[:_LONG]).rstrip(",")
    return "" if short.split()[-1:] and short.split()[-1] in RELATIVES else short


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


Unsupported = Literal["drop", "keep", "mark"]
_PRONOUN = re.compile(r"^(?:He|She|They)(?=\s)")
_POSSESSIVE = re.compile(r"^(?:His|Her|Their)(?=\s)")
_MARKER = re.compile(r"^(?:(?:[-*•–·]|#{1,6}|\(?\d{1,2}[.)])\s+)+")
NOT_FOUND = "Not found"


@dataclass(frozen=True, slots=True)
class Person:
    """A person that a text is about.

    Attributes:
        name: The page title without the qualifier in parentheses.
        description: A short description from the page; empty if the page has none.
        facts: The facts that are credited to the person.
        passages: The input passages about the person.
        opening: The heading of the paragraph.
        text: The paragraph without its heading; empty if the text is not changed.
    """

    name: str
    description: str
    facts: tuple[str, ...]
    passages: tuple[str, ...]
    opening: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Unmixed:
    """The result of `unmix`.

    Attributes:
        text: The new text, or the original text if it does not mix people.
        changed: Whether the text differs from the original.
        people: The people that the supported facts are about, in the order in which they appear in
            the text.
        unsupported: The facts that no page supports.
    """

    text: str
    changed: bool
    people: tuple[Person, ...]
    unsupported: tuple[str, ...]


def assigned(record: Record) -> tuple[int | None, ...]:
    """Returns the column that each fact is credited to, or None if no page supports the fact.

    Of the entities that support a fact, the chosen one supports the most facts in the fact's
    sentence; in a tie, it supports the most facts in the text. Irrelevant facts are not credited.
    """
    matrix = record.decided
    support = matrix.support & (cell_values(record, "verdicts") > 0)
    excluded = sorted(set(range(len(matrix.entities))) - set(record.candidate_columns))
    support[:, excluded] = False
    worth = np.where(support, cell_values(record), 0.0)
    total = worth.sum(axis=0)
    credit: list[int | None] = [None] * len(record.facts)
    for facts in _by_sentence(record).values():
        of_sentence = worth[facts].sum(axis=0)
        for f in facts:
            supporting = np.flatnonzero(support[f]).tolist()
            credit[f] = max(
                supporting,
                key=lambda e: (support[facts, e].sum(), total[e], of_sentence[e], -matrix.ranks[e]),
                default=None,
            )
    return tuple(credit)


def unmix(
    record: Record | Result, *, unsupported: Unsupported = "drop", mixed: bool | None = None
) -> Unmixed:
    """Rewrites a text that mixes people, with one paragraph per person.

    Args:
        record: A result of `Scorer`, or a record of a run.
        unsupported: The treatment of facts that no page supports: ``"drop"`` leaves them out,
            ``"keep"`` puts them next to the other facts from their sentence, and ``"mark"`` lists
            them under "Not found".
        mixed: Whether the text mixes people; by default, this is determined from its scores.

    Raises:
        InputError: If the text has not been judged.

    Example:
        >>> from dfactscore import score
        >>> result = score(
        ...     "Ann Lee is an English painter. She rowed for Canada. Lee won a medal in rowing.",
        ...     name="Ann Lee",
        ...     pages={
        ...         "Ann Lee (painter)": "Ann Lee is an English painter of landscapes.",
        ...         "Ann Lee (rower)": "Ann Lee rowed for Canada. She won a medal in rowing.",
        ...     },
        ... )
        >>> print(unmix(result).text)
        Ann Lee (painter):
        Ann Lee is an English painter.
        <BLANKLINE>
        Ann Lee (rower):
        Ann Lee rowed for Canada. Lee won a medal in rowing.
    """
    record = record.record if isinstance(record, Result) else record
    if record.matrix is None or record.scores is None:
        raise InputError(f"{record.id}: is not judged, so no fact is credited to a person")
    credit = assigned(record)
    columns = list(dict.fromkeys(e for e in credit if e is not None))
    unsupported_facts = [f for f, e in enumerate(credit) if e is None]
    change = record.scores.mixed is True if mixed is None else mixed
    change = change and len(columns) > 1
    owner = _with_neighbors(record, credit) if unsupported == "keep" else credit
    people = tuple(
        _person(record, column, opening, credit, owner if change else ())
        for column, opening in zip(columns, _openings(record, columns), strict=True)
    )
    # A heading on a separate line shows that a different person follows.
    blocks = [f"{person.opening}:\n{person.text}" for person in people]
    if unsupported == "mark" and unsupported_facts:
        blocks.append(f"{NOT_FOUND}:\n{_paragraph(record, unsupported_facts)}")
    return Unmixed(
        "\n\n".join(blocks) if change else record.biography.text,
        change,
        people,
        tuple(record.facts[f].text for f in unsupported_facts),
    )


def _openings(record: Record, columns: Sequence[int]) -> list[str]:
    """Returns each entity's heading, using the page title if two would otherwise be identical."""
    openings = [opener(record.entities[column]) for column in columns]
    return [
        start if openings.count(start) == 1 else record.entities[column].label
        for start, column in zip(openings, columns, strict=True)
    ]


def _person(
    record: Record,
    column: int,
    opening: str,
    credit: Sequence[int | None],
    owner: Sequence[int | None],
) -> Person:
    entity = record.entities[column]
    return Person(
        bare_title(entity),
        described(entity),
        tuple(record.facts[f].text for f, e in enumerate(credit) if e == column),
        tuple(document.text for document in entity.documents),
        opening,
        _paragraph(record, [f for f, e in enumerate(owner) if e == column]),
    )


def _paragraph(record: Record, chosen: Sequence[int]) -> str:
    """Renders facts as a paragraph, keeping the order and wording of the text."""
    text = record.biography.text
    sentences: list[str] = []
    for number, facts in _by_sentence(record).items():
        selected = [f for f in facts if f in set(chosen)]
        if len(selected) == len(facts) and number is not None:
            sentences.append(_plain(split_sentences(text)[number].text))
        elif selected:
            sentences += retell(text, record.facts, facts, selected)
    if sentences:
        first = _POSSESSIVE.sub(f"{record.name}'s", sentences[0])
        sentences[0] = _PRONOUN.sub(record.name, first)
    return " ".join(sentences)


def _plain(sentence: str) -> str:
    """Returns a sentence without list or heading markers."""
    return _MARKER.sub("", sentence.replace("**", ""))


def _by_sentence(record: Record) -> dict[int | None, list[int]]:
    """Returns the facts from each sentence, in order; facts without a sentence are under None."""
    count = len(split_sentences(record.biography.text))
    sentences: dict[int | None, list[int]] = {}
    for f, fact in enumerate(record.facts):
        known = fact.sentence is not None and fact.sentence < count and fact.span is not None
        sentences.setdefault(fact.sentence if known else None, []).append(f)
    return sentences


def _with_neighbors(record: Record, credit: Sequence[int | None]) -> list[int | None]:
    """Credits each unsupported fact to the entity of the nearest supported fact."""
    known = [f for f, e in enumerate(credit) if e is not None]

    def nearest(f: int) -> int | None:
        same = [g for g in known if record.facts[g].sentence == record.facts[f].sentence]
        best = min(same or known, key=lambda g: abs(g - f), default=None)
        return None if best is None else credit[best]

    return [nearest(f) if e is None else e for f, e in enumerate(credit)]


_VERSION = "unmix-1"
_TASK = """The text below mixes several people called {name}. Rewrite it so that each person has \
one paragraph. Begin each paragraph with the line given for that person. Use only the facts listed \
for them, in the words of the text as far as possible; add nothing, and leave out every other fact.

Text:
{text}

Facts:
{facts}

Rewritten text:"""


class ModelRewriter:
    """Rewrites a text that mixes people, using a single call."""

    def __init__(self, client: ChatClient, *, max_tokens: int = 1024) -> None:
        self.client = client
        self.max_tokens = max_tokens

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an answer."""
        return {**self.client.settings, "prompt": _VERSION, "max_tokens": self.max_tokens}

    def asks(self, record: Record, unmixed: Unmixed) -> Iterator[Asked]:
        """Estimates the requests needed for a text."""
        if unmixed.changed:
            yield from estimated_requests(
                self.client, self._question(record, unmixed), self.max_tokens // 2
            )

    async def rewrite(self, record: Record, unmixed: Unmixed) -> str:
        """Returns the text that the model writes."""

        def read(answer: Answer) -> str:
            return generation_of(answer, "", ()).output

        return await self.client.ask(self._question(record, unmixed), read)

    def _question(self, record: Record, unmixed: Unmixed) -> Request:
        facts = "\n\n".join(
            "\n".join([f"{person.opening}:", *(f"- {fact}" for fact in person.facts)])
            for person in unmixed.people
        )
        task = _TASK.format(name=record.name, text=record.biography.text, facts=facts)
        return Request(
            stage="unmix",
            messages=(("user", task),),
            version=_VERSION,
            max_tokens=self.max_tokens,
        )
