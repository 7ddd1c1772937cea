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
_CONTEXTS = (1500, 400, 100, 0)  # characters kept on either side of a place
_MOST = 24_000_000  # bytes of data; beyond, less of the text around the evidence is kept
# < and > would end or open an element, & an entity; the two separators end a line of a script
_UNSAFE = [(c, f"\\u{ord(c):04x}") for c in "<>&\u2028\u2029"]


def embed_json(value: Any) -> str:
    r"""JSON that is safe inside a script element whatever texts it holds.

    Example:
        >>> print(embed_json({"name": "</script><b>"}))
        {"name":"\u003c/script\u003e\u003cb\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for unsafe, escaped in _UNSAFE:  # str.translate looks at each character on its own
        text = text.replace(unsafe, escaped)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class ReportBuilder:
    """Makes a report of records that pass by once; keeps of each only what the page shows.

    Bodies are kept as JSON and built in the browser when a biography is opened. Of the documents
    only the places that verdicts rest on are kept, with some text around them.

    Args:
        explained: Whether to show for each clause who it is about, and by which rule.
    """

    def __init__(self, *, explained: bool = False) -> None:
        self._explained = explained
        self._contexts = list(_CONTEXTS)
        self._documents = ReportDocuments(self._contexts.pop(0))
        self._bodies: list[bytes] = []
        self._size = 0
        self._list: list[list[Any]] = []
        self._mixing: dict[str, list[BiographyMixing]] = {}
        self._tallies: dict[str, SummaryTally] = {}  # by model, as the mixing
        self._marks: list[Mark] = []
        self._link = "argmax"

    def add(self, record: Record, run: int = 0) -> None:
        """Adds a scored record with its texts.

        Args:
            record: The record.
            run: The one of two runs that it is from, 0 or 1.
        """
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
        self._bodies.append(zlib.compress(data, 1))  # most of a large run's report is bodies
        self._size += len(data)
        if self._contexts and self._size + self._documents.kept > _MOST:
            self._documents.shrink(self._contexts.pop(0))
        self._list.append([*list_row(record, mixing), run])
        if len(self._list) == 1:
            self._link = record.options.link

    def add_all(
        self, records: Iterable[Record], n_bad: int = 0, run: int = 0
    ) -> tuple[list[dict[str, Any]], Summary]:
        """Adds records one at a time; returns their rows and means.

        Args:
            records: The scored records in the order of the input, with their texts.
            n_bad: Records of the input that could not be read.
            run: The one of two runs that they are from, 0 or 1.
        """

        def passing() -> Iterator[Record]:
            for record in records:
                self.add(record, run)
                yield record

        return tabulate(passing(), n_bad=n_bad)

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
        """The HTML, piece by piece.

        Args:
            rows: The rows of ``scores.csv``.
            means: Their means.
            title: Name of the run.
            settings: The settings of the run, shown under the summary.
            runs: Names of the two runs, if there are two to be set side by side.
            corrected: The means as corrected by labels, if they were.
        """
        summaries = {model: tally.summary() for model, tally in self._tallies.items()}
        if len(summaries) < 2:  # the means of several models together are of none of them
            summaries = {next(iter(summaries), ""): means}
        index = {
            "title": title,
            "version": __version__,
            "link": self._link,
            "summary": report_summary(rows, summaries, self._mixing, corrected),
            "settings": settings_rows(settings),
            "rows": self._list,
            # two judges would count the facts of one text twice
            "graph": graph_data(() if runs else chain(*self._mixing.values())),
            **({"runs": list(runs), "pairs": pair_up(self._marks)} if runs else {}),
        }
        bodies = (zlib.decompress(packed).decode("utf-8") for packed in self._bodies)
        return _page(title, embed_json(index), bodies, self._fitted())

    def _fitted(self) -> list[str]:
        """The documents, with as much around the evidence as there is room for."""
        room = _MOST - self._size
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
    """Renders the report of a run.

    Args:
        records: The scored records in the order of the input, with their texts.
        title: Name of the run.
        settings: The settings of the run, shown under the summary.
        n_bad: Records of the input that could not be read.
        explained: Whether to show for each clause who it is about, and by which rule.

    Returns:
        HTML, without any reference to another file; its content security policy lets the browser
        load nothing and run nothing but the report's own script.
    """
    builder = ReportBuilder(explained=explained)
    rows, means = builder.add_all(records, n_bad)
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
    # split once, so that nothing filled in is filled again
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
