"""A biographies file can be left at any moment and ends the same; nothing is written twice."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace

import pytest

from dfactscore._errors import InputError, RunError
from dfactscore._readers import read_biographies
from dfactscore.generation._extractive import ExtractiveGenerator
from dfactscore.generation._request import Generation, Request, Trim, alce_json
from dfactscore.generation._written import write_biographies
from dfactscore.retrieval import Passage
from dfactscore.work import beside


def requests(count):
    return [
        Request(str(i), f"Al {i}", (Passage(f"Al {i}", f"Al {i} swam. He won race {i} twice."),))
        for i in range(count)
    ]


class Counting(ExtractiveGenerator):
    """Extractive, slow, and noting what it was asked."""

    async def generate(self, request):
        ASKED.append(request.id)
        await asyncio.sleep(random.random() / 500)
        return self.write(request)


ASKED: list[str] = []


def run(items, generator, out, **more):
    ASKED.clear()
    return asyncio.run(write_biographies(items, generator, out, **more))


def test_two_at_once_do_not_write_one_file(tmp_path):
    out = tmp_path / "bios.jsonl"

    async def both():
        jobs = [write_biographies(requests(20), Counting(), out) for _ in range(2)]
        return await asyncio.gather(*jobs, return_exceptions=True)

    ASKED.clear()
    done, refused = asyncio.run(both())
    assert done.written == 20
    assert isinstance(refused, RunError)
    assert str(refused) == f"{out}: another process is writing it"
    assert len(ASKED) == 20
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == [".bios.jsonl.lock", "bios.jsonl", "bios.manifest.json"]
    assert not (tmp_path / ".bios.jsonl.lock").read_bytes()


def test_order_resume_and_reading_back(tmp_path):
    out = tmp_path / "bios.jsonl"
    first = run(requests(20), Counting(), out)
    assert (first.written, first.kept, first.finish_reasons) == (20, 0, {"stop": 20})
    assert first.n_retrieved == 1
    content = out.read_bytes()
    assert [b.id for b in read_biographies(out).biographies] == [str(i) for i in range(20)]
    manifest = json.loads(beside(out).manifest.read_text())
    assert manifest["status"] == "complete"
    assert manifest["settings"]["mode"] == "one-entity"

    again = run(requests(20), Counting(), out)
    assert (again.written, again.kept, ASKED) == (0, 20, [])
    assert out.read_bytes() == content

    lines = content.splitlines(keepends=True)
    out.write_bytes(b"".join(lines[7:12]) + lines[3][:40])  # a kill in the middle of a line
    resumed = run(requests(20), Counting(), out, concurrency=3)
    assert (resumed.written, resumed.kept) == (15, 5)
    assert sorted(ASKED) == sorted(set(map(str, range(20))) - set(map(str, range(7, 12))))
    assert out.read_bytes() == content

    more = run(requests(22), Counting(), out)
    assert (more.written, ASKED) == (2, ["20", "21"])


def test_another_run_is_not_overwritten(tmp_path):
    out = tmp_path / "bios.jsonl"
    run(requests(3), ExtractiveGenerator(), out)
    with pytest.raises(RunError, match=r"settings\.mode was 'one-entity' and is now 'mixing'"):
        run(requests(3), ExtractiveGenerator("mixing"), out)
    with pytest.raises(RunError, match="it has done '2', which the input does not have"):
        run(requests(2), ExtractiveGenerator(), out)
    other = [replace(one, name=f"Bo {one.id}") for one in requests(3)]
    with pytest.raises(RunError, match=r"has done '0', which .* with the same content"):
        run(other, ExtractiveGenerator(), out)
    beside(out).manifest.unlink()
    with pytest.raises(RunError, match="holds something else"):
        run(requests(3), ExtractiveGenerator(), out)
    with pytest.raises(InputError, match=r"written as \.jsonl"):
        run(requests(3), ExtractiveGenerator(), tmp_path / "bios.json")
    with pytest.raises(InputError, match="the id '0'"):
        run(requests(1) * 2, ExtractiveGenerator(), tmp_path / "b.jsonl")


def test_what_is_no_generator(tmp_path):
    out = tmp_path / "bios.jsonl"
    with pytest.raises(InputError, match=r"generator: ExtractiveGenerator is a class, not a Gen"):
        run(requests(1), ExtractiveGenerator, out)
    with pytest.raises(InputError, match=r"object was given; expected a Generator: an object with"):
        run(requests(1), object(), out)
    assert not out.exists()

    class Text(ExtractiveGenerator):
        async def generate(self, request):
            return "Al swam."

    with pytest.raises(InputError, match=r"Text.generate \(role Generator\) gave 'Al swam.'"):
        run(requests(1), Text(), out)


def test_failures_are_reported_and_tried_again(tmp_path):
    class Failing(ExtractiveGenerator):
        async def generate(self, request):
            if request.id == "1" and BROKEN:
                return Generation("", "error", note="HTTP 500")
            return self.write(request)

    items = [*requests(3), Request("x", "Bo", ())]
    BROKEN = True
    out = tmp_path / "bios.jsonl"
    seen = []
    written = run(items, Failing(), out, progress=lambda r, g: seen.append(g.finish_reason))
    assert written.failed == (("Al 1", "HTTP 500"), ("Bo", "no passages for 'Bo'"))
    assert sorted(seen) == ["error", "no_passages", "stop", "stop"]
    assert json.loads(beside(out).manifest.read_text())["status"] == "incomplete"
    BROKEN = False
    assert run(items, Failing(), out).failed == (("Bo", "no passages for 'Bo'"),)
    assert [b.name for b in read_biographies(out).biographies] == ["Al 0", "Al 1", "Al 2"]


def test_a_run_that_wrote_nothing_does_not_bind_its_file(tmp_path):
    class Broken(ExtractiveGenerator):
        async def generate(self, request):
            return Generation("", "error", note="HTTP 500")

    out = tmp_path / "bios.jsonl"
    assert run(requests(2), Broken(sentences=2), out).written == 0
    assert run(requests(2), Counting(sentences=3), out).written == 2
    with pytest.raises(RunError):
        run(requests(2), Counting(sentences=4), out)


def test_everything_worth_knowing_is_kept(tmp_path):
    class Model(ExtractiveGenerator):
        async def generate(self, request):
            trims = (Trim(1, 2),)
            return Generation("Al [1].", "repetition", trims, usage={"prompt_tokens": 7}, uncut="x")

    out = tmp_path / "bios.jsonl"
    items = [Request("1", "Al", (Passage("Al", "Al swam.", "p1"),), {"views": {"Al": 3}})]
    written = run(items, Model(), out)
    assert written.usage == {"prompt_tokens": 7}
    (biography,) = read_biographies(out).biographies
    assert (biography.text, biography.raw, biography.passages) == (
        "Al.",
        "Al [1].",
        items[0].passages,
    )
    assert biography.extra["finish_reason"] == "repetition"
    assert biography.extra["trims"] == [{"passage": 1, "sentences": 2, "dropped": False}]
    assert biography.extra["views"] == {"Al": 3}
    record = json.loads(out.read_text())
    assert alce_json([record], settings={"seed": 1}) == {
        "args": {"seed": 1},
        "data": [
            {
                "id": "1",
                "model": "extractive-one-entity",
                "question": "Tell me a bio of Al",
                "output": "Al [1].",
                "docs": [{"title": "Al", "text": "Al swam."}],
            }
        ],
    }
