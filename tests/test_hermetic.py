"""The tests read and write none of the user's caches, settings and variables."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import hermetic
import pytest

ROOT = Path(__file__).resolve().parent.parent
INSIDE = """
import json
import os
import subprocess
import sys
from pathlib import Path

from dfactscore._cli.app import main


def run(*words):
    sys.argv = ["dfactscore", *map(str, words)]
    try:
        main()
    except SystemExit as done:
        assert not done.code, words


def test_commands(tmp_path, data, capsys):
    from dfactscore._asking.cache import AnswerCache, default_cache_path
    from dfactscore._asking.search.open import open_search

    assert (data / "mine").exists()
    run("doctor")
    run("demo", "ships", "--out", tmp_path / "run")
    assert "\\x1b" not in capsys.readouterr().out
    AnswerCache(default_cache_path()).close()
    child = "import os, pathlib; print(pathlib.Path.home(), *os.environ)"
    home, *variables = subprocess.check_output([sys.executable, "-c", child], text=True).split()
    assert home == os.environ["HOME"]
    assert not {"DFACTSCORE_MODEL", "https_proxy", "NO_COLOR", "OPENAI_API_KEY"} & {*variables}
    Path(os.environ["SEEN"]).write_text(f"{home} {default_cache_path()}")


def test_another(monkeypatch):
    from dfactscore._asking.cache import default_cache_path

    assert not default_cache_path().exists()  # an answer of the first test's would be found here
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert not default_cache_path().exists()
"""


def _files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.slow
def test_a_home_full_of_another_versions_caches(tmp_path):
    home, data, inside = tmp_path / "home", tmp_path / "data", tmp_path / "inside"
    kept = home / ".cache" / "dfactscore"
    for folder in (data / "mine", inside, kept / "measured", home / ".config" / "matplotlib"):
        folder.mkdir(parents=True)
    with sqlite3.connect(kept / "llm.sqlite") as cache:
        cache.execute("CREATE TABLE answers (key BLOB PRIMARY KEY, answer TEXT)")
    (kept / "wikipedia-en.sqlite").write_text("not a database")
    (kept / "search-wikipedia.sqlite").write_text("not a database")
    (kept / "measured" / f"{0:024}.json").write_text("[]")
    (home / ".config" / "matplotlib" / "matplotlibrc").write_text("backend: none\n")
    (inside / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (inside / "test_inside.py").write_text(INSIDE)
    before = _files(home)
    with hermetic.outside():
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("COV_", "XDG_"))}
    environment |= {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "DFACTSCORE_MODEL": "mine",
        "DFACTSCORE_CONCURRENCY": "many",
        "DFACTSCORE_CACHE": str(kept / "llm.sqlite"),
        "DFACTSCORE_DATA": str(data),
        "OPENAI_API_KEY": "sk-mine",
        "https_proxy": "http://127.0.0.1:9",
        "ALL_PROXY": "socks5://127.0.0.1:9",
        "NO_COLOR": "1",
        "FORCE_COLOR": "1",
        "COLUMNS": "20",
        "LC_ALL": "tr_TR.ISO-8859-9",
        "SEEN": str(tmp_path / "seen"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c",
         str(ROOT / "pyproject.toml"), "--rootdir", str(inside), str(inside)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert _files(home) == before
    used, cache = (tmp_path / "seen").read_text().split()
    assert Path(used) not in (home, Path.home())
    assert used in cache
    assert not Path(used).exists()


def test_what_is_fetched_is_fetched_with_the_users_variables(monkeypatch):
    ours = dict(os.environ)
    monkeypatch.setenv("TESTS_OUTSIDE", json.dumps({"https_proxy": "http://proxy", "HOME": "/me"}))
    with hermetic.outside():
        assert dict(os.environ) == {"https_proxy": "http://proxy", "HOME": "/me"}
    assert {**os.environ, "TESTS_OUTSIDE": ""} == {**ours, "TESTS_OUTSIDE": ""}


def test_ctrl_c_ends_what_is_started_where_a_shell_ignores_it():
    """Shells start background commands with interrupts ignored."""
    program = "import hermetic, signal; hermetic.enter(); print(signal.getsignal(signal.SIGINT))"
    words = [sys.executable, "-c", f"import signal; signal.signal(2, signal.SIG_IGN); {program}"]
    path = str(Path(hermetic.__file__).parent)
    done = subprocess.run(words, capture_output=True, text=True, env={"PYTHONPATH": path})
    assert "default_int_handler" in done.stdout, done.stderr
