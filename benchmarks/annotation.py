"""Annotation: how fast it saves, starts and reports, and what a killed server has kept.

    python benchmarks/annotation.py [--part init saves kills report page]

Everything is made here: 300 paragraphs of 3 models with 21 facts and 4 pages each, 3 annotators,
10 % doubles; for `saves`, 8 people who save 200 times each at once. `page` needs a browser (see
tests/browser.py).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from dfactscore.annotation.answers import FactAnswer, ItemAnswer
from dfactscore.annotation.creating import init_study
from dfactscore.annotation.gold import answered_items
from dfactscore.annotation.importing import import_answers
from dfactscore.annotation.items import list_tasks, load_item
from dfactscore.annotation.report import study_report
from dfactscore.annotation.study import Study
from dfactscore.records import Biography, Document, Entity, Fact, FactGroup, Verdict
from dfactscore.runs import RunWriter, finish, new_manifest
from dfactscore.runs.serial import biography_key
from dfactscore.scoring import Record, ScoreOptions, score_record
from dfactscore.scoring.matrix import support_matrix

ROOT = Path(__file__).resolve().parent.parent
FACTS, PAGES = 21, 4


def record(key: str, name: str, model: str, facts: int = FACTS, size: int = 6_000) -> Record:
    """A scored paragraph with as many facts, and pages of about so many characters."""
    rng = random.Random(key)
    texts = [f"{name} did thing {i} in {1900 + i}." for i in range(facts)]
    spans, at = [], 0
    for text in texts:
        spans.append((at, at + len(text)))
        at += len(text) + 1
    words = "Something happened to them in a town by the river that year, people say. "
    entities = tuple(
        Entity(t, t, (Document(t, f"{t} is known. " + words * (size // len(words))),), rank)
        for rank, t in enumerate(f"{name} ({kind})" for kind in ("a", "b", "c", "d"))
    )
    verdicts = tuple(
        tuple(
            Verdict("supported" if rng.random() < (0.7, 0.2, 0.1, 0.1)[e] else "not_supported", 0.5)
            for _ in texts
        )
        for e in range(PAGES)
    )
    made = Biography(key, name, " ".join(texts), model=model)
    return score_record(
        Record(
            made,
            key=biography_key(made),
            entities=entities,
            facts=tuple(Fact(t, i, s) for i, (t, s) in enumerate(zip(texts, spans, strict=True))),
            groups=(FactGroup(tuple(range(facts)), name, True),),
            matrix=support_matrix(entities, verdicts),
            status="scored",
        ),
        options=ScoreOptions(),
        candidates="retrieved",
    )


def write_run(folder: Path, records: list[Record]) -> Path:
    settings = {
        **{role: {"name": "made"} for role in ("decomposer", "grouper", "verifier")},
        "evidence": "page",
        "candidates": "retrieved",
        "scores": asdict(ScoreOptions()),
    }
    source = {"file": "made.jsonl", "records": len(records), "bad": 0}
    manifest = new_manifest(command="score", source=source, settings=settings)
    with RunWriter(folder, manifest) as run:
        for one in records:
            run.keep_all(one)
            run.end(one)
        finish(run, records)
    return folder


@contextmanager
def served(path: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """A server of its own, and the links that it prints."""
    command = [sys.executable, "-m", "dfactscore", "annotate", "serve", str(path), "--quiet"]
    people = 1 + sum(p.role == "annotator" for p in Study(path).people())
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert server.stdout is not None
    lines = [server.stdout.readline().rsplit(maxsplit=1) for _ in range(people)]
    try:
        yield server, {name.strip(): link for name, link in lines}
    finally:
        server.kill()
        server.wait()


class Client:
    """One person's browser: a session, its token, and a connection."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        self.host = parts.netloc
        self.http = http.client.HTTPConnection(self.host, timeout=30)
        answer = self._ask("GET", parts.path)
        self.cookie = (answer.getheader("set-cookie") or "").split(";")[0]
        page = self._ask("GET", "/").body
        self.public = re.findall(r'href="/item/(\w+)"', page)[0]
        page = self._ask("GET", f"/item/{self.public}").body
        self.csrf = re.findall(r'name="csrf" value="(\w+)"', page)[0]

    def _ask(self, method: str, path: str, body: str = "") -> http.client.HTTPResponse:
        headers = {"Cookie": getattr(self, "cookie", "")}
        if method == "POST":
            headers |= {
                "Origin": f"http://{self.host}",
                "Content-Type": "application/x-www-form-urlencoded",
                "Accept": "application/json",
            }
        self.http.request(method, path, body or None, headers)
        answer = self.http.getresponse()
        answer.body = answer.read().decode()  # type: ignore[attr-defined]
        return answer

    def save(self, counter: int, name: str, value: str) -> int:
        """Saves one answer; returns the status."""
        body = urlencode({"csrf": self.csrf, "counter": counter, name: value})
        return self._ask("POST", f"/item/{self.public}", body).status


