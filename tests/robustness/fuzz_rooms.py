"""The good files of the rooms beside scoring: people, FACTOR, SAFE, evaluators, other packages."""

from __future__ import annotations

import contextlib
import csv
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz_damage import dumps

Call = Callable[..., Any]
JOBS = ("a painter", "a rower", "a judge")


def write_lines(path: Path, rows: list[Any]) -> None:
    """Writes JSON lines."""
    path.write_bytes(b"".join(dumps(row) + b"\n" for row in rows))


def must(call: Call, folder: Path, *argv: str) -> None:
    """Runs a command that has to succeed."""
    answer = call(argv, folder, seconds=600)
    if answer.status != 0:
        raise SystemExit(f"{argv}: {answer}")


def make_room_files(
    folder: Path, rows: list[dict[str, Any]], pages: list[dict[str, Any]], call: Call
) -> None:
    """Makes them beside the files that are there already.

    Args:
        folder: Where.
        rows: The biographies.
        pages: The pages.
        call: Runs a command in a folder.
    """
    _tables(folder, rows, pages)
    _labeled(folder)
    _factor(folder, call)
    for argv in (
        ("safe", "plain.jsonl", "--search", "index:index", "--per-entity", "--out", "safe"),
        ("run", "experiment.yaml", "--out", "experiment"),
        ("meta", "run", "felm=felm.jsonl", "--resamples", "100", "--out", "meta"),
        ("meta", "run", "felm=felm.jsonl", "--resamples", "100", "--out", "meta2"),
    ):
        must(call, folder, *argv)
    _studies(folder, call)


def _tables(folder: Path, rows: list[dict[str, Any]], pages: list[dict[str, Any]]) -> None:
    from dfactscore.retrieval._factscore import write_factscore_db

    plain = [
        {"id": row["id"], "name": row["name"], "text": row["text"],
         "passages": json.dumps(row["passages"])}
        for row in rows[:2]
    ]  # fmt: skip
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(plain), folder / "bios.parquet")
    with contextlib.suppress(ImportError):
        import openpyxl

        book = openpyxl.Workbook()
        book.active.append(list(plain[0]))
        for row in plain:
            book.active.append(list(row.values()))
        book.save(folder / "bios.xlsx")
    write_lines(folder / "samples.jsonl", [
        {"doc_id": n, "doc": row, "target": "", "resps": [[row["text"]]], "filter": "none",
         "filtered_resps": [row["text"]]}
        for n, row in enumerate(rows[:2])
    ])  # fmt: skip
    write_factscore_db([(page["title"], [page["text"]]) for page in pages], folder / "pages.db")
    write_lines(folder / "redirects.jsonl", [
        {"title": row["name"], "target": pages[n]["title"]} for n, row in enumerate(rows)
    ])  # fmt: skip
    people = ("Ann Lee", "Bo Ray", "Cy Day")
    write_lines(folder / "topics.jsonl", [{"title": p, "text": f"{p} rows."} for p in people])
    write_lines(folder / "people.jsonl", [
        {"topic": name, "input": "q", "output": f"{name} rows.", "annotations": [
            {"text": f"{name} rows.", "is-relevant": True, "human-atomic-facts": [
                {"text": f"{name} rows.", "label": "S"}, {"text": "She won.", "label": "NS"}]}]}
        for name in people
    ])  # fmt: skip
    write_lines(folder / "models.jsonl", [
        {"prompt": f"Tell me a bio of {name}.", "facts": ["a", "b"], "ChatGPT_Labels": ["S", "NS"],
         "LLAMA+NP_Labels": ["S", "S"]}
        for name in people
    ])  # fmt: skip
    (folder / "demos.json").write_bytes(dumps({
        "instruction": "Write.", "demo_sep": "\n\n", "demo_prompt": "{INST}\n{Q}\n{D}\n{A}",
        "doc_prompt": "Document [{ID}](Title: {T}): {P}\n", "demos": [
            {"question": "Who is Ann Lee?", "answer": "She rows [1].",
             "docs": [{"title": "Ann Lee", "text": "Ann Lee rows."}]}] * 2}))  # fmt: skip
    write_lines(folder / "titled.jsonl", [{"title": p["title"], "text": p["text"]} for p in pages])
    (folder / "text.txt").write_text(rows[0]["text"] + "\n\nHe swam. She sang.\n", "utf-8")
    prompts = [{"id": str(n), "prompt": f"Who is {row['name']}?"} for n, row in enumerate(rows)]
    write_lines(folder / "prompts.jsonl", prompts)
    (folder / "side.json").write_bytes(dumps({"per_prompt_data": [
        {"prompt": "Who is Dick Hanley?", "side1_response": "Dick Hanley was a swimmer.",
         "side2_response": "Dick Hanley was a coach."}] * 2}))  # fmt: skip
    (folder / "longfact").mkdir()
    for name in ("objects_art", "concepts_law"):
        write_lines(folder / "longfact" / f"longfact-{name}.jsonl", [
            {"prompt": f"Who is {who}?", "canary": "c"} for who in ("Ann Lee", "Bo Ray", "Cy Day")
        ])  # fmt: skip


