"""The server as a process: many people at once, killed while saving, and the commands around it."""

from __future__ import annotations

import json
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from dfactscore._cli.app import app
from dfactscore._errors import InputError, MissingExtraError

ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def served(path, people):
    """The command in a process of its own, with the links that it prints."""
    command = [sys.executable, "-m", "dfactscore", "annotate", "serve", str(path)]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    lines = [server.stdout.readline().rsplit(maxsplit=1) for _ in range(people)]
    try:
        yield server, {name.strip(): link for name, link in lines}
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
        server.stderr.close()


class Client:
    def __init__(self, link):
        self.http = httpx.Client(follow_redirects=True, timeout=60)
        page = self.http.get(link)
        self.home = str(page.url)
        assert "enter" not in self.home
        self.path = self.home + re.findall(r'href="/(item/\w+)"', page.text)[0]
        self.csrf = re.findall(r'name="csrf" value="(\w+)"', self.http.get(self.path).text)[0]

    def save(self, counter, name, value):
        data = {"csrf": self.csrf, "counter": str(counter), name: value}
        headers = {"origin": self.home.rstrip("/"), "accept": "application/json"}
        return self.http.post(self.path, data=data, headers=headers).status_code


def test_one_person_alone_is_told_that_nothing_is_double(make_run, make_scored, tmp_path):
    make_run([make_scored()])
    words = ["annotate", "init", str(tmp_path / "run"), "--out", str(tmp_path / "s.sqlite")]
    said = CliRunner().invoke(app, [*words, "--double", "0.5", "--annotators", "ann"]).output
    assert "0 of them double (doubles need two annotators: --annotators A,B)" in said


