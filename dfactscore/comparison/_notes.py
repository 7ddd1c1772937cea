"""Notes on settings that differ between runs, and on why facts are unsupported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from dfactscore._runs.judge_accuracy import level_shift_line
from dfactscore._text.clean_text import one_line
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


_MOST = 5  # maximum number of lines
_MOST_PARTS = 3  # maximum number of settings per line
_LONGER = 2.0  # the minimum ratio of lengths for which a warning is shown
_HASH = re.compile(r"(?:.*:)?[0-9a-f]{8,64}")
#: The name of each part of the settings in notes, most important first.
_PART_NAMES = {
    "verifier": "judge",
    "evidence": "evidence",
    "pages": "pages",
    "candidates": "candidates",
    "scores": "scores",
    "snapshots": "dates of the pages",
    "grouper": "grouper",
    "decomposer": "decomposer",
    "versions": "version",
}


def unlike_lines(scores: Sequence[RunScores]) -> list[str]:
    """Returns notes on the settings that differ between runs, one line per part."""
    runs = [run for run in scores if run.settings]
    keys = [k for k in _unlike_keys(runs) if k != "scores.counts"]  # another note reports these
    lines = []
    for part, name in _PART_NAMES.items():
        part_keys = [key for key in keys if key.partition(".")[0] == part]
        if part_keys:
            values = (
                _by_value(runs, part) if part in part_keys else "; ".join(_details(runs, part_keys))
            )
            lines.append(f"scored differently: {name}: {values}")
    surplus = len(lines) - _MOST
    if surplus <= 0:
        return lines
    other_parts = ", ".join(line.split(": ")[1] for line in lines[_MOST - 1 :])
    return [*lines[: _MOST - 1], f"scored differently, too: {other_parts} (--columns all)"]


def unlike_details(scores: Sequence[RunScores]) -> list[str]:
    """Returns notes on all settings that differ, including hashes."""
    runs = [run for run in scores if run.settings]
    return [f"scored differently: {key}: {_by_value(runs, key)}" for key in _unlike_keys(runs)]


def _unlike_keys(runs: Sequence[RunScores]) -> list[str]:
    keys = dict.fromkeys(key for run in runs for key in run.settings)
    return [key for key in keys if len({run.settings.get(key) for run in runs}) > 1]


def _by_value(runs: Sequence[RunScores], key: str) -> str:
    """Lists the values of a setting and the runs that use each of them."""
    labels: dict[str, list[str]] = {}
    for run in runs:
        labels.setdefault(run.settings.get(key, "none"), []).append(run.label)
    return "; ".join(
        f"{one_line(v, 60)} in {', '.join(runs_with_value)}"
        for v, runs_with_value in labels.items()
    )


def _details(runs: Sequence[RunScores], keys: Sequence[str]) -> Iterator[str]:
    """Yields the settings of one part; if they are hashes, only says that they differ."""
    values = {key: [run.settings.get(key, "") for run in runs] for key in keys}
    plain = sorted(keys, key=lambda k: any(map(_HASH.fullmatch, values[k])))
    for key in plain[:_MOST_PARTS]:
        name = key.partition(".")[2].replace(".", " ").replace("_", " ")
        hashed = any(map(_HASH.fullmatch, values[key]))
        yield f"other {name}" if hashed else f"{name} {_by_value(runs, key)}"
    if len(plain) > _MOST_PARTS:
        yield f"{len(plain) - _MOST_PARTS} more"


def unlike_evidence(scores: Sequence[RunScores]) -> list[str]:
    """Returns a warning if one run's evidence is much longer than another's."""
    lengths = {run.label: run.evidence_words for run in scores if run.evidence_words}
    shortest, longest = (
        min(lengths, key=lambda r: lengths[r], default=""),
        max(lengths, key=lambda r: lengths[r], default=""),
    )
    if not lengths or lengths[longest] < _LONGER * lengths[shortest]:
        return []
    return [
        f"warning: the evidence has {lengths[longest]:,.0f} words in {longest} and "
        f"{lengths[shortest]:,.0f} in {shortest} (median per entity); longer pages support more "
        "facts, so these scores are not comparable: judge both against the same --pages"
    ]
