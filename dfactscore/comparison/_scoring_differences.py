"""Notes on settings that differ between runs, which makes their scores less comparable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dfactscore._text.clean_text import one_line
from dfactscore.comparison._scores import RunScores

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
