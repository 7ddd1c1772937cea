"""Differences between the settings of runs, in words: such scores are not of one kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dfactscore._text.clean_text import one_line
from dfactscore.comparison._scores import RunScores

_MOST = 5  # lines
_MOST_PARTS = 3  # settings in a line
_LONGER = 2.0  # pages of twice the length say more about anyone
_HASH = re.compile(r"(?:.*:)?[0-9a-f]{8,64}")
#: The name of each part of the settings, by how much it matters.
_CALLED = {
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
    """Settings that differ between runs, one line per part."""
    runs = [run for run in scores if run.settings]
    keys = [k for k in _unlike_keys(runs) if k != "scores.counts"]  # which another note says
    found = []
    for part, called in _CALLED.items():
        own = [key for key in keys if key.partition(".")[0] == part]
        if own:
            said = _by_value(runs, part) if part in own else "; ".join(_details(runs, own))
            found.append(f"scored differently: {called}: {said}")
    more = len(found) - _MOST
    if more <= 0:
        return found
    left = ", ".join(line.split(": ")[1] for line in found[_MOST - 1 :])
    return [*found[: _MOST - 1], f"scored differently, too: {left} (--columns all)"]


def unlike_details(scores: Sequence[RunScores]) -> list[str]:
    """Every single setting that differs, hashes too."""
    runs = [run for run in scores if run.settings]
    return [f"scored differently: {key}: {_by_value(runs, key)}" for key in _unlike_keys(runs)]


def _unlike_keys(runs: Sequence[RunScores]) -> list[str]:
    keys = dict.fromkeys(key for run in runs for key in run.settings)
    return [key for key in keys if len({run.settings.get(key) for run in runs}) > 1]


def _by_value(runs: Sequence[RunScores], key: str) -> str:
    """Each value once, with the runs that have it."""
    labels: dict[str, list[str]] = {}
    for run in runs:
        labels.setdefault(run.settings.get(key, "none"), []).append(run.label)
    return "; ".join(f"{one_line(v, 60)} in {', '.join(own)}" for v, own in labels.items())


def _details(runs: Sequence[RunScores], keys: Sequence[str]) -> Iterator[str]:
    """Settings of one part; of hashes only that they differ."""
    values = {key: [run.settings.get(key, "") for run in runs] for key in keys}
    plain = sorted(keys, key=lambda k: any(map(_HASH.fullmatch, values[k])))
    for key in plain[:_MOST_PARTS]:
        name = key.partition(".")[2].replace(".", " ").replace("_", " ")
        hashed = any(map(_HASH.fullmatch, values[key]))
        yield f"other {name}" if hashed else f"{name} {_by_value(runs, key)}"
    if len(plain) > _MOST_PARTS:
        yield f"{len(plain) - _MOST_PARTS} more"


def unlike_evidence(scores: Sequence[RunScores]) -> list[str]:
    """A warning where one run's pages say much more than another's."""
    known = {run.label: run.evidence_words for run in scores if run.evidence_words}
    least, most = (
        min(known, key=lambda r: known[r], default=""),
        max(known, key=lambda r: known[r], default=""),
    )
    if not known or known[most] < _LONGER * known[least]:
        return []
    return [
        f"warning: what facts were judged against is {known[most]:,.0f} words long in {most} and "
        f"{known[least]:,.0f} in {least} (median of an entity); longer pages support more facts, "
        "so these scores are not comparable: judge both against the same --pages"
    ]
