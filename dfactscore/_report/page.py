"""Renders the report as one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from itertools import chain
from typing import Any

from dfactscore._report.body import body, list_row
from dfactscore._report.documents import ReportDocuments
from dfactscore._report.graph import graph_data
from dfactscore._report.pairs import Mark, mark_of, pair_up
from dfactscore._report.summary import report_summary, settings_rows
from dfactscore._results.tables import tabulate
from dfactscore._scoring.record import Record
from dfactscore._scoring.summary import Summary, SummaryTally
from dfactscore._version import __version__
from dfactscore.mixing._biography import BiographyMixing, biography_mixing

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