def saves(folder: Path, run: Path) -> None:
    """Eight people who save at once, and one alone."""
    people = [f"p{i}" for i in range(8)]
    path = folder / "saves.db"
    init_study([run], path, annotators=people, double=0)
    times: dict[str, list[float]] = {}
    wrong: list[object] = []

    def work(name: str, link: str, count: int) -> None:
        try:
            client = Client(link)
            for i in range(count):
                begun = time.perf_counter()
                status = client.save(10 + i, f"fact.{i % FACTS}.biography", str(1 + i % 2))
                times.setdefault(name, []).append(1000 * (time.perf_counter() - begun))
                if status != 200:
                    wrong.append(status)
        except Exception as error:
            wrong.append(error)

    def show(what: str, own: list[float]) -> None:
        own = sorted(own)
        p95 = own[int(0.95 * len(own))]
        print(f"{what}: median {statistics.median(own):.0f} ms, p95 {p95:.0f}, most {own[-1]:.0f}")

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with served(path) as (_, links):
        work("alone", links["p0"], 200)
        show("saves, one person alone", times.pop("alone"))
        threads = [threading.Thread(target=work, args=(p, links[p], 200)) for p in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    show("saves, 8 people at once, 200 each", [t for own in times.values() for t in own])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"the server took {1000 * spent / 1800:.1f} ms of processor a save, its start included")
    with sqlite3.connect(path) as db:
        kept = db.execute("SELECT count(*), sum(counter) FROM answer").fetchone()
        check = db.execute("PRAGMA integrity_check").fetchone()[0]
    right = len(people) * sum(range(10 + 200 - FACTS, 10 + 200))
    every = kept == (len(people) * FACTS, right)
    print(f"errors: {len(wrong)} {wrong[:2]}; every last save is there: {every}; {check}")


def kills(folder: Path, run: Path, times: int = 50) -> None:
    """The server is killed while someone saves: what was acknowledged must be there, once."""
    path = folder / "kills.db"
    init_study([run], path)
    rng = random.Random(1)
    acknowledged: dict[str, tuple[int, str]] = {}
    counter, lost, saved, check = 0, 0, 0, "ok"
    for _ in range(times):
        with served(path) as (server, links):
            client = Client(links["annotator"])
            timer = threading.Timer(rng.uniform(0.01, 0.5), server.send_signal, [signal.SIGKILL])
            timer.start()
            while True:
                counter += 1
                name, value = f"fact.{rng.randrange(FACTS)}.comment", f"comment {counter}"
                try:
                    if client.save(counter, name, value) != 200:
                        raise SystemExit("a save was refused")
                except (OSError, http.client.HTTPException):
                    break
                acknowledged[name] = (counter, value)
                saved += 1
        with sqlite3.connect(path) as db:
            check = db.execute("PRAGMA integrity_check").fetchone()[0]
            rows = db.execute("SELECT part, question, value, counter FROM answer").fetchall()
            events = db.execute(
                "SELECT count(*), count(DISTINCT counter) FROM event WHERE counter > 0"
            ).fetchone()
        found = {f"{p.replace('/', '.')}.{q}": (c, json.loads(v)) for p, q, v, c in rows}
        lost += sum(found.get(n, (0, ""))[0] < c for n, (c, _) in acknowledged.items())
        lost += len(rows) != len(found) or events[0] != events[1] or check != "ok"
    print(f"kill -9 at {times} moments: {saved} saves acknowledged, {lost} lost or twice; {check}")


