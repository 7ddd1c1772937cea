"""Opens a report in a browser that may load only the report."""

from __future__ import annotations

import pytest

from dfactscore._report import render_report


@pytest.fixture
def open_report(chromium, tmp_path):
    """Opens a report, and checks at the end that there was no error and no request."""
    contexts, problems = [], []

    def opened(scored, *, link="", title="run", explained=False, path=None, **context):
        if path is None:
            path = tmp_path / "report.html"
            html = render_report(scored, title=title, explained=explained)
            path.write_text(html, encoding="utf-8")
        url = path.as_uri()
        contexts.append(chromium.new_context(**context))
        page = contexts[-1].new_page()
        page.on("console", lambda m: problems.append(f"console {m.type}: {m.text}"))
        page.on("pageerror", lambda e: problems.append(f"error: {e}"))
        page.on("dialog", lambda d: (problems.append(f"dialog: {d.message}"), d.dismiss()))
        page.on(
            "request",
            lambda r: (
                None
                if r.url.split("#")[0] == url or r.url == "data:,"
                else problems.append(f"request: {r.url}")
            ),
        )
        page.goto(url + link)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []
