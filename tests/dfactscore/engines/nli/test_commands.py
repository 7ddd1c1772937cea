"""`--verifier nli:MODEL` and `citations --entailment nli`, from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from dfactscore import Scorer  # noqa: E402
from dfactscore._cli.app import main  # noqa: E402
from dfactscore._errors import InputError  # noqa: E402
from dfactscore.engines._nli.entailment_model import NLIModel  # noqa: E402
from dfactscore.engines._nli.judge import NLIJudge  # noqa: E402
from dfactscore.examples import example  # noqa: E402

PEOPLE = example("people")
#: Runs a command that is killed in its third call of a model.
KILLED = """
import os, signal, sys
from dfactscore._cli.app import main
from dfactscore.engines._nli.entailment_model import NLIModel
from dfactscore.engines._nli.judge import NLIJudge
NLIJudge.__init__.__kwdefaults__["batch_tokens"] = 64
real, calls = NLIModel.probabilities, []
def dying(self, rows):
    calls.append(rows)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, rows)
NLIModel.probabilities = dying
main()
"""


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs a command in this process; returns its exit status, output and messages."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return end.value.code or 0, out, err

    return run


@pytest.fixture
def words(finder, tmp_path, monkeypatch):
    """The arguments of a command that scores four small biographies in many calls of the model."""
    monkeypatch.setitem(NLIJudge.__init__.__kwdefaults__, "batch_tokens", 64)
    bios = tmp_path / "bios.jsonl"
    rows = [
        {
            "name": name, "text": f"{name} swam in Lund. {name} {deed}. He won a race.",
            "passages": [
                {"title": f"{name} (a)", "text": f"{name} swam in Lund. {name} won. " * 3},
                {"title": f"{name} (b)", "text": f"{name} {deed} a race. {name} died in Lund."},
            ],
        }
        for name, deed in (("Al", "sang"), ("Bo", "rode"), ("Cy", "wrote"), ("Di", "taught"))
    ]  # fmt: skip
    bios.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def words(out, *more):
        nli = (
            "--verifier",
            f"nli:{finder}",
            "--nli",
            "chunk-tokens=15",
        )
        return [str(w) for w in ("score", bios, *nli, "--out", out, "-q", *more)]

    return words


def files(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "timing.json"}


@pytest.fixture
def threads():
    """Sets the number of torch's threads during a test."""
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.slow
def test_an_interrupted_run_ends_with_the_same_bytes(
    command, words, tmp_path, monkeypatch, threads
):
    threads(1)
    real, calls, interrupt_at = NLIModel.probabilities, [], 0

    def counted(self, rows):
        calls.append(len(rows))
        if len(calls) == interrupt_at:
            raise KeyboardInterrupt
        return real(self, rows)

    monkeypatch.setattr(NLIModel, "probabilities", counted)
    assert command(*words(tmp_path / "whole"))[0] == 0
    needed, interrupt_at = len(calls), 3
    for number in (1, 2):
        calls.clear()
        threads(number)
        again = words(tmp_path / f"with-{number}")
        status, _, err = command(*again)
        # A call that waited for the model's thread may still run.
        assert status == 130
        assert 3 <= len(calls) < needed
        assert "run the same command again" in err
        assert command(*again)[0] == 0
        assert files(tmp_path / f"with-{number}") == files(tmp_path / "whole")


@pytest.mark.slow
def test_a_killed_run_ends_with_the_same_bytes(command, words, tmp_path, threads):
    threads(1)
    killed = words(tmp_path / "killed")
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", KILLED, *killed], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert command(*killed)[0] == 0
    assert command(*words(tmp_path / "whole"))[0] == 0
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_what_is_said_and_recorded(command, words, tmp_path):
    out = tmp_path / "run"
    status, _, err = command(*words(out, "--nli", "chunk-tokens=30", "--limit", 2))
    assert status == 0
    assert err.startswith(
        "NLI model finder: form pair, support is label 1 'entailment', float32 on cpu; the best 3 "
        "chunks of a page, up to 30 tokens each\n"
    )
    settings = json.loads((out / "manifest.json").read_text())["settings"]
    assert settings["decomposer"]["name"] == settings["grouper"]["name"] == "builtin"
    verifier = settings["verifier"]
    assert len(verifier.pop("sha256")) == 64
    assert verifier == {
        "name": "nli", "model": "finder", "form": "pair", "label": 1, "max_tokens": 64,
        "chunk_tokens": 30, "chunks": 3, "dtype": "float32", "device": "cpu", "threshold": 0.5,
    }  # fmt: skip
    rows = [json.loads(line) for line in (out / "verdicts.jsonl").read_text().splitlines()]
    given = [p for row in rows for entity in row["entities"] for p in entity["probability"]]
    assert given
    assert all(p is None or p == round(p, 4) for p in given)
    # More of the input resumes the same run; another way of reading pages does not.
    assert command(*words(out, "--nli", "chunk-tokens=30"))[0] == 0
    status, _, err = command(*words(out, "--nli", "chunk-tokens=31"))
    assert status == 2
    assert "settings.verifier.chunk_tokens was 30 and is now 31" in err


