"""The hosts' own command lines, offline, with a model that writes the shipped examples."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from counting_server import CountingServer

from dfactscore.examples import example
from dfactscore.integrations.samples import host_samples

HELPERS = Path(__file__).resolve().parents[2] / "helpers"
PAGE = Path(__file__).resolve().parents[3] / "docs" / "integrations.md"
MODULES = {"inspect": "inspect_ai"}


def _written():
    found = defaultdict(list)
    for line in example("people").biographies.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found[record["name"]].append((record["id"], record["text"]))
    return found


@pytest.fixture(scope="session")
def texts():
    """One text for each of the twelve names; one of them is a refusal."""
    written = _written()
    found = {name: rows[0][1] for name, rows in written.items()}
    found["Michael Collins"] = dict(written["Michael Collins"])["collins-abstained"]
    assert len(found) == 12
    return found


@pytest.fixture(scope="session")
def three_texts():
    """Three texts for each name, none a refusal; not all of them differ."""
    found = {}
    for name, rows in _written().items():
        kept = [text for id, text in rows if not id.endswith("abstained")]
        found[name] = [kept[i % len(kept)] for i in range(3)]
    return found


@pytest.fixture(scope="session")
def records(texts):
    """The twelve texts with the passages that the hosts' samples have."""
    samples, _ = host_samples("test")
    return [
        {"id": s.id, "name": s.name, "text": texts[s.name], "passages": s.passages} for s in samples
    ]


class Host:
    """Runs commands as a user would, with an endpoint on this machine and no way out of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "refused.txt"
        self.endpoint = CountingServer()
        self.texts: dict[str, list[str]] = {}
        self._asked: Counter[str] = Counter()
        self.endpoint.answer = self._answer

    def write(self, texts: dict[str, list[str]]) -> None:
        """From now on the model gives these texts for the names, in turn."""
        self.texts, self._asked = texts, Counter()

    def _answer(self, prompt: str) -> str:
        name = prompt.rsplit("Name of the person: ", 1)[1].splitlines()[0].strip()
        rows = self.texts[name]
        text = rows[self._asked[name] % len(rows)]
        self._asked[name] += 1
        return text

    def run_shown(self, begins: str, instead: dict[str, str], *more: str) -> str:
        """Runs the one command of the documentation that begins so, with other words in places."""
        page = PAGE.read_text(encoding="utf-8").replace("\\\n", " ")
        (line,) = [x[2:] for x in page.splitlines() if x.startswith(f"$ {begins}")]
        words = shlex.split(line)
        assert set(instead) <= set(words), line
        module, *rest = [instead.get(word, word) for word in words]
        if module == "dfactscore":
            return self.run_own(*rest, *more)
        return self.run(MODULES.get(module, module), *rest, *more)

    def run_own(self, *words: str) -> str:
        """Runs a command of ours, in this process, which has loaded what it needs."""
        from dfactscore.cli.app import main

        printed = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
            patch.chdir(self.folder)
            patch.setattr("sys.argv", ["dfactscore", *words])
            with pytest.raises(SystemExit) as end:
                main()
        assert not end.value.code, printed.getvalue()
        return printed.getvalue()

    def run(self, *words: str, status: int = 0) -> str:
        """Runs ``python -m …``; returns what it printed."""
        url = self.endpoint.base_url
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=240,
            env={
                **{k: v for k, v in os.environ.items() if not k.startswith(("COV_", "INSPECT_"))},
                "HOME": str(self.folder),
                "HF_HOME": str(self.folder / "hf"),
                "PYTHONPATH": str(HELPERS / "offline"),
                "OFFLINE_LOG": str(self.log),
                "COLUMNS": "200",
                "LOCAL_BASE_URL": url,
                "LOCAL_API_KEY": "none",
                "OPENAI_API_KEY": "none",
            },
        )
        assert done.returncode == status, done.stdout[-2000:] + done.stderr[-4000:]
        refused = self.log.read_text(encoding="utf-8") if self.log.exists() else ""
        assert refused == "", f"it tried to leave this machine: {refused}"
        return done.stdout + done.stderr


@pytest.fixture(scope="session")
def host(tmp_path_factory):
    made = Host(tmp_path_factory.mktemp("hosts"))
    yield made
    made.endpoint.close()


@pytest.fixture(scope="session")
def own_run(host, records):
    """The run folder of `dfactscore score` on the same texts, as rows of ``scores.csv`` by id."""
    import csv

    source = host.folder / "own.jsonl"
    source.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    host.run_own("score", str(source), "--out", str(host.folder / "own"), "--quiet")
    with (host.folder / "own" / "scores.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="session")
def inspect_log(host, texts):
    """The log of `inspect eval` on the twelve names."""
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect] (Python 3.11 or newer)")
    host.write({name: [text] for name, text in texts.items()})
    instead = {"openai/gpt-4.1-mini": "openai-api/local/stub", "logs": "logs/first"}
    host.run_shown("inspect eval", instead, "--display", "plain")
    (path,) = (host.folder / "logs" / "first").glob("*.eval")
    return path


@pytest.fixture(scope="session")
def lm_eval_results(host, texts):
    """What `lm_eval` wrote about the twelve names: results, and the file with the samples."""
    pytest.importorskip("lm_eval", reason="needs lm_eval")
    host.write({name: [text] for name, text in texts.items()})
    folder = host.run_own("integrations", "path", "lm-eval").strip()
    url = f"{host.endpoint.base_url}/chat/completions"
    address = "base_url=http://localhost:8000/v1/chat/completions"
    host.run_shown(
        "lm_eval",
        {
            "$(dfactscore integrations path lm-eval)": folder,
            f"model=NAME,{address}": f"model=NAME,base_url={url}",
        },
    )
    (results,) = (host.folder / "lm" / "NAME").glob("results_*.json")
    (samples,) = (host.folder / "lm" / "NAME").glob("samples_dfactscore_bios_*.jsonl")
    return json.loads(results.read_text(encoding="utf-8"))["results"]["dfactscore_bios"], samples
