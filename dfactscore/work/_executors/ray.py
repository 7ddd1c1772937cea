"""Runs blocks on an existing Ray cluster.

Only actors, which are part of Ray's core, are used; they exchange the same messages as local
processes.
"""

from __future__ import annotations

import os
import platform
import re
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dfactscore._errors import DFactScoreWarning, InputError, MissingExtraError, WorkerError
from dfactscore._util.files import digest
from dfactscore._util.message_text import message_line, warn_caller
from dfactscore._util.numbers import counted
from dfactscore._version import __version__
from dfactscore.work._executors.executor import named
from dfactscore.work._executors.pool import PoolTask, Worker, WorkerLost, WorkerPool
from dfactscore.work._executors.worker import BlockResult, WorkerFailure, begin_worker, take_gpus

_START_SECONDS = 180  # time for a node to answer the first request, even on a busy machine
_LOSS_SECONDS = 10  # time for the cluster to notice that a node has died
_CHECK_SECONDS = 5  # time between checks of whether an actor can still get a core


class RayWarning(DFactScoreWarning):
    """A warning about a cluster that accepts work from anyone who can reach it."""


class RayExecutor(WorkerPool):
    """An executor that uses actors on a Ray cluster; an actor that dies is replaced."""

    def __init__(self, workers: int, on: str) -> None:
        self._ray, self._is_connected = _connect(_address(on))
        try:
            cores = self._cores()
            if workers > cores:
                raise InputError(f"workers {workers}: the Ray cluster has {counted(cores, 'core')}")
            self._check_versions()
        except BaseException:
            self._disconnect()
            raise
        started: set[int] = set()

        def lacks_cores() -> bool:
            return self._cores() < (workers or cores)

        def start(number: int) -> _Actor:
            # If a node is lost, an actor's replacement may have to share a core.
            needs_core = number not in started
            started.add(number)
            return _Actor(self._ray, number, needs_core=needs_core, lacks_cores=lacks_cores)

        super().__init__(workers or cores, start)

    def _cores(self) -> int:
        """Returns the current number of cores in the cluster."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def _on_each_node(self, function: Callable[..., Any], *arguments: object) -> dict[str, Any]:
        """Calls a function on each node; returns the results by address, omitting lost nodes."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        remote = self._ray.remote(function)
        nodes = {n["NodeID"]: n["NodeManagerAddress"] for n in self._ray.nodes() if n["Alive"]}
        references = {
            node: remote.options(
                num_cpus=0, scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)
            ).remote(*arguments)
            for node in nodes
        }
        answers = {}
        for node, reference in references.items():
            address = nodes[node]
            try:
                answers[address] = self._ray.get(reference, timeout=_START_SECONDS)
            except Exception as error:
                if self._is_gone(node):
                    continue
                raise WorkerError(
                    f"the Ray node {address} cannot work ({message_line(error):.300})"
                ) from None
        return answers

    def _is_gone(self, node: str) -> bool:
        """Whether the cluster has lost a node; it may notice this some time after a failed call."""
        for _ in range(_LOSS_SECONDS):
            if not any(n["Alive"] for n in self._ray.nodes() if n["NodeID"] == node):
                return True
            time.sleep(1)
        return False

    def _check_versions(self) -> None:
        here = (platform.python_version(), __version__)
        for address, there in self._on_each_node(_versions()).items():
            for name, ours, theirs in zip(("Python", "dfactscore"), here, there, strict=True):
                if ours != theirs:
                    raise WorkerError(
                        f"the Ray node {address} has {name} {theirs or 'not installed'}, here is "
                        f"{ours}: install {name} {ours} there"
                    )

    def check_files(self, paths: Iterable[Path]) -> None:
        """Checks the files of each node; see `Executor.check_files`."""
        expected = {str(Path(path).resolve()): digest(Path(path)) for path in paths}
        for address, digests in self._on_each_node(_digests, list(expected)).items():
            for path, hashed in expected.items():
                if digests[path] != hashed:
                    problem = "is another file" if digests[path] else "is not there"
                    raise WorkerError(
                        f"the Ray node {address}: {path} {problem} (SHA-256 {hashed[:12]}… here); "
                        "put it at the same place on every node"
                    )

    def close(self) -> None:
        """Stops the actors and disconnects from the cluster."""
        super().close()
        self._disconnect()

    def _disconnect(self) -> None:
        if self._is_connected:
            self._is_connected = False
            self._ray.shutdown()


