"""Calls roles and checks their answers, and counts the requests they would make."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, get_args

from dfactscore._errors import InputError
from dfactscore._records import Biography, Entity, Fact, FactGroup, Verdict
from dfactscore._util.numbers import is_probability
from dfactscore._util.tasks import resolve, typed_answers, wrong_answer
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._roles import Decomposer, Grouper, Verifier
from dfactscore.linking import Status
from dfactscore.work import Asked
from dfactscore.work._work import all_asked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_STATUSES = frozenset(get_args(Status))


def weigh(
    verifier: Verifier, entities: Sequence[Entity], probability: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns a verifier's adjusted probabilities for a whole text."""
    weighed = verifier.weigh(entities, probability)
    if getattr(weighed, "shape", None) == probability.shape:
        return weighed
    problem = f"gave {type(weighed).__name__} of shape {getattr(weighed, 'shape', '?')}"
    raise wrong_answer(verifier, "weigh", Verifier, problem, f"shape {probability.shape}")


def columns(verifier: Verifier, entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Returns a verifier's columns for the facts in a biography."""
    return typed_answers(Entity, verifier.columns(entities), verifier, "columns", Verifier, None)


async def label_facts(
    decomposer: Decomposer, biography: Biography, facts: tuple[Fact, ...]
) -> tuple[Fact, ...]:
    """Returns the facts from the input after a decomposer has labeled them."""
    answer = await resolve(decomposer.label_facts(biography, facts))
    return typed_answers(Fact, answer, decomposer, "label_facts", Decomposer, len(facts))


async def verify(
    verifier: Verifier, biography: Biography, facts: Sequence[Fact], entity: Entity
) -> tuple[Verdict, ...]:
    """Returns a verifier's verdicts on facts judged against one entity."""
    answer = await resolve(verifier.verify(biography, facts, entity))
    return checked_verdicts(answer, verifier, len(facts), entity)


async def verify_together(
    verifier: Verifier, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
) -> list[tuple[Verdict, ...]]:
    """Returns a verifier's verdicts on facts judged against several entities."""
    return checked_rows(await resolve(verifier.verify_together(biography, pairs)), verifier, pairs)


def checked_rows(
    answer: object, verifier: Verifier, pairs: Sequence[tuple[Sequence[Fact], Entity]]
) -> list[tuple[Verdict, ...]]:
    """Checks a verifier's answer about several entities."""
    rows: Sequence[object] = typed_answers(
        object, answer, verifier, "verify_together", Verifier, len(pairs)
    )
    return [
        checked_verdicts(row, verifier, len(facts), entity)
        for (facts, entity), row in zip(pairs, rows, strict=True)
    ]


def checked_facts(answer: object, decomposer: Decomposer) -> tuple[Fact, ...]:
    """Checks a decomposer's answer."""
    return typed_answers(Fact, answer, decomposer, "decompose", Decomposer, None)


def checked_groups(answer: object, grouper: Grouper) -> tuple[FactGroup, ...]:
    """Checks a grouper's answer, except for whether the groups partition the facts."""
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
    """Checks a verifier's answer about one entity."""
    verdicts = typed_answers(Verdict, answer, verifier, "verify", Verifier, None)
    if len(verdicts) != n_facts:
        problem = f"gave {len(verdicts)} verdicts for {n_facts} facts against {entity.id!r}"
        raise wrong_answer(verifier, "verify", Verifier, problem, "one for each, in order")
    for verdict in verdicts:
        p = verdict.probability
        if verdict.status not in _STATUSES:
            statuses = ", ".join(get_args(Status))
            problem = f"gave the status {verdict.status!r}"
            raise wrong_answer(verifier, "verify", Verifier, problem, f"one of {statuses}")
        if p is not None and not is_probability(p):
            problem = f"gave the probability {p!r}"
            raise wrong_answer(verifier, "verify", Verifier, problem, "None, or 0 to 1")
    if any(type(v.probability) not in (float, type(None)) for v in verdicts):  # numpy's numbers
        verdicts = tuple(
            v if v.probability is None else replace(v, probability=float(v.probability))
            for v in verdicts
        )
    return verdicts


def checked_settings(role: Decomposer | Grouper | Verifier) -> dict[str, Any]:
    """Returns a role's settings in the form in which they are written to a manifest."""
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


async def count_facts(
    biography: Biography, decomposer: Decomposer, requests: list[Asked]
) -> Sequence[Fact]:
    """Adds the requests for the facts to `requests`; returns the facts, or an estimate of them."""
    facts: Sequence[Fact] | None = biography.facts
    if facts is None:
        facts = await resolve(decomposer.known_facts(biography))
    if facts is None:
        facts = BuiltinDecomposer().decompose(biography)
    requests += await all_asked(decomposer.asks(biography, facts))
    return facts


async def count_grouping(
    biography: Biography, facts: Sequence[Fact], grouper: Grouper, requests: list[Asked]
) -> None:
    """Adds the requests for grouping the facts to `requests`."""
    if biography.groups is None:
        requests += await all_asked(grouper.asks(biography, facts))
