"""Renders the report of a run as one self-contained HTML file, and writes it."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._report.report_data import (
    ReportDocuments,
    body,
    list_row,
    report_summary,
    settings_rows,
)
from dfactscore._results.judge import judge_name, old_recipe
from dfactscore._results.signature import signature_of
from dfactscore._results.tables import tabulate
from dfactscore._runs import load_run
from dfactscore._runs.corrected import read_corrected
from dfactscore._runs.judge_accuracy import accuracy_line
from dfactscore._scoring.record import Record
from dfactscore._scoring.summary import Summary, SummaryTally
from dfactscore._util.files import atomic_write
from dfactscore._version import __version__
from dfactscore.linking import mixed_pairs
from dfactscore.mixing._biography import BiographyMixing, biography_mixing
from dfactscore.retrieval._normalize import normalize_title

_MOST = 2_000  # maximum number of pairs, the most mixed first


def graph_data(mixing: Iterable[BiographyMixing]) -> dict[str, Any]:
    """Returns nodes ``[entity, name, facts]`` and edges ``[node, node, groups, facts]``.

    An edge's fact count is the number of facts about whichever person has fewer.
    """
    mixed = mixed_pairs((b.name, b.entities, b.groups) for b in mixing)
    pairs = sorted(mixed.pairs.items(), key=lambda e: (-e[1][1], *sorted(map(str, e[0]))))[:_MOST]
    places: dict[str, int] = {}
    for pair, _ in pairs:
        for entity in sorted(pair):
            places.setdefault(entity, len(places))
    nodes = [[str(e), str(mixed.entities[e][0]), int(mixed.entities[e][1])] for e in places]
    edges = [
        [*sorted(places[entity] for entity in pair), int(groups), int(weight)]
        for pair, (groups, weight) in pairs
    ]
    return {"nodes": nodes, "edges": edges}


Pair = tuple[int | None, int | None, list[tuple[int, int]] | None]


@dataclass(frozen=True, slots=True)
class Mark:
    """The data used to match a record with one from the other run."""

    run: int
    id: str
    name: str
    facts: tuple[tuple[str, str], ...]


def mark_of(record: Record, run: int) -> Mark:
    """Creates the `Mark` of a scored record."""
    texts = [fact.text for fact in record.facts]
    facts = tuple(zip(texts, record.standing, strict=True)) if record.scores else ()
    return Mark(run, record.id, normalize_title(record.name), facts)


def pair_up(marks: Sequence[Mark]) -> list[Pair]:
    """Pairs the biographies of two runs.

    A biography is paired with the one that has the same id and name or, failing that, with the next
    one of the same name.
    """
    second = [n for n, mark in enumerate(marks) if mark.run]
    by_id = {(marks[n].id, marks[n].name): n for n in second}
    paired: set[int] = set()
    pairs: list[Pair] = []
    first = [n for n, mark in enumerate(marks) if not mark.run]
    exact = {n: by_id[key] for n in first if (key := (marks[n].id, marks[n].name)) in by_id}
    paired.update(exact.values())
    unpaired: dict[str, list[int]] = {}
    for n in second:
        if n not in paired:
            unpaired.setdefault(marks[n].name, []).append(n)
    for n in first:
        other = exact.get(n)
        if other is None and unpaired.get(marks[n].name):
            other = unpaired[marks[n].name].pop(0)
            paired.add(other)
        pairs.append((n, other, None if other is None else _unlike(marks[n], marks[other])))
    pairs += [(None, n, None) for n in second if n not in paired]
    # For each pair, the indexes of both biographies (None if a run lacks the biography), and the
    # indexes of the common facts that the two runs judge differently (None if they have no facts in
    # common).
    return pairs


def _unlike(first: Mark, second: Mark) -> list[tuple[int, int]] | None:
    """Returns the common facts whose standings differ; None if there are no common facts."""
    second_facts = {key: (g, standing) for g, (key, standing) in enumerate(_keyed(second))}
    common = [
        (f, standing, *second_facts[key])
        for f, (key, standing) in enumerate(_keyed(first))
        if key in second_facts
    ]
    return [(f, g) for f, a, g, b in common if a != b] if common else None


def _keyed(mark: Mark) -> Iterator[tuple[tuple[str, int], str]]:
    """Yields each fact's standing, keyed by its text and the number of earlier copies."""
    copies: Counter[str] = Counter()
    for words, standing in mark.facts:
        yield (words, copies[words]), standing
        copies[words] += 1


_SCRIPTS = (
    "dom.js",
    "found.js",
    "list.js",
    "address.js",
    "body.js",
    "searches.js",
    "graph.js",
    "pairs.js",
    "main.js",
)
_CONTEXTS = (1500, 400, 100, 0)  # characters on each side of the evidence
_MAX_BYTES = 24_000_000  # of data; a larger report keeps less text around the evidence
# <, > and & may start or end an element or entity, and the two separators end a script line.
_UNSAFE = [(c, f"\\u{ord(c):04x}") for c in "<>&\u2028\u2029"]


