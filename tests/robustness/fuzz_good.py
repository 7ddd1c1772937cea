"""The good files that `fuzz_files.py` damages, made of the shipped example."""

from __future__ import annotations

import contextlib
import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz_damage import dumps as _dumps
from fuzz_rooms import make_room_files


def make_files(folder: Path, call: Callable[..., Any]) -> None:
    """Makes the good files that the commands read.

    Args:
        folder: Where.
        call: Runs a command in a folder.
    """
    from dfactscore.examples import example

    shipped = example()
    rows = [json.loads(line) for line in shipped.biographies.read_text("utf-8").split("\n") if line]
    rows = [{**row, "text": ". ".join(row["text"].split(". ")[:2]) + "."} for row in rows[:3]]
    names = list(dict.fromkeys(row["name"] for row in rows))
    facts = [{"text": f"{rows[2]['name']} was born.", "sentence": 0},
             {"text": "He died.", "span": [0, 4]}]  # fmt: skip
    _lines(folder / "plain.jsonl", rows[:2])
    verdicts = [True, {"status": "supported", "probability": 0.9, "evidence": [0, 2, 5]}]
    _lines(folder / "bios.jsonl", [
        *rows[:2],
        {**rows[2], "facts": facts, "groups": [[0, 1]], "links": [None],
         "verdicts": {p["title"]: verdicts for p in rows[2]["passages"]}},
    ])  # fmt: skip
    (folder / "alce.json").write_bytes(_dumps({"args": {"x": 1}, "data": [
        {"question": f"Tell me a bio of {row['name']}", "output": row["text"],
         "docs": row["passages"]} for row in rows]}))  # fmt: skip
    for name, cut in (("bios.csv", ","), ("bios.tsv", "\t")):
        text = f"id{cut}name{cut}text{cut}passages\n"
        for row in rows[:2]:
            cells = (row["id"], row["name"], row["text"], json.dumps(row["passages"]))
            text += cut.join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n"
        (folder / name).write_text(text, "utf-8")
    _lines(folder / "labeled.jsonl", [
        {"topic": row["name"], "output": row["text"], "annotations": [
            {"text": "x", "is-relevant": True, "model-atomic-facts": [{"text": "a"}],
             "human-atomic-facts": [{"text": "He was born.", "label": "S"},
                                    {"text": "He died.", "label": "IR"}]}]}
        for row in rows])  # fmt: skip
    pages = [json.loads(line) for line in shipped.pages.read_text("utf-8").split("\n") if line]
    wanted = {passage["title"] for row in rows for passage in row["passages"]}
    pages = [page for page in pages if page["title"] in wanted]
    _lines(folder / "pages.jsonl", pages)
    data = (folder / "pages.jsonl").read_bytes()
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress(data, mtime=0))
    _lines(folder / "more.jsonl", [{"title": "More", "text": "More text about Dick Hanley."}])
    psgs = "id\ttext\ttitle\n" + "".join(
        f'{n}\t"{p["text"][:200]}"\t{p["title"]}\n' for n, p in enumerate(pages)
    )
    (folder / "psgs.tsv").write_text(psgs, "utf-8")
    with contextlib.suppress(ImportError):
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {key: [page[key] for page in pages] for key in ("title", "text")}
        pq.write_table(pa.table(columns), folder / "pages.parquet")
    fact = {"atom": "He was born.", "is_supported": True, "supporting_topic": "T"}
    no = {"atom": "He died.", "is_supported": False, "supporting_topic": None}
    passes = [[fact, no], None, [fact]]
    (folder / "released.json").write_bytes(
        _dumps({"decisions": passes, "global_decisions": passes, "num_groups": 1.5, "score": 0.4})
    )
    _lines(folder / "released.jsonl", [
        {"name": name, "decisions": p, "global_decisions": p}
        for name, p in zip("abc", passes, strict=True)])  # fmt: skip
    _lines(folder / "judged.jsonl", [
        {"id": "1", "name": "Al", "n_passages": 3, "status": "scored", "sentences": [
            {"text": "Al swam.", "citations": [1, 2], "entailed": True, "precise": [True, False]},
            {"text": "He won.", "citations": [], "entailed": None}]}] * 2)  # fmt: skip
    _lines(
        folder / "passages.jsonl",
        [{"name": row["name"], "id": row["id"], "passages": row["passages"]} for row in rows[::2]],
    )
    (folder / "lee.tsv").write_text("id\tname\n1\tAnn Lee\n", "utf-8")
    (folder / "names.csv").write_text("name\n" + "\n".join(names[:2]) + "\n", "utf-8")
    _lines(
        folder / "views.jsonl",
        [{"title": page["title"], "views": n, "aliases": ["x"]} for n, page in enumerate(pages)],
    )
    _lines(folder / "questions.jsonl", [{"name": name, "relevant": ["1"]} for name in names])
    (folder / "experiment.yaml").write_text(
        "names: names.csv\npages: pages.jsonl\ntop: 2\nlimit: 1\nmodels:\n  one:\n"
        "    generator: extractive\n    mode: mixing\nscore:\n  link: argmax\ncitations: true\n"
    )
    (folder / "prompts.yaml").write_text("prompts: prompts\n")
    (folder / "redirects.yaml").write_text("redirects: redirects.jsonl\n")
    (folder / "settings.yaml").write_text("link: hungarian\ncandidates: named\ngamma: 10\n")
    (folder / "prices.json").write_text(
        '{"currency": "EUR", "date": "2026-01-01", '
        '"models": {"m": {"prompt": 0.15, "completion": 0.6, "batch": 0.5}}}'
    )
    (folder / "prompts").mkdir()
    (folder / "prompts" / "verify.txt").write_text(
        "# version 2\n[system]\nJudge.\n[user]\n{{page}}\n{{facts}}\n"
    )
    _make_dump(folder)
    for argv in (
        ("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "run"),
        ("score", "bios.jsonl", "--out", "other"),
        ("index", "pages", "pages.jsonl", "--out", "pages.sqlite"),
        ("index", "build", "pages.jsonl", "--out", "index"),
        ("generate", "--passages", "passages.jsonl", "--generator", "extractive", "--out",
         "made.jsonl"),
        ("ambigbio", "build", "--dump", "dump.xml", "--count", "1", "--cache", "dump.cache",
         "--page-text", "full", "--out", "ambigbio.jsonl"),
    ):  # fmt: skip
        answer = call(argv, folder, seconds=600)
        if answer.status != 0:
            raise SystemExit(f"{argv}: {answer}")
    shutil.copy(folder / "run" / "scores.csv", folder / "scores.csv")
    shutil.copy(folder / "ambigbio.jsonl", folder / "old.jsonl")
    _make_cache(folder / "cache.sqlite")
    make_room_files(folder, rows, pages, call)


def _lines(path: Path, rows: list[Any]) -> None:
    path.write_bytes(b"".join(_dumps(row) + b"\n" for row in rows))


def _make_dump(folder: Path) -> None:
    import bz2

    people = "".join(
        f"<page><title>Ann Lee ({job})</title><ns>0</ns><id>{n}</id><revision><id>{n}0</id>"
        f"<timestamp>2026-01-01T00:00:00Z</timestamp><text>'''Ann Lee''' (born {1900 + n}) is a "
        f"{job}.\n\n[[Category:{1900 + n} births]]\n[[Category:Living people]]</text></revision>"
        "</page>\n"
        for n, job in enumerate(("painter", "rower", "judge"), start=3)
    )
    links = "".join(f"* [[Ann Lee ({job})]], a {job}\n" for job in ("painter", "rower", "judge"))
    xml = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><siteinfo>'
        "<sitename>Wikipedia</sitename><dbname>enwiki</dbname>"
        "<base>https://en.wikipedia.org/wiki/Main_Page</base><namespaces>"
        '<namespace key="0" case="first-letter" /><namespace key="6" case="first-letter">File'
        '</namespace><namespace key="14" case="first-letter">Category</namespace></namespaces>'
        "</siteinfo>\n<page><title>Ann Lee</title><ns>0</ns><id>2</id><revision><id>20</id>"
        "<timestamp>2026-01-01T00:00:00Z</timestamp><text>'''Ann Lee''' may refer to:\n"
        f"{links}\n{{{{hndis|Lee, Ann}}}}</text></revision></page>\n{people}</mediawiki>\n"
    ).encode()
    (folder / "dump.xml").write_bytes(xml)
    (folder / "dump.xml.gz").write_bytes(gzip.compress(xml, mtime=0))
    (folder / "dump.xml.bz2").write_bytes(bz2.compress(xml))


def _make_cache(path: Path) -> None:
    import asyncio

    from dfactscore._asking.cache import AnswerCache
    from dfactscore._asking.messages import Answer as ModelAnswer

    cache = AnswerCache(path)

    async def fill() -> None:
        for n in range(20):
            await cache.put(
                bytes([n]) * 16, ModelAnswer(f"answer {n}"), {"model": "m", "messages": []},
                endpoint="http://127.0.0.1:9/v1", stage="verify", version="verify@1:x", sample=0,
            )  # fmt: skip

    asyncio.run(fill())
    cache.close()
