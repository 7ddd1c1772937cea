"""Checks whether a pipeline's answer mixes up the people in its contexts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.owners import with_owners
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._readers.record_fields import RecordError
from dfactscore._readers.records import biography_from_record
from dfactscore._scoring.record import why_unsure
from dfactscore._util.tasks import run_sync
from dfactscore.mixing._biography import biography_mixing
from dfactscore.mixing._unmixed import Person, Unsupported, unmix


@dataclass(frozen=True, slots=True)
class Check:
    """The result of `check`.

    Attributes:
        mixed: Whether the answer presents several people who share a name as one person; None if
            the contexts do not tell.
        probability: The probability that the answer does so, computed from the calibrated verdicts
            and from what is known about the people of the contexts; None if no context bears the
            name.
        people: The people that the facts are about, in the order in which they appear in the
            answer.
        unmixed: The answer rewritten with one paragraph per person, or unchanged if it does not mix
            people.
        unsupported: The facts that no context supports.
        fs, dfs: FS and D-FS; None for an answer without facts.
        dfs_owned: D-FS from the contexts whose person is known alone; None if all are known.
        why: Why `mixed` is None; otherwise empty.
    """

    mixed: bool | None
    probability: float | None
    people: tuple[Person, ...]
    unmixed: str
    unsupported: tuple[str, ...]
    fs: float | None
    dfs: float | None
    dfs_owned: float | None = None
    why: str = ""


def check(
    answer: str, contexts: Any, name: str | None = None, *, unsupported: Unsupported = "drop"
) -> Check:
    """Checks an answer against the contexts it was generated from, using the built-in judge.

    Args:
        answer: The text of the answer.
        contexts: Texts, documents from LangChain, LlamaIndex or Haystack, ``{title, text}``
            mappings, pairs of title and text, or ``{title: text}``. If a title does not name a
            person, the passage is taken to be about the person that its text introduces.
        name: The name that the answer is about; by default, the first name in it.
        unsupported: How to treat facts that no context supports (see `unmix`).

    Raises:
        InputError: If the answer or the contexts cannot be read, or if the answer names no person.

    Example:
        >>> found = check(
        ...     "Ann Lee is an English painter. She rowed for Canada.",
        ...     [("Ann Lee (painter)", "Ann Lee is an English painter."),
        ...      ("Ann Lee (rower)", "Ann Lee is a rower. She rowed for Canada.")])
        >>> found.mixed, [person.description for person in found.people]
        (True, ['painter', 'rower'])
        >>> print(found.unmixed)
        Ann Lee (painter):
        Ann Lee is an English painter.
        <BLANKLINE>
        Ann Lee (rower):
        Ann Lee rowed for Canada.
    """
    named = {} if name is None else {"name": name}
    try:
        biography = biography_from_record({"text": answer, "passages": _fields(contexts), **named})
    except RecordError as error:
        message = str(error).replace("'passages", "'contexts").replace("'text'", "'answer'")
        raise InputError(f"check: {message}") from None
    judged = run_sync(_job().fill(with_owners(biography)))
    if judged.scores is None or judged.scores.dfs is None:
        return Check(False, 0.0, (), answer, (), None, None)
    mixing, apart = biography_mixing(judged), unmix(judged, unsupported=unsupported)
    probability = mixing.probability if mixing is not None else None
    return Check(
        mixed=judged.scores.mixed,
        probability=(probability or 0.0) if judged.named else None,
        people=apart.people,
        unmixed=apart.text if apart.changed else answer,
        unsupported=apart.unsupported,
        fs=judged.scores.fs,
        dfs=judged.scores.dfs,
        dfs_owned=judged.scores.dfs_owned,
        why=why_unsure(judged),
    )


@cache
def _job() -> Job:
    return Job(engine=build_engine(Config()), by_judge=True).settled()


def _fields(contexts: Any) -> Any:
    """Converts pairs of title and text into mappings; leaves anything else unchanged."""
    pairs = list(contexts.items()) if isinstance(contexts, Mapping) else contexts
    if not isinstance(pairs, Sequence) or isinstance(pairs, str):
        return pairs
    return [
        {"title": pair[0], "text": pair[1]}
        if isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)
        else pair
        for pair in pairs
    ]
