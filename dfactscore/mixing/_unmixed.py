"""Rewrites a text that mixes people, with one paragraph per person."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.session import estimated_requests
from dfactscore._errors import InputError
from dfactscore._evidence.words import RANKS
from dfactscore._records import Entity
from dfactscore._results.result import Result
from dfactscore._scoring import Record
from dfactscore._text.sentences import sentence_spans
from dfactscore.engines._builtin.language.word_classes import RELATIVES
from dfactscore.generation._llm import generation_of
from dfactscore.mixing._placing import places, worth_of
from dfactscore.mixing._retelling import Retold, retell
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
# Offices and ranks that are whole only with what they are of.
_OF_WHAT = RANKS | frozenset(
    "chief head member founder co-founder leader secretary commissioner keeper master professor "
    "captain commander inspector sheriff chancellor warden clerk dean rector provost".split()
)
_OPEN_END = frozenset("and or of the a an for in at to with by from on & as".split())
_NO_ROLE = frozenset("boy girl man woman person child one people son daughter".split())
_ASKING = frozenset("what when where which whose does that this tell about with from were".split())


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
    """Shortens a description to whole roles, without places and works."""
    words = _ARTICLE.sub("", " ".join(description.split()))
    for tells in _TELLS.finditer(words):
        role = words[: tells.start()]
        if tells.group().strip() != "of" or role.split()[-1].casefold() not in _OF_WHAT:
            words = role
            break
    short = words.split()[:_LONG]
    while short and short[-1].rstrip(",").casefold() in _OPEN_END:
        short.pop()
    if short and short[-1].rstrip(",").casefold() in RELATIVES | _NO_ROLE:
        return ""
    return " ".join(short).rstrip(",")


def content_words(text: str) -> set[str]:
    """Returns the words of a text that can tell people apart, in lower case."""
    return {word for word in re.findall(r"[^\W_]{4,}", text.casefold()) if word not in _ASKING}


Unsupported = Literal["drop", "keep", "mark"]
NOT_FOUND = "Not found"
_HEADING = re.compile(r"(?:\A|(?<=\n\n))[^\n]{1,300}:(?=\n)")


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
        needs_editor: The sentences about several people that cannot be split safely. Each is kept
            whole in the paragraph of the person that most of its facts are about.
    """

    text: str
    changed: bool
    people: tuple[Person, ...]
    unsupported: tuple[str, ...]
    needs_editor: tuple[str, ...] = ()


def assigned(record: Record, place: Sequence[int | None] | None = None) -> tuple[int | None, ...]:
    """Returns the column that each fact is credited to, or None if no page supports the fact.

    If several entities support a fact, it is credited to the one whose paragraph it belongs to, or
    else to the one that supports the most facts in the text. Irrelevant facts are not credited.
    """
    worth = worth_of(record)
    place, total = places(record) if place is None else place, worth.sum(axis=0)
    preferred = np.argsort(-total, kind="stable").tolist()
    credit: list[int | None] = []
    for f, own in enumerate(place):
        supporting = [e for e in preferred if worth[f, e] > 0]
        credit.append(own if own in supporting else next(iter(supporting), None))
    return tuple(credit)


