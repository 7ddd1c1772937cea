"""Runs blocks on an existing Ray cluster.

Of Ray only its core is used, actors: what passes to and from them is what passes to local
processes.
"""

from __future__ import annotations

import os
import platform
import re
import socket
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError, MissingExtraError, WorkerError
from dfactscore._util.files import digest
from dfactscore._util.numbers import counted
from dfactscore._util.printable import message_line
from dfactscore._version import __version__
from dfactscore.work._executors.executor import named
from dfactscore.work._executors.failure import WorkerFailure
from dfactscore.work._executors.logged import Answer
from dfactscore.work._executors.pool import PoolTask, Worker, WorkerLost, WorkerPool
from dfactscore.work._executors.worker import begin_worker, take_gpus

_START = 180  # seconds for a node to answer the first question, on a busy machine too
_NOTICED = 10  # seconds for the cluster to know that a node is gone
_LOOK = 5  # seconds between looks at whether there can be a core for an actor


class RayWarning(UserWarning):
    """A cluster that takes work from everyone who reaches it."""


class RayExecutor(WorkerPool):
    """Works in actors of a Ray cluster; one that ends, or whose node ends, is replaced.

    Args:
        workers: The number of actors, each of one core; 0 for one per core of the cluster.
        on: ``"ray"`` for the cluster that ``RAY_ADDRESS`` names, or ``"ray://HOST:PORT"``.

    Raises:
        MissingExtraError: If ray is not installed.
        InputError: No cluster is named, or it has fewer cores than workers.
        WorkerError: No cluster answers, it refuses the token, or a node has another version of
            dfactscore or Python.
    """

    def __init__(self, workers: int, on: str) -> None:
        self._ray, self._joined = _join(_address(on))
        try:
            cores = self._cores()
            if workers > cores:
                there = counted(cores, "core")
                raise InputError(f"workers {workers}: the Ray cluster has {there}")
            self._check_versions()
        except BaseException:
            self._leave()
            raise
        begun: set[int] = set()

        def short() -> bool:
            return self._cores() < (workers or cores)

        def start(number: int) -> _Actor:
            # A replacement of an actor may have to share a core with another: its node is lost.
            worker = _Actor(self._ray, number, needs_core=number not in begun, short=short)
            begun.add(number)
            return worker

        super().__init__(workers or cores, start)

    def _cores(self) -> int:
        """Returns the current number."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def _on_each_node(self, function: Callable[..., Any], *arguments: object) -> dict[str, Any]:
        """Returns a function's result on each node, by address; lost nodes have none."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        remote = self._ray.remote(function)
        nodes = {n["NodeID"]: n["NodeManagerAddress"] for n in self._ray.nodes() if n["Alive"]}
        asked = {
            node: remote.options(
                num_cpus=0, scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)
            ).remote(*arguments)
            for node in nodes
        }
        answers = {}
        for node, reference in asked.items():
            address = nodes[node]
            try:
                answers[address] = self._ray.get(reference, timeout=_START)
            except Exception as error:
                if self._is_gone(node):
                    continue
                raise WorkerError(
                    f"the Ray node {address} cannot work ({message_line(error):.300})"
                ) from None
        return answers

    def _is_gone(self, node: str) -> bool:
        """Whether the cluster has lost a node, which it may notice after what ran there failed."""
        for _ in range(_NOTICED):
            if not any(n["Alive"] for n in self._ray.nodes() if n["NodeID"] == node):
                return True
            time.sleep(1)
        return False

    def _check_versions(self) -> None:
        here = (platform.python_version(), __version__)
        for address, there in self._on_each_node(_versions()).items():
            for name, mine, its in zip(("Python", "dfactscore"), here, there, strict=True):
                if mine != its:
                    raise WorkerError(
                        f"the Ray node {address} has {name} {its or 'not installed'}, here is "
                        f"{mine}: install {name} {mine} there"
                    )

    def check_files(self, paths: Iterable[Path]) -> None:
        """Refuses nodes on which files or folders are missing or are others, by SHA-256."""
        wanted = {str(Path(path).resolve()): digest(Path(path)) for path in paths}
        for address, found in self._on_each_node(_digests, list(wanted)).items():
            for path, hashed in wanted.items():
                if found[path] != hashed:
                    problem = "is another file" if found[path] else "is not there"
                    raise WorkerError(
                        f"the Ray node {address}: {path} {problem} (SHA-256 {hashed[:12]}… here); "
                        "put it at the same place on every node"
                    )

    def close(self) -> None:
        """Ends the actors and leaves the cluster."""
        super().close()
        self._leave()

    def _leave(self) -> None:
        if self._joined:
            self._joined = False
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


