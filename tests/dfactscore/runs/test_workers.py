"""Scoring over workers gives the bytes of one process, whatever is killed in between."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from dfactscore import Scorer
from dfactscore._errors import InputError, RunError, WorkerError
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.settings import Config
from dfactscore._runs import describe_settings, worker_judges
from dfactscore._scorer.command import score
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.examples import example
from dfactscore.work._executors import SerialExecutor, open_executor
from dfactscore.work._work_folder import versions

SHIPPED = example()


def run(out: Path, **settings):
    return score(Config(input=SHIPPED.biographies, pages=SHIPPED.pages, out=out, **settings))


def files(folder: Path) -> dict[str, bytes]:
    left = ("timing.json", ".lock")
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name not in left}


def sessions(folder: Path) -> list[dict]:
    return json.loads((folder / "timing.json").read_text())["sessions"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of one process."""
    return run(tmp_path_factory.mktemp("whole") / "run").folder


@pytest.fixture
def blocks(monkeypatch):
    """Sets how many biographies a block has, and how many a run with a report."""

    def set(size: int, held: int = 2000) -> None:
        monkeypatch.setattr("dfactscore._jobs.job.BLOCK", size)
        monkeypatch.setattr("dfactscore._scorer.blocks.BLOCK", size)
        monkeypatch.setattr("dfactscore._scorer.run_folder.MAX_HELD", held)
        monkeypatch.setattr("dfactscore._runs.outcome.MAX_HELD", held)

    return set


@pytest.fixture(scope="module")
def two():
    """Two processes that several runs use, one after the other."""
    with open_executor(2) as executor:
        yield executor


@pytest.fixture
def shared(two, monkeypatch):
    """Runs over two workers use processes that have started already."""

    class Kept(SerialExecutor):
        workers = 2
        map_blocks = two.map_blocks

    def opened(count, on=None):
        return Kept() if (count, on) == (2, None) else open_executor(count, on)

    monkeypatch.setattr("dfactscore._jobs.workers.open_executor", opened)