def _address(on: str) -> str:
    if on.startswith("ray://"):
        return on
    if on != "ray":
        raise InputError(f"on {on!r}: give 'ray' or 'ray://HOST:PORT', or leave it out")
    address = os.environ.get("RAY_ADDRESS", "")
    if not address or address == "local":
        raise InputError(
            "on 'ray' needs the cluster's address in RAY_ADDRESS (HOST:PORT), or give "
            "'ray://HOST:PORT'; no cluster is started"
        )
    if address != "auto" and not re.fullmatch(r"ray://[^/]+|[^/]+:\d+", address):
        raise InputError(f"RAY_ADDRESS {address!r}: give HOST:PORT or ray://HOST:PORT")
    return address


def _connect(address: str) -> tuple[Any, bool]:
    """Connects to the cluster; returns the ray module and whether this call connected it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError:
        raise MissingExtraError("Working on Ray", "ray") from None
    if ray.is_initialized():
        return ray, False
    try:
        _check_port(address)
    except OSError as error:
        raise WorkerError(
            f"no Ray cluster answers at {address} ({message_line(error):.200}); is it running?"
        ) from None
    try:
        _redirect_notices()
        with _quiet():
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
    except Exception as error:
        secret = os.environ.get("RAY_AUTH_MODE") == "token"
        advice = (
            "is its token the one in RAY_AUTH_TOKEN_PATH"
            if secret
            else ("does it need a token (RAY_AUTH_MODE=token, RAY_AUTH_TOKEN_PATH)")
        )
        reason = message_line(error).partition(". ")[0]
        raise WorkerError(
            f"the Ray cluster at {address} cannot be joined ({reason:.200}); {advice}?"
        ) from None
    if os.environ.get("RAY_AUTH_MODE") != "token":
        warn_caller(
            f"the Ray cluster at {address} has no token: everyone who reaches it can run code "
            "there; start it and this command with RAY_AUTH_MODE=token",
            RayWarning,
        )
    return ray, True


def _check_port(address: str) -> None:
    """Checks that the port is open, since Ray would keep trying to connect for a minute or more."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address.startswith("ray://") and not colon:
        host, colon, port = port, ":", "10001"  # the default port of Ray clients
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences Ray's line for each connection attempt, so that the error message is one line."""
    stderr, devnull = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)  # the lines come from C++
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(devnull)


def _redirect_notices() -> None:
    """Redirects Ray's notices about lost workers and nodes to standard error.

    Other programs may read the standard output of a command. Ray has no setting for this: in a
    driver, a thread prints the notices; in a client, the stream that forwards the server's log
    prints them.
    """
    try:
        from ray._private import worker
        from ray.util.client.logsclient import LogstreamClient

        printed, streamed = worker.print_to_stdstream, LogstreamClient.stdstream
    except (ImportError, AttributeError):  # another version of Ray
        return
    if hasattr(printed, "dfactscore"):  # already redirected
        return

    def print_to_stdstream(data: dict[str, Any], *args: Any, **more: Any) -> None:
        printed({**data, "is_err": True}, *args, **more)

    def stdstream(self: Any, level: int, msg: str) -> None:
        streamed(self, level=-2, msg=msg)

    print_to_stdstream.dfactscore = True  # type: ignore[attr-defined]
    worker.print_to_stdstream, LogstreamClient.stdstream = print_to_stdstream, stdstream