def _join(address: str) -> tuple[Any, bool]:
    """The module, connected, and whether this call connected it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError:
        raise MissingExtraError("Working on Ray", "ray") from None
    if ray.is_initialized():
        return ray, False
    try:
        _knock(address)
    except OSError as error:
        raise WorkerError(
            f"no Ray cluster answers at {address} ({message_line(error):.200}); is it running?"
        ) from None
    try:
        _notices_to_standard_error()
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
        warnings.warn(
            f"the Ray cluster at {address} has no token: everyone who reaches it can run code "
            "there; start it and this command with RAY_AUTH_MODE=token",
            RayWarning,
            stacklevel=4,
        )
    return ray, True


def _knock(address: str) -> None:
    """Fails if nothing listens: Ray itself would try for a minute or more.

    Raises:
        OSError: Nothing answers, or the address is not one.
    """
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address.startswith("ray://") and not colon:
        host, colon, port = port, ":", "10001"  # where Ray's clients knock
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Ray writes a line for each attempt to connect; what went wrong is said in one, here."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)  # its lines come from C++
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _notices_to_standard_error() -> None:
    """Moves what Ray tells about lost workers and nodes away from standard output.

    That belongs to the command, whose output other programs read. Ray has no setting for it: in a
    driver a thread prints the notices, in a client the stream of the server's log does.
    """
    try:
        from ray._private import worker
        from ray.util.client.logsclient import LogstreamClient

        printed, streamed = worker.print_to_stdstream, LogstreamClient.stdstream
    except (ImportError, AttributeError):  # another version of Ray has them elsewhere
        return
    if hasattr(printed, "dfactscore"):  # moved already
        return

    def print_to_stdstream(data: dict[str, Any], *args: Any, **more: Any) -> None:
        printed({**data, "is_err": True}, *args, **more)

    def stdstream(self: Any, level: int, msg: str) -> None:
        streamed(self, level=-2, msg=msg)

    print_to_stdstream.dfactscore = True  # type: ignore[attr-defined]
    worker.print_to_stdstream, LogstreamClient.stdstream = print_to_stdstream, stdstream


def _versions() -> Callable[[], tuple[str, str]]:
    """Returns a function that reads a node's versions; sent as code, for a node may lack them."""

    def versions() -> tuple[str, str]:
        try:
            from dfactscore._version import __version__ as version
        except ImportError:
            version = ""
        return platform.python_version(), version

    return versions


def _digests(paths: list[str]) -> Mapping[str, str]:
    """SHA-256 of each path; empty if it cannot be read."""
    found = {}
    for path in paths:
        try:
            found[path] = digest(Path(path)) if Path(path).exists() else ""
        except Exception:
            found[path] = ""
    return found


class RayWorker:
    """The class of an actor.

    Args:
        number: The worker's number, from 0.
    """

    def __init__(self, number: int) -> None:
        begin_worker(number, 1)
        self._number = number
        self._work: Callable[[Any], Answer] | None = None

    def begin(self, function: Callable[[Any], Answer], gpus: int) -> WorkerFailure | None:
        """Takes the function of a task."""
        try:
            take_gpus(0, gpus)  # an actor sees its own GPUs only
            self._work = function
        except BaseException as error:
            return WorkerFailure(error)
        return None

    def work(self, block: Any) -> Answer:
        """Returns the result of a block."""
        assert self._work is not None
        return self._work(block)


class _Actor(Worker):
    """An actor, as it is called from here."""

    def __init__(self, ray: Any, number: int, needs_core: bool, short: Callable[[], bool]) -> None:
        self._ray, self._number, self._cores = ray, number, int(needs_core)
        self._short, self._answered = short, False
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

    def call(self, task: PoolTask, block: object) -> Answer:
        """Sends a block, and its function before the first, and waits for the answer."""
        name = named(task.function)
        if self._actor is None or task.gpus != self._gpus:
            self.end()
            self._start(task.gpus)
        if task is not self._task:
            failure = self._ask(self._actor.begin, name, task.sent, task.gpus)
            if failure is not None:
                raise failure.exception()
            self._task = task
        answer: Answer = self._ask(self._actor.work, f"a block of {name}", block)
        return answer

    def _ask(self, method: Any, what: str, *arguments: object) -> Any:
        errors = self._ray.exceptions
        try:
            reference = method.remote(*arguments)
            while True:
                try:
                    answer = self._ray.get(reference, timeout=_LOOK)
                except errors.GetTimeoutError:
                    # A node was lost before the actor had a core: it would wait for ever.
                    if not self._answered and self._cores and self._short():
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
        except Exception as error:  # what cannot be sent, there or back
            line = message_line(str(error).strip().rpartition("\n")[2])
            raise InputError(
                f"{what} cannot be sent to a Ray node ({line:.300}); use one worker"
            ) from error

    def end(self) -> None:
        """Kills the actor."""
        if self._actor is not None:
            with suppress(Exception):  # it may be gone, and the cluster with it
                self._ray.kill(self._actor)
            self._actor, self._task = None, None