def unmix(
    record: Record | Result,
    *,
    unsupported: Unsupported = "drop",
    mixed: bool | None = None,
    person: str | None = None,
) -> Unmixed:
    """Rewrites a text that mixes people, with one paragraph per person.

    Sentences about one person are kept whole. A sentence about several is split if each part states
    only facts of the text; otherwise it stays whole, in `needs_editor`.

    Args:
        record: A result of `Scorer`, or a record of a run.
        unsupported: The treatment of sentences and clauses that no page supports: ``"drop"`` leaves
            them out, ``"keep"`` puts them next to the other facts from their sentence, and
            ``"mark"`` lists them under "Not found".
        mixed: Whether the text mixes people; by default, this is determined from its scores.
        person: The only person to keep: a title or heading ("Ann Lee (rower)"), or a question
            that describes one of the people ("When did the rower Ann Lee retire?").

    Raises:
        InputError: If the text has not been judged, or if `person` is none of its people.

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
        >>> print(unmix(result, person="Ann Lee (rower)").text)
        Ann Lee rowed for Canada. Lee won a medal in rowing.
    """
    record = record.record if isinstance(record, Result) else record
    if record.matrix is None or record.scores is None:
        raise InputError(f"{record.id}: is not judged, so no fact is credited to a person")
    place, columns = places(record), _columns(record)
    credit = assigned(record, place)
    only = None if person is None else person_in(record, person)
    if person is not None and only is None:
        raise InputError(
            f"{record.id}: {person!r} is none of its people: "
            + ", ".join(map(repr, people_of(record)))
        )
    change = only is not None or (record.scores.mixed is True if mixed is None else mixed)
    original = record.biography.text
    unsupported_facts = tuple(f for f, e in enumerate(credit) if e is None)
    apart = _told_apart(record)
    told = Retold(apart, (), ())
    if change and len(columns) > 1 and not apart:
        told = retell(record, place, columns=columns, keep=unsupported == "keep")
    written = {column: text for column, text in told.paragraphs.items() if text}
    columns = list(dict.fromkeys((*columns, *written)))
    openings = dict(zip(columns, _openings(record, columns), strict=True))
    if len(written) < 2 and not apart:
        written = {}
    # A heading on a separate line shows that a different person follows.
    blocks = [f"{openings[column]}:\n{paragraph}" for column, paragraph in written.items()]
    if unsupported == "mark" and written and told.left_out:
        left_out = " ".join(record.facts[f].text for f in told.left_out)
        blocks.append(f"{NOT_FOUND}:\n{left_out}")
    text = original if apart else "\n\n".join(blocks) or original
    if only is not None and written:
        text = written.get(only, "")
    return Unmixed(
        text,
        text != original,
        tuple(
            _person(record, column, openings[column], credit, written.get(column, ""))
            for column in columns
        ),
        tuple(record.facts[f].text for f in unsupported_facts),
        told.unsplit,
    )


def _openings(record: Record, columns: Sequence[int]) -> list[str]:
    """Returns each entity's heading, using the page title if two would otherwise be identical."""
    openings = [opener(record.entities[column]) for column in columns]
    return [
        start if openings.count(start) == 1 else record.entities[column].label
        for start, column in zip(openings, columns, strict=True)
    ]


def headings(text: str) -> list[tuple[int, int]]:
    """Returns the spans of the lines that begin paragraphs and end with a colon."""
    return [match.span() for match in _HEADING.finditer(text)]


def _told_apart(record: Record) -> dict[int, str]:
    """Returns the paragraphs of a text that `unmix` has written; empty for another text."""
    blocks = [block.partition(":\n") for block in record.biography.text.split("\n\n")]
    columns = {
        opening: column
        for column, entity in enumerate(record.entities)
        for opening in (entity.label, opener(entity))
    }
    if not all(mark and "\n" not in opening for opening, mark, _ in blocks):
        return {}
    return {columns[o]: paragraph for o, _, paragraph in blocks if o in columns}


def people_of(record: Record) -> list[str]:
    """Returns the titles of the people that a judged text is about."""
    return [record.entities[column].label for column in _columns(record)]


def person_in(record: Record, person: str) -> int | None:
    """Returns the column of the person that a title, a heading or a question names."""
    columns = _columns(record)
    wanted = person.strip().casefold()
    for column in columns:
        entity = record.entities[column]
        titles = (entity.id, entity.label, *entity.aliases, opener(entity))
        if wanted in map(str.casefold, titles):
            return column
    words = content_words(person) - content_words(record.name)
    shared = {
        column: len(words & content_words(f"{entity.label} {described(entity)}"))
        for column in columns
        for entity in [record.entities[column]]
    }
    best = max(shared.values(), default=0)
    chosen = [column for column, count in shared.items() if count == best]
    return chosen[0] if best and len(chosen) == 1 else None


def _columns(record: Record) -> list[int]:
    """Returns the people whose facts a text states, in order."""
    place = places(record)
    credit = assigned(record, place)
    return list(dict.fromkeys(e for e in (*place, *credit) if e is not None))


def _person(
    record: Record, column: int, opening: str, credit: Sequence[int | None], text: str
) -> Person:
    entity = record.entities[column]
    return Person(
        bare_title(entity),
        described(entity),
        tuple(record.facts[f].text for f, e in enumerate(credit) if e == column),
        tuple(document.text for document in entity.documents),
        opening,
        text,
    )


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
