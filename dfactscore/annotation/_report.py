"""The report of a study: progress, scores, agreement, and comparison with automatic runs."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from dfactscore._util.numbers import mean
from dfactscore.annotation._adjudication import Answered, PersonAnswer, answered_items
from dfactscore.annotation._agreement import (
    Agreement,
    Figured,
    adjusted_rand,
    agree,
    b_cubed_f1,
    mean_figure,
)
from dfactscore.annotation._answers import LABELS, IrrelevantFacts, ItemAnswer, score_answer
from dfactscore.annotation._assigned_paragraphs import list_tasks, qualification
from dfactscore.annotation._automatic_scores import (
    FactRow,
    Matched,
    correlate,
    fact_scores,
    match_runs,
    stored,
)
from dfactscore.annotation._study import Study, StudyMember
from dfactscore.measures._resampling import resample_counts, weighted_sums

MEASURES = ("fs", "dfs", "n_bio", "n_ent")
POOLED = "all"
NONE = "–"  # no page
QUESTIONS = ("n_bio", "label", "supported", "found_in", "link")


@dataclass(frozen=True)
class _Line:
    """An annotated paragraph."""

    answered: Answered
    people: Mapping[str, float | None]
    run: Matched | None


def study_report(
    study: Study,
    *,
    runs: Sequence[str | Path] = (),
    irrelevant: IrrelevantFacts = "keep",
    include_revised: bool = False,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Computes the report's contents, as JSON values."""
    items = answered_items(study)
    matched = match_runs([Path(run) for run in runs], [a.item for a in items]) if runs else None
    lines = [
        _Line(a, people, stored(a.item) if matched is None else matched.get(a.item.id))
        for a in items
        if (people := people_scores(a, irrelevant)) is not None
    ]
    scopes: dict[str, list[_Line]] = {}
    for line in sorted(lines, key=lambda line: line.answered.item.stratum):
        scopes.setdefault(line.answered.item.stratum, []).append(line)
    scopes[POOLED] = lines
    draws = {"resamples": resamples, "seed": seed}
    return {
        "study": study.key,
        "blind": bool(study.settings["blind"]),
        "irrelevant": irrelevant,
        "include_revised": include_revised,
        "resamples": resamples,
        "runs": [Path(run).name for run in runs] or list(study.settings["runs"]),
        "paragraphs": _counts(items, lines),
        "means": {name: _means(members, **draws) for name, members in scopes.items()},
        "agreement": {
            name: agreement_of(
                [line.answered for line in members], include_revised=include_revised, **draws
            )
            for name, members in scopes.items()
        },
        "annotators": _annotators(items),
        "automatic": {name: _automatic(members, **draws) for name, members in scopes.items()},
        "order": {m: _order(scopes, m, **draws) for m in ("dfs", "fs")},
    }


def _counts(items: Sequence[Answered], lines: Sequence[_Line]) -> dict[str, int]:
    """Number of paragraphs by type of answer."""
    kinds = Counter(a.gold[0] for a in items if a.gold is not None)
    skipped = [not a.done and any(g.status == "skipped" for g in a.answers) for a in items]
    return {
        "all": len(items),
        "annotated": len(lines),
        **{kind: kinds[kind] for kind in ("adjudicated", "agreed", "single", "undecided")},
        "skipped": sum(skipped),
        "in_run": sum(line.run is not None for line in lines),
        "other_facts": sum(line.run is not None and line.run.facts is None for line in lines),
    }


def people_scores(
    answered: Answered, irrelevant: IrrelevantFacts
) -> dict[str, float | None] | None:
    """A paragraph's scores from the gold answer or, if there is none, averaged over all people.

    None if no one finished the paragraph.
    """
    gold = answered.gold
    if gold is None:
        return None
    answers = [gold[1]] if gold[1] is not None else [g.answer for g in answered.done]
    scores = [score_answer(answer, irrelevant=irrelevant) for answer in answers]
    return {m: mean(getattr(s, m) for s in scores) for m in MEASURES}


def _means(lines: Sequence[_Line], *, resamples: int, seed: int) -> dict[str, Any]:
    """Mean scores from people and from the run (Table 3 of the paper)."""
    means: dict[str, Any] = {"n": len(lines), "people": {}, "automatic": {}}
    for m in MEASURES:
        people = [v for line in lines if (v := line.people[m]) is not None]
        run = [v for line in lines if line.run and (v := line.run.scores[m]) is not None]
        means["people"][m] = _figure(mean_figure(people, resamples=resamples, seed=seed))
        means["automatic"][m] = _figure(
            mean_figure([float(v) for v in run], resamples=resamples, seed=seed)
        )
    return means


def _figure(figure: Figured) -> dict[str, Any]:
    interval = figure.interval
    return {
        "value": figure.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n": figure.n,
        **({"reason": figure.reason} if figure.reason else {}),
    }


