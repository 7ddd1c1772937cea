"""A run's means as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dfactscore._scoring import Summary
from dfactscore._scoring.biography_scores import CATEGORIES, MEASURES, RANGE_NOTE, THIN, THIN_NOTE
from dfactscore._util.numbers import counted, number, percent
from dfactscore.measures._resampling import Interval, clustered_interval
from dfactscore.measures._table import EVERY, Column, Measure, Table, find_measures

Scored = tuple[str, "float | None", "float | None"]
_COMPLETE = 0.95  # the summary mentions the share of sentences with facts if it is below this
_MANY = 0.05  # share of texts out of range from which on the summary mentions them
_OUT_OF_RANGE = f"texts with {RANGE_NOTE}"
_FAULTS = {
    "lost_sentences": "sentences without a fact of theirs",
    "not_in_text": "facts dropped, not in the text",
    "repeated": "facts dropped, there already",
    "moved": "facts listed under a wrong sentence",
    "repaired": "groupings repaired",
    "by_sentence": "texts read a sentence a call",
    "unknown_end": "answers whose finish_reason is not known",
    "apart": "calls about all, replaced by one for each",
}


def shown_measures(keys: Sequence[str]) -> tuple[Measure, ...]:
    """Returns the measures that a summary shows."""
    known = {name: m for name, m in MEASURES.items() if name != "dfs_adjusted"}
    if EVERY in keys:
        return tuple(known.values())
    return find_measures(keys, known) or tuple(m for m in known.values() if m.usual)


def _intervals(texts: Iterable[Scored]) -> dict[str, Interval]:
    """Computes 95 % intervals of FS, D-FS and gap, clustered by name as in comparisons."""
    values: dict[str, tuple[list[float], list[str]]] = {m: ([], []) for m in ("fs", "dfs", "gap")}
    for name, fs, dfs in texts:
        gap = None if fs is None or dfs is None else fs - dfs
        for (numbers, names), value in zip(values.values(), (fs, dfs, gap), strict=True):
            if value is not None:
                numbers.append(value)
                names.append(name)
    intervals = {m: clustered_interval(*sample) for m, sample in values.items() if sample[0]}
    return {m: found for m, found in intervals.items() if not math.isnan(found.low)}


def summary_table(
    summary: Summary, texts: Iterable[Scored] = (), *, columns: Iterable[str] = ()
) -> Table:
    """Builds the summary: one row per measure, with interval and meaning; shares in percent."""
    keys = tuple(columns)
    measures = shown_measures(keys)
    intervals = _intervals(texts)
    lines = [("n", f"{summary.n_scored} of {summary.n}", "", "texts scored, of all")]
    lines += [_measured(summary, m, intervals) for m in measures]
    lines += _others(summary, everything=EVERY in keys, classes=not keys or EVERY in keys)
    heads = (Column(left=True), Column(), Column(), Column(left=True))
    return Table(heads, tuple(lines), name="summary")


def _measured(
    summary: Summary, measure: Measure, intervals: Mapping[str, Interval]
) -> tuple[str, str, str, str]:
    name = measure.name
    if name.startswith("answer_"):
        value = summary.answers.get(name.removeprefix("answer_"))
    else:
        value = summary.categories.get(name) if name in CATEGORIES else getattr(summary, name)
    meaning = measure.help
    if name == "gap" and summary.fs_both is not None and summary.dfs is not None:
        # One more digit, since the difference of rounded numbers may be rounded differently.
        terms = f"{100 * summary.fs_both:.2f} − {100 * summary.dfs:.2f}"
        meaning += f" ({terms}, {counted(summary.n_both, 'text')})"
    bounds = {"fs": summary.fs_bounds, "dfs": summary.dfs_bounds}.get(name)
    if value is None and bounds is not None:
        cell = f"{percent(bounds[0])}–{percent(bounds[1])}"
        return measure.title, cell, "", f"{meaning}: bounds, as pages were not judged"
    cell = number(value) if measure.count else percent(value)
    if name in summary.thin:
        cell += f" {THIN}"
    if (interval := intervals.get(name)) is None or value is None:
        return measure.title, cell, "", meaning
    return measure.title, cell, f"{percent(interval.low)}–{percent(interval.high)}", meaning


def _others(s: Summary, *, everything: bool, classes: bool) -> Iterator[tuple[str, str, str, str]]:
    """Returns the rows other than the measures."""
    if everything:
        yield "FS facts", percent(s.fs_micro), "", "FS over facts, not over texts"
        yield "D-FS facts", percent(s.dfs_micro), "", "D-FS over facts, not over texts"
    if s.answers and classes:
        cell = "/".join(f"{100 * share:.0f}" for share in s.answers.values())
        yield "answers", cell, "", f"% {' / '.join(s.answers)}"
    if s.counts != "verdicts" and s.n_scored:
        scores = f"{percent(s.fs_verdicts)} and {percent(s.dfs_verdicts)}"
        yield "counts", s.counts, "", f"FS and D-FS add up probabilities; by verdicts {scores}"
    if s.counts != "verdicts" and s.out_of_range > _MANY * s.n_scored:
        yield "out of range", str(s.out_of_range), "", _OUT_OF_RANGE
    for title, mean, bounds in (("FS", s.fs, s.fs_bounds), ("D-FS", s.dfs, s.dfs_bounds)):
        if bounds is not None and mean is not None:
            interval = f"{percent(bounds[0])}–{percent(bounds[1])}"
            yield (
                f"{title} bounds",
                interval,
                "",
                "verdicts that could not be read as no and as yes",
            )
    if s.text_coverage is not None and s.text_coverage < _COMPLETE:
        yield "sentences", percent(s.text_coverage), "", "% with facts; the others were lost"
    if s.thin:
        read = [c for c in (s.coverage_fs, s.coverage) if c is not None]
        yield "coverage", percent(min(read)), "", THIN_NOTE
    if s.pages_not_judged:
        pages = f"{s.pages_not_judged} of {s.pages}"
        yield "pages not judged", pages, "", "refused or not answered by the judge"
    others = {k: n for k, n in s.statuses.items() if k not in ("scored", "partly_judged")}
    counts: list[tuple[str, int | None, str]]
    unread = others.get("not_judged", 0) if s.n_bounded else 0
    counts = [("partly judged", s.n_bounded - unread, "texts with bounds, not scores")]
    counts += [(k.replace("_", " "), n, "not scored") for k, n in others.items()]
    counts += [("fault", n, _FAULTS[kind]) for kind, n in s.faults.items()]
    scored = s.without_candidates - s.statuses.get("no_candidates", 0)
    counts += [
        ("off target", s.off_target, "texts in which no one bears the name"),
        ("no candidate", max(0, scored), "scored texts without an entity to be about"),
        ("contradicted", s.contradicted if everything else 0, "unsupported facts, by the page"),
        ("not stated", s.not_stated if everything else 0, "unsupported facts, on the page"),
        ("outside", s.outside, "facts that may be about people of the name without a page"),
        ("mixed?", s.unsure, "texts of which the passages do not tell whether people are mixed"),
        ("shared", s.shared_links if everything else 0, "texts with two groups linked to one"),
        ("models", len(s.models) if len(s.models) > 1 else 0, "averaged (compare --rows model)"),
    ]
    yield from ((title, str(n), "", about) for title, n, about in counts if n)
