"""SIGKILL of an actor, of a node and of the command on a Ray cluster, at random moments.

    python benchmarks/ray_kills.py [--victims actor node driver] [--kills 20] [--seed 20]

Two Ray nodes in a network of their own (`unshare --net`, as in the tests), which nothing else can
reach. In turn a run is scored (60 recombined biographies, blocks of five) and a hybrid index is
built (3,000 passages) over two actors, and one process is killed at a random moment of it: an
actor, the raylet of the node that has no head, or the process that writes. Where the writer was
killed, the work is resumed with another executor: one process, two local ones, or a Ray cluster.
The files have to be those of one process, and afterwards no actor may be left.
"""

# ruff: noqa: E402
from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "helpers"))

import ray_cluster as cluster
from score_workers import make

WORKS = ("score", "index")
RESUMED = ((1, None), (2, None), (2, "ray"))


def work() -> None:
    """Does what the lines of standard input ask for, and says on standard error when."""
    from hash_encoder import HashEncoder
    from ray_checks import OPTIONS, passages

    from dfactscore.jobs import job
    from dfactscore.jobs.score import score
    from dfactscore.jobs.settings import Config
    from dfactscore.retrieval import build_index
    from dfactscore.workers import open_executor

    job.BLOCK = 5
    tell("ready")
    for line in sys.stdin:
        asked = json.loads(line)
        over = {"workers": asked["workers"], "on": asked["on"]}
        if asked["on"]:
            import ray

            if not ray.is_initialized():  # what joins first stays, for the works that follow
                open_executor(0, "ray")
            while ray.cluster_resources().get("CPU") != 2:  # a node is about to join
                time.sleep(0.1)
        tell("begun")
        if asked["work"] == "score":
            score(Config(input=Path(asked["input"]), out=Path(asked["out"]), **over))
        else:
            with open_executor(**over) as executor:
                out = Path(asked["out"])
                build_index(passages(), out, OPTIONS, encoder=HashEncoder(), executor=executor)
        tell("done")


def tell(word: str) -> None:
    """Says where the work is."""
    print(word, file=sys.stderr, flush=True)


class Driver:
    """A process that does what it is asked, until it is killed.

    Args:
        folder: The cluster's folder.
    """

    def __init__(self, folder: Path) -> None:
        with (folder / "printed").open("ab") as printed:
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / "ray_kills.py"), "--work"],
                env=cluster.environment(folder) | {"PYTHONUNBUFFERED": "1"},
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=subprocess.PIPE,
                text=True,
            )
        self._expect("ready")

    def begin(self, asked: dict[str, Any]) -> None:
        """Asks for work, and waits until it has begun."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        self._expect("begun")

    def done(self) -> None:
        """Waits for the work."""
        self._expect("done")

    def kill(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.communicate()

    def _expect(self, word: str) -> None:
        assert self.process.stderr is not None
        said = []
        for line in self.process.stderr:
            if line.strip() == word:
                return
            said.append(line)
        raise RuntimeError(f"the driver ended before {word!r}: {''.join(said)[-3000:]}")


class Nodes:
    """The two nodes.

    Args:
        folder: Where they write.
    """

    def __init__(self, folder: Path) -> None:
        (folder / "token").write_text("0123456789abcdef" * 4)
        self.folder = folder
        self.head = cluster.start_head(folder)
        self.other = cluster.start_other(folder)

    def other_raylet(self) -> list[int]:
        """The raylet of the node that has no head."""
        mine = f"--node_ip_address={cluster.OTHER}".encode()
        return sorted({*cluster.processes(b"raylet/raylet")} & {*cluster.processes(mine)})

    def restore(self) -> None:
        """Ends what is left of the other node, and starts it again."""
        cluster.end(self.other)
        self.other = cluster.start_other(self.folder)

    def close(self) -> None:
        """Ends both."""
        for process in (self.other, self.head):
            cluster.end(process)


def left(seconds: float = 30) -> list[int]:
    """The actors that are there after so long."""
    until = time.monotonic() + seconds
    while (found := cluster.workers()) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def files(folder: Path) -> dict[str, str]:
    """Digests of all files but the times and the lock."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("timing.json", ".lock")
    }


