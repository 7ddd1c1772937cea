"""The report's data: its head, each biography, and the documents around the evidence."""

from __future__ import annotations

import hashlib
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dfactscore._evidence.owners import owner_methods
from dfactscore._records import Document
from dfactscore._results.summary import summary_table
from dfactscore._scoring.biography_scores import MEASURES, kind_label
from dfactscore._scoring.matrix import matrix_values
from dfactscore._scoring.record import Record
from dfactscore._scoring.summary import Summary
from dfactscore._util.numbers import counted, mean, percent
from dfactscore.engines._builtin.group.grouper import explain
from dfactscore.engines._wrapping import OPEN
from dfactscore.linking import Evidence, LinkMethod, link_groups, support_counts
from dfactscore.measures._table import EVERY
from dfactscore.mixing._biography import BiographyMixing

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Utf16:
    """Converts offsets in a text from code points to UTF-16 units.

    A character above U+FFFF (such as an emoji) has length 1 in Python and length 2 in a browser.

    Example:
        >>> Utf16("a😀b")(2)
        3
    """

    def __init__(self, text: str) -> None:
        self._wide = [match.start() for match in _WIDE.finditer(text)]

    def __call__(self, offset: int) -> int:
        """Converts an offset to UTF-16 units."""
        return offset + bisect_left(self._wide, offset)


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
                note = f"{_texts_with_mixing(summary)} of {counted(summary.n_both, 'text')}"
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
    counts = [[_texts_with_mixing(s), s.n_both] for s in summaries.values()]
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


def _texts_with_mixing(summary: Summary) -> int:
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


@dataclass(slots=True)
class _Part:
    """A part of a document: its text, and its start offset in characters and in UTF-16 units."""

    start: int
    offset: int
    text: str


@dataclass(slots=True)
class _Shown:
    """The parts of a document shown in the report."""

    title: str
    length: int
    size: int
    places: set[tuple[int, int]] = field(default_factory=set)
    parts: list[_Part] = field(default_factory=list)


class ReportDocuments:
    """Collects documents and the positions of evidence within each, one biography at a time."""

    def __init__(self, context: int = 400) -> None:
        self._context = context
        self._numbers: dict[bytes, int] = {}
        self._shown: list[_Shown] = []
        self._open: dict[int, tuple[str, Utf16]] = {}  # documents of the current biography
        self._keys: dict[int, tuple[Document, int]] = {}  # document numbers by object identity
        self._touched: set[int] = set()
        self.size = 0  # number of characters in all parts

    def number(self, document: Document) -> int:
        """Returns a document's number in the report; equal documents share a number."""
        known = self._keys.get(id(document))
        if known is not None:
            return known[1]
        digest = hashlib.blake2b(document.title.encode("utf-8", "surrogatepass"), digest_size=20)
        digest.update(b"\0" + document.text.encode("utf-8", "surrogatepass"))
        key = digest.digest()
        number = self._numbers.setdefault(key, len(self._numbers))
        self._keys[id(document)] = document, number
        if number not in self._open:
            offset = Utf16(document.text)
            self._open[number] = document.text, offset
            if number == len(self._shown):
                length = len(document.text)
                self._shown.append(_Shown(document.title, length, offset(length)))
        return number

    def place(self, documents: Sequence[Document], evidence: Evidence | None) -> list[int] | None:
        """Adds a piece of evidence and returns it as ``[document, start, end]`` in UTF-16 units.

        Returns None if there is no evidence or it lies outside the documents.
        """
        if evidence is None or not 0 <= evidence.document < len(documents):
            return None
        document = documents[evidence.document]
        start, end = max(0, evidence.start), min(len(document.text), evidence.end)
        if start >= end:
            return None
        number = self.number(document)
        if (start, end) not in self._shown[number].places:
            self._shown[number].places.add((start, end))
            self._touched.add(number)
        offset = self._open[number][1]
        return [number, offset(start), offset(end)]

    def close(self) -> None:
        """Finishes a biography, keeping only the parts of its documents around the evidence."""
        for number in self._touched:
            text, offset = self._open[number]
            whole_text = _Part(0, 0, text)
            self._replace(self._shown[number], self._cut(self._shown[number], [whole_text], offset))
        self._open.clear()
        self._keys.clear()
        self._touched.clear()

    def shrink(self, context: int) -> None:
        """Reduces the number of characters kept on each side of the evidence."""
        # `context`: the new number of characters. It must be lower than the previous one by more
        # than 20, because a cut may move by 20.
        self._context = context
        for document in self._shown:
            self._replace(document, self._cut(document, document.parts))

    def payload(self) -> list[dict[str, Any]]:
        """Returns the title, the length and the parts ``[start, text]`` of each document."""
        return [
            {
                "title": document.title,
                "size": document.size,
                "parts": [[part.offset, part.text] for part in document.parts],
            }
            for document in self._shown
        ]

    def _replace(self, shown: _Shown, parts: list[_Part]) -> None:
        self.size += sum(len(p.text) for p in parts) - sum(len(p.text) for p in shown.parts)
        shown.parts = parts

    def _cut(
        self, shown: _Shown, parts: Sequence[_Part], offset: Utf16 | None = None
    ) -> list[_Part]:
        """Extracts the windows around the evidence from parts that contain all of it."""
        places = sorted(shown.places)
        parts_of_windows = []
        for part in parts:
            end = part.start + len(part.text)
            windows: list[tuple[int, int]] = []
            for start, stop in places:
                if not part.start <= start < end:
                    continue
                left = _to_word(part, shown.length, max(0, start - self._context), -1)
                right = _to_word(part, shown.length, min(shown.length, stop + self._context), 1)
                if windows and left <= windows[-1][1]:
                    windows[-1] = windows[-1][0], max(windows[-1][1], right)
                else:
                    windows.append((left, right))
            units = offset or Utf16(part.text)
            for left, right in windows:
                text = part.text[left - part.start : right - part.start]
                parts_of_windows.append(_Part(left, part.offset + units(left - part.start), text))
        return parts_of_windows