def test_facts_that_the_model_cannot_read_are_counted(finder, command, tmp_path):
    bios = tmp_path / "bios.jsonl"
    row = {
        "name": "Al", "text": "Al swam.", "facts": [*["Al swam."] * 4, "Al " * 80],
        "passages": [{"title": "Al", "text": "Al swam in Lund."}],
    }  # fmt: skip
    bios.write_text(json.dumps(row))
    words = ("--verifier", f"nli:{finder}", "--out", tmp_path / "run", "-q", "--format", "csv")
    status, out, err = command("score", bios, *words)
    assert status == 0
    assert "1 verdict could not be read (status 'unparsed')" in err
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["fs"] == 0.8
    assert out.startswith("id,")


def test_in_the_cascade(finder, command, tmp_path):
    cascade = ("--verifier", "cascade", "--cascade", f"model=nli:{finder}")
    band = ("--cascade", "low=0.1", "--cascade", "high=0.9")
    words = ("--limit", 4, "--out", tmp_path / "run", "-q", "--nli", "form=pair")
    status, _, err = command("score", PEOPLE.biographies, *cascade, *band, *words)
    assert status == 0
    assert "NLI model finder: form pair" in err
    assert "% of the pairs went to the model" in err
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["settings"]["verifier"]["second"]["model"] == "finder"
    assert 0 < manifest["cascade_share"] < 1
    assert "llm" not in manifest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--verifier", "nli:"], "--verifier: 'nli:' is unknown; choose one of builtin"),
        (["--verifier", "nlii:x"], "cascade, no-context, nli:MODEL"),
        (["--verifier", "cascade", "--cascade", "model=x"], "'x' is unknown; choose one of nli:M"),
        (["--verifier", "cascade"], "or --gguf FILE, or --cascade model=nli:MODEL"),
        (["--cascade", "model=nli:x"], "--cascade model would change nothing"),
        (["--nli", "label=1"], "--nli label would change nothing"),
        (["--verifier", "nli:MODEL", "--model", "m"], "--model would change nothing"),
        (["--verifier", "nli:MODEL", "--dry-run"], "--dry-run and --repeats are for language"),
        (["--verifier", "nli:MODEL", "--nli", "form=x"], "--nli form: 'x' is unknown; choose one"),
        (["--verifier", "nli:MODEL", "--nli", "form=true"], "--nli form=true is not for it"),
        (["--verifier", "nli:MODEL", "--nli", "label=2"], "has no label 2: its labels are 0 not"),
        (["--verifier", "nli:MODEL", "--nli", "chunks=-1"], "--nli chunks: expected greater than"),
        (["--verifier", "nli:./none"], "no such folder"),
    ],
)
def test_mistakes_are_one_line(finder, command, tmp_path, words, said):
    words = [word.replace("nli:MODEL", f"nli:{finder}") for word in words]
    out = tmp_path / "run"
    status, printed, err = command("score", PEOPLE.biographies, "--out", out, "-q", *words)
    assert (status, printed) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert not out.exists()


def test_citations_take_the_same_options(finder, command, tmp_path):
    words = ("citations", PEOPLE.biographies, "--limit", 4, "--format", "json", "-q")
    nli = ("--entailment", "nli", "--nli-model", finder)
    status, out, err = command(*words, *nli, "--nli", "label=1", "--threshold", 0.3)
    assert status == 0
    assert "NLI model finder: form pair, support is label 1" in err
    entailment = json.loads(out)["entailment"]
    assert (entailment["threshold"], entailment["chunks"]) == (0.3, "all")
    assert command(*words, "--threshold", 0.3)[0] == 0  # the built-in verifier has one, too
    status, _, err = command(*words, "--nli", "form=pair")
    assert (status, "--nli form is for entailment nli" in err) == (2, True)


def test_scorer_takes_a_name_as_the_command_does(finder):
    pages = {"Al (swimmer)": "Al swam in Lund.", "Al (singer)": "Al sang."}
    result = Scorer(verifier=f"nli:{finder}").score("Al swam.", name="Al", pages=pages)
    assert result.fs == 1.0
    with pytest.raises(InputError, match="Scorer: verifier: 'nlii:x' is unknown; choose one of"):
        Scorer(verifier="nlii:x")


def test_an_experiment_finds_the_model_beside_its_file(finder, tmp_path):
    from dfactscore._experiment import load_experiment

    file = tmp_path / "experiment.yaml"
    (tmp_path / "models").symlink_to(finder.parent)
    text = "example: people\nmodels: {a: {generator: extractive}}\nscore: {verifier: 'nli:%s'}"
    file.write_text(text % f"models/{finder.name}")
    assert load_experiment(file).score.nli_name == str(tmp_path / "models" / finder.name)
    file.write_text(text % "./none")
    with pytest.raises(InputError, match=r"score: NLI model './none': no such folder"):
        load_experiment(file)