class Trial:
    """Kills, and what they left.

    Args:
        folder: The cluster's folder.
        seed: Of the moments.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        self.input = make(folder, 60)
        self.nodes = Nodes(folder)
        self.driver = Driver(folder)
        self.whole: dict[str, dict[str, str]] = {}
        self.takes: dict[str, float] = {}
        for kind in WORKS:
            self.whole[kind] = self._done(kind, folder / f"whole-{kind}", 1, None)
            for number in range(2):  # the second is timed: the nodes are warm then
                begin, out = time.monotonic(), folder / f"timed-{kind}{number}"
                assert self._done(kind, out, 2, "ray") == self.whole[kind]
                self.takes[kind] = time.monotonic() - begin

    def _ask(self, kind: str, out: Path, workers: int, on: str | None) -> None:
        asked = {"work": kind, "input": str(self.input), "out": str(out)}
        self.driver.begin({**asked, "workers": workers, "on": on})

    def _done(self, kind: str, out: Path, workers: int, on: str | None) -> dict[str, str]:
        self._ask(kind, out, workers, on)
        self.driver.done()
        return files(out)

    def strike(self, victim: str, number: int) -> tuple[bool, str]:
        """One round; whether the kill met the work running, and what was wrong."""
        kind = WORKS[number % len(WORKS)]
        out = self.folder / f"{victim}{number}"
        self._ask(kind, out, 2, "ray")
        time.sleep(self.chance.random() * self.takes[kind])
        killed, again = self._kill(victim), ""
        if victim == "driver":
            gone = left()
            workers, on = self.chance.choice(RESUMED)
            self.driver = Driver(self.folder)
            found = self._done(kind, out, workers, on)
            again = f"resumed with {workers} {on or 'local'}"
        else:
            try:
                self.driver.done()
            except RuntimeError as error:  # nothing but the writer's own end may end the writer
                again, self.driver = str(error), Driver(self.folder)
            found, gone = files(out), left()
        if victim == "node":
            self.nodes.restore()
        shutil.rmtree(out)
        wrong = [f"{len(gone)} actors left"] if gone else []
        wrong += ["other bytes"] if found != self.whole[kind] else []
        return killed, ", ".join([*wrong, again] if wrong else [])

    def _kill(self, victim: str) -> bool:
        if victim == "driver":
            self.driver.kill()
            return True
        find = cluster.workers if victim == "actor" else self.nodes.other_raylet
        for _ in range(100):  # an early moment: no actor is there yet
            if pids := find():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.chance.choice(pids), signal.SIGKILL)
                    return True
            time.sleep(0.02)
        return False

    def close(self) -> None:
        """Ends all, and says what the commands printed."""
        self.driver.kill()
        self.nodes.close()
        printed = (self.folder / "printed").read_text(errors="replace").splitlines()
        print(f"standard output of the commands: {len(printed)} lines", *printed[:3], sep="\n    ")


def inside(args: argparse.Namespace) -> int:
    """All kills, in the network of their own."""
    cluster.loopback_up()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as place:
        trial = Trial(Path(place), args.seed)
        took = ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in trial.takes.items())
        print(f"without a kill: {took}", flush=True)
        try:
            for victim in args.victims:
                struck = good = number = 0
                while struck < args.kills and number < 3 * args.kills:
                    met, wrong = trial.strike(victim, number)
                    struck, number = struck + met, number + 1
                    good += met and not wrong
                    if wrong:
                        print(f"    {victim} {number}: {wrong}", flush=True)
                bad += struck - good
                print(f"{victim}: {struck} kills in {number} runs, {good} good", flush=True)
        finally:
            trial.close()
    return bad


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--victims", nargs="+", default=["actor", "node", "driver"])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        work()
        return 0
    if args.inside:
        return inside(args)
    apart = ["unshare", "--net", "--map-root-user", sys.executable]
    return subprocess.run([*apart, *sys.argv, "--inside"]).returncode


if __name__ == "__main__":
    from running import run

    run(main)
