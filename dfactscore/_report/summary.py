"""The head of the report: scores and intervals by model, and settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._results.summary import summary_table
from dfactscore._scoring.run_measures import MEASURES
from dfactscore._scoring.summary import Summary
from dfactscore._util.numbers import counted, mean, percent
from dfactscore.measures._table import EVERY
from dfactscore.mixing._biography import BiographyMixing

_TILES = {  # for each measure, the title of its tile, and its title in a table of several models
    "fs": ("FActScore, %", "FS, %"),
    "dfs": ("D-FActScore, %", "D-FS, %"),
    "gap": ("Gap, points", "Gap"),
    "mixed": ("Mixed, %", "Mixed, %"),
}


def report_summary(
    rows: Sequence[Mapping[str, Any]],
    summaries: Mapping[str, Summary],  # means by model; means are never taken over several models
    mixing: Mapping[str, Sequence[BiographyMixing]],
    corrected: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns the head of the report, by model, with the lines shown in the terminal table."""
    columns = [_lines(rows, model, s, mixing.get(model, ())) for model, s in summaries.items()]
    tiles: list[Any] = []
    # Corrected means over several models are not shown.
    corrected_by_model = dict((corrected or {}).get("models", {}))
    if corrected and len(summaries) == 1:
        corrected_by_model = {
            model: corrected_by_model.get(model) or corrected["measures"] for model in summaries
        }
    for measure, titles in _TILES.items():
        cells = []
        for (model, summary), lines in zip(summaries.items(), columns, strict=True):
            _, value, note, _ = lines.pop(MEASURES[measure].title)
            if measure == "mixed":
                note = f"{_mixed(summary)} of {counted(summary.n_both, 'text')}"
            cells.append(
                [value, *filter(None, [note, *_corrected(corrected_by_model.get(model), measure)])]
            )
        tiles.append([*titles, cells])
    meanings = {title: line[3] for lines in columns for title, line in lines.items()}
    empty = ("", "–", "", "")
    figures = [
        [title, meaning, [" ".join(filter(None, c.get(title, empty)[1:3])) for c in columns]]
        for title, meaning in meanings.items()
    ]
    counts = [[_mixed(s), s.n_both] for s in summaries.values()]
    return {"models": list(summaries), "mixed": counts, "tiles": tiles, "more": figures}


def _lines(
    rows: Sequence[Mapping[str, Any]],
    model: str,
    summary: Summary,
    mixing: Sequence[BiographyMixing],
) -> dict[str, tuple[str, ...]]:
    texts = ((r["name"], r["fs"], r["dfs"]) for r in rows if (r["model"] or "") == model)
    table = summary_table(summary, texts, columns=[EVERY])
    lines = {str(line[0]): tuple(map(str, line)) for line in table.rows}
    for part in ("same_name", "other_page", "link_conflict"):
        title = part.replace("_", " ")
        share = percent(mean([getattr(text, part) for text in mixing]))
        lines[title] = (title, share, "", "points of the gap")
    return lines


def taken_for_one(mixing: BiographyMixing) -> list[Any] | None:
    """Returns the labels of the people in the most mixed group and the number of its foreign facts.

    Returns None if no group is mixed.
    """
    groups = [group for group in mixing.groups if group.mixed]
    if not groups:
        return None
    worst = max(groups, key=lambda group: len(group.foreign))
    credited = Counter(e for e in worst.credit if e is not None and e != worst.home)
    people = [worst.home, *(e for e, _ in credited.most_common())]
    return [[mixing.labels[e] for e in people if e is not None], len(worst.foreign)]


def _mixed(summary: Summary) -> int:
    return round((summary.mixed or 0) * summary.n_both)


def _corrected(measures: Mapping[str, Any] | None, measure: str) -> list[str]:
    corrected = measures.get(measure) if measures else None
    if not corrected:
        return []
    low, high = corrected["corrected_low"], corrected["corrected_high"]
    ends = "" if low is None else f" ({percent(low)} to {percent(high)})"
    labels = counted(corrected["labels"], "label")
    return [f"corrected by {labels}: {percent(corrected['corrected'])}{ends}"]


def settings_rows(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Returns the settings as label–value pairs, using dotted labels for nested settings."""
    rows: list[tuple[str, str]] = []
    for key, value in settings.items():
        label = f"{prefix}{key}"
        if isinstance(value, Mapping):
            rows += settings_rows(value, f"{label}.")
        elif value is not None and value != "" and value != []:
            rows.append((label, str(value)))
    return rows
