"""A Ray cluster of two nodes: what is asked of every executor, and what can be wrong with one.

The nodes live in a network of their own (`unshare --net`), which nothing else can reach.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
from hash_encoder import HashEncoder

from dfactscore._errors import InputError, MissingExtraError, WorkerError
from dfactscore.retrieval import build_index
from dfactscore.work._executors import SERIAL, open_executor
from dfactscore.work._executors.worker import BlockResult

HELPERS = Path(__file__).resolve().parents[3] / "helpers"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The results of `ray_cluster`, and its folder."""
    pytest.importorskip("ray", reason="ray is not installed")
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("unshare is not there: no network of its own for the nodes")
    apart = [unshare, "--net", "--map-root-user"]
    tried = subprocess.run([*apart, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no network of its own can be had: {tried.stderr.strip()}")
    # Ray's sockets lie below it, and their paths must be short.
    folder = Path("/tmp") / f"r{tmp_path_factory.mktemp('ray').stat().st_ino % 10**6}"
    folder.mkdir()
    command = [*apart, sys.executable, str(HELPERS / "ray_cluster.py"), str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
        log = folder / "nodes.log"
        assert done.returncode == 0, done.stderr + (log.read_text() if log.exists() else "")
        yield json.loads(done.stdout), folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answer(process):
    assert process["status"] == 0, process["err"]
    (line,) = filter(None, process["out"].splitlines())  # of Ray nothing, lost workers or not
    return json.loads(line)


pytestmark = pytest.mark.xdist_group("ray")


@pytest.mark.slow
def test_both_nodes_work_and_results_come_in_order(found):
    checks = answer(found[0]["checks"])
    assert checks["workers"] == 2
    assert checks["places"] == ["127.0.0.2", "127.0.0.3"]
    assert checks["squares"] == [[n * n, 4] for n in range(30)]
    assert answer(found[0]["client"]) == [[n * n] for n in range(9)]


@pytest.mark.slow
def test_exceptions_are_those_of_one_process(found):
    checks = answer(found[0]["checks"])
    assert checks["input"] == ["InputError", "ann.txt:3: no name"]
    assert checks["extra"][0] == "MissingExtraError"
    assert checks["record"] == ["RecordError", "a.jsonl:7: no text"]
    assert "cannot be sent to another process" in checks["lambda"][1]


@pytest.mark.slow
def test_lost_actors_are_replaced_three_times(found):
    checks = answer(found[0]["checks"])
    assert checks["killed once"] == ["alive"] * 3
    kind, message = checks["killed thrice"]
    assert kind == "WorkerError"
    assert "block 0 of block_functions.kill_self" in message
    assert "lost 3 times" in message


@pytest.mark.slow
def test_a_lost_node_changes_no_result_and_a_killed_driver_leaves_no_actor(found):
    assert answer(found[0]["node"]) == [n * n for n in range(20)]
    assert found[0]["left"] == 0


@pytest.mark.slow
def test_an_index_has_the_bytes_of_one_process(found, tmp_path):
    import ray_checks

    def digests(folder):
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != ".lock"
        }

    def build(folder):
        build_index(
            ray_checks.passages(),
            folder,
            ray_checks.OPTIONS,
            encoder=HashEncoder(),
            executor=SERIAL,
        )
        return digests(folder)

    serial = build(tmp_path / "serial")
    assert digests(found[1] / "ray-built") == serial
    killed = found[1] / "killed"  # its driver was killed; another executor resumes
    assert (killed / "building.json").exists() or digests(killed) == serial
    assert build(killed) == serial


@pytest.mark.slow
def test_a_run_has_the_bytes_of_one_process(found, tmp_path):
    from dfactscore._jobs.settings import Config
    from dfactscore._scorer.command import score
    from dfactscore.examples import example

    def files(folder):
        left = ("timing.json", ".lock")
        return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.name not in left}

    shipped = example()
    score(Config(input=shipped.biographies, pages=shipped.pages, out=tmp_path / "run"))
    said = answer(found[0]["score"])
    assert files(found[1] / "scored") == files(tmp_path / "run")
    begun, session = said["timing"]
    assert begun["judged"] == 6
    assert (session["workers"], session["executor"], session["judged"]) == (2, "ray", 24)
    kind, message = said["refused"]
    assert kind == "WorkerError"
    assert "pages.jsonl is another file" in message
    assert not (found[1] / "refused").exists()


@pytest.mark.slow
def test_nodes_that_differ_are_refused(found):
    checks = answer(found[0]["checks"])
    assert checks["same file"] == ["done", None]
    kind, message = checks["other file"]
    assert kind == "WorkerError"
    assert "pages.jsonl is another file (SHA-256 000000000000…" in message
    assert "none is not there" in checks["no file"][1]
    kind, message = checks["version"]
    assert kind == "WorkerError"
    assert "127.0.0." in message
    assert message.endswith("here is 9.9: install dfactscore 9.9 there")
    assert checks["too many"] == ["InputError", "workers 3: the Ray cluster has 2 cores"]


@pytest.mark.slow
def test_a_wrong_token_and_a_missing_cluster_are_one_line(found):
    for name, begins, ends in (
        ("refused", "the Ray cluster at 127.0.0.2:6380 cannot be joined (",
         "; is its token the one in RAY_AUTH_TOKEN_PATH?"),
        ("absent", "no Ray cluster answers at 127.0.0.2:6399 (", "; is it running?"),
    ):  # fmt: skip
        kind, message, _ = answer(found[0][name])
        assert kind == "WorkerError"
        assert message.startswith(begins)
        assert message.endswith(ends)
        assert "\n" not in message
        assert found[0][name]["err"] == ""


def test_no_cluster_is_started(monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(InputError, match=r"needs the cluster's address in RAY_ADDRESS"):
        open_executor(2, "ray")
    monkeypatch.setenv("RAY_ADDRESS", "local")
    with pytest.raises(InputError, match="no cluster is started"):
        open_executor(2, "ray")
    for other in ("http://nowhere:8265", "127.0.0.1"):
        monkeypatch.setenv("RAY_ADDRESS", other)
        with pytest.raises(InputError, match=f"RAY_ADDRESS '{other}': give HOST:PORT or ray://"):
            open_executor(2, "ray")
    with pytest.raises(InputError, match="on 'moon': give 'ray' or"):
        open_executor(2, "moon")


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"extra \[ray\]"):
        open_executor(2, "ray://nowhere:10001")


@pytest.mark.parametrize("secret", [True, False])
def test_a_cluster_without_a_token_is_one_warning(monkeypatch, recwarn, secret):
    """Ray is played here: what it is asked, and what is said."""
    asked = {}
    nothing = types.SimpleNamespace(
        is_initialized=lambda: False,
        init=lambda **options: asked.update(options),
        nodes=list,
        cluster_resources=lambda: {"CPU": 2.0},
        remote=lambda function: None,
        shutdown=lambda: asked.update(left=True),
    )
    scheduling = types.SimpleNamespace(NodeAffinitySchedulingStrategy=None)
    monkeypatch.setattr("dfactscore.work._executors.ray._check_port", lambda address: None)
    monkeypatch.setitem(sys.modules, "ray", nothing)
    monkeypatch.setitem(sys.modules, "ray.util.scheduling_strategies", scheduling)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    monkeypatch.setenv("RAY_AUTH_MODE", "token" if secret else "disabled")
    with open_executor(0, "ray://nowhere:10001") as executor:
        assert executor.workers == 2
    assert asked["address"] == "ray://nowhere:10001"
    assert asked["left"]
    said = [str(warning.message) for warning in recwarn.list]
    assert len(said) == (0 if secret else 1)
    if not secret:
        assert "has no token: everyone who reaches it can run code" in said[0]
    import os

    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def test_what_ray_says_is_one_line(monkeypatch):
    def refuse(**_):
        raise ConnectionError("Failed\nto connect. Make sure that a file is there (e.g. ~/.ray")

    monkeypatch.setattr("dfactscore.work._executors.ray._check_port", lambda address: None)
    nothing = types.SimpleNamespace(is_initialized=lambda: False, init=refuse)
    monkeypatch.setitem(sys.modules, "ray", nothing)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    said = r"^the Ray cluster at ray://n:1 cannot be joined \(Failed to connect\); does it need a"
    with pytest.raises(WorkerError, match=said):
        open_executor(2, "ray://n:1")


class LostCore:
    """Ray, played: two cores until the first actor waits for one; it works once it needs none."""

    class exceptions:
        GetTimeoutError = type("GetTimeoutError", (TimeoutError,), {})
        RayActorError = ObjectLostError = NodeDiedError = WorkerCrashedError = ConnectionError

    def __init__(self):
        self.cores, self.killed, self.asked = 2.0, 0, []

    def remote(self, made):
        return types.SimpleNamespace(options=self._options)

    def _options(self, **options):
        self.asked.append(options["num_cpus"])
        needs = options["num_cpus"]
        begin = types.SimpleNamespace(remote=lambda *_: ("begin", needs))
        work = types.SimpleNamespace(remote=lambda block: ("work", block))
        return types.SimpleNamespace(
            remote=lambda number: types.SimpleNamespace(begin=begin, work=work)
        )

    def get(self, reference, timeout):
        kind, value = reference
        if kind == "work":
            return BlockResult(10 * value, None, [])
        if value:
            self.cores = 1.0
            raise self.exceptions.GetTimeoutError
        return None

    def kill(self, actor):
        self.killed += 1

    def cluster_resources(self):
        return {"CPU": self.cores}


def test_an_actor_whose_core_is_lost_before_it_begins_shares_another(monkeypatch):
    from dfactscore.work._executors import ray as module

    played = LostCore()
    monkeypatch.setattr(module, "_connect", lambda address: (played, False))
    monkeypatch.setattr(module.RayExecutor, "_check_versions", lambda self: None)
    with open_executor(2, "ray://n:1") as executor:
        assert list(executor.map_blocks(abs, range(6))) == [0, 10, 20, 30, 40, 50]
    assert played.asked.count(1) == played.asked.count(0) > 0


def test_a_node_that_is_lost_while_it_is_asked_is_left_out(monkeypatch):
    from dfactscore.work._executors import ray as module

    nodes = [
        {"NodeID": name, "NodeManagerAddress": f"10.0.0.{name}", "Alive": True} for name in "12"
    ]

    class Played(LostCore):
        def nodes(self):
            return nodes

        def remote(self, function):
            def options(num_cpus, scheduling_strategy):
                return types.SimpleNamespace(remote=lambda: scheduling_strategy)

            return types.SimpleNamespace(options=options)

        def get(self, reference, timeout):
            if reference == "2":
                nodes[1]["Alive"] = lost
                raise ConnectionError("not schedulable")
            return "3.11"

    strategies = types.SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, soft: node)
    monkeypatch.setitem(sys.modules, "ray.util.scheduling_strategies", strategies)
    monkeypatch.setattr(module.time, "sleep", lambda seconds: None)
    executor = object.__new__(module.RayExecutor)
    executor._ray = Played()
    lost = False
    assert executor._on_each_node(abs) == {"10.0.0.1": "3.11"}
    nodes[1]["Alive"], lost = True, True
    with pytest.raises(WorkerError, match=r"the Ray node 10\.0\.0\.2 cannot work \(not schedul"):
        executor._on_each_node(abs)