def embed_json(value: Any) -> str:
    r"""Formats a value as JSON that can safely be put in a script element.

    Example:
        >>> print(embed_json({"name": "</script><b>"}))
        {"name":"\u003c/script\u003e\u003cb\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for unsafe, escaped in _UNSAFE:  # faster than str.translate
        text = text.replace(unsafe, escaped)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class ReportBuilder:
    """Builds a report from a stream of records without keeping the records.

    Bodies are stored as JSON; the browser renders one when a biography is opened. Documents are
    reduced to the evidence for the verdicts and some text around it.
    """

    def __init__(self, *, explained: bool = False) -> None:
        self._explained = explained
        self._contexts = list(_CONTEXTS)
        self._documents = ReportDocuments(self._contexts.pop(0))
        self._bodies: list[bytes] = []
        self._size = 0
        self._list: list[list[Any]] = []
        self._mixing: dict[str, list[BiographyMixing]] = {}
        self._tallies: dict[str, SummaryTally] = {}  # by model, like `_mixing`
        self._marks: list[Mark] = []
        self._link = "argmax"

    def add(self, record: Record, run: int = 0) -> None:
        """Adds a scored record and its texts."""
        self._marks.append(mark_of(record, run))
        model = record.biography.model
        self._tallies.setdefault(model, SummaryTally()).add(record)
        mixing = biography_mixing(record)
        if mixing is not None:
            self._mixing.setdefault(model, []).append(mixing)
        data = embed_json(body(record, mixing, self._documents, explained=self._explained)).encode(
            "utf-8"
        )
        self._documents.close()
        self._bodies.append(zlib.compress(data, 1))  # bodies make up most of a large run's report
        self._size += len(data)
        if self._contexts and self._size + self._documents.size > _MAX_BYTES:
            self._documents.shrink(self._contexts.pop(0))
        self._list.append([*list_row(record, mixing), run])
        if len(self._list) == 1:
            self._link = record.options.link

    def add_all(
        self, records: Iterable[Record], n_bad: int = 0, run: int = 0
    ) -> tuple[list[dict[str, Any]], Summary]:
        """Adds records and returns their rows and means."""

        def added() -> Iterator[Record]:
            for record in records:
                self.add(record, run)
                yield record

        return tabulate(added(), n_bad=n_bad)

    def page(
        self,
        rows: Sequence[Mapping[str, Any]],
        means: Summary,
        *,
        title: str,
        settings: Mapping[str, Any],
        runs: Sequence[str] = (),
        corrected: Mapping[str, Any] | None = None,
    ) -> Iterator[str]:
        """Yields the HTML in pieces."""
        summaries = {model: tally.summary() for model, tally in self._tallies.items()}
        if len(summaries) < 2:  # means over several models are not shown
            summaries = {next(iter(summaries), ""): means}
        index = {
            "title": title,
            "version": __version__,
            "link": self._link,
            "summary": report_summary(rows, summaries, self._mixing, corrected),
            "settings": settings_rows(settings),
            "rows": self._list,
            # In a report on two runs, the graph would count each text twice.
            "graph": graph_data(() if runs else chain(*self._mixing.values())),
            **({"runs": list(runs), "pairs": pair_up(self._marks)} if runs else {}),
        }
        bodies = (zlib.decompress(packed).decode("utf-8") for packed in self._bodies)
        return _page(title, embed_json(index), bodies, self._fitted())

    def _fitted(self) -> list[str]:
        """Returns the documents with as much context as fits on the page."""
        room = _MAX_BYTES - self._size
        while True:
            texts = [embed_json(document) for document in self._documents.payload()]
            if sum(len(t.encode("utf-8")) for t in texts) <= room or not self._contexts:
                return texts
            self._documents.shrink(self._contexts.pop(0))


def render_report(
    records: Iterable[Record],
    *,
    title: str = "run",
    settings: Mapping[str, Any] | None = None,
    n_bad: int = 0,
    explained: bool = False,
) -> str:
    """Renders the report of a run."""
    builder = ReportBuilder(explained=explained)
    rows, means = builder.add_all(records, n_bad)
    # The HTML, which contains no references to other files. Its content security policy prevents
    # the browser from loading anything and from running any script other than the report's.
    return "".join(builder.page(rows, means, title=title, settings=settings or {}))


def _page(title: str, index: str, bodies: Iterable[str], documents: Iterable[str]) -> Iterator[str]:
    files = resources.files("dfactscore._report")
    style = files.joinpath("report.css").read_text(encoding="utf-8")
    scripts = [files.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS]
    script = '"use strict";\n(() => {\n' + "\n".join(scripts) + "\n})();\n"
    filled = {
        "policy": (
            f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        ),
        "title": escape(title),
        "style": style,
        "script": script,
    }
    template = files.joinpath("template.html").read_text(encoding="utf-8")
    # Splitting first prevents placeholders within inserted text from being replaced.
    for number, piece in enumerate(re.split(r"\{\{(\w+)\}\}", template)):
        if number % 2 == 0:
            yield piece
        elif piece != "data":
            yield filled[piece]
        else:
            yield _data("index", index)
            for kind, texts in (("body", bodies), ("document", documents)):
                for i, text in enumerate(texts):
                    yield "\n" + _data(f"{kind}-{i}", text)


def _data(name: str, text: str) -> str:
    return f'<script type="application/json" id="{name}">{text}</script>'


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


_LOG = logging.getLogger(__name__)


def write_report(
    run: str | Path,
    path: str | Path | None = None,
    *,
    explained: bool = False,
    beside: str | Path | None = None,
    judged_by: str | Path | None = None,
) -> Path:
    """Renders a run folder as a single HTML file.

    Args:
        run: The run folder.
        path: The path of the report; by default ``report.html`` in the run folder, or
            ``report-and-RUN.html`` with a second run.
        explained: Whether to show the person each clause is about and the built-in grouper's rule
            that determined this.
        beside: A second run, shown side by side with the first.
        judged_by: A folder written by ``meta run`` that contains the verifier's accuracy.

    Returns:
        The path of the report.

    Raises:
        RunError: If the folder is not a run or cannot be read.
        InputError: If the file cannot be written.
    """
    loaded = load_run(run)
    other = None if beside is None else load_run(beside)
    for opened in (loaded, other):
        if opened is not None and opened.unfinished:
            _LOG.warning(opened.unfinished)
        if opened is not None and (older := old_recipe(opened.settings)):
            _LOG.warning(f"{opened.folder}: {older}")
    labels = None if other is None else _labels(loaded.folder, other.folder)
    name = f"report-and-{labels[1].replace('/', '-')}.html" if labels else "report.html"
    target = loaded.folder / name if path is None else Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{target}: no folder {target.parent}")
    builder = ReportBuilder(explained=explained)
    if other is None or labels is None:
        rows, means = builder.add_all(loaded.records(), loaded.n_bad)
        return write_page(
            builder,
            rows,
            means,
            loaded.manifest,
            target,
            folder=loaded.folder,
            judged_by=judged_by,
            corrected=read_corrected(loaded.folder),
        )
    settings = {
        label: _settings(opened.manifest, judged_by, opened.folder)
        for label, opened in zip(labels, (loaded, other), strict=True)
    }
    records = loaded.records(), other.records()
    return write_pair(builder, labels, records, target, settings, n_bad=(loaded.n_bad, other.n_bad))


def write_pair(
    builder: ReportBuilder,
    labels: tuple[str, str],
    records: tuple[Iterable[Record], Iterable[Record]],
    path: Path,
    settings: Mapping[str, Any],
    *,
    n_bad: tuple[int, int] = (0, 0),
) -> Path:
    """Writes a page that shows two sets of scored texts side by side."""
    rows, means = builder.add_all(_of_run(records[0], labels[0]), n_bad[0])
    second_rows, second_means = builder.add_all(_of_run(records[1], labels[1]), n_bad[1], run=1)
    return _write(
        builder,
        [*rows, *second_rows],
        means if rows else second_means,
        path,
        " and ".join(labels),
        settings,
        runs=labels,
    )


def _labels(first: Path, second: Path) -> tuple[str, str]:
    """Returns labels for two runs: the shortest path endings that differ."""
    first_parts, second_parts = first.resolve().parts, second.resolve().parts
    for length in range(1, max(len(first_parts), len(second_parts)) + 1):
        labels = "/".join(first_parts[-length:]), "/".join(second_parts[-length:])
        if labels[0] != labels[1]:
            return labels
    return f"{first_parts[-1]} (1)", f"{second_parts[-1]} (2)"


def _of_run(records: Iterable[Record], label: str) -> Iterator[Record]:
    """Yields the records with the run as their model, because the page shows results by model."""
    for record in records:
        model = f"{label}: {record.biography.model}" if record.biography.model else label
        yield replace(record, biography=replace(record.biography, model=model))


def write_page(
    builder: ReportBuilder,
    rows: Sequence[Mapping[str, Any]],
    means: Summary,
    manifest: Mapping[str, Any],
    path: Path,
    *,
    folder: Path | None = None,  # the run folder
    # A folder written by `meta run` that contains the verifier's accuracy.
    judged_by: str | Path | None = None,
    corrected: Mapping[str, Any] | None = None,
) -> Path:
    """Writes the page of a run."""
    title = Path(manifest["input"]["file"]).stem
    settings = _settings(manifest, judged_by, folder)
    if (judge := judge_name(manifest["settings"])) != "builtin":
        title += f", judged by {judge}"
    return _write(builder, rows, means, path, title, settings, corrected=corrected)


def _settings(
    manifest: Mapping[str, Any], judged_by: str | Path | None, folder: Path | None
) -> dict[str, Any]:
    return {
        "signature": signature_of(manifest),
        "status": manifest.get("status"),
        "input": manifest["input"],
        **manifest["settings"],
        "judge": accuracy_line(manifest["settings"].get("verifier"), judged_by, run=folder),
        "python": manifest["versions"].get("python"),
    }


def _write(
    builder: ReportBuilder,
    rows: Sequence[Mapping[str, Any]],
    means: Summary,
    path: Path,
    title: str,
    settings: Mapping[str, Any],
    **options: Any,
) -> Path:
    with atomic_write(path) as file:
        file.writelines(builder.page(rows, means, title=title, settings=settings, **options))
    return path