def _to_word(part: _Part, length: int, at: int, step: int) -> int:
    """Moves a cut to the next space, by at most 20 characters."""
    for _ in range(20):
        here = at - (step < 0)
        if at <= 0 or at >= length or part.text[here - part.start].isspace():
            break
        at += step
    return at


_CODES = "snuxe"  # supported, not supported, unparsed, refused, error: the order of STATUSES


def list_row(record: Record, mixing: BiographyMixing | None) -> list[Any]:
    """Returns a biography's row in the list; the script reads the columns by index.

    Scores are not rounded here because the page rounds them, in the same way as the terminal.
    """
    s = record.scores
    return [
        record.id,
        record.name,
        record.status,
        s.fs if s else None,
        s.dfs if s else None,
        s.n_bio if s else None,
        s.n_ent if s else None,
        s.n_facts if s else len(record.facts),
        kind_label(s.category, mixed=s.mixed_groups, n_ent=s.n_ent) if s and s.category else None,
        taken_for_one(mixing) if mixing else None,
        record.biography.model or None,
        bool(s and s.thin),
    ]


def body(
    record: Record,
    mixing: BiographyMixing | None,  # biography's mixing; None if there is no D-FS
    documents: ReportDocuments,
    *,
    explained: bool = False,
) -> dict[str, Any]:
    """Returns the paragraph, facts, groups, links, matrix and evidence as JSON values."""
    biography, scores = record.biography, record.scores
    offset = Utf16(biography.text)
    return {
        "text": biography.text,
        "reason": record.reason or (scores.dfs_reason if scores else ""),
        **({"question": biography.question} if biography.question else {}),
        "offTarget": record.off_target,
        **({"expected": True} if record.options.counts == "expected" else {}),
        "scored": list(scores.facts) if scores else [],
        "facts": [
            {
                "t": f.text,
                "s": None if f.span is None else [offset(f.span[0]), offset(f.span[1])],
                **({"l": f.label} if f.label else {}),
            }
            for f in record.facts
        ],
        "standing": list(record.standing),
        **({"whyNot": list(record.why_not)} if any(record.why_not) else {}),
        "entities": [
            {
                "id": e.id,
                "label": e.label,
                "named": i in record.named,
                "candidate": i in record.candidate_columns,
                "documents": [documents.number(d) for d in e.documents],
                **({"how": how} if (how := owner_methods(e, biography.owners)) else {}),
            }
            for i, e in enumerate(record.entities)
        ],
        "groups": _groups(record),
        **_matrix(record, documents),
        **_mixed(mixing),
        **({"clauses": _clauses(record)} if explained else {}),
        **(_searched(record) if record.searches else {}),
    }


