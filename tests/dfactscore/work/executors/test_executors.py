"""One protocol: order, bounds, exceptions, workers that end."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import block_functions as work
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._errors import InputError, MissingExtraError, WorkerError
from dfactscore.retrieval._errors import RecordError
from dfactscore.work._executors import SerialExecutor, cores, open_executor

HELPERS = str(Path(work.__file__).parent)


@pytest.fixture(scope="module")
def two():
    with open_executor(2) as executor:
        yield executor


@given(st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=12))
def test_results_come_in_the_order_of_the_blocks(two, blocks):
    assert list(two.map_blocks(work.square, blocks)) == list(map(work.square, blocks))
    assert list(SerialExecutor().map_blocks(work.square, blocks)) == list(map(work.square, blocks))


def test_what_workers_log_arrives_at_the_loggers_here(two, caplog, capfd):
    caplog.set_level("INFO", "dfactscore")
    assert list(two.map_blocks(work.logs, [2, 4])) == [2, 4]
    with pytest.raises(InputError, match="odd"):
        list(two.map_blocks(work.logs, [3]))
    lines = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    own = "dfactscore.retrieval"
    assert sorted(lines[:2]) == [(own, "INFO", "block 2"), (own, "INFO", "block 4")]
    assert lines[2:] == [(own, "INFO", "block 3"), ("dfactscore", "WARNING", "100 % odd")]
    caplog.clear()
    caplog.set_level("ERROR", "dfactscore")
    assert list(two.map_blocks(work.logs, [6])) == [6]
    assert caplog.records == []
    assert capfd.readouterr().err == ""


def test_both_workers_work_and_one_worker_starts_no_process(two):
    assert two.workers == 2
    pids = set(two.map_blocks(work.process, range(40)))
    assert os.getpid() not in pids
    assert 1 <= len(pids) <= 2
    with open_executor(1) as one:
        assert set(one.map_blocks(work.process, range(3))) == {os.getpid()}


def test_blocks_are_taken_as_there_is_room(two):
    taken = []
    blocks = (taken.append(n) or [n] for n in range(1000))
    results = two.map_blocks(work.square, blocks)
    for number in range(5):
        assert next(results) == [number * number]
    assert len(taken) <= 5 + 2 * two.workers
    results.close()
    assert list(two.map_blocks(work.square, [[3]])) == [[9]]  # the workers are free for other work


def test_what_a_function_holds_is_made_once_a_worker(two, tmp_path):
    function = work.Scaled(str(tmp_path), b"x" * 300_000)
    assert list(two.map_blocks(function, range(50))) == [10 * n for n in range(50)]
    assert 1 <= len(list(tmp_path.iterdir())) <= 2


@pytest.mark.parametrize("big", [10, 3_000_000])
def test_long_blocks_and_results_pass(two, big):
    blocks = [list(range(big // 10))] * 6
    assert [len(found) for found in two.map_blocks(work.square, blocks)] == [big // 10] * 6


@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        ("input", InputError, "ann.txt:3: no name"),
        ("extra", MissingExtraError, r"needs the extra \[plot\]"),
        ("record", RecordError, "a.jsonl:7: no text"),
        ("unicode", UnicodeDecodeError, "0xff"),
        ("file", FileNotFoundError, "/nowhere/at/all"),
        ("exit", SystemExit, "3"),
        ("local", WorkerError, "Odd: of a class that cannot be sent"),
    ],
)
def test_exceptions_travel_as_themselves_and_in_their_turn(two, kind, error, message):
    results = two.map_blocks(work.raise_named, ["a", "b", kind, "c"])
    assert [next(results), next(results)] == ["a", "b"]
    with pytest.raises(error, match=message) as caught:
        next(results)
    assert type(caught.value) is error
    assert "raise_named" in str(caught.value.__cause__)
    if kind == "record":
        assert (caught.value.where, caught.value.problem) == ("a.jsonl:7", "no text")
    if kind == "extra":
        assert caught.value.extra == "plot"
    if kind == "file":
        assert caught.value.errno == 2


def test_what_cannot_be_sent_is_named(two):
    with pytest.raises(InputError, match=r"<lambda>.* cannot be sent"):
        two.map_blocks(lambda block: block, [1])
    with pytest.raises(InputError, match=r"<lambda>.* cannot be sent"):
        two.map_blocks(partial(lambda block, more: block, more=2), [1])
    with pytest.raises(InputError, match=r"a block of block_functions\.square.*lambda"):
        list(two.map_blocks(work.square, [[lambda: 1]]))
    with pytest.raises(InputError, match=r"block_functions\.square.*lambda"):
        list(two.map_blocks(partial(work.square, lambda: 1), [1]))
    with pytest.raises(InputError, match=r"result for a block of block_functions\.lock_result"):
        list(two.map_blocks(work.lock_result, [1]))
    assert list(two.map_blocks(work.square, [[3]])) == [[9]]


@pytest.mark.slow
def test_a_lost_worker_is_replaced_three_times(tmp_path):
    with open_executor(2) as executor:
        for losses in (1, 2):
            for number in range(losses):
                (tmp_path / f"kill{number}").touch()
            blocks = [str(tmp_path)] * 4
            assert list(executor.map_blocks(work.kill_self, blocks)) == ["alive"] * 4
    once = tmp_path / "once"
    once.mkdir()
    for number in range(3):
        (once / f"kill{number}").touch()
    with (
        open_executor(2) as executor,
        pytest.raises(WorkerError, match=r"block 0 of block_functions\.kill_self .*lost 3 times"),
    ):
        list(executor.map_blocks(work.kill_self, [str(once)]))


def test_an_idle_worker_that_was_killed_is_replaced(two):
    for _ in range(2):
        for pid in set(two.map_blocks(work.process, range(9))):
            os.kill(pid, signal.SIGKILL)
    assert list(two.map_blocks(work.square, [[1], [2]])) == [[1], [4]]


def test_close_ends_workers_in_the_middle_of_a_block(tmp_path):
    import threading

    executor = open_executor(2)
    results = executor.map_blocks(work.slow_pid, [str(tmp_path)] * 4)
    threading.Thread(target=lambda: _quiet(results), daemon=True).start()
    pids = _pids(tmp_path, 2)
    executor.close()
    executor.close()
    assert not any(_alive(pid) for pid in pids)


SCRIPT = """
import sys
sys.path.insert(0, {helpers!r})
import block_functions as work
from dfactscore.work._executors import open_executor
print("began", flush=True)
executor = open_executor(2)  # no guard: a worker does not run this file again
print(list(executor.map_blocks(work.square, [[1], [2], [3]])), flush=True)
{rest}
"""


@pytest.mark.parametrize("busy", ["waits", "lets no thread run", ""])
def test_workers_end_with_a_parent_that_is_killed(tmp_path, busy):
    if busy == "lets no thread run" and not sys.platform.startswith("linux"):
        pytest.skip("only Linux surely ends such a process")
    script = tmp_path / "script.py"
    function = "slow_pid" if busy == "waits" else "pid_without_threads"
    rest = (
        f"list(executor.map_blocks(work.{function}, [{str(tmp_path)!r}] * 4))"
        if busy
        else f"""