@pytest.mark.parametrize(
    ("workers", "size", "held"),
    [
        (2, 1, 0),
        pytest.param(2, 7, 2000, marks=pytest.mark.slow),
        pytest.param(4, 7, 0, marks=pytest.mark.slow),
        (2, 50, 0),
    ],
)
def test_the_same_bytes(tmp_path, whole, blocks, workers, size, held):
    blocks(size, held)
    done = run(tmp_path / "run", workers=workers)
    expected = files(whole)
    if not held:
        expected.pop("report.html")
    assert files(tmp_path / "run") == expected
    (session,) = sessions(tmp_path / "run")
    assert session["judged"] == len(done.outcome.rows) == 30
    used = min(workers, -(-30 // size))
    assert session.get("workers", 1) == used
    assert session.get("executor", "processes") == "processes"
    assert "workers" not in (tmp_path / "run" / "manifest.json").read_text()


def test_one_worker_starts_no_process(tmp_path, blocks):
    blocks(1)
    script = (
        "import sys, dfactscore\n"
        "assert not {'ray', 'multiprocessing'} & set(sys.modules), 'import'\n"
        "import subprocess, os\n"
        "os.fork = subprocess.Popen = None\n"
        "from dfactscore._cli.app import main\n"
        "sys.argv = ['dfactscore', 'score', *sys.argv[1:], '--workers', '1', '-q']\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code\n"
        "assert not {'ray', 'multiprocessing.process', 'concurrent.futures.process', 'networkx'} "
        "& set(sys.modules), 'run'\n"
    )
    command = [sys.executable, "-c", script, str(SHIPPED.biographies), "--out", str(tmp_path / "r")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
    assert "workers" not in sessions(tmp_path / "r")[0]


@pytest.mark.slow
def test_resumed_with_any_number_of_workers(tmp_path, whole, blocks, shared):
    blocks(7)
    for limit, workers in ((4, 1), (11, 2), (19, 1), (None, 3)):
        run(tmp_path / "run", workers=workers, limit=limit)
    assert files(tmp_path / "run") == files(whole)
    assert [s["judged"] for s in sessions(tmp_path / "run")] == [4, 7, 8, 11]
    run(tmp_path / "run", workers=2)
    assert sessions(tmp_path / "run")[-1]["judged"] == 0


@pytest.mark.parametrize("name", ["facts", "groups", "verdicts", "documents"])
def test_what_was_lost_is_made_again(tmp_path, whole, blocks, shared, name):
    blocks(7)
    run(tmp_path / "run", limit=12)
    (tmp_path / "run" / f"{name}.jsonl").unlink()
    run(tmp_path / "run", workers=2)
    assert files(tmp_path / "run") == files(whole)


def test_progress_counts_all(tmp_path, blocks, shared):
    blocks(7)
    run(tmp_path / "run", limit=10)
    seen: list[tuple[int, int]] = []
    settings = Config(input=SHIPPED.biographies, pages=SHIPPED.pages, workers=2)
    score(settings, out=tmp_path / "run", progress=lambda *count: seen.append(count))
    assert seen[-1] == (30, 30)
    assert seen == sorted(seen)


class Mine(BuiltinVerifier):
    """A role of a user's own, that can be sent."""


class Held(BuiltinVerifier):
    """One that cannot be sent."""

    def __init__(self):
        super().__init__()
        self.file = open(os.devnull)  # noqa: SIM115

    def __del__(self):
        self.file.close()


@pytest.mark.slow
def test_the_python_interface(tmp_path, blocks):
    blocks(7)
    usual = Scorer(pages=str(SHIPPED.pages)).score_many(str(SHIPPED.biographies))
    over = Scorer(pages=str(SHIPPED.pages), workers=2).score_many(str(SHIPPED.biographies))
    assert [r.record for r in over] == [r.record for r in usual]
    assert over.summary == usual.summary
    usual.save(tmp_path / "usual")
    over.save(tmp_path / "over")
    assert files(tmp_path / "over") == files(tmp_path / "usual")


def test_roles_that_are_sent_or_named():
    records = [{"name": "Ann", "text": "Ann sang.", "passages": [{"title": "Ann", "text": "A."}]}]
    (result,) = Scorer(verifier=Mine(), workers=2).score_many(records)
    assert result.status == "scored"
    with pytest.raises(InputError, match=r"the verifier cannot be sent.*Held.*workers=1"):
        Scorer(verifier=Held(), workers=2).score_many(records)
    with pytest.raises(InputError, match="workers=-1 is not a number of processes"):
        Scorer(workers=-1)


def test_not_with_a_language_model(tmp_path):
    with pytest.raises(InputError, match=r"one process.*raise --concurrency"):
        run(tmp_path / "run", engine="llm", model="m", base_url="http://127.0.0.1:9", workers=2)
    assert not (tmp_path / "run").exists()


def test_a_worker_that_would_judge_otherwise_is_refused(tmp_path, monkeypatch, blocks, shared):
    blocks(7)
    monkeypatch.setattr(worker_judges, "versions", lambda: {**versions(), "dfactscore": "9.9"})
    with pytest.raises(RunError, match=r"would judge otherwise.*versions.dfactscore was '9\.9'"):
        run(tmp_path / "run", workers=2)
    assert not (tmp_path / "run" / "verdicts.jsonl").read_bytes()


def test_other_pages_are_refused(tmp_path):
    pages = tmp_path / "pages.jsonl"
    pages.write_bytes(SHIPPED.pages.read_bytes())
    job = open_job(Config(input=SHIPPED.biographies, pages=pages, workers=2))
    settings = describe_settings(job.engine, job.source, job.options, job.candidates)
    same = worker_judges.CheckedJudges(job.judges, settings)
    assert same.open().source.snapshot == job.source.snapshot
    pages.write_bytes(SHIPPED.pages.read_bytes() + b"\n")
    with pytest.raises(RunError, match=r"would judge otherwise.*settings\.pages\.sha256 was"):
        same.open()


class Cluster(SerialExecutor):
    """Stands for a cluster of two: all in this process."""

    workers = 2

    def __init__(self, refused: str = "") -> None:
        self.files: list[Path] = []
        self.closed = 0
        self._refused = refused

    def check_files(self, paths):
        self.files += paths
        if self._refused:
            raise WorkerError(self._refused)

    def close(self):
        self.closed += 1

    def __exit__(self, *_):
        self.close()


def test_a_cluster_is_asked_for_the_pages_first(tmp_path, whole, monkeypatch, blocks):
    blocks(7)
    cluster = Cluster()
    monkeypatch.setattr("dfactscore._jobs.workers.open_executor", lambda *_: cluster)
    run(tmp_path / "run", workers=2, on="ray")
    assert cluster.files == [SHIPPED.pages]
    assert cluster.closed == 1
    assert files(tmp_path / "run") == files(whole)
    (session,) = sessions(tmp_path / "run")
    assert (session["workers"], session["executor"]) == (2, "ray")
    refused = Cluster("a node lacks the pages")
    monkeypatch.setattr("dfactscore._jobs.workers.open_executor", lambda *_: refused)
    with pytest.raises(WorkerError, match="lacks the pages"):
        run(tmp_path / "other", workers=2, on="ray")
    assert refused.closed == 1
    assert not (tmp_path / "other").exists()


def test_pages_of_a_wiki_are_read_by_one_process(blocks):
    class Wiki:
        def revisions(self):
            return {}

    blocks(7)
    job = replace(open_job(Config(input=SHIPPED.biographies, workers=2)), source=Wiki())
    with pytest.raises(InputError, match="read by one process"):
        job.open_workers(4)


# Scores over workers with small blocks, in a process that can be killed.
SCRIPT = """
import sys
from pathlib import Path
import dfactscore._jobs.job as job
from dfactscore._scorer.command import score
from dfactscore._jobs.settings import Config

job.BLOCK = 3
source, pages, out, workers = sys.argv[1:]
score(Config(input=Path(source), pages=Path(pages), out=Path(out), workers=int(workers)))
"""


def start(out: Path, workers: int) -> subprocess.Popen[bytes]:
    arguments = [str(SHIPPED.biographies), str(SHIPPED.pages), str(out), str(workers)]
    return subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments])


def children(pid: int) -> list[int]:
    """The processes that a process has started, in any of its threads, and that are there."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended
            found += map(int, task.read_text().split())
    return found


def gone(pids: list[int]) -> bool:
    """Waits until processes have ended."""
    for _ in range(200):
        if not any(Path(f"/proc/{pid}/cmdline").exists() and _alive(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


KILLS = int(os.environ.get("WORKER_KILLS", "2"))
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds child processes in /proc"
)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("victim", ["worker", "writer"])
def test_killed_at_random_moments(tmp_path, whole, victim):
    chance = random.Random(victim)
    kills = 0
    seen: set[int] = set()
    for turn in range(6 * KILLS):
        process = start(tmp_path / "run", workers=1 + (turn + 1) % 3)
        while process.poll() is None:
            workers = children(process.pid)
            seen.update(workers)
            if workers and kills < KILLS:
                time.sleep(chance.random() * 1.5)
                workers = children(process.pid) or [process.pid]
                seen.update(workers)
                target = chance.choice(workers) if victim == "worker" else process.pid
                with suppress(ProcessLookupError):  # it has just ended
                    os.kill(target, signal.SIGKILL)
                    kills += 1
            time.sleep(0.01)
        assert gone(sorted(seen))
        if process.returncode == 0 and kills >= KILLS:
            break
        if process.returncode == 0:
            shutil.rmtree(tmp_path / "run")
    assert kills >= KILLS
    assert files(tmp_path / "run") == files(whole)