def _mixed(mixing: BiographyMixing | None) -> dict[str, Any]:
    """Returns the cost of the mixing, and the facts at which groups switch between people."""
    if mixing is None:
        return {"lost": None, "switches": []}
    lost = {
        "same": list(mixing.lost.same_name),
        "other": list(mixing.lost.other_page),
        "conflict": list(mixing.lost.link_conflict),
    }
    return {"lost": lost, "switches": sorted({f for g in mixing.groups for f in g.switches})}


def _searched(record: Record) -> dict[str, Any]:
    """Returns the evidence searches in column ``(open)``: the queries and results for each fact."""
    column = next((i for i, e in enumerate(record.entities) if e.id == OPEN), None)
    documents = () if column is None else record.entities[column].documents
    return {
        "open": column,
        "results": [[d.title, d.address, d.date, d.note, d.time] for d in documents],
        "searches": [
            {
                "ended": search.ended,
                "steps": [[s.query, list(s.results), s.entity] for s in search.steps],
            }
            for search in record.searches
        ],
    }


def _clauses(record: Record) -> list[dict[str, Any]]:
    """Returns the built-in grouper's analysis of the paragraph."""
    biography = record.biography
    return [
        {
            "t": clause.text,
            "who": [clause.individual, *clause.passing],
            "label": clause.label,
            "rule": clause.rule,
            "says": clause.says,
            "cues": list(clause.cues),
        }
        for clause in explain(biography.text, biography.name)
        if clause.text
    ]


def _matrix(record: Record, documents: ReportDocuments) -> dict[str, Any]:
    """Returns the cells: their status, probability, evidence position and contradictions."""
    if record.matrix is None:
        return {"status": [], "probability": [], "evidence": []}
    matrix = record.decided

    def places(at: Callable[[int, int], Evidence | None]) -> list[list[list[int] | None]]:
        return [
            [documents.place(e.documents, at(f, i)) for i, e in enumerate(record.entities)]
            for f in range(len(record.facts))
        ]

    cells: dict[str, Any] = {
        "status": ["".join(_CODES[c] for c in row) for row in matrix.status.tolist()],
        "probability": [[_short(p) for p in row] for row in matrix.probability.tolist()],
        "evidence": places(matrix.evidence_at),
    }
    if matrix.conflict is not None:
        cells["conflict"] = places(matrix.conflict_at)
    if matrix.reason is not None:
        cells["reason"] = matrix.reason.tolist()
    return cells


def _groups(record: Record) -> list[dict[str, Any]]:
    groups, links = record.groups, record.links
    if not groups or not links:
        return []
    unread = record.scores.open_groups if record.scores is not None else ()
    other_method: LinkMethod = "argmax" if record.options.link == "hungarian" else "hungarian"
    mask = np.zeros(len(record.entities), dtype=bool)
    mask[list(record.candidate_columns)] = True
    matrix = record.decided
    values = matrix_values(matrix, counts=record.options.counts)
    counts = support_counts(values, [g.facts for g in groups])
    compared = link_groups(counts, method=other_method, ranks=matrix.ranks, candidates=mask)
    return [
        {
            "label": group.label,
            "facts": list(group.facts),
            "bears": group.bears_name,
            "link": link.entity,
            "runnerUp": link.runner_up,
            "counts": np.round(counts[g], 1).tolist(),
            "otherLink": compared[g].entity,
            **({"outside": list(record.outside[g])} if any(record.outside[g : g + 1]) else {}),
            **({"unread": True} if g in unread else {}),
        }
        for g, (group, link) in enumerate(zip(groups, links, strict=True))
    ]


def _short(value: float | None) -> float | None:
    if value is None or math.isnan(value):
        return None
    return round(float(value), 4)
