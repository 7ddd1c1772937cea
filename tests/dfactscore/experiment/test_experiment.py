"""Experiments: from names to a comparison, resumed, and refused where the file is wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dfactscore._asking.transport import Rejected, Transport
from dfactscore._cli.app import main
from dfactscore._errors import InputError, RunError
from dfactscore._experiment import load_experiment, run_experiment
from dfactscore.retrieval import RetrievalError

ROOT = Path(__file__).resolve().parents[3]
SMALL = """
example: people
limit: 3
models:
  one: {generator: extractive, sentences: 4}
"""


def write(tmp_path, text, name="e.yaml"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The folder of the small experiment."""
    folder = tmp_path_factory.mktemp("small")
    run_experiment(load_experiment(write(folder, SMALL)), folder / "out")
    return folder / "out"


def snapshot(folder):
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != "timing.json" and "index" not in p.parts
    }


def test_shipped_experiment(tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    words = ["dfactscore", "run", str(ROOT / "examples" / "experiment.yaml"), "--out", str(out)]
    monkeypatch.setattr("sys.argv", [*words, "--format", "json"])
    with pytest.raises(SystemExit) as end:
        main()
    said = capsys.readouterr()
    assert end.value.code == 0
    assert "mixing: scoring" in said.err
    levels = {m["model"]: m for m in json.loads(said.out)["levels"]}
    one, mixed = levels["one entity"], levels["mixing"]
    assert one["fs"] - one["dfs"] <= 0.05
    assert mixed["fs"] - mixed["dfs"] >= 0.2
    assert mixed["n_ent"] > 1.5 > one["n_ent"]
    for name in ("comparison.md", "comparison.csv", "comparison.json", "passages.jsonl"):
        assert (out / name).stat().st_size > 100
    first = snapshot(out)
    monkeypatch.setattr("sys.argv", [*words, "-q"])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr()
    assert snapshot(out) == first
    assert said.err == ""
    assert "same-name entities" in said.out
    assert "significantly higher" in said.out


def test_resumed_after_every_step(small, tmp_path):
    experiment = load_experiment(write(tmp_path, SMALL))
    whole = snapshot(small)
    broken = shutil.copytree(small, tmp_path / "broken")
    for lost in ("comparison.md", "one/citations.jsonl", "one/run/scores.csv", "passages.jsonl"):
        (broken / lost).unlink()
    bios = broken / "one" / "biographies.jsonl"
    bios.write_bytes(bios.read_bytes()[:-900])
    (broken / "one" / ".citations.jsonl.a3a16c41.tmp").write_text(
        "{"
    )  # killed while it was written
    for kept in ("comparison.csv", "comparison.json", "one"):
        if kept != "one":
            (broken / kept).unlink()
    (broken / "passages.jsonl").write_bytes((small / "passages.jsonl").read_bytes())
    result = run_experiment(experiment, broken)
    assert result.complete
    assert result.models[0].written.kept == 2
    assert snapshot(broken) == whole
    assert not list(broken.rglob("*.tmp"))


def test_killed_before_the_passages_were_there(small, tmp_path):
    experiment = load_experiment(write(tmp_path, SMALL))
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / ".passages.jsonl.0a_b1c2d").write_text(
        "half"
    )  # of a file that is written in one step
    shutil.copytree(small / "index", broken / "index")
    shutil.copy(small / "experiment.json", broken)
    other = load_experiment(write(tmp_path, SMALL.replace("people", "ships"), "s.yaml"))
    with pytest.raises(
        RunError, match="contains another experiment"
    ):  # its index is of other pages
        run_experiment(other, broken)
    run_experiment(experiment, broken)
    (broken / ".passages.jsonl.0a_b1c2d").unlink()
    assert snapshot(broken) == snapshot(small)


