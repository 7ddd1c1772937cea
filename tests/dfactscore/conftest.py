"""Scored biographies made by hand, for tests of what is made of them, and a headless browser."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import hermetic
import pytest

from dfactscore._records import Biography, Document, Entity, Evidence, Fact, FactGroup, Verdict
from dfactscore._scoring import Record, ScoreOptions, score_record
from dfactscore._scoring.matrix import support_matrix

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
    script = Path(__file__).resolve().parents[1] / "browser.py"
    with hermetic.outside():
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


def _make(
    name="Ann Lee",
    support=((1, 0), (1, 0), (0, 1), (0, 1), (0, 0)),
    titles=("Ann Lee (rower)", "Ann Lee (poet)"),
    groups=((0, 1, 2, 3, 4),),
    *,
    id="1",
    texts=None,
    pages=None,
    status=None,
    options=None,
    candidates="retrieved",
    evidence=True,
    labels=(),
):
    """A scored biography: one sentence a fact, one document an entity."""
    texts = texts or [f"{name} did thing {i}." for i in range(len(support))]
    spans, at = [], 0
    for text in texts:
        spans.append((at, at + len(text)))
        at += len(text) + 1
    facts = tuple(Fact(t, i, s) for i, (t, s) in enumerate(zip(texts, spans, strict=True)))
    for i in labels:
        facts = (*facts[:i], replace(facts[i], label="irrelevant"), *facts[i + 1 :])
    pages = pages or [f"{t} is known. The deciding words about {t}. There is more." for t in titles]
    entities = tuple(
        Entity(t, t, (Document(t, page),), rank)
        for rank, (t, page) in enumerate(zip(titles, pages, strict=True))
    )
    verdicts = tuple(
        tuple(
            Verdict(
                "supported" if row[e] else "not_supported",
                0.9 if row[e] else 0.1,
                Evidence(0, pages[e].index("The deciding"), pages[e].index(" There"))
                if evidence and "The deciding" in pages[e]
                else None,
            )
            for row in support
        )
        for e in range(len(titles))
    )
    made = None if groups is None else tuple(FactGroup(tuple(g), name, True) for g in groups)
    status = status or ("scored" if made is not None else "grouping_failed")
    if status not in ("scored", "grouping_failed"):
        facts, made, entities, verdicts = (), None, (), ()
    record = Record(
        Biography(id, name, " ".join(texts)),
        entities=entities,
        facts=facts,
        groups=made,
        matrix=support_matrix(entities, verdicts) if verdicts else None,
        status=status,
        reason="" if made else "why not",
    )
    return score_record(record, options=options or ScoreOptions(), candidates=candidates)


@pytest.fixture(scope="session")
def make_scored():
    """Makes a scored biography from a support matrix."""
    return _make


def _write_run(folder, scored):
    from dataclasses import asdict

    from run_records import WritableRun

    from dfactscore._runs import finish_run
    from dfactscore._runs.biography_json import biography_key
    from dfactscore.work._work_folder import new_manifest

    first = scored[0]
    settings = {
        **{role: {"name": "made"} for role in ("decomposer", "grouper", "verifier")},
        "evidence": "page",
        "candidates": first.candidates,
        "scores": asdict(first.options),
    }
    source = {"file": "made.jsonl", "records": len(scored), "bad": 0}
    manifest = new_manifest(command="score", source=source, settings=settings)
    records = [replace(r, key=biography_key(r.biography)) for r in scored]
    with WritableRun(folder, manifest) as run:
        for record in records:
            run.writer.write_record(record)
        finish_run(run.files, records)
    return folder


@pytest.fixture(scope="session")
def write_run():
    """Writes scored biographies into a folder, as a run with scores."""
    return _write_run


@pytest.fixture
def make_run(tmp_path):
    """Writes scored biographies into a run folder, scores included."""

    def write(scored, name="run"):
        return _write_run(tmp_path / name, scored)

    return write