def agreement_of(
    items: Sequence[Answered],
    *,
    include_revised: bool = False,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Agreement on each question and on groupings, plus confusion tables for the labels."""
    doubles = [a for a in items if len(a.done) > 1]
    agreement: dict[str, Any] = {"doubles": len(doubles)}
    for question in QUESTIONS:
        units = [_units(a, question, include_revised=include_revised) for a in doubles]
        agreement[question] = _agreement(agree(units, resamples=resamples, seed=seed))
    agreement["revised_left_out"] = 0 if include_revised else sum(_revised(a) for a in doubles)
    for name, measure in (("b_cubed_f1", b_cubed_f1), ("adjusted_rand", adjusted_rand)):
        values = [_grouping(a, measure) for a in doubles]
        agreement[name] = _figure(mean_figure(values, resamples=resamples, seed=seed))
    agreement["confusion"] = _confusion(doubles)
    return agreement


def _revised(answered: Answered) -> bool:
    return any(person.answer.revised_after_pages for person in answered.done)


def _units(
    answered: Answered, question: str, *, include_revised: bool
) -> list[dict[str, Hashable]]:
    done = answered.done
    if question == "n_bio":
        if _revised(answered) and not include_revised:
            return []
        return [{g.annotator: len(g.answer.groups) for g in done}]
    values: dict[str, Callable[[ItemAnswer, int], Hashable]] = {
        "label": lambda answer, f: answer.facts[f].label,
        "supported": lambda answer, f: answer.facts[f].label == "supported",
        "found_in": lambda answer, f: answer.facts[f].found_in or NONE,
        "link": lambda answer, f: answer.link(f) or NONE,
    }
    value = values[question]
    return [
        {g.annotator: value(g.answer, f) for g in done} for f in range(len(answered.item.facts))
    ]


def _agreement(agreement: Agreement) -> dict[str, Any]:
    return {
        "paragraphs": agreement.paragraphs,
        "percent": _figure(agreement.percent),
        "exact": list(agreement.exact) if agreement.exact else None,
        "kappa": [
            {"first": pair.first, "second": pair.second, **_figure(pair.kappa)}
            for pair in agreement.kappas
        ],
        "alpha": _figure(agreement.alpha),
    }


def _grouping(answered: Answered, measure: Callable[..., float]) -> float:
    """The mean of a measure over all pairs of people."""
    values = [
        measure(a.answer.biographies, b.answer.biographies)
        for a, b in combinations(answered.done, 2)
    ]
    return math.fsum(values) / len(values)


def _confusion(doubles: Sequence[Answered]) -> list[dict[str, Any]]:
    """Confusion matrix of labels for each pair of people."""
    tables: dict[tuple[str, str], list[list[int]]] = {}
    for answered in doubles:
        for a, b in combinations(sorted(answered.done, key=lambda g: g.annotator), 2):
            table = tables.setdefault((a.annotator, b.annotator), [[0] * 3 for _ in LABELS])
            for first, second in zip(a.answer.facts, b.answer.facts, strict=True):
                if first.label and second.label:
                    table[LABELS.index(first.label)][LABELS.index(second.label)] += 1
    return [
        {"first": a, "second": b, "labels": list(LABELS), "counts": table}
        for (a, b), table in sorted(tables.items())
    ]


def _annotators(items: Sequence[Answered]) -> list[dict[str, Any]]:
    by_name: dict[str, list[PersonAnswer]] = {}
    for answered in items:
        for answer in answered.answers:
            by_name.setdefault(answer.annotator, []).append(answer)
    rows = []
    for name, answers in sorted(by_name.items()):
        finished = [g for g in answers if g.status == "done"]
        labels = [fact.label for g in finished for fact in g.answer.facts]
        rows.append(
            {
                "annotator": name,
                "role": answers[0].role,
                "done": len(finished),
                "skipped": sum(g.status == "skipped" for g in answers),
                "open": sum(g.status == "open" for g in answers),
                "facts": len(labels),
                "supported": labels.count("supported") / len(labels) if labels else None,
                "irrelevant": labels.count("irrelevant") / len(labels) if labels else None,
                "median_seconds": (
                    statistics.median(g.seconds for g in finished) if finished else None
                ),
                "revised": sum(g.answer.revised_after_pages for g in finished),
            }
        )
    return rows


def _automatic(lines: Sequence[_Line], *, resamples: int, seed: int) -> dict[str, Any]:
    """Correlations over paragraphs (Table 5 of the paper), and agreement on facts."""
    comparison: dict[str, Any] = {}
    for m in MEASURES:
        pairs = _both(lines, m)
        correlation = correlate(
            [a for a, _ in pairs], [b for _, b in pairs], resamples=resamples, seed=seed
        )
        comparison[m] = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(correlation).items()
        }
    rows = [_fact_rows(line) for line in lines]
    same = [[row for row in facts_of_paragraph if row.same_link] for facts_of_paragraph in rows]
    for key, selected in (("facts", rows), ("facts_same_link", same)):
        facts = fact_scores(
            [facts_of_paragraph for facts_of_paragraph in selected if facts_of_paragraph],
            resamples=resamples,
            seed=seed,
        )
        comparison[key] = {
            "balanced_accuracy": _figure(facts.balanced_accuracy),
            "kappa": _figure(facts.kappa),
            "auc": _figure(facts.auc),
            "table": [list(row) for row in facts.table],
        }
    return comparison


def _both(lines: Sequence[_Line], measure: str) -> list[tuple[float, float]]:
    """Pairs of scores from people and from the run, for paragraphs that have both."""
    return [
        (float(a), float(b))
        for line in lines
        if line.run is not None
        and (a := line.people[measure]) is not None
        and (b := line.run.scores[measure]) is not None
    ]


def _fact_rows(line: _Line) -> list[FactRow]:
    gold = line.answered.gold
    if line.run is None or line.run.facts is None or gold is None or gold[1] is None:
        return []
    rows = []
    for number, (fact, automatic) in enumerate(zip(gold[1].facts, line.run.facts, strict=True)):
        verdict = bool(automatic["verdict"])
        probability = automatic["probability"]
        rows.append(
            FactRow(
                fact.label == "supported",
                verdict,
                float(verdict) if probability is None else float(probability),
                same_link=automatic["link"] is not None
                and automatic["link"] == gold[1].link(number),
            )
        )
    return rows


def _order(
    scopes: Mapping[str, Sequence[_Line]], measure: str, *, resamples: int, seed: int
) -> dict[str, Any] | None:
    """Ranks models by people's scores and by the run's, resampling paragraphs within each model."""
    tables = {name: _both(pairs, measure) for name, pairs in scopes.items() if name != POOLED}
    names = [name for name, pairs in tables.items() if pairs]
    if len(names) < 2 or not resamples:
        return None
    means = np.array([np.mean(tables[name], axis=0) for name in names])
    drawn = []
    for number, name in enumerate(names):
        table = np.array(tables[name])
        counts = resample_counts(len(table), resamples=resamples, seed=seed + number)
        drawn.append(np.concatenate([weighted_sums(c, table) for c in counts]) / len(table))
    stacked = np.stack(drawn, axis=1)  # draws, models, (people, run)
    # Rounding makes equal means equal in any order of summation; ties keep the given order.
    orders = np.argsort(-stacked.round(9), axis=1, kind="stable")
    seen = np.argsort(-means.round(9), axis=0, kind="stable")
    return {
        "people": [names[i] for i in seen[:, 0]],
        "automatic": [names[i] for i in seen[:, 1]],
        "same": float((orders[:, :, 0] == orders[:, :, 1]).all(axis=1).mean()),
        "people_held": float((orders[:, :, 0] == seen[:, 0]).all(axis=1).mean()),
        "automatic_held": float((orders[:, :, 1] == seen[:, 1]).all(axis=1).mean()),
    }


def study_status(study: Study) -> dict[str, Any]:
    """Each person's finished and open work, minutes per paragraph, and current agreement."""
    items = answered_items(study)
    seconds: dict[str, list[int]] = {}
    for answered in items:
        for answer in answered.done:
            seconds.setdefault(answer.annotator, []).append(answer.seconds)
    people = []
    for person in study.people():
        if person.role != "annotator":
            continue
        people.append(_of_person(study, person, seconds.get(person.name)))
    agreement = agreement_of(items, resamples=0)
    # `{study, blind, people: [{name, done, open, skipped, minutes, revoked, qualified}], doubles,
    # agreement}`; `open` counts unfinished and untouched paragraphs, and `minutes` is the median
    # over finished paragraphs.
    return {
        "study": study.key,
        "blind": bool(study.settings["blind"]),
        "people": people,
        "doubles": agreement["doubles"],
        "agreement": {
            question: {
                "n": agreement[question]["percent"]["n"],
                "percent": agreement[question]["percent"]["value"],
                "alpha": agreement[question]["alpha"]["value"],
            }
            for question in ("n_bio", "label", "found_in", "link")
        },
    }


def _of_person(study: Study, person: StudyMember, seconds: list[int] | None) -> dict[str, Any]:
    tasks = [task for task in list_tasks(study, person) if task.kind == "task"]
    result = qualification(study, person)
    return {
        "name": person.name,
        "done": sum(task.status == "done" for task in tasks),
        "open": sum(task.status in ("new", "open") for task in tasks),
        "skipped": sum(task.status == "skipped" for task in tasks),
        "flagged": sum(task.flagged for task in tasks),
        "minutes": statistics.median(seconds) / 60 if seconds else None,
        "revoked": person.revoked,
        "qualified": None
        if not result.n
        else "open"
        if result.open
        else "no"
        if result.stopped
        else "yes",
    }