def _labeled(folder: Path) -> None:
    """Data that people labeled, and predictions for them."""
    felm = []
    for n in range(4):
        segments = [f"Mill {n} was built in {1800 + n}.", "2.", "It stands in Leeds."]
        felm.append({
            "index": str(n), "domain": "wk", "source": "made", "prompt": f"Who built mill {n}?",
            "response": " ".join(segments), "segmented_response": segments,
            "labels": [n % 2 > 0, True, True], "comment": ["", "", ""],
            "type": ["knowledge_error" if n % 2 == 0 else None, None, None],
            "ref": ["https://example.org/mill"],
            "ref_contents": [f"Mill {n} was built in {1801 + n}. It is in Leeds."],
        })  # fmt: skip
    write_lines(folder / "felm.jsonl", felm)
    write_lines(folder / "said.jsonl", [
        {"id": "0", "domain": "wk", "flagged": [True, False, None], "probability": [0.1, 0.9, 0.5]},
        {"id": "1", "domain": "wk", "answer": "ALL_CORRECT"},
        {"id": "2", "answer": "1, 3"},
    ])  # fmt: skip
    with (folder / "said.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["id", "dataset", "qst", "response", "label", "gen", "res"])
        writer.writeheader()
        for row in felm:
            words = ["TP" if right else "TN" for right in row["labels"]]
            writer.writerow({"id": row["index"], "dataset": "wk", "label": row["labels"],
                             "qst": row["prompt"], "gen": "1", "res": words})  # fmt: skip
    write_lines(folder / "wice.jsonl", [
        {"label": label, "claim": "Ann Lee rows.", "evidence": ["Ann Lee rows.", "She won."],
         "meta": {"id": n}}
        for n, label in enumerate(("supported", "partially_supported", "not_supported"))
    ])  # fmt: skip
    write_lines(folder / "stance.jsonl", [
        {"claim": f"Ann Lee is {job}.", "evidence": "Ann Lee is a rower.", "stance": stance}
        for job, stance in zip(JOBS, ("refute", "completely-support", "irrelevant"), strict=True)
    ])  # fmt: skip
    write_lines(folder / "claims.jsonl", [
        {"claim": f"Ann Lee is {job}.", "label": label}
        for job, label in zip(JOBS, ("false", "true", "not_enough_evidence"), strict=True)
    ])  # fmt: skip
    write_lines(folder / "qasem.jsonl", [
        {"source_id": f"Ann Lee {n}", "model": "m", "dataset": "d", "source": ["Ann", "rows", "."],
         "summary": [["Ann", "rows", "."], ["She", "won", "."]],
         "qas": [{"sent_id": n % 2, "annotations": [0, n % 2, 1], "question": "who", "answer": "x"},
                 {"sent_id": 0, "annotations": [0, 0, 0]}]}
        for n in range(3)
    ])  # fmt: skip
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet as pq

        pairs = [{"claim": f"Ann Lee is {job}.", "doc": "Ann Lee is a rower.", "label": n % 2}
                 for n, job in enumerate(JOBS)]  # fmt: skip
        pq.write_table(pa.Table.from_pylist(pairs), folder / "pairs.parquet")
    (folder / "pairs.csv").write_text(
        "id,claim,doc,label,dataset,cluster\n"
        + "".join(f"{n},Ann Lee is {job}.,Ann Lee is a rower.,{n % 2},d,c{n}\n"
                  for n, job in enumerate(JOBS)),
        "utf-8",
    )  # fmt: skip


def _factor(folder: Path, call: Call) -> None:
    """Items in both forms, what people said of them, and two runs of a model of equal odds."""
    from unittest.mock import patch

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
    from uniform_model import UniformModel

    from dfactscore.factor import _score_job as score_job

    columns = ["doc_id", "turncated_prefixes", "full_prefix", "completion", "contradiction_0",
               "contradiction_1", "contradiction_2"]  # fmt: skip
    with (folder / "items.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for n in range(3):
            writer.writerow([n, "Ann was", "Ann was", "in Oslo.", "in Rome.", "in Lund.", "in Ayr"])
    write_lines(folder / "items.jsonl", [
        {"id": f"i{n}", "document": "d", "prefix": "Ann Lee was born in", "completion": "Oslo.",
         "contradictions": [{"text": "Rome.", "type": "entity"}, "Lund.",
                            {"text": "Ayr.", "type": "circumstance"}], "note": n}
        for n in range(3)
    ])  # fmt: skip
    (folder / "checked.csv").write_text(
        "id,type,contradicts,fluent,consistent\n1,entity,yes,no,y\n2,predicate,1,0,true\n", "utf-8"
    )

    async def opened(*_: Any) -> UniformModel:
        return UniformModel()

    with patch.object(score_job, "open_likelihood", opened):
        for out in ("factor", "factor2"):
            must(call, folder, "factor", "score", "items.jsonl", "--out", out, "--model", "m",
                 "--base-url", "http://127.0.0.1:9/v1", "--no-cache")  # fmt: skip


def _studies(folder: Path, call: Call) -> None:
    """A study without answers, answers to it in two forms, and the study with them."""
    must(call, folder, "annotate", "init", "run", "--annotators", "ann,ben", "--double", "1",
         "--out", "study.db")  # fmt: skip
    must(call, folder, "annotate", "export", "study.db", "--format", "label-studio", "--out", "ls")
    tasks = json.loads((folder / "ls" / "facts.json").read_bytes())
    run = folder / "run"
    names = {one["id"]: one for one in _read(run / "biographies.jsonl")}
    rows = []
    for who in ("ann", "ben"):
        for one in _read(run / "facts.jsonl"):
            facts = [
                {"text": fact["text"], "biography": 1, "label": "not_supported", "found_in": None}
                for fact in one["facts"]
            ]
            rows.append({
                "study": "s", "item": one["id"], "run": "run", "model": "", "n_bio": 1,
                "name": names[one["id"]]["name"], "annotator": who, "role": "annotator",
                "biographies": [{"facts": list(range(len(facts))), "page": None}], "facts": facts,
                "revised_after_pages": False, "seconds": 7, "status": "done",
            })  # fmt: skip
    write_lines(folder / "answers.jsonl", rows)
    for task in tasks:
        said = {"from_name": "verdict", "to_name": "fact", "type": "choices",
                "value": {"choices": ["not_supported"]}}  # fmt: skip
        done = {"completed_by": {"id": 3, "email": "ann@example.org"}, "result": [said]}
        task["annotations"] = [{**done, "was_cancelled": False, "lead_time": 2.5}]
    (folder / "tasks.json").write_bytes(dumps(tasks))
    shutil.rmtree(folder / "ls")
    shutil.copy(folder / "study.db", folder / "answered.db")
    must(call, folder, "annotate", "import", "answered.db", "answers.jsonl")
    for left in folder.glob("*.db-*"):
        left.unlink()


def _read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
