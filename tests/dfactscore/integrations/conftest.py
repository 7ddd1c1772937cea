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
from importlib.util import find_spec
from pathlib import Path

import pytest
from counting_server import CountingServer
from warm import Done, WarmHost

from dfactscore.examples import example
from dfactscore.integrations._judging import host_samples

HELPERS = Path(__file__).resolve().parents[2] / "helpers"
PAGE = Path(__file__).resolve().parents[3] / "docs" / "integrations.md"
NOWHERE = "http://127.0.0.1:9"  # nothing listens there
LOADED = ("inspect_ai._cli.main", "dfactscore.integrations._inspect", "openai", "judged_once")
# What Inspect would load or read again in each command.
USED = (
    "inspect_ai.agent._acp.server", "inspect_ai._control.server",
    "inspect_ai.model._providers.openai_compatible",
    "inspect_ai.model._model_info:_get_model_info_db", "uvicorn", "fastapi", "IPython",
)  # fmt: skip


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
        self.endpoints: list[CountingServer] = []
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("COV_", "INSPECT_"))},
            "HOME": str(folder),
            "HF_HOME": str(folder / "hf"),
            "PYTHONPATH": str(HELPERS / "offline"),
            "OFFLINE_LOG": str(self.log),
            "COLUMNS": "200",
            "LOCAL_API_KEY": "none",
            "OPENAI_API_KEY": "none",
        }
        self._warm = WarmHost(LOADED, self._environment, USED)

    def write(self, texts: dict[str, list[str]]) -> str:
        """Opens an endpoint that gives these texts for the names, in turn; returns its address."""
        asked: Counter[str] = Counter()

        def answer(prompt: str) -> str:
            name = prompt.rsplit("Name of the person: ", 1)[1].splitlines()[0].strip()
            text = texts[name][asked[name] % len(texts[name])]
            asked[name] += 1
            return text

        endpoint = CountingServer()
        endpoint.answer = answer
        self.endpoints.append(endpoint)
        return endpoint.base_url

    def shown(self, begins: str, instead: dict[str, str], *more: str) -> list[str]:
        """The one command of the documentation that begins so, with other words in places."""
        page = PAGE.read_text(encoding="utf-8").replace("\\\n", " ")
        (line,) = [x[2:] for x in page.splitlines() if x.startswith(f"$ {begins}")]
        words = shlex.split(line)
        assert set(instead) <= set(words), line
        return [*(instead.get(word, word) for word in words), *more]

    def run_shown(
        self, begins: str, instead: dict[str, str], *more: str, url: str = NOWHERE
    ) -> str:
        """Runs that command."""
        command, *words = self.shown(begins, instead, *more)
        return (
            self.run_own(*words) if command == "dfactscore" else self.run_inspect(*words, url=url)
        )

    def run_own(self, *words: str) -> str:
        """Runs a command of ours, in this process, which has loaded what it needs."""
        from dfactscore._cli.app import main

        printed = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
            patch.chdir(self.folder)
            patch.setattr("sys.argv", ["dfactscore", *words])
            with pytest.raises(SystemExit) as end:
                main()
        assert not end.value.code, printed.getvalue()
        return printed.getvalue()

    def run_inspect(self, *words: str, url: str = NOWHERE, status: int = 0) -> str:
        """Runs ``python -m inspect_ai``, with a model at an address; returns what it printed."""
        command, address = ("inspect_ai", *words), {"LOCAL_BASE_URL": url}
        if hasattr(os, "fork"):
            return self._ended(self._warm.run(command, self.folder, **address), status)
        return self.ended(self.start(*command, **address), status)

    def start(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        """Starts ``python -m …``."""
        return subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**self._environment, **variables},
        )

    def ended(self, process: subprocess.Popen[str], status: int = 0) -> str:
        """Waits for it; returns what it printed."""
        output, _ = process.communicate(timeout=600)
        return self._ended(Done(process.returncode, output), status)

    def _ended(self, done: Done, status: int) -> str:
        assert done.returncode == status, done.output[-6000:]
        refused = self.log.read_text(encoding="utf-8") if self.log.exists() else ""
        assert refused == "", f"it tried to leave this machine: {refused}"
        return done.output

    def close(self) -> None:
        self._warm.close()
        for endpoint in self.endpoints:
            endpoint.close()


@pytest.fixture(scope="session")
def host(tmp_path_factory):
    made = Host(tmp_path_factory.mktemp("hosts"))
    yield made
    made.close()


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
def lm_eval_begun(host, texts):
    """`lm_eval` on the twelve names, which runs while others do; None if it is not there."""
    if find_spec("lm_eval") is None:
        yield None
        return
    folder = host.run_own("integrations", "path", "lm-eval").strip()
    url = host.write({name: [text] for name, text in texts.items()}) + "/chat/completions"
    address = "base_url=http://localhost:8000/v1/chat/completions"
    instead = {
        "$(dfactscore integrations path lm-eval)": folder,
        f"model=NAME,{address}": f"model=NAME,base_url={url}",
    }
    _, *words = host.shown("lm_eval", instead)
    # It scores what an endpoint writes: neither package is needed for that.
    process = host.start("lm_eval_alone", *words, HIDDEN_PACKAGES="torch transformers")
    yield process
    process.kill()
    process.communicate()


@pytest.fixture(scope="session")
def inspect_log(host, texts, lm_eval_begun):
    """The log of `inspect eval` on the twelve names."""
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect] (Python 3.11 or newer)")
    url = host.write({name: [text] for name, text in texts.items()})
    instead = {"openai/gpt-4.1-mini": "openai-api/local/stub", "logs": "logs/first"}
    host.run_shown("inspect eval", instead, "--display", "plain", url=url)
    (path,) = (host.folder / "logs" / "first").glob("*.eval")
    return path


@pytest.fixture(scope="session")
def lm_eval_results(host, lm_eval_begun):
    """The results of `lm_eval` for the twelve names, and its file of samples."""
    pytest.importorskip("lm_eval", reason="needs lm_eval")
    host.ended(lm_eval_begun)
    (results,) = (host.folder / "lm" / "NAME").glob("results_*.json")
    (samples,) = (host.folder / "lm" / "NAME").glob("samples_dfactscore_bios_*.jsonl")
    return json.loads(results.read_text(encoding="utf-8"))["results"]["dfactscore_bios"], samples
