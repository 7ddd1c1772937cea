"""Run folders: what they hold, resuming, kills, refusals, comparison, retrieval."""

from __future__ import annotations

import json
import sys

import pytest
from toy_server import Toy, serve
from typer.testing import CliRunner
from uniform_model import UniformModel

from dfactscore._cli.app import app
from dfactscore._errors import InputError, RunError
from dfactscore.factor import FactorOptions, evaluate_factor
from dfactscore.factor._comparing import compare_factor, mcnemar


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setenv("DFACTSCORE_BACKOFF", "0.01")


def files(folder):
    found = {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}
    return {name: data for name, data in found.items() if name not in (".lock", "timing.json")}


def run(*args):
    import dfactscore._cli.compare
    import dfactscore._cli.factor  # noqa: F401

    return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=True)


def command(file, out, address, cache, *more):
    about = ["--base-url", address, "--model", "toy", "--cache", cache]
    return ["factor", "score", file, "--out", out, "--quiet", *about, *more]


def test_what_a_run_holds(items_file, tmp_path):
    out = tmp_path / "run"
    toy = Toy("echo")
    with serve(toy) as address:
        found = run(*command(items_file, out, address, tmp_path / "c"))
        assert found.exit_code == 0, found.output
    rows = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
    texts = sum(len(row["completions"]) for row in rows)
    assert toy.paid == 2 + texts  # the trial, and one request a completion
    assert [row["id"] for row in rows] == [str(n) for n in range(12)]
    for row in rows:
        for one in row["completions"]:
            assert one["scores"]["sum"] == pytest.approx(sum(one["logprobs"]))
            assert one["scores"]["token"] == pytest.approx(one["logprob"] / one["n_tokens"])
        assert row["extra"] == {"source": "made up"}
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["status"] == "complete"
    settings = manifest["settings"]
    assert settings["column"] == "prefix"
    assert settings["normalize"] == "token"
    assert settings["model"]["bos"] == "auto"
    assert "strict" in settings["ties"]


def test_nothing_is_paid_twice(items_file, tmp_path):
    toy = Toy("echo")
    with serve(toy) as address:
        first = run(*command(items_file, tmp_path / "a", address, tmp_path / "c"))
        assert first.exit_code == 0
        paid, seen = toy.paid, files(tmp_path / "a")
        again = run(*command(items_file, tmp_path / "a", address, tmp_path / "c"))
        assert (again.exit_code, toy.paid) == (0, paid)
        assert files(tmp_path / "a") == seen
        assert run(*command(items_file, tmp_path / "b", address, tmp_path / "c")).exit_code == 0
        assert toy.paid == paid
        assert files(tmp_path / "b") == seen
        tables = [one.stdout for one in (first, again)]
        assert tables[0] == tables[1]
        assert "signature: dfactscore " in tables[0]
        assert f" | items {items_file.name}/" in tables[0]
        assert " | model toy/" in tables[0]
        other = run(*command(items_file, tmp_path / "a", address, tmp_path / "c", "--bos", "no"))
        assert isinstance(other.exception, RunError)
        assert "choose another --out" in str(other.exception)
        brief = run(*command(items_file, tmp_path / "d", address, tmp_path / "c", "--brief"))
        assert brief.exit_code == 0
    assert b"logprobs" not in files(tmp_path / "d")["samples.jsonl"]
    assert files(tmp_path / "d")["summary.json"] == seen["summary.json"]


@pytest.mark.parametrize("mode", ["ignores", "shifted", "chat"])
def test_a_server_that_cannot_leaves_no_file(items_file, tmp_path, mode):
    toy = Toy(mode)
    with serve(toy) as address:
        found = run(*command(items_file, tmp_path / "run", address, tmp_path / "c"))
    assert isinstance(found.exception, InputError)
    assert len(toy.requests) <= 3
    assert not (tmp_path / "run").exists()


def test_bad_items_are_listed_and_the_rest_is_scored(items_file, tmp_path):
    with items_file.open("a") as file:
        file.write('{"id": "x", "prefix": "a", "completion": "", "contradictions": ["b"]}\n')
    with serve(Toy("echo")) as address:
        found = run(*command(items_file, tmp_path / "run", address, tmp_path / "c"))
    assert found.exit_code == 1
    (bad,) = (tmp_path / "run" / "errors.jsonl").read_text().splitlines()
    assert json.loads(bad)["problem"] == "its completion is empty"
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["items"] == 12


