"""What is said while something takes long."""

from __future__ import annotations

import threading

from dfactscore._asking.client import ChatClient
from dfactscore._asking.session import LLMSession
from dfactscore._asking.settings import OpenAIModel
from dfactscore._cli import output


def test_a_line_now_and_then_says_what_goes_on_where_nothing_ends(monkeypatch, capsys):
    monkeypatch.setattr(output, "_BEAT_SECONDS", 0.01)
    said = threading.Event()
    monkeypatch.setattr(output, "message", lambda text: (print(text), said.set()))
    with output.progress("scoring", note=lambda: "2 running") as bar:
        bar(0, 7)
        assert said.wait(60)
    lines = capsys.readouterr().out.splitlines()
    assert set(lines) == {"scoring: 0 of 7, 2 running"}


def test_the_pulse_of_a_session(tmp_path, monkeypatch):
    session = LLMSession(cache=False)
    assert session.pulse() == ""
    client: ChatClient = session.client(OpenAIModel("m", base_url="http://x/v1"))
    monkeypatch.setattr("dfactscore._asking.session.time.monotonic", lambda: 150.0)
    client.begun = 100.0
    assert session.pulse() == "0 running, no answer yet after 50 s"
    client.answered = 141.0
    session.usage.tally("verify", "m").add(completion_tokens=600)
    assert session.pulse() == "0 running, 12 tokens/s, first answer after 41 s"
