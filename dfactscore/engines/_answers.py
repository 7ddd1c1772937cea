"""Checks the answers of roles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, get_args

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, FactGroup, Verdict
from dfactscore._util.numbers import is_probability
from dfactscore._util.role_answers import resolve, typed_answers, wrong_answer
from dfactscore.engines._roles import Decomposer, Grouper, Verifier
from dfactscore.linking import Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_STATUSES = frozenset(get_args(Status))


def weigh(
    verifier: Verifier, entities: Sequence[Entity], probability: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Probabilities of a whole text, if a verifier's depend on each other.

    Raises:
        InputError: If it gives something else than as many probabilities.
    """
    found = verifier.weigh(entities, probability)
    if getattr(found, "shape", None) == probability.shape:
        return found
    given = f"gave {type(found).__name__} of shape {getattr(found, 'shape', '?')}"
    raise wrong_answer(verifier, "weigh", Verifier, given, f"shape {probability.shape}")


def columns(verifier: Verifier, entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Evidence for the facts of one biography.

    Raises:
        InputError: If it gives something else than entities.
    """
    return typed_answers(Entity, verifier.columns(entities), verifier, "columns", Verifier, None)


async def label_facts(
    decomposer: Decomposer, biography: Biography, facts: tuple[Fact, ...]
) -> tuple[Fact, ...]:
    """Facts made elsewhere, with the labels of a decomposer that labels them.

    Raises:
        InputError: If it gives something else than the same number of facts.
    """
    answer = await resolve(decomposer.label_facts(biography, facts))
    return typed_answers(Fact, answer, decomposer, "label_facts", Decomposer, len(facts))


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
    return checked_rows(await resolve(verifier.verify_together(biography, asked)), verifier, asked)


def checked_rows(
    answer: object, verifier: Verifier, asked: Sequence[tuple[Sequence[Fact], Entity]]
) -> list[tuple[Verdict, ...]]:
    """Output of a verifier for several entities.

    Raises:
        InputError: If it is not one row for each, of one verdict per fact.
    """
    rows: Sequence[object] = typed_answers(
        object, answer, verifier, "verify_together", Verifier, len(asked)
    )
    return [
        checked_verdicts(row, verifier, len(facts), entity)
        for (facts, entity), row in zip(asked, rows, strict=True)
    ]


def checked_facts(answer: object, decomposer: Decomposer) -> tuple[Fact, ...]:
    """Output of a decomposer.

    Raises:
        InputError: If it holds something else than facts.
    """
    return typed_answers(Fact, answer, decomposer, "decompose", Decomposer, None)


def checked_groups(answer: object, grouper: Grouper) -> tuple[FactGroup, ...]:
    """Output of a grouper; whether the groups partition the facts is another question.

    Raises:
        InputError: If it holds something else than groups of indices.
    """
    groups = typed_answers(FactGroup, answer, grouper, "group", Grouper, None)
    for group in groups:
        if not all(isinstance(i, Integral) and not isinstance(i, bool) for i in group.facts):
            raise wrong_answer(
                grouper, "group", Grouper, f"gave {group.facts!r:.60}", "indices of facts"
            )
    return tuple(replace(group, facts=tuple(map(int, group.facts))) for group in groups)


def checked_verdicts(
    answer: object, verifier: Verifier, n_facts: int, entity: Entity
) -> tuple[Verdict, ...]:
    """Output of a verifier for one entity.

    Raises:
        InputError: If it is not one verdict per fact.
    """
    verdicts = typed_answers(Verdict, answer, verifier, "verify", Verifier, None)
    if len(verdicts) != n_facts:
        given = f"gave {len(verdicts)} verdicts for {n_facts} facts against {entity.id!r}"
        raise wrong_answer(verifier, "verify", Verifier, given, "one for each, in order")
    for verdict in verdicts:
        p = verdict.probability
        if verdict.status not in _STATUSES:
            statuses = ", ".join(get_args(Status))
            given = f"gave the status {verdict.status!r}"
            raise wrong_answer(verifier, "verify", Verifier, given, f"one of {statuses}")
        if p is not None and not is_probability(p):
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