def calls(dry):
    """Returns the number of requests in a dry run."""
    return int(dry.stdout.splitlines()[-1].split()[1])


def test_limits_and_estimates(items, items_file, tmp_path):
    toy = Toy("echo")
    with serve(toy) as address:
        dry = run(*command(items_file, tmp_path / "a", address, tmp_path / "c", "--dry-run"))
        assert dry.exit_code == 0
        assert calls(dry) == 2 + sum(len(one.completions) for one in items)  # 2 try the server
        assert not toy.requests
        assert not (tmp_path / "a").exists()
        stopped = run(*command(items_file, tmp_path / "a", address, tmp_path / "c",
                               "--max-calls", 9, "--concurrency", 1))  # fmt: skip
        assert "--max-calls" in str(stopped.exception)
        assert toy.paid == 9
        left = run(*command(items_file, tmp_path / "a", address, tmp_path / "c", "--dry-run"))
        assert 0 < calls(left) < calls(dry)
        assert run(*command(items_file, tmp_path / "a", address, tmp_path / "c")).exit_code == 0
        straight = run(*command(items_file, tmp_path / "b", address, tmp_path / "c2"))
    assert straight.exit_code == 0
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_dry_run_of_a_model_that_is_not_there(items_file, tmp_path):
    """A model that runs in this process costs nothing, and is refused all the same."""
    asked = ["factor", "score", items_file, "--out", tmp_path / "a", "--hf", tmp_path / "none"]
    found = [run(*asked), run(*asked, "--dry-run")]
    assert str(found[0].exception) == str(found[1].exception)
    assert "no such folder" in str(found[1].exception)


def test_a_missing_package_names_the_extra(items_file, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    found = run("factor", "score", items_file, "--out", tmp_path / "a", "--hf", "ann/small")
    assert found.exit_code != 0
    assert "[likelihood]" in str(found.exception)


class Knows(UniformModel):
    """Finds some completions likelier."""

    def __init__(self, right):
        super().__init__(-3.0)
        self.right = right

    async def score(self, context, continuations):
        from dataclasses import replace

        found = list(await super().score(context, continuations))
        number = int(context.split()[1])
        better = 0 if number in self.right else 1
        one = found[better]
        found[better] = replace(
            one, logprob=-1.0 * len(one.tokens), logprobs=(-1.0,) * len(one.tokens)
        )
        return found


def test_two_runs_compared(items, tmp_path):
    first = evaluate_factor(items, Knows(range(9)), out=tmp_path / "a")
    second = evaluate_factor(items, Knows((0, 1, 11)), out=tmp_path / "b")
    assert (first.summary["right"], second.summary["right"]) == (9, 3)
    found = compare_factor({"a": tmp_path / "a", "b": tmp_path / "b"})
    (test,) = found.tests
    assert (test.only_first, test.only_second, test.n) == (7, 1, 12)
    assert test.difference == pytest.approx(0.5)
    assert test.p_mcnemar == pytest.approx(mcnemar(7, 1))
    # All 2^12 ways are enumerated: a sign test over the eight items that differ.
    assert test.p == pytest.approx(mcnemar(7, 1))
    shown = run("compare", tmp_path / "a", tmp_path / "b")
    assert shown.exit_code == 0
    assert "McNemar" in shown.output
    assert f"signature: {first.signature}\n" in shown.output
    table = run("compare", tmp_path / "a", tmp_path / "b", "--format", "csv", "--part",
                "differences")  # fmt: skip
    assert table.output.splitlines()[0].startswith("first,second,context,n,difference")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"completions": None}, "completions: input should be a valid list"),
        ({"completions": [{}, {}]}, r"completions\[0\].n_tokens: is missing"),
        ({"passages": [3]}, r"passages\[0\]"),
    ],
)
def test_a_damaged_sample_is_named_with_its_line(items, tmp_path, change, said):
    evaluate_factor(items, UniformModel(), out=tmp_path)
    samples = tmp_path / "samples.jsonl"
    first, *rest = map(json.loads, samples.read_text().splitlines())
    for row in (first, *rest):  # as earlier releases wrote them, without a check sum
        del row["crc32"]
    samples.write_text("".join(json.dumps(row) + "\n" for row in ({**first, **change}, *rest)))
    with pytest.raises(RunError, match=rf"samples\.jsonl:1: not a line of a journal \({said}"):
        evaluate_factor(items, UniformModel(), out=tmp_path)
    short = {**first, "completions": first["completions"][:2]}
    samples.write_text("".join(json.dumps(row) + "\n" for row in (short, *rest)))
    with pytest.raises(RunError, match=r"item '0': 2 completions, and it has [34]"):
        evaluate_factor(items, UniformModel(), out=tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("summary.json", "{", r"summary\.json:1: not valid JSON"),
        ("summary.json", "3", r"summary\.json: damaged \(expected an object, found 3\)"),
        ("summary.json", '{"contexts": {"none": 3}}', "damaged"),
        ("summary.json", '{"items": "x"}', r"damaged \(items: input should be a valid integer"),
        ("scores.csv", "id,right\n0,true\n", r"scores\.csv: no column cluster, context; it has id"),
    ],
)
def test_a_damaged_run_is_not_compared(items, tmp_path, name, content, said):
    for folder in ("a", "b"):
        evaluate_factor(items, UniformModel(), out=tmp_path / folder)
    (tmp_path / "b" / name).write_text(content)
    with pytest.raises(InputError, match=said):
        compare_factor({"a": tmp_path / "a", "b": tmp_path / "b"})