def test_a_generator_can_be_added_but_not_other_names(small, tmp_path):
    shutil.copytree(small, tmp_path / "out")
    more = SMALL + "  two: {generator: extractive, mode: mixing}\n"
    result = run_experiment(load_experiment(write(tmp_path, more)), tmp_path / "out")
    assert [m.label for m in result.models] == ["one", "two"]
    assert result.models[0].written.kept == 3
    other = load_experiment(write(tmp_path, SMALL.replace("limit: 3", "limit: 2")))
    with pytest.raises(RunError, match="limit was 3 and is now 2"):
        run_experiment(other, tmp_path / "out")
    changed = load_experiment(write(tmp_path, SMALL.replace("sentences: 4", "sentences: 5")))
    with pytest.raises(RunError, match=r"settings\.sentences was 4 and is now 5"):
        run_experiment(changed, tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(RunError, match="not an experiment and not empty"):
        run_experiment(other, tmp_path / "full")


@pytest.mark.parametrize("more", [pytest.param("limit: 6", marks=pytest.mark.slow), ""])
def test_a_larger_limit_goes_on(small, tmp_path, more):
    out, whole = shutil.copytree(small, tmp_path / "out"), tmp_path / "whole"
    larger = load_experiment(write(tmp_path, SMALL.replace("limit: 3", more)))
    result = run_experiment(larger, out)
    fresh = run_experiment(larger, whole)
    (ours,), (theirs,) = result.models, fresh.models
    assert ours.written.kept == 3
    assert ours.written.written == theirs.written.written - 3 > 0
    assert snapshot(out) == snapshot(whole)
    assert run_experiment(larger, out).models[0].written.written == 0
    with pytest.raises(RunError, match="and is now 3"):
        run_experiment(load_experiment(write(tmp_path, SMALL)), out)


def test_settings_of_the_scoring_are_used(tmp_path):
    (tmp_path / "sub").mkdir()
    text = SMALL + "score: {index: idx}\n"
    with pytest.raises(RetrievalError, match=r"sub/idx: no such index"):
        run_experiment(load_experiment(write(tmp_path / "sub", text)), tmp_path / "a")
    text = SMALL + "score: {candidates: dataset}\n"
    with pytest.raises(InputError, match="dataset"):
        run_experiment(load_experiment(write(tmp_path, text)), tmp_path / "b")


def test_own_passages_and_a_name_without_any(tmp_path, caplog):
    caplog.set_level("INFO", "dfactscore")
    lines = [
        {"name": "Al Shaw", "passages": [{"title": "Al Shaw", "text": "Al Shaw is a swimmer."}]},
        {"name": "Bo Ek", "passages": []},
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, lines)))
    text = "passages: p.jsonl\nmodels: {one: {generator: extractive}}\ncitations: false\n"
    result = run_experiment(load_experiment(write(tmp_path, text)), tmp_path / "o")
    assert not result.complete
    assert result.models[0].citations is None
    assert "one: not written: Bo Ek: no passages for 'Bo Ek'" in caplog.messages
    (tmp_path / "p.jsonl").write_text(json.dumps(lines[1]))
    with pytest.raises(RunError, match="one: no passages for 'Bo Ek'"):
        run_experiment(load_experiment(write(tmp_path, text)), tmp_path / "o2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "e.yaml:1: not valid YAML"),
        ("- 3", "expected keys like 'models:', found [3]"),
        ("modles: {}", "no setting 'modles'; did you mean models?"),
        ("example: people", "models: expected generators by label"),
        ("example: peple\nmodels: {a: {}}", "did you mean 'people'"),
        ("example: people\nmodels: {a: {modle: x}}", "models: a: no setting 'modle'"),
        ("example: people\nmodels: {a: {modle: x}}", "did you mean mode or model?"),
        ("example: people\nmodels: {a: {}}", "models: a: the generator needs a language model"),
        ("example: people\nmodels: {a: 3}", "expected settings like 'model: NAME', found 3"),
        ("example: people\nmodels: {a/b: {}}", "a label consists of letters"),
        ("example: people\nmodels: {1: {}}", "write it in quotes"),
        ("example: people\nmodels: {index: {}}", "experiment's own files"),
        ("example: people\nmodels: {..: {}}", "it begins with a dot"),
        ("example: people\nmodels: {Passages.jsonl: {}}", "experiment's own files"),
        (
            "example: people\nmodels: {A: {generator: extractive}, a: {}}",
            "models: a: 'A' differs only in upper and lower case",
        ),
        ("example: people\nmodels:\n  a: {}\n  a: {}", "e.yaml:4: the key 'a' is repeated"),
        ("top: 3\nexample: people\ntop: 4", "e.yaml:3: the key 'top' is repeated"),
        (
            "example: people\nmodels: {a: {model: m, demos: ambigous}}",
            "models: a: demonstrations 'ambigous'",
        ),
        (
            "example: people\nmodels: {a: {model: m, template: gone.txt}}",
            "gone.txt': not a file",
        ),
        ("example: people\nmodels: &a {a: *a}", "e.yaml:2: nested more than 100 levels deep"),
        (
            "example: people\ntop: 0\nmodels: {a: {generator: extractive}}",
            "top: expected greater than or equal to 1, found 0",
        ),
        (
            "example: people\ncitations: 3\nmodels: {a: {generator: extractive}}",
            "citations: expected a valid boolean",
        ),
        ("example: people\nnames: e.yaml\nmodels: {a: {}}", "exclude each other"),
        ("names: e.yaml", "names alone have no passages"),
        ("names: gone.txt", "gone.txt does not exist"),
        ("names: 3", "names: expected a path, found 3"),
        ("index: e.yaml", "an index needs names"),
        ("[" * 3000, "nested more than 100 levels"),
        ("example: people\nmodels: {a: {gguf: 2001-99-99}}", "2001-99-99: no such GGUF file"),
        ("example: people\nmodels: {a: {shots: !!int x}}", "e.yaml: not valid YAML"),
        ("models: {a: {}}", "give names (with index or pages), or passages, or an example"),
        (
            "passages: e.yaml\nindex: e.yaml\nmodels: {a: {generator: extractive}}",
            "e.yaml: passages and",
        ),
        (
            "example: people\nscore: {lnk: x}\nmodels: {a: {generator: extractive}}",
            "score: no setting 'lnk'; did you mean link?",
        ),
        (
            "example: people\nscore: {verifier: cascade}\nmodels: {a: {generator: extractive}}",
            "score: the verifier needs a language model, and none is named",
        ),
        ("example: people\nscore: {link: x}\nmodels: {a: {generator: extractive}}", "score: link:"),
        ("example: people\nscore: 3\nmodels: {a: {generator: extractive}}", "score: expected"),
    ],
)
def test_bad_files(tmp_path, text, words):
    with pytest.raises(InputError) as error:
        load_experiment(write(tmp_path, text))
    assert words in str(error.value)
    assert "e.yaml" in str(error.value) or "peple" in text


