"""What roles answer, checked; and what holds for a role that says nothing about it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, get_args

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, FactGroup, Verdict
from dfactscore._util.answers import all_of, resolve, resolve_all, wrong_answer
from dfactscore.engines._protocols import (
    AddsEntities,
    Calibrated,
    Decomposer,
    Grouper,
    HasThreshold,
    JudgesTogether,
    LabelsFacts,
    ReadsEnglish,
    Recalls,
    TellsEntitiesApart,
    Verifier,
    WeighsMatrix,
)
from dfactscore.linking import Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_STATUSES = frozenset(get_args(Status))


def threshold(verifier: Verifier) -> float | None:
    """The probability from which a verifier calls a fact supported.

    Raises:
        InputError: If it is neither None nor a probability.
    """
    value: float | None = getattr(verifier, "threshold", None)
    if value is None or _is_probability(value):
        return value
    raise wrong_answer(verifier, "threshold", HasThreshold, f"is {value!r}", "None, or 0 to 1")


def calibrated(verifier: Verifier) -> bool:
    """Whether a verifier's probabilities are calibrated.

    Raises:
        InputError: If it says neither True nor False.
    """
    return _truth(verifier, "calibrated", Calibrated, without=False)


def weigh(
    verifier: Verifier, entities: Sequence[Entity], probability: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Probabilities of a whole text, where a verifier's depend on each other.

    Raises:
        InputError: If it gives something else than as many probabilities.
    """
    if not isinstance(verifier, WeighsMatrix):
        return probability
    found = verifier.weigh(entities, probability)
    if getattr(found, "shape", None) == probability.shape:
        return found
    given = f"gave {type(found).__name__} of shape {getattr(found, 'shape', '?')}"
    raise wrong_answer(verifier, "weigh", WeighsMatrix, given, f"shape {probability.shape}")


def tells_entities_apart(verifier: Verifier) -> bool:
    """Whether a verifier reads an entity's documents.

    Raises:
        InputError: If it says neither True nor False.
    """
    return _truth(verifier, "tells_entities_apart", TellsEntitiesApart, without=True)


def english_only(role: object) -> bool:
    """Whether a role is made for English alone.

    Raises:
        InputError: If it says neither True nor False.
    """
    return _truth(role, "english_only", ReadsEnglish, without=False)


def _truth(role: object, member: str, protocol: type, *, without: bool) -> bool:
    value = getattr(role, member, without)
    if isinstance(value, bool):
        return value
    raise wrong_answer(role, member, protocol, f"is {value!r}", "True or False")


def extra_entities(verifier: Verifier, entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """What a verifier judges against besides the entities of one biography.

    Raises:
        InputError: If it gives something else than entities.
    """
    if not isinstance(verifier, AddsEntities):
        return ()
    answer = verifier.extra_entities(entities)
    return all_of(Entity, answer, verifier, "extra_entities", AddsEntities, None)


async def label_facts(
    decomposer: Decomposer, biography: Biography, facts: tuple[Fact, ...]
) -> tuple[Fact, ...]:
    """Facts made elsewhere, with the labels of a decomposer that labels them.

    Raises:
        InputError: If it gives something else than the same number of facts.
    """
    if not isinstance(decomposer, LabelsFacts):
        return facts
    answer = await resolve(decomposer.label_facts(biography, facts))
    return all_of(Fact, answer, decomposer, "label_facts", LabelsFacts, len(facts))


def recalls(decomposer: Decomposer) -> list[Recalls]:
    """A decomposer, and those within it, as far as they learn from the first text of a run."""
    found: list[Recalls] = []
    role: object = decomposer
    while role is not None:
        found += [role] if isinstance(role, Recalls) else []
        role = getattr(role, "decomposer", None)
    return found


async def verify(
    verifier: Verifier, biography: Biography, facts: Sequence[Fact], entity: Entity
) -> tuple[Verdict, ...]:
    """Asks a verifier inside another one.

    Raises:
        InputError: If it does not give one verdict per fact.
    """
    answer = await resolve(verifier.verify(biography, facts, entity))
    return checked_verdicts(answer, verifier, len(facts), entity)


async def verify_together(
    verifier: Verifier, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
) -> list[tuple[Verdict, ...]]:
    """Asks a verifier about several entities: at once if it can, else about each.

    Returns:
        One row for each of `asked`.

    Raises:
        InputError: If it does not give one verdict per fact.
    """
    if isinstance(verifier, JudgesTogether):
        answer = await resolve(verifier.verify_together(biography, asked))
        rows: Sequence[object] = all_of(
            object, answer, verifier, "verify_together", JudgesTogether, len(asked)
        )
    else:
        rows = await resolve_all([verifier.verify(biography, f, entity) for f, entity in asked])
    return [
        checked_verdicts(row, verifier, len(facts), entity)
        for (facts, entity), row in zip(asked, rows, strict=True)
    ]


def checked_facts(answer: object, decomposer: Decomposer) -> tuple[Fact, ...]:
    """What a decomposer answered.

    Raises:
        InputError: If it holds something else than facts.
    """
    return all_of(Fact, answer, decomposer, "decompose", Decomposer, None)


def checked_groups(answer: object, grouper: Grouper) -> tuple[FactGroup, ...]:
    """What a grouper answered; whether the groups partition the facts is another question.

    Raises:
        InputError: If it holds something else than groups of indices.
    """
    groups = all_of(FactGroup, answer, grouper, "group", Grouper, None)
    for group in groups:
        if not all(isinstance(i, Integral) and not isinstance(i, bool) for i in group.facts):
            raise wrong_answer(
                grouper, "group", Grouper, f"gave {group.facts!r:.60}", "indices of facts"
            )
    return tuple(replace(group, facts=tuple(map(int, group.facts))) for group in groups)


def checked_verdicts(
    answer: object, verifier: Verifier, n_facts: int, entity: Entity
) -> tuple[Verdict, ...]:
    """What a verifier answered about one entity.

    Raises:
        InputError: If it is not one verdict per fact.
    """
    verdicts = all_of(Verdict, answer, verifier, "verify", Verifier, None)
    if len(verdicts) != n_facts:
        given = f"gave {len(verdicts)} verdicts for {n_facts} facts against {entity.id!r}"
        raise wrong_answer(verifier, "verify", Verifier, given, "one for each, in order")
    for verdict in verdicts:
        p = verdict.probability
        if verdict.status not in _STATUSES:
            statuses = ", ".join(get_args(Status))
            given = f"gave the status {verdict.status!r}"
            raise wrong_answer(verifier, "verify", Verifier, given, f"one of {statuses}")
        if p is not None and not _is_probability(p):
            given = f"gave the probability {p!r}"
            raise wrong_answer(verifier, "verify", Verifier, given, "None, or 0 to 1")
    if any(type(v.probability) not in (float, type(None)) for v in verdicts):  # numpy's numbers
        verdicts = tuple(
            v if v.probability is None else replace(v, probability=float(v.probability))
            for v in verdicts
        )
    return verdicts


def checked_settings(role: Decomposer | Grouper | Verifier) -> dict[str, Any]:
    """A role's settings, fit for a manifest.

    Raises:
        InputError: If they are not a mapping of JSON values.
    """
    settings: object = role.settings
    if not isinstance(settings, Mapping):
        raise InputError(
            f"{type(role).__name__}.settings is {settings!r:.60}: expected a mapping of JSON "
            "values that says what can change an answer"
        )
    try:
        json.dumps(dict(settings))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{type(role).__name__}.settings cannot be written as JSON ({error})"
        ) from None
    return dict(settings)


def _is_probability(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return 0.0 <= float(value) <= 1.0