@pytest.mark.slow
def test_many_people_save_at_once(make_study):
    people = [f"p{i}" for i in range(8)]
    study = make_study(annotators=people, double=1.0)
    study.close()
    # 3 paragraphs, all double: six people have one
    with sqlite3.connect(study.path) as db:
        db.execute("DELETE FROM assignment")
        db.execute(
            "INSERT INTO assignment (item_id, annotator_id, position) "
            "SELECT 1, id, 0 FROM annotator WHERE role = 'annotator'"
        )
    statuses = []
    with served(study.path, 9) as (_, links):

        def work(link):
            client = Client(link)
            for i in range(1, 26):
                statuses.append(client.save(i, f"fact.{i % 5}.comment", str(i)))

        threads = [threading.Thread(target=work, args=(links[p],)) for p in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert statuses == [200] * 200
    with sqlite3.connect(study.path) as db:
        kept = db.execute("SELECT value FROM answer").fetchall()
        events = db.execute("SELECT count(*) FROM event WHERE counter > 0").fetchone()
    assert sorted(json.loads(v) for (v,) in kept) == sorted(["21", "22", "23", "24", "25"] * 8)
    assert events == (200,)


def save_on(client, rng, counter, acknowledged):
    """Saves until the server is gone; returns the last counter."""
    while True:
        counter += 1
        name = f"fact.{rng.randrange(5)}.comment"
        try:
            assert client.save(counter, name, f"c{counter}") == 200
        except httpx.HTTPError:
            return counter
        acknowledged[name] = counter


@pytest.mark.slow
def test_a_killed_server_has_kept_what_it_acknowledged(make_study):
    study = make_study()
    study.close()
    rng = random.Random(4)
    acknowledged, counter = {}, 0
    for _ in range(3):
        with served(study.path, 2) as (server, links):
            client = Client(links["annotator"])
            timer = threading.Timer(rng.uniform(0.05, 0.4), server.send_signal, [signal.SIGKILL])
            timer.start()
            counter = save_on(client, rng, counter, acknowledged)
            timer.join()
        with sqlite3.connect(study.path) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows = db.execute("SELECT part, counter, value FROM answer").fetchall()
            twice = db.execute(
                "SELECT count(*) - count(DISTINCT counter) FROM event WHERE counter > 0"
            ).fetchone()
        kept = {f"{part.replace('/', '.')}.comment": c for part, c, _ in rows}
        assert all(kept[name] >= c for name, c in acknowledged.items())
        assert all(json.loads(value) == f"c{c}" for _, c, value in rows)
        assert twice == (0,)
    assert acknowledged


def test_serving_elsewhere_must_be_meant(make_study):
    from dfactscore.annotation._web.serve import is_loopback, serve_study

    study = make_study()
    for host in ("0.0.0.0", "192.0.2.1", "::", "example.org"):
        with pytest.raises(InputError, match="--allow-remote"):
            serve_study(study, host=host, ready=lambda links: None)
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    with pytest.raises(InputError, match="cannot listen there"):
        serve_study(study, host="192.0.2.1", allow_remote=True, ready=lambda links: None)


def test_the_port_is_the_same_or_the_next():
    from dfactscore.annotation._web.serve import PORT, listen

    with listen("127.0.0.1") as first, listen("127.0.0.1") as second:
        ports = [one.getsockname()[1] for one in (first, second)]
    assert PORT <= ports[0] < ports[1] < PORT + 20
    with pytest.raises(InputError, match=str(ports[0])), listen("127.0.0.1", ports[0]):
        listen("127.0.0.1", ports[0])


def test_answers_are_not_held_back():
    """A socket without its protocol would keep Nagle's algorithm, and answers 40 ms."""
    from dfactscore.annotation._web.serve import listen

    with listen("127.0.0.1") as listening:
        assert listening.proto == socket.IPPROTO_TCP


def run(*words):
    from importlib import import_module

    import_module("dfactscore._cli.annotate")
    return CliRunner().invoke(app, ["annotate", *map(str, words)], catch_exceptions=True)


def test_the_commands(make_scored, make_run, tmp_path):
    folder = make_run([make_scored(id=f"r{i}", name=f"Name {i}") for i in range(4)])
    path = tmp_path / "s.db"
    made = run("init", folder, "--out", path, "--annotators", "ann,ben", "--double", "0.5")
    assert made.exit_code == 0, made.output
    assert "4 paragraphs" in made.output
    assert "ann: 3 paragraphs" in made.output
    assert re.search(r"ann +0 +3 +0", run("status", path).output)
    assert json.loads(run("status", path, "--format", "json").output)["people"][0]["open"] == 3
    link = run("token", path, "ann").output
    assert re.fullmatch(r"ann  http://127\.0\.0\.1:PORT/enter/[\w-]{43}\n", link)
    assert "cat: " in run("add", path, "cat").output
    assert run("revoke", path, "ann").output == "ann: 1 link or session revoked\n"
    assert run("export", path, "-o", tmp_path / "a.jsonl").exit_code == 0
    assert isinstance(run("export", path, "-o", path, "--overwrite").exception, InputError)
    assert "0 of 4 paragraphs annotated" in run("report", path, "--resamples", "10").output
    out = run("report", path, "--resamples", "10", "-o", tmp_path / "report").output
    assert "report.html" in out
    (tmp_path / "report" / "report.md").write_text("my own notes")
    again = run("report", path, "--resamples", "10", "-o", tmp_path / "report")
    assert isinstance(again.exception, InputError)
    again = run("init", folder, "--out", path)
    assert isinstance(again.exception, InputError)
    assert isinstance(run("token", path, "nan").exception, InputError)


def test_without_the_extra(monkeypatch, make_study):
    """Only who serves needs what serves."""
    study = make_study()
    for name in ("starlette", "uvicorn", "jinja2", "python_multipart"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run("status", study.path).exit_code == 0
    result = run("serve", study.path)
    assert isinstance(result.exception, MissingExtraError)
    assert "the extra [annotate]" in str(result.exception)
    assert "\n" not in str(result.exception)


def test_the_core_imports_none_of_the_extra():
    code = (
        "import sys, dfactscore, dfactscore.annotation, dfactscore._cli.annotate; "
        "print(sorted({'sqlite3', 'starlette', 'uvicorn', 'jinja2', 'python_multipart'} "
        "& set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == "[]", done.stderr