def test_no_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_experiment(tmp_path / "gone.yaml")


def test_language_models_are_asked_once(tmp_path, monkeypatch):
    asked = []

    class Answers(Transport):
        endpoint = "http://127.0.0.1:1/v1"

        def __init__(self, model):
            pass

        async def send(self, body):
            text = body["messages"][-1]["content"]
            if "search results" in text:
                asked.append(text)
                answer = "Dick Hanley was an American swimmer [1]. He coached football [2]."
            else:
                answer = "true"
            choice = {"finish_reason": "stop", "message": {"content": answer}}
            return {"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 3}}

    monkeypatch.setattr("dfactscore._asking.client.HTTPTransport", Answers)
    monkeypatch.setenv("DFACTSCORE_CACHE", str(tmp_path / "cache.sqlite"))
    text = """
example: people
limit: 2
models:
  plain: {model: m, base_url: "http://127.0.0.1:1/v1"}
  careful: {model: m, base_url: "http://127.0.0.1:1/v1", instruction: careful, shots: 0}
"""
    path = write(tmp_path, text)
    result = run_experiment(load_experiment(path), tmp_path / "out")
    assert result.complete
    assert len(asked) == 4
    assert [m.written.usage["prompt_tokens"] for m in result.models] == [10, 10]
    first = snapshot(tmp_path / "out")
    run_experiment(load_experiment(path), tmp_path / "out")
    assert len(asked) == 4
    assert snapshot(tmp_path / "out") == first
    run_experiment(load_experiment(path), tmp_path / "elsewhere")
    assert len(asked) == 4  # the answer cache knows them
    manifest = (tmp_path / "out" / "careful" / "biographies.manifest.json").read_text()
    assert '"temperature": 1.0' in manifest
    assert '"top_p": 0.95' in manifest


FLAKY = """
example: people
limit: 3
models:
  down: {model: gone, base_url: "http://127.0.0.1:1/v1", retries: 0}
  half: {model: half, base_url: "http://127.0.0.1:1/v1", retries: 0}
  one: {generator: extractive}
"""


def test_a_model_that_fails_does_not_keep_the_others(tmp_path, monkeypatch):
    broken = {"gone", "half"}

    class Answers(Transport):
        endpoint = "http://127.0.0.1:1/v1"

        def __init__(self, model):
            self.model = model.model

        async def send(self, body):
            text = body["messages"][-1]["content"]
            if "search results" not in text:
                return self.reply("true")
            if self.model in broken and (self.model == "gone" or "person: Dick Hanley" in text):
                raise Rejected("HTTP 500")
            return self.reply("He was an American swimmer [1].")

        @staticmethod
        def reply(text):
            choice = {"finish_reason": "stop", "message": {"content": text}}
            return {"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 3}}

    monkeypatch.setattr("dfactscore._asking.client.HTTPTransport", Answers)
    monkeypatch.setenv("DFACTSCORE_CACHE", str(tmp_path / "cache.sqlite"))
    experiment = load_experiment(write(tmp_path, FLAKY))
    first = run_experiment(experiment, tmp_path / "out")
    assert not first.complete
    assert [m.label for m in first.models] == ["half", "one"]
    assert first.models[0].written.failed == (("Dick Hanley", "HTTP 500"),)
    assert first.without == {"down": "HTTP 500"}
    broken.clear()
    second = run_experiment(experiment, tmp_path / "out")
    assert second.complete
    assert [m.label for m in second.models] == ["down", "half", "one"]
    assert [m.summary.n for m in second.models] == [3, 3, 3]
    run_experiment(experiment, tmp_path / "whole")
    assert snapshot(tmp_path / "out") == snapshot(tmp_path / "whole")


def test_a_server_that_is_down_does_not_keep_the_others(tmp_path, monkeypatch, capsys):
    down = 'down: {model: x, base_url: "http://127.0.0.1:9/v1", retries: 0}'
    alone = f"example: people\nlimit: 2\nmodels:\n  {down}\n"
    out = ["--out", str(tmp_path / "out"), "-q", "--format", "json"]

    def run(text):
        monkeypatch.setattr("sys.argv", ["dfactscore", "run", str(write(tmp_path, text)), *out])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code, capsys.readouterr()

    status, said = run(alone + "  one: {generator: extractive}\n")
    assert status == 1
    assert [m["model"] for m in json.loads(said.out)["levels"]] == ["one"]
    assert said.err.count("\n") == 1
    assert "down: http://127.0.0.1:9/v1 cannot be reached" in said.err
    status, said = run(alone)
    assert (status, said.out, said.err.count("\n")) == (2, "", 1)
