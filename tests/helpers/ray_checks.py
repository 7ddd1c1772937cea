"""Checks to run on the nodes of `ray_cluster`; each function prints one JSON value."""

import json
import sys
import time
from pathlib import Path

import block_functions as work
import ray_checks  # this module, as other processes import it
from hash_encoder import HashEncoder

from dfactscore._errors import DFactScoreError
from dfactscore.retrieval import BuildOptions, Passage, build_index
from dfactscore.retrieval._errors import RecordError
from dfactscore.work._executors import open_executor
from dfactscore.work._executors import ray as module

OPTIONS = BuildOptions(kind="hybrid", factory="IVF8,PQ4x4fs", shard_rows=1100, source_hash="s")


def passages():
    for n in range(3000):
        yield Passage(f"Page {n // 3}", " ".join(f"w{n * k % 397}" for k in range(1, 9)), str(n))


def place(block):
    import ray

    time.sleep(0.2)
    return ray.util.get_node_ip_address()


def slow_square(block):
    folder, number = block
    (Path(folder) / "begun").touch()
    time.sleep(0.4)
    return number * number


def caught(call):
    try:
        return ["done", call()]
    except (DFactScoreError, RecordError) as error:
        return [type(error).__name__, str(error)]


def join(folder):
    begin = time.monotonic()

    def joined():
        open_executor(1, "ray").close()

    return [*caught(joined), time.monotonic() - begin]


def checks(folder):
    found = {}
    for _ in range(100):
        try:
            executor = open_executor(0, "ray")
        except DFactScoreError:  # the second node is about to join
            time.sleep(0.3)
            continue
        if executor.workers == 2:
            break
        executor.close()
        time.sleep(0.3)
    with executor:
        found["workers"] = executor.workers
        found["places"] = sorted(set(executor.map_blocks(ray_checks.place, range(12))))
        found["squares"] = list(executor.map_blocks(work.square, [[n, 2] for n in range(30)]))
        for kind in ("input", "extra", "record"):
            error = caught(lambda kind=kind: list(executor.map_blocks(work.raise_named, [kind])))
            found[kind] = error
        found["lambda"] = caught(lambda: list(executor.map_blocks(lambda block: block, [1])))
        (folder / "kill0").touch()
        found["killed once"] = list(executor.map_blocks(work.kill_self, [str(folder)] * 3))
        for number in range(3):
            (folder / f"kill{number}").touch()
        found["killed thrice"] = caught(
            lambda: list(executor.map_blocks(work.kill_self, [str(folder)]))
        )
        file = folder / "pages.jsonl"
        file.write_text("{}\n")
        found["same file"] = caught(lambda: executor.check_files([file]))
        own = module.digest
        module.digest = lambda path: "0" * 64
        found["other file"] = caught(lambda: executor.check_files([file]))
        found["no file"] = caught(lambda: executor.check_files([folder / "none"]))
        module.digest = own
        build_index(
            passages(), folder / "ray-built", OPTIONS, encoder=HashEncoder(), executor=executor
        )
        found["too many"] = caught(lambda: open_executor(3, "ray"))
        module.__version__ = "9.9"
        found["version"] = caught(executor._check_versions)
    return found


def client(folder):
    with open_executor(2, "ray://127.0.0.2:10001") as executor:
        return list(executor.map_blocks(work.square, [[n] for n in range(9)]))


def build(folder):
    with open_executor(2, "ray") as executor:
        build_index(
            passages(), folder / "killed", OPTIONS, encoder=HashEncoder(), executor=executor
        )


def score(folder):
    """Scores the shipped texts that one process has not finished, over both nodes."""
    from dfactscore._jobs import job
    from dfactscore._jobs.settings import Config
    from dfactscore._scorer.command import score as score_file
    from dfactscore.examples import example

    job.BLOCK = 3
    shipped = example()
    files = {"input": shipped.biographies, "pages": shipped.pages}
    over = {"workers": 2, "on": "ray"}
    score_file(Config(**files, limit=6, out=folder / "scored"))
    score_file(Config(**files, **over, out=folder / "scored"))
    other = folder / "pages.jsonl"
    other.write_bytes(shipped.pages.read_bytes())
    own = module.digest
    module.digest = lambda path: "0" * 64
    refused = Config(input=shipped.biographies, pages=other, **over, out=folder / "refused")
    found = caught(lambda: score_file(refused))
    module.digest = own
    timing = json.loads((folder / "scored" / "timing.json").read_text())
    return {"refused": found, "timing": timing["sessions"]}


def lose_node(folder):
    with open_executor(2, "ray") as executor:
        blocks = ((str(folder), number) for number in range(20))
        return list(executor.map_blocks(ray_checks.slow_square, blocks))


if __name__ == "__main__":
    answer = globals()[sys.argv[1]](Path(sys.argv[2]))
    print("\n" + json.dumps(answer))
