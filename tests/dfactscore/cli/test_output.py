"""Progress messages."""

from __future__ import annotations

import io
import re
import sys
import threading

import pytest

from dfactscore._asking.client import ChatClient
from dfactscore._asking.session import LLMSession
from dfactscore._asking.settings import OpenAIModel
from dfactscore._util import reporting


def test_a_line_now_and_then_says_what_goes_on_where_nothing_ends(monkeypatch, capsys):
    monkeypatch.setattr(reporting, "_BEAT_SECONDS", 0.01)
    asked = threading.Event()
    with reporting.progress("scoring", note=lambda: asked.set() or "2 running") as bar:
        bar(0, 7)
        assert asked.wait(60)
    assert set(capsys.readouterr().err.splitlines()) == {"scoring: 0 of 7, 2 running"}


@pytest.mark.parametrize(
    "note",
    [
        "64 running, 12345 tokens/s, 120345 calls, 48 from the cache, 123456789 tokens, 12.3 USD",
        "1 running, no answer yet after 12345 s, 0 calls, 0 from the cache, 0 tokens",
        "",
    ],
)
def test_a_line_fits_eighty_columns(monkeypatch, capsys, note):
    monkeypatch.setattr(reporting, "_PLAIN_SECONDS", 0.0)
    with reporting.progress("scoring", note=lambda: note) as bar:
        bar(12_345, 140_000)
        bar(140_000, 140_000)
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("scoring: 12345 of 140000, about ")
    assert last.startswith("scoring: 140000 of 140000")
    assert max(len(first), len(last)) <= 80
    if note:
        assert note.partition(", ")[0] in last


def test_a_bar_fits_eighty_columns(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    note = "64 running, 12345 tokens/s, 120345 calls, 48 from the cache"
    with reporting.progress("scoring", note=lambda: note) as bar:
        bar(12_345, 140_000)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue()).split("\n")
    drawn = [part.rstrip() for line in lines for part in line.split("\r") if part.strip()]
    assert any("12345/140000" in line and "64 running" in line for line in drawn)
    assert max(map(len, drawn)) <= 80


def test_the_pulse_of_a_session(tmp_path, monkeypatch):
    session = LLMSession(cache=False)
    assert session.pulse() == ""
    client: ChatClient = session.client(OpenAIModel("m", base_url="http://x/v1"))
    monkeypatch.setattr("dfactscore._asking.session.time.monotonic", lambda: 150.0)
    client.begun = 100.0
    assert session.pulse() == "0 running, no answer yet after 50 s"
    client.answered = 141.0
    session.usage.tally("verify", "m").add(completion_tokens=600)
    assert session.pulse() == "0 running, 12 tokens/s"