def test_mcnemar_is_the_binomial_test():
    from scipy.stats import binomtest

    for a, b in ((0, 0), (3, 5), (10, 0), (7, 1)):
        expected = 1.0 if a + b == 0 else binomtest(a, a + b).pvalue
        assert mcnemar(a, b) == pytest.approx(expected)


@pytest.fixture
def index(tmp_path):
    from dfactscore.retrieval import BuildOptions, Passage, build_index

    passages = [
        Passage("document 0", "Person 0 was a painter and Person 1 was a painter.", "p0"),
        Passage("Painters", "Person 0 was a painter who was born in a town " + "by the sea " * 80,
                "p1"),
        Passage("Kings", "The kings of Denmark ruled in Ribe.", "p2"),
    ]  # fmt: skip
    build_index(passages, tmp_path / "index", options=BuildOptions(kind="bm25"))
    return tmp_path / "index"


class Listens(UniformModel):
    """Remembers what it is asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    async def score(self, context, continuations):
        self.asked.append((context, list(continuations)))
        return await super().score(context, continuations)


def test_one_passage_before_the_prefix(items, index):
    from dfactscore.factor._contexts import open_retrieval

    model = Listens()
    retrieval = open_retrieval(index, doc_tokens=12)
    options = FactorOptions(retrieval=retrieval, context_tokens=40)
    found = evaluate_factor(items[:1], model, options=options)
    ((context, continuations),) = model.asked
    # The item's own document is left out, the passage is cut to its tokens.
    assert context.startswith("Painters\nPerson 0 was a painter who was born in a town\n\nPerson 0")
    assert context.endswith("was born in")
    assert len(continuations) == len(items[0].completions)
    assert found.scored[0].passages == ("Painters",)
    model = Listens()
    options = FactorOptions(retrieval=open_retrieval(index, exclude="none", doc_tokens=12))
    evaluate_factor(items[:1], model, options=options)
    assert model.asked[0][0].startswith("document 0\n")
    # What does not fit is cut from the prefix's left.
    model = Listens()
    options = FactorOptions(retrieval=retrieval, context_tokens=27)
    (one,) = evaluate_factor(items[:1], model, options=options).scored
    assert model.asked[0][0].startswith("Painters\nPerson 0 was a painter who was born in a town")
    assert model.asked[0][0].endswith("was born in")
    assert "Person 0 was a painter. " not in model.asked[0][0]
    assert all(c.dropped > 0 for c in one.continuations)


def test_a_passage_for_every_stride(items, index):
    from dfactscore.factor._contexts import open_retrieval

    model = Listens()
    retrieval = open_retrieval(index, doc_tokens=12, stride=2)
    (one,) = evaluate_factor(items[:1], model, options=FactorOptions(retrieval=retrieval)).scored
    plain = evaluate_factor(items[:1], UniformModel()).scored[0]
    assert [len(c.tokens) for c in one.continuations] == [
        len(c.tokens) for c in plain.continuations
    ]
    assert len(model.asked) > len(one.continuations)
    assert [c.logprob for c in one.continuations] == pytest.approx(
        [c.logprob for c in plain.continuations]
    )
