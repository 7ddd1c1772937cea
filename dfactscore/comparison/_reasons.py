"""Notes on why facts are unsupported: because they are contradicted or not stated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from dfactscore._runs.judge_accuracy import level_shift_line
from dfactscore._util.numbers import with_sign
from dfactscore.comparison._scores import RunScores

_LEAST = 0.01  # minimum difference between models, as a share of all facts
_MAINLY = 2.0  # minimum ratio of the difference in facts not stated to that in contradicted facts
_MOST_PAIRS = 3
_STYLE = (
    "; they depend on style as well as truth: if the models write differently, let people or "
    "another judge check a sample (dfactscore correct)"
)


class _Shares(NamedTuple):
    """The share of a run's facts that a page contradicts, and the share that no page states."""

    label: str
    contradicted: float
    not_stated: float


def reason_notes(runs: Sequence[RunScores]) -> list[str]:
    """Returns notes on why facts are unsupported, for runs that count the reasons."""
    shares = [run_shares for run in runs if (run_shares := _shares(run))]
    notes = []
    if any(s.contradicted + s.not_stated for s in shares):
        parts = "; ".join(
            f"{s.label}: {100 * s.contradicted:.1f} % contradicted, {100 * s.not_stated:.1f} % "
            "not stated"
            for s in shares
        )
        notes.append(f"Of all facts, those that no page supports: {parts}.")
    pairs = sorted(combinations(shares, 2), key=lambda pair: -abs(_difference(*pair)[1]))
    for first, second in [pair for pair in pairs if _mainly_unstated(*pair)][:_MOST_PAIRS]:
        contradicted, not_stated = (with_sign(100 * x) for x in _difference(first, second))
        notes.append(
            f"{first.label} and {second.label} differ mainly in what the judge cannot find "
            f"({not_stated} points not stated), not in what a page contradicts "
            f"({contradicted}): this says little about which of them is false more often"
        )
    builtin = [run for run in runs if run.settings.get("verifier.name") == "builtin"]
    if len(runs) > 1:
        counts = dict.fromkeys(r.settings.get("scores.counts", "verdicts") for r in builtin)
        notes += [level_shift_line(c) + (_STYLE if c == "verdicts" else "") for c in counts]
    return notes


def _shares(run: RunScores) -> _Shares | None:
    texts = [t for t in run.counted if t.contradicted is not None and t.not_stated is not None]
    facts = sum(text.n_facts for text in texts)
    if not facts:
        return None
    contradicted = sum(text.contradicted or 0 for text in texts)
    not_stated = sum(text.not_stated or 0 for text in texts)
    return _Shares(run.label, contradicted / facts, not_stated / facts)


def _difference(first: _Shares, second: _Shares) -> tuple[float, float]:
    """Returns the differences, first minus second, in contradicted facts and facts not stated."""
    return first.contradicted - second.contradicted, first.not_stated - second.not_stated


def _mainly_unstated(first: _Shares, second: _Shares) -> bool:
    contradicted, not_stated = map(abs, _difference(first, second))
    return not_stated >= _LEAST and not_stated > _MAINLY * contradicted
