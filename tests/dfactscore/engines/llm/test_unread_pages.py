"""A perfect judge that declines a page in five: no score is wrong, and bounds hold the truth."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from dfactscore import InputError, compare, score_matrix
from dfactscore._cli.output import logs_shown
from dfactscore._cli.score import run_job
from dfactscore._jobs.settings import Config
from dfactscore._report.report_data import ReportDocuments, body
from dfactscore._results.html import result_html
from dfactscore._results.outcomes import group_results
from dfactscore._results.text import result_lines
from dfactscore._runs import load_run
from dfactscore._util.settings import load
from dfactscore.correct import correct
from dfactscore.linking import SupportMatrix

DECLINED = "vault"  # a word of the pages that the judge declines
KINDS = ("refusal", "filter", "500")


def texts(count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Makes biographies of namesakes with facts that some of their pages state, word by word."""
    random_ = random.Random(seed)
    records = []
    for n in range(count):
        pages = [f"Ann Lee ({n} {page})" for page in "abcde"[: random_.randint(2, 5)]]
        facts = [f"Ann Lee did thing{n}x{fact}." for fact in range(random_.randint(2, 6))]
        groups = [facts[:2], facts[2:]] if len(facts) > 3 else [facts]
        stated: dict[str, list[str]] = {page: [] for page in pages}
        for group in groups:
            own = random_.choice(pages)
            for fact in group:
                for page in {own, random_.choice(pages)} if random_.random() < 0.9 else ():
                    stated[page].append(fact)
        records.append(
            {
                "id": f"{n}",
                "name": "Ann Lee",
                "text": " ".join(facts),
                "facts": facts,
                "groups": [[facts.index(fact) for fact in group] for group in groups],
                "passages": [
                    {
                        "title": page,
                        "text": " ".join(
                            (*stated[page], f"{DECLINED}." * (random_.random() < 0.2), "She is.")
                        ),
                    }
                    for page in pages
                ],
            }
        )
    return records


def truth(record: dict[str, Any]) -> tuple[float, float]:
    """The scores of a text if every page is read."""
    pages = record["passages"]
    support = [[fact in page["text"] for page in pages] for fact in record["facts"]]
    matrix = SupportMatrix.from_support(support, [page["title"] for page in pages])
    scores = score_matrix(matrix, record["groups"])
    assert scores.fs is not None
    assert scores.dfs is not None
    return scores.fs, scores.dfs


class Judge(BaseHTTPRequestHandler):
    kind = ""

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        user = next(m["content"] for m in body["messages"] if m["role"] == "user")
        documents, _, block = body["messages"][-1]["content"].rpartition("Facts:\n")
        facts = dict(re.findall(r"^(\d+)\. (.*)$", block, re.MULTILINE))
        finish, text = "stop", '{"1": true, "2": false}'
        if not user.startswith("This checks the form"):
            text = json.dumps(self.verdicts(documents, facts))
            if DECLINED in documents and self.kind == "500":
                return self.reply(500, {"error": {"message": "internal error"}})
            if DECLINED in documents and self.kind == "filter":
                finish, text = "content_filter", ""
            elif DECLINED in documents and self.kind == "refusal":
                text = "I'm sorry, but I can't help with that."
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        self.reply(200, {"id": "1", "model": "m", "object": "x", "choices": [choice]})

    def verdicts(self, documents: str, facts: dict[str, str]) -> dict[str, Any]:
        lettered = re.split(r"^~~~ \w+ ([A-Z]): ", documents, flags=re.MULTILINE)
        if len(lettered) == 1:
            return {number: fact in documents for number, fact in facts.items()}
        pages = list(zip(lettered[1::2], lettered[2::2], strict=True))
        return {
            number: [letter for letter, page in pages if fact in page]
            for number, fact in facts.items()
        }

    def reply(self, status: int, content: dict[str, Any]) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def judging(kind: str) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Judge,), {"kind": kind}))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def run(folder: Path, records: list[dict[str, Any]], kind: str, **settings: Any) -> bool:
    source = folder.with_suffix(".jsonl")
    source.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    with judging(kind) as url, logs_shown():
        flags = {
            "input": source,
            "out": folder,
            "verifier": "llm",
            "entities": "titles",  # some pages have the same text
            "model": "m",
            "base_url": url,
            "cache": folder.with_suffix(".sqlite"),
            "backoff": 0.001,
            "retries": 1,
            **settings,
        }
        return run_job(load(Config, flags, None, {}), form="json", quiet=True)


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "scores.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("kind", "calls"),
    [
        pytest.param(kind, calls, marks=[pytest.mark.slow] * ((kind, calls) != ("refusal", "few")))
        for kind in KINDS
        for calls in ("entity", "few")
    ],
)
def test_a_page_that_was_not_judged_makes_no_false_score(tmp_path, kind, calls, caplog):
    records = texts(24)
    assert not run(tmp_path / "exact", records, "", calls=calls)
    for row, record in zip(rows(tmp_path / "exact"), records, strict=True):
        assert (float(row["fs"]), float(row["dfs"])) == pytest.approx(truth(record))
        assert row["coverage"] == row["coverage_fs"] == "1.0"
    assert run(tmp_path / "run", records, kind, calls=calls)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))
    bounded = 0
    for row, record in zip(rows(tmp_path / "run"), records, strict=True):
        for name, true in zip(("fs", "dfs"), truth(record), strict=True):
            if row[name]:
                assert float(row[name]) == pytest.approx(true)
                continue
            low, high = float(row[f"{name}_low"]), float(row[f"{name}_high"])
            assert low - 1e-9 <= true <= high + 1e-9
            assert low < high
            assert row["status"] in ("partly_judged", "not_judged")
            assert float(row["coverage_fs" if name == "fs" else "coverage"]) < 1
        bounded += row["status"] in ("partly_judged", "not_judged")
    assert bounded == summary["n_bounded"]
    declined = sum(DECLINED in page["text"] for record in records for page in record["passages"])
    pages = sum(len(record["passages"]) for record in records)
    unread = summary["pages_not_judged"]
    assert summary["pages"] == pages
    # If a call about all pages fails, each page is asked about by itself.
    assert unread == declined
    assert f"pages not judged: {unread} of {pages}" in caplog.text
    assert bounded > 4
    assert summary["fs"] is summary["dfs"] is summary["gap"] is None
    for number, name in enumerate(("fs", "dfs")):
        mean = sum(truth(record)[number] for record in records) / len(records)
        assert summary[f"{name}_bounds"][0] <= mean <= summary[f"{name}_bounds"][1]


