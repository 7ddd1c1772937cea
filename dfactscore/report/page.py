"""The report: one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from dfactscore._version import __version__
from dfactscore.mixing.run import run_mixing
from dfactscore.report.body import body, list_row
from dfactscore.report.documents import ReportDocuments
from dfactscore.report.summary import report_summary, settings_rows
from dfactscore.scoring.scored import Scored

__all__ = ["embed_json", "render_report"]

_SCRIPTS = ("dom.js", "list.js", "body.js", "main.js")
_CONTEXTS = (1500, 400, 100, 0)  # characters kept on either side of a place
_MOST = 24_000_000  # bytes of data; beyond, less of the text around the evidence is kept
# < and > would end or open an element, & an entity; the two separators end a line of a script
_UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def embed_json(value: Any) -> str:
    r"""JSON that can stand inside a script element whatever texts it holds.

    Example:
        >>> print(embed_json({"name": "</script><b>"}))
        {"name":"\u003c/script\u003e\u003cb\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE).encode("utf-8", "backslashreplace").decode("utf-8")


def render_report(
    scored: Sequence[Scored],
    *,
    title: str = "run",
    settings: Mapping[str, Any] | None = None,
    n_bad: int = 0,
) -> str:
    """Renders the report of a run.

    Bodies are kept as JSON and built in the browser when a biography is opened. Of the documents
    only the places that verdicts rest on are kept, with some text around them.

    Args:
        scored: The biographies in the order of the input.
        title: Name of the run.
        settings: How it was made, shown under the summary.
        n_bad: Records of the input that could not be read.

    Returns:
        HTML, without any reference to another file; its content security policy lets the browser
        load nothing and run nothing but the report's own script.
    """
    mixing = run_mixing(scored)
    measured = {b.id: b for b in mixing.biographies}
    for context in _CONTEXTS:
        documents = ReportDocuments(context)
        bodies = [embed_json(body(s, measured.get(s.id), documents)) for s in scored]
        texts = [embed_json(d) for d in documents.payload()]
        if sum(len(text.encode("utf-8")) for text in (*bodies, *texts)) <= _MOST:
            break
    index = {
        "title": title,
        "version": __version__,
        "link": scored[0].options.link if scored else "argmax",
        "summary": report_summary(scored, mixing, n_bad=n_bad),
        "settings": settings_rows(settings or {}),
        "rows": [list_row(s, measured.get(s.id)) for s in scored],
    }
    return _page(title, embed_json(index), bodies, texts)


def _page(title: str, index: str, bodies: list[str], documents: list[str]) -> str:
    files = resources.files("dfactscore.report")
    style = files.joinpath("report.css").read_text(encoding="utf-8")
    parts = [files.joinpath(name).read_text(encoding="utf-8") for name in _SCRIPTS]
    script = '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();\n"
    data = [
        _data("index", index),
        *(_data(f"body-{i}", text) for i, text in enumerate(bodies)),
        *(_data(f"document-{i}", text) for i, text in enumerate(documents)),
    ]
    template = files.joinpath("template.html").read_text(encoding="utf-8")
    filled = {
        "policy": (
            f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        ),
        "title": escape(title),
        "style": style,
        "data": "\n".join(data),
        "script": script,
    }
    # in one pass, so that nothing filled in is filled again
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], template)


def _data(name: str, text: str) -> str:
    return f'<script type="application/json" id="{name}">{text}</script>'


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")