def report(folder: Path, path: Path) -> None:
    """All 330 answers, then the report with 10,000 draws."""
    rng = random.Random(2)
    rows = []
    with Study(path) as study:
        for person in study.people():
            for task in list_tasks(study, person):
                with study.read() as db:
                    item = load_item(db, task.item)
                titles = [p.title for p in item.pages]
                facts = []
                for _ in item.facts:
                    label = rng.choices(["supported", "not_supported", "irrelevant"], [7, 2, 1])[0]
                    other = rng.choice([None, titles[1]])
                    found = {"supported": titles[0], "not_supported": other, "irrelevant": None}
                    facts.append(FactAnswer(1, label, found[label]))  # type: ignore[arg-type]
                answer = ItemAnswer(tuple(facts), (titles[0],))
                rows.append(_line(study.key, item, person.name, answer))
        file = folder / "answers.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        import_answers(study, file)
        begun, cpu = time.perf_counter(), time.process_time()
        study_report(study, resamples=10_000)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        n = sum(len(a.done) for a in answered_items(study))
        print(f"report with 10,000 draws, {n} answers: {took:.1f} s ({cpu:.1f} s of processor)")


def _line(study: str, item: object, name: str, answer: ItemAnswer) -> dict[str, object]:
    return {
        "study": study,
        "item": item.record,  # type: ignore[attr-defined]
        "run": item.run,  # type: ignore[attr-defined]
        "model": "",
        "name": item.name,  # type: ignore[attr-defined]
        "annotator": name,
        "role": "annotator",
        "n_bio": 1,
        "biographies": [{"facts": list(range(len(answer.facts))), "page": answer.pages[0]}],
        "facts": [
            {"text": t, "biography": 1, "label": f.label, "found_in": f.found_in}
            for t, f in zip(item.facts, answer.facts, strict=True)  # type: ignore[attr-defined]
        ],
        "revised_after_pages": False,
        "seconds": 300,
        "status": "done",
    }


def page(folder: Path) -> None:
    """A page of 1 MB and 200 facts: until step C takes a key."""
    from playwright.sync_api import sync_playwright

    run = write_run(folder / "large", [record("large", "Ann Lee", "m", 200, 1_000_000)])
    path = folder / "page.db"
    init_study([run], path)
    found = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "browser.py")], capture_output=True, text=True
    )
    place = json.loads(found.stdout)
    with served(path) as (_, links), sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=place["path"],
            env={**os.environ, **place["env"]},
            args=["--no-sandbox", "--disable-gpu"],
        )
        tab = browser.new_page()
        tab.goto(links["annotator"])
        tab.click("#continue")
        tab.wait_for_selector('#form[data-step="A"]')
        tab.keyboard.press("Enter")
        tab.wait_for_selector('#form[data-step="B"]')
        tab.keyboard.press("1")
        tab.keyboard.press("Enter")
        tab.wait_for_selector('#form[data-step="C"]')
        took = []
        for _ in range(5):
            begun = time.perf_counter()
            tab.reload()
            tab.wait_for_selector('[aria-current="true"].card')
            tab.keyboard.press("s")
            tab.wait_for_selector('[aria-pressed="true"][value="supported"]')
            took.append(time.perf_counter() - begun)
        keys = []
        for _ in range(20):
            begun = time.perf_counter()
            tab.keyboard.press("s")
            tab.evaluate("1")
            keys.append(time.perf_counter() - begun)
        browser.close()
    print(
        f"a page of 1 MB, 200 facts: step C usable after {statistics.median(took):.2f} s "
        f"(most {max(took):.2f}); a key {1000 * statistics.median(keys):.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("init", "saves", "kills", "report", "page")
    parser.add_argument("--part", nargs="*", choices=parts, default=parts)
    chosen = parser.parse_args().part
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        runs = [
            write_run(
                folder / model,
                [record(f"{model}-{i}", f"Name {i}", model) for i in range(100)],
            )
            for model in ("x", "y", "z")
        ]
        path = folder / "study.db"
        begun, cpu = time.perf_counter(), time.process_time()
        made = init_study(runs, path, annotators=["ann", "ben", "cat"], double=0.1)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        if "init" in chosen:
            n = sum(made.paragraphs.values())
            print(f"init of {n} paragraphs: {took:.1f} s ({cpu:.1f} s of processor)")
            print(f"  {made.loads}, {made.doubles} doubles")
        if "saves" in chosen:
            saves(folder, runs[0])
        if "kills" in chosen:
            kills(folder, runs[0])
        if "report" in chosen:
            report(folder, path)
        if "page" in chosen:
            page(folder)


if __name__ == "__main__":
    from running import run

    run(main)
