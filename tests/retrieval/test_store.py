from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._errors import StoreError
from dfactscore.retrieval._knowledge import MissingPage
from dfactscore.retrieval._store import PageStore, build_store


def pages(count=500):
    for n in range(count):
        aliases = (f"alias {n}", f"Alias_{n}_too") if n % 3 == 0 else ()
        yield Page(title=f"Page {n}", text=f"text {n} " * 50, id=str(n), redirects=aliases)


def test_round_trip_keeps_every_field(tmp_path):
    page = Page("T", "x\ny", "7", "http://u", "12", "2023-04-01T00:00:00Z", "CC BY-SA 4.0", ("R",))
    info = build_store([page], tmp_path / "s.sqlite", source="dump", snapshot="2023-04-01")
    with PageStore(tmp_path / "s.sqlite") as store:
        assert store.lookup("T") == page
        assert store.lookup("R") == page
        assert list(store.pages()) == [Page(*(getattr(page, f) for f in page.__slots__[:7]))]
        assert (store.info, store.snapshot, len(store)) == (info, "2023-04-01", 1)


def test_redirect_chains_end_at_a_page_and_dead_ones_are_counted(tmp_path):
    info = build_store(
        [Page("Target", "x"), Page("Real", "y")],
        tmp_path / "s.sqlite",
        redirects=[("B", "C"), ("A", "B"), ("C", "Target"), ("Dead", "No"), ("L", "M"), ("M", "L"),
                   ("Real", "Target"), ("A", "Real")],
    )  # fmt: skip
    store = PageStore(tmp_path / "s.sqlite")
    assert [store.lookup(t).title for t in ("A", "B", "C", "Real")] == ["Target"] * 3 + ["Real"]
    assert isinstance(store.lookup("L"), MissingPage)
    assert (info.redirects, info.dropped_redirects) == (3, 5)
    assert store.lookup("Target").redirects == ("A", "B", "C")


_BUILD = """
import sys, time
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._store import build_store
def pages():
    for n in range(3000):
        if n % 40 == 0: time.sleep(float(sys.argv[2]))
        yield Page(title=f"Page {n}", text=f"text {n} " * 150, redirects=(f"alias {n}",))
build_store(pages(), sys.argv[1], source="s", batch=100)
"""


@pytest.mark.slow
def test_killed_at_random_moments_it_ends_with_the_same_bytes(tmp_path):
    whole = tmp_path / "whole.sqlite"
    subprocess.run([sys.executable, "-c", _BUILD, str(whole), "0"], check=True)
    path = tmp_path / "killed.sqlite"
    rng, kills = random.Random(5), 0
    while not path.exists() and kills < 6:
        child = subprocess.Popen([sys.executable, "-c", _BUILD, str(path), "0.01"])
        begun = time.monotonic()
        while not (tmp_path / "killed.sqlite.partial").exists() and child.poll() is None:
            time.sleep(0.005)
            assert time.monotonic() - begun < 60
        time.sleep(rng.uniform(0.0, 0.8))
        child.send_signal(signal.SIGKILL)
        child.wait()
        kills += 1
    if not path.exists():
        subprocess.run([sys.executable, "-c", _BUILD, str(path), "0"], check=True)
    assert kills > 1
    assert path.read_bytes() == whole.read_bytes()


def test_a_failing_stream_resumes_and_reports_progress(tmp_path):
    def failing():
        for n, page in enumerate(pages()):
            if n == 333:
                raise KeyboardInterrupt
            yield page

    path = tmp_path / "s.sqlite"
    with pytest.raises(KeyboardInterrupt):
        build_store(failing(), path, batch=100)
    with pytest.raises(StoreError, match="unfinished: run the build again"):
        PageStore(path)
    with pytest.raises(StoreError, match="started with batch '100', not '50'"):
        build_store(pages(), path, batch=50)
    with pytest.raises(StoreError, match=r"started from other pages \(page 300 was 'Page 299'"):
        build_store([Page("Other", "x")] * 400, path, batch=100)
    seen = []
    build_store(pages(), path, batch=100, progress=lambda *step: seen.append(step))
    assert seen == [("pages", 300), ("pages", 400), ("pages", 500)]
    build_store(pages(), tmp_path / "t.sqlite", batch=100)
    assert path.read_bytes() == (tmp_path / "t.sqlite").read_bytes()


def test_bad_places_are_one_clear_line(tmp_path):
    build_store(pages(3), tmp_path / "s.sqlite")
    with pytest.raises(StoreError, match="exists already"):
        build_store(pages(3), tmp_path / "s.sqlite")
    with pytest.raises(StoreError, match=r"no such folder; create it first \(mkdir"):
        build_store(pages(3), tmp_path / "no" / "s.sqlite")
    with pytest.raises(StoreError, match="dump: contains no pages"):
        build_store([], tmp_path / "e.sqlite", source="dump")
    (tmp_path / "ro.sqlite.partial").mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        build_store(pages(3), tmp_path / "ro.sqlite")
    # Not even root may write here.
    with pytest.raises(StoreError, match=r"/proc/s\.sqlite: cannot be written"):
        build_store(pages(3), "/proc/s.sqlite")
    with pytest.raises(StoreError, match="surrogates not allowed"):
        build_store([Page("T", "\ud800")], tmp_path / "u.sqlite")


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "junk.sqlite").write_bytes(b"junk" * 1000)
    with pytest.raises(StoreError, match="cannot be read as a page store"):
        PageStore(tmp_path / "junk.sqlite")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE x (y)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="not a page store; build one with"):
        PageStore(tmp_path / "other.db")
    build_store(pages(), tmp_path / "s.sqlite")
    whole = (tmp_path / "s.sqlite").read_bytes()
    (tmp_path / "cut.sqlite").write_bytes(whole[: len(whole) // 2])

    def read_all():
        for n in range(500):
            PageStore(tmp_path / "cut.sqlite").lookup(f"Page {n}")

    with pytest.raises(StoreError, match=r"cut\.sqlite: (not readable|cannot be read)"):
        read_all()


def test_many_threads_and_a_fork_read_at_once(tmp_path):
    build_store(pages(), tmp_path / "s.sqlite")
    store, wrong = PageStore(tmp_path / "s.sqlite"), []

    def read(seed):
        rng = random.Random(seed)
        for _ in range(300):
            n = rng.randrange(500)
            if store.lookup(f"Page {n}").id != str(n):
                wrong.append(n)

    threads = [threading.Thread(target=read, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert store.lookup("Page 1").id == "1"
    child = os.fork()
    if child == 0:
        os._exit(0 if store.lookup("alias 3").id == "3" else 1)
    assert os.waitpid(child, 0)[1] == 0
    store.close()


def test_a_title_that_no_file_can_hold_is_just_missing(tmp_path):
    build_store(pages(3), tmp_path / "s.sqlite")
    store = PageStore(tmp_path / "s.sqlite")
    assert [isinstance(store.lookup(t), MissingPage) for t in ("\ud800", "", "%", "a\0b")] == [
        True
    ] * 4


def test_one_build_at_a_time(tmp_path):
    def slow():
        for number, page in enumerate(pages(3)):
            if number == 1:
                with pytest.raises(StoreError, match=r"s\.sqlite: another process is writing it$"):
                    build_store(pages(3), tmp_path / "s.sqlite")
            yield page

    assert build_store(slow(), tmp_path / "s.sqlite").pages == 3
