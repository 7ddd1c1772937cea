"""How large is the report of 500 biographies, and how long does a browser take to open it?

Takes the biographies of real runs, repeated under new ids until there are enough, and lengthens
every document to that many characters with text of others, so that pages are as long as real ones
and no two biographies share them. Needs playwright and a Chromium.

    python benchmarks/report_speed.py RUN [RUN...] [--biographies 500] [--characters 20000]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from dfactscore.records import Document, Entity
from dfactscore.report import render_report
from dfactscore.runs import load_run
from dfactscore.scoring import Record


def lengthened(records: list[Record], n: int, characters: int) -> list[Record]:
    texts = cycle([d.text for r in records for e in r.entities for d in e.documents])
    found = []
    for i, record in enumerate(islice(cycle(records), n)):
        entities, matrix = [], record.matrix
        assert matrix is not None
        evidence = None if matrix.evidence is None else matrix.evidence.copy()
        for column, entity in enumerate(record.entities):
            documents, starts = [], []
            for document in entity.documents:
                before, after = "", ""
                while len(before) + len(after) + len(document.text) < characters:
                    before, after = before + next(texts) + "\n", after + "\n" + next(texts)
                documents.append(Document(document.title, f"{i}. {before}{document.text}{after}"))
                starts.append(len(f"{i}. {before}"))
            entities.append(Entity(entity.id, entity.label, tuple(documents), entity.rank))
            for place in () if evidence is None else evidence[:, column]:
                if place[0] >= 0:
                    place[1:] += starts[place[0]]
        found.append(
            replace(
                record,
                biography=replace(record.biography, id=f"{i}"),
                entities=tuple(entities),
                matrix=replace(matrix, evidence=evidence),
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--biographies", type=int, default=500)
    parser.add_argument("--characters", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    records = [r for run in options.runs for r in load_run(run).records() if r.matrix is not None]
    many = lengthened(records, options.biographies, options.characters)
    start = time.perf_counter()
    html = render_report(many)
    rendered = time.perf_counter() - start
    script = Path(__file__).resolve().parent.parent / "tests" / "browser.py"
    place = json.loads(subprocess.run([sys.executable, script], capture_output=True).stdout)
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        path.write_text(html, encoding="utf-8")
        size = path.stat().st_size / 1e6
        browser = driver.chromium.launch(
            executable_path=place["path"], env={**os.environ, **place["env"]}, args=["--no-sandbox"]
        )
        opened, built, searched, drawn = [], [], [], []
        for _ in range(options.repeats):
            page = browser.new_page()
            start = time.perf_counter()
            page.goto(path.as_uri())
            assert page.locator("tr.row").count() == len(many)
            opened.append(time.perf_counter() - start)
            start = time.perf_counter()
            page.locator(".opener").nth(1).click()
            page.locator(".body").wait_for()
            built.append(time.perf_counter() - start)
            start = time.perf_counter()
            page.locator("#search").fill("no such words")
            page.locator(".empty").wait_for()
            searched.append(time.perf_counter() - start)
            page.locator("#search").fill("")
            if page.locator("#graph").count():
                start = time.perf_counter()
                page.locator("#graph > summary").click()
                page.locator("#graph svg").first.wait_for()
                drawn.append(time.perf_counter() - start)
            page.close()
        browser.close()
    facts = sum(len(r.facts) for r in many)
    print(f"{len(many)} biographies, {facts} facts, documents of {options.characters} characters")
    print(f"rendered in {rendered:.1f} s; {size:.1f} MB (bar: 12)")
    print(
        f"opened in {statistics.median(opened):.2f} s, median of {options.repeats}, worst "
        f"{max(opened):.2f} (bar: 1); a biography in {statistics.median(built):.2f} s"
    )
    print(f"all facts searched in {statistics.median(searched):.2f} s", end="")
    print(f"; the graph in {statistics.median(drawn):.2f} s" if drawn else "")


if __name__ == "__main__":
    from running import run

    run(main)
