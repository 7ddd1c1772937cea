"""A headless Chromium that may load nothing but the report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dfactscore.report import render_report

ARGUMENTS = [
    "--no-sandbox",  # as root there is none
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="module")  # while it is open an event loop runs, which others would meet
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    script = Path(__file__).resolve().parents[2] / "browser.py"
    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    if found.returncode:
        pytest.skip(found.stderr.strip())
    place = json.loads(found.stdout)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=place["path"],
            env={**os.environ, **place["env"]},
            args=ARGUMENTS,
        )
        first = browser.new_page()  # a cold start reads libraries and fonts for a long time
        first.goto("about:blank", timeout=120_000)
        first.close()
        yield browser
        browser.close()


@pytest.fixture
def open_report(chromium, tmp_path):
    """Opens a report; at the end there must have been no error and no request."""
    contexts, problems = [], []

    def opened(scored, *, link="", title="run", explained=False, **context):
        path = tmp_path / "report.html"
        path.write_text(render_report(scored, title=title, explained=explained), encoding="utf-8")
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