import os, time
for pid in set(executor.map_blocks(work.process, range(20))):
    open(os.path.join({str(tmp_path)!r}, f"{{pid}}.pid"), "w").close()
time.sleep(600)"""
    )
    script.write_text(SCRIPT.format(helpers=HELPERS, rest=rest))
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        pids = _pids(tmp_path, 2 if busy else 1)
    finally:
        parent.send_signal(signal.SIGKILL)
        shown, _ = parent.communicate()
    assert shown == "began\n[[1], [4], [9]]\n"
    for _ in range(200):
        if not any(_alive(pid) for pid in pids):
            return
        time.sleep(0.05)
    raise AssertionError("a worker was left behind")


def test_a_script_that_forgets_to_close_ends(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(helpers=HELPERS, rest=""))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("began\n[[1], [4], [9]]\n", "")


@pytest.mark.slow
def test_a_function_of_the_script_is_named(tmp_path):
    script = tmp_path / "script.py"
    rest = "def own(block):\n    pass\nlist(executor.map_blocks(own, [1]))"
    script.write_text(SCRIPT.format(helpers=HELPERS, rest=rest))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "InputError: __main__.own cannot be sent to another process" in done.stderr
    rest = "class Own:\n    pass\nlist(executor.map_blocks(work.square, [[Own()]]))"
    script.write_text(SCRIPT.format(helpers=HELPERS, rest=rest))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "a block of block_functions.square cannot be" in done.stderr
    assert "Own" in done.stderr.rsplit("InputError:", 1)[1]


def test_how_many_workers():
    with open_executor(0) as executor:
        assert executor.workers == cores()
    with pytest.raises(InputError, match="workers -1"):
        open_executor(-1)
    with pytest.raises(InputError, match="on 'moon'"):
        open_executor(2, "moon")


def test_import_loads_no_machinery_of_processes():
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            "import dfactscore, dfactscore.retrieval, dfactscore.ambigbio, sys;"
            "dfactscore.Scorer, dfactscore.score, dfactscore._util;"
            "import dfactscore.work._executors;"
            "print([name for name in ('ray', 'multiprocessing') if name in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == "[]\n"


def _quiet(results):
    with contextlib.suppress(BaseException):
        list(results)


def _pids(folder, count):
    for _ in range(600):
        found = [int(path.stem) for path in folder.glob("*.pid")]
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError("workers did not begin")


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    # a zombie is dead; its new parent may be late to fetch its status
    return not (stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def test_idle_workers_end_by_themselves(tmp_path):
    """Killed, they could not give back what they had (semaphores, of which Python then warns)."""
    with open_executor(2) as executor:
        list(executor.map_blocks(work.Ending(str(tmp_path)), range(8)))
        assert not list(tmp_path.iterdir())
    assert 1 <= len(list(tmp_path.iterdir())) <= 2