def _versions() -> Callable[[], tuple[str, str]]:
    """Returns a function that reads a node's versions; Ray sends its code to the node."""

    def versions() -> tuple[str, str]:
        try:
            from dfactscore._version import __version__ as version
        except ImportError:
            version = ""
        return platform.python_version(), version

    return versions


def _digests(paths: list[str]) -> Mapping[str, str]:
    """Returns the SHA-256 of each path, or an empty string if it cannot be read."""
    digests = {}
    for path in paths:
        try:
            digests[path] = digest(Path(path)) if Path(path).exists() else ""
        except Exception:
            digests[path] = ""
    return digests


class RayWorker:
    """The class that actors are instances of."""

    def __init__(self, number: int) -> None:
        begin_worker(number, 1)
        self._number = number
        self._work: Callable[[Any], BlockResult] | None = None

    def begin(self, function: Callable[[Any], BlockResult], gpus: int) -> WorkerFailure | None:
        """Sets the function that processes the blocks of a task."""
        try:
            take_gpus(0, gpus)  # an actor sees only its own GPUs
            self._work = function
        except BaseException as error:
            return WorkerFailure(error)
        return None

    def work(self, block: Any) -> BlockResult:
        """Processes a block and returns the result."""
        assert self._work is not None
        return self._work(block)


class _Actor(Worker):
    """The local handle for an actor."""

    def __init__(
        self, ray: Any, number: int, needs_core: bool, lacks_cores: Callable[[], bool]
    ) -> None:
        self._ray, self._number, self._cores = ray, number, int(needs_core)
        self._lacks_cores, self._answered = lacks_cores, False
        self._task: PoolTask | None = None
        self._actor: Any = None
        self._gpus = 0

    def _start(self, gpus: int) -> None:
        self._actor = (
            self._ray.remote(RayWorker)
            .options(
                num_cpus=self._cores, num_gpus=gpus, max_restarts=0, scheduling_strategy="SPREAD"
            )
            .remote(self._number)
        )
        self._gpus, self._answered = gpus, False

    def call(self, task: PoolTask, block: object) -> BlockResult:
        """Sends a block, preceded by the function if that is new, and waits for the answer."""
        name = named(task.function)
        if self._actor is None or task.gpus != self._gpus:
            self.end()
            self._start(task.gpus)
        if task is not self._task:
            failure = self._ask(self._actor.begin, name, task.sent, task.gpus)
            if failure is not None:
                raise failure.exception()
            self._task = task
        answer: BlockResult = self._ask(self._actor.work, f"a block of {name}", block)
        return answer

    def _ask(self, method: Any, what: str, *arguments: object) -> Any:
        errors = self._ray.exceptions
        try:
            reference = method.remote(*arguments)
            while True:
                try:
                    answer = self._ray.get(reference, timeout=_CHECK_SECONDS)
                except errors.GetTimeoutError:
                    # If a node is lost before the actor has a core, the actor would wait forever.
                    if not self._answered and self._cores and self._lacks_cores():
                        raise WorkerLost("the cluster has lost its core") from None
                    continue
                self._answered = True
                return answer
        except WorkerLost:
            raise
        except (
            errors.RayActorError,
            errors.ObjectLostError,
            errors.NodeDiedError,
            errors.WorkerCrashedError,
        ) as error:
            raise WorkerLost(message_line(str(error).partition("\n")[0])) from None
        except Exception as error:  # function or result cannot be sent
            line = message_line(str(error).strip().rpartition("\n")[2])
            raise InputError(
                f"{what} cannot be sent to a Ray node ({line:.300}); use one worker"
            ) from error

    def end(self) -> None:
        """Kills the actor."""
        if self._actor is not None:
            with suppress(Exception):  # actor and cluster may be dead
                self._ray.kill(self._actor)
            self._actor, self._task = None, None