def test_a_text_of_which_nothing_was_read_widens_the_means(tmp_path, capsys):
    records = texts(3)
    for page in records[1]["passages"]:
        page["text"] += f" {DECLINED}."
    assert run(tmp_path / "run", records, "refusal")
    _, second, _ = rows(tmp_path / "run")
    assert (second["status"], second["fs"], second["dfs"]) == ("not_judged", "", "")
    assert (second["fs_low"], second["fs_high"], second["coverage"]) == ("0.0", "1.0", "0.0")
    summary = json.loads((tmp_path / "run" / "summary.json").read_text("utf-8"))
    assert (summary["fs"], summary["dfs"], summary["gap"]) == (None, None, None)
    for number, name in enumerate(("fs", "dfs")):
        mean = sum(truth(record)[number] for record in records) / 3
        assert summary[f"{name}_bounds"][0] <= mean <= summary[f"{name}_bounds"][1]
    with pytest.raises(InputError, match=r"1 of 3 texts have bounds .*not_judged.*e exclude'"):
        compare([tmp_path / "run", tmp_path / "run"])


def test_a_link_that_may_be_an_unread_page_says_so(tmp_path):
    run(tmp_path / "run", texts(8), "refusal")
    said = ", or an unread page"
    for record in load_run(tmp_path / "run").records():
        unread = [group.may_be_unread for group in group_results(record)]
        assert any(unread) == (record.scores.dfs is None)
        lines = [line for line in result_lines(record) if line.startswith("group ")]
        assert [said in line for line in lines if record.status != "not_judged"] in (unread, [])
        assert result_html(record).count(said) == sum(unread)
        groups = body(record, None, ReportDocuments())["groups"]
        assert [group.get("unread", False) for group in groups] == unread


def test_bounds_are_never_compared_or_corrected_as_scores(tmp_path):
    records = texts(12)
    run(tmp_path / "exact", records, "")
    run(tmp_path / "run", records, "refusal")
    with pytest.raises(InputError, match=r"run: \d+ of 12 texts have bounds instead of a score"):
        compare([tmp_path / "exact", tmp_path / "run"])
    with pytest.raises(InputError, match="bounds instead of a score"):
        correct(tmp_path / "run", by=tmp_path / "exact")
    records_of_run = list(load_run(tmp_path / "run").records())
    assert {r.status for r in records_of_run} > {"partly_judged"}
    chosen = tmp_path / "chosen"
    assert run(chosen, records, "refusal", unreadable="unsupported")
    assert all(row["fs"] and row["dfs"] for row in rows(chosen))
    compare([tmp_path / "exact", chosen])
