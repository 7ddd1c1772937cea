"""Checks one answer against the contexts that it was generated from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._evidence.owners import OwnerChoice, with_owners
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._readers.record_fields import NamelessError, RecordError
from dfactscore._readers.records import biography_from_record
from dfactscore._records import Biography
from dfactscore._scoring import Record
from dfactscore._scoring.record import why_unsure
from dfactscore._text.remarks import is_abstention
from dfactscore._util.numbers import counted
from dfactscore._util.tasks import run_sync
from dfactscore.mixing._biography import BiographyMixing, biography_mixing
from dfactscore.mixing._unmixed import Person, Unsupported, assigned, unmix

Outcome = Literal["mixed", "not mixed", "unknown", "nothing to check"]
_WORTH_SAYING = 0.1  # probability from which on contexts of unknown owner are named
_NO_TEXT = {"abstained": "the answer declines to answer", "no_facts": "the answer states no fact"}


@dataclass(frozen=True, slots=True)
class CheckedFact:
    """A fact of an answer, the person that it is credited to, and the evidence."""

    text: str
    span: tuple[int, int] | None  # of its words in the answer
    person: str | None  # the label of the person; None if no context supports the fact
    foreign: bool  # whether a namesake of the person in the text is credited with it instead
    context: int | None  # index of the context with the sentence that supports it
    sentence: str
    sentence_span: tuple[int, int] | None  # of the sentence in the context


@dataclass(frozen=True, slots=True)
class CheckedContext:
    """A context, or a part of one, and the people that it may be about."""

    context: int  # its index
    people: Mapping[str, float]  # labels with probabilities: one with 1 if the person is known
    method: str  # how the people were determined
    reason: str  # the evidence that counts most


@dataclass(frozen=True, slots=True)
class Check:
    """The result of `check`.

    Attributes:
        mixed: Whether the answer presents several people (or things) that share a name as one; None
            if the contexts do not tell or there is nothing to check.
        probability: The probability that the answer does so: at least 0.5 if `mixed` is True, less
            if it is False. None if no context about anyone of the name supports a fact.
        reasons: Why `mixed` has its value.
        outcome: ``"mixed"``, ``"not mixed"``, ``"unknown"`` or ``"nothing to check"``.
        people: The people that the facts are about, in the order in which they appear in the
            answer.
        unmixed: The answer rewritten with one paragraph per person, or unchanged if it does not mix
            people.
        unsupported: The facts that no context supports.
        needs_editor: The sentences of `unmixed` about several people that cannot be split safely.
        fs, dfs: FS and D-FS; None for an answer without facts.
        dfs_owned: D-FS from the contexts whose person is known alone; None if all are known.
        facts: The facts with their evidence.
        contexts: How each context was assigned.
    """

    mixed: bool | None
    probability: float | None
    reasons: tuple[str, ...]
    outcome: Outcome
    people: tuple[Person, ...]
    unmixed: str
    unsupported: tuple[str, ...]
    fs: float | None
    dfs: float | None
    dfs_owned: float | None = None
    needs_editor: tuple[str, ...] = ()
    facts: tuple[CheckedFact, ...] = ()
    contexts: tuple[CheckedContext, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def check(
    answer: str,
    contexts: Any,
    *,
    question: str | None = None,
    name: str | None = None,
    entities: OwnerChoice = "auto",
    unsupported: Unsupported = "drop",
) -> Check:
    """Checks an answer against the contexts it was generated from, using the built-in judge.

    An answer is mixed if more than a twentieth of its facts are true only of one namesake of the
    person that the other facts are about. All full names at the start of sentences are checked.

    Args:
        answer: The text of the answer.
        contexts: Texts, documents from LangChain, LlamaIndex or Haystack, ``{title, text}``
            mappings, pairs of title and text, or ``{title: text}``. If a title does not name a
            person, the passage is taken to be about the person that its text introduces.
        question: The question. If it names no one, the answer's first subject counts.
        name: The name that the answer is about; by default, the name in the question or the
            answer's first subject.
        entities: How to tell the person of a context (see `dfactscore.Scorer`).
        unsupported: How to treat facts that no context supports (see `unmix`).

    Raises:
        InputError: If the answer or the contexts cannot be read. An answer without facts, a refusal
            or missing contexts do not raise: there is nothing to check.

    Example:
        >>> found = check(
        ...     "Ann Lee is an English painter. She rowed for Canada.",
        ...     [("Ann Lee (painter)", "Ann Lee is an English painter."),
        ...      ("Ann Lee (rower)", "Ann Lee is a rower. She rowed for Canada.")])
        >>> found.mixed, [person.description for person in found.people]
        (True, ['painter', 'rower'])
        >>> print(found)
        mixed (p 1.00): told as one: Ann Lee (painter) (2 facts), Ann Lee (rower) (1 fact)
          Ann Lee (painter): Ann Lee is English.  [1: Ann Lee is an English painter.]
          Ann Lee (painter): Ann Lee is a painter.  [1: Ann Lee is an English painter.]
          Ann Lee (rower): Ann Lee rowed for Canada.  [2: She rowed for Canada.]
        >>> print(found.unmixed)
        Ann Lee (painter):
        Ann Lee is an English painter.
        <BLANKLINE>
        Ann Lee (rower):
        Ann Lee rowed for Canada.
    """
    judged = judged_answer(answer, contexts, question=question, name=name, entities=entities)
    if isinstance(judged, str):
        return nothing_to_check(answer, judged)
    scores = judged.scores
    if scores is None or not scores.n_facts:
        status = str(judged.status)
        reason = _NO_TEXT.get(status) or judged.reason or status.replace("_", " ")
        return nothing_to_check(answer, reason)
    mixing, apart = biography_mixing(judged), unmix(judged, unsupported=unsupported)
    return Check(
        mixed=scores.mixed,
        probability=None if mixing is None else mixing.probability,
        reasons=tuple(_reasons(judged, mixing)),
        outcome={True: "mixed", False: "not mixed", None: "unknown"}[scores.mixed],  # type: ignore[arg-type]
        people=apart.people,
        unmixed=apart.text if apart.changed else answer,
        unsupported=apart.unsupported,
        fs=scores.fs,
        dfs=scores.dfs,
        dfs_owned=scores.dfs_owned,
        needs_editor=apart.needs_editor,
        facts=tuple(_facts(judged, mixing)),
        contexts=tuple(
            CheckedContext(text.passage, dict(text.owners), text.method, text.reason)
            for text in (judged.biography.owners.texts if judged.biography.owners else ())
        ),
    )


def judged_answer(
    answer: str,
    contexts: Any,
    *,
    question: str | None = None,
    name: str | None = None,
    entities: OwnerChoice = "auto",
    job: Job | None = None,
) -> Record | str:
    """Judges an answer; returns the reason if there is nothing to check."""
    if isinstance(answer, str) and not answer.strip():
        return "the answer is empty"
    named = {"name": name} if name else {"question": question} if question else {}
    try:
        biography = biography_from_record({"text": answer, "contexts": contexts, **named})
    except NamelessError:
        return _NO_TEXT["abstained"] if is_abstention(answer) else "the answer names no one"
    except RecordError as error:
        message = str(error).replace("'text'", "'answer'")
        raise InputError(f"check: {message}") from None
    if not any(passage.text.strip() for passage in biography.passages):
        return "there are no contexts"
    return run_sync((job or _job()).fill(with_owners(biography, entities)))


@cache
def _job() -> Job:
    return Job(engine=build_engine(Config()), by_judge=True).settled()


def nothing_to_check(answer: str, reason: str) -> Check:
    """Returns the result for an answer without facts or contexts."""
    return Check(None, None, (reason,), "nothing to check", (), answer, (), None, None)


def _reasons(record: Record, mixing: BiographyMixing | None) -> Iterator[str]:
    """Yields why a text is mixed, is not, or may be."""
    if mixing is None:
        yield record.scores.dfs_reason if record.scores is not None else record.reason
        return
    unknown = why_unsure(record)
    for group in mixing.groups:
        if group.foreign:
            counts = Counter(mixing.labels[e] for e in group.credit if e is not None)
            people = ", ".join(
                f"{label} ({counted(n, 'fact')})" for label, n in counts.most_common()
            )
            few = "" if group.mixed is not False else ", too few facts of one to count"
            yield f"told as one: {people}{few}"
    if unknown:
        yield unknown
    if unknown or (mixing.probability or 0.0) >= _WORTH_SAYING:
        yield from _unassigned(record.biography)
    elif mixing.probability is None:
        yield f"no context about {record.name} supports a fact"


def _unassigned(biography: Biography) -> Iterator[str]:
    """Yields the contexts whose person is not known."""
    for text in biography.owners.texts if biography.owners else ():
        if not text.certain:
            people = [*text.owners, *(["someone else"] if len(text.owners) == 1 else [])]
            yield f"context {text.passage + 1} may be about {' or '.join(people)}"


def _facts(record: Record, mixing: BiographyMixing | None) -> Iterator[CheckedFact]:
    """Yields the facts with the sentences that support them."""
    places = _places(record.biography)
    foreign = {fact for group in mixing.groups for fact in group.foreign} if mixing else set()
    for number, (fact, column) in enumerate(zip(record.facts, assigned(record), strict=True)):
        context = span = None
        sentence = ""
        place = None if column is None else record.decided.evidence_at(number, column)
        if column is not None and place is not None:
            text = record.entities[column].documents[place.document].text
            sentence = text[place.start : place.end]
            context, start = places.get((record.entities[column].id, text), (None, 0))
            span = (start + place.start, start + place.end)
        yield CheckedFact(
            fact.text,
            fact.span,
            None if column is None else record.entities[column].label,
            number in foreign,
            context,
            sentence,
            span,
        )


def _places(biography: Biography) -> dict[tuple[str, str], tuple[int, int]]:
    """Returns the context and the start in it of each person's texts."""
    places: dict[tuple[str, str], tuple[int, int]] = {}
    for owned in biography.owners.texts if biography.owners else ():
        whole = biography.passages[owned.passage].text
        start, end = owned.span or (0, len(whole))
        for label in owned.owners:
            places.setdefault((label, whole[start:end]), (owned.passage, start))
    return places


def _lines(found: Check) -> Iterator[str]:
    """Yields the outcome with its reasons, then the facts with their evidence."""
    likely = "" if found.probability is None else f" (p {found.probability:.2f})"
    reasons = "; ".join(found.reasons)
    yield f"{found.outcome}{likely}{f': {reasons}' if reasons else ''}"
    for fact in found.facts:
        where = "" if fact.context is None else f"  [{fact.context + 1}: {fact.sentence}]"
        yield f"  {fact.person or 'unsupported'}: {fact.text}{where}"
