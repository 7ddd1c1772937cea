"""Isolates this process and its children from the user's home, caches and variables.

A user's data (answers of models, pages, settings in ``DFACTSCORE_*``, keys), terminal, network and
locale do not affect tests. Downloads run with the variables of `outside`.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["enter", "outside", "own_caches"]

_BEFORE = "TESTS_OUTSIDE"  # the user's variables, as JSON: processes of xdist see only ours
_CHECKOUT = Path(__file__).resolve().parents[2]
_KEPT = {"DFACTSCORE_DATA"}  # folder of the measurement data
_DROPPED = re.compile(
    r"""
    (DFACTSCORE|OPENAI|AZURE|ANTHROPIC|SERPER|GOOGLE|XDG|LC|HF|HUGGING_?FACE|TRANSFORMERS|TORCH
    |MPL|NLTK|WANDB|MLFLOW|RAY|INSPECT|LLAMA_INDEX|LANGCHAIN|LANGSMITH|DEEPEVAL|COMP|CLICOLOR|RICH
    |TYPER|_TYPER|HYPOTHESIS)_.*
    | .*_(PROXY|COMPLETE) | MPLCONFIGDIR | MPLBACKEND | LANG | LANGUAGE | TZ | SOURCE_DATE_EPOCH
    | NO_COLOR | FORCE_COLOR | PY_COLORS | CLICOLOR | COLUMNS | LINES | TERM | GITHUB_ACTIONS
    | PAGER | EDITOR | VISUAL | BROWSER
    | PYTHON(WARNINGS|IOENCODING|UTF8|HASHSEED|DONTWRITEBYTECODE|STARTUP|OPTIMIZE)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_numbers = itertools.count()


def enter() -> None:
    """Replaces the user's home, caches and variables, once, before modules read them."""
    if _BEFORE in os.environ:  # a child process of a test run
        return
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell that starts the tests in the background makes them and their programs ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = dict(os.environ)
    home = tempfile.mkdtemp(prefix="tests-home-")
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(home, ignore_errors=True))
    for name in before:
        if _DROPPED.fullmatch(name) and name not in _KEPT:
            del os.environ[name]
    os.environ |= {
        _BEFORE: json.dumps(before),
        "HOME": home,
        "USERPROFILE": home,
        "XDG_CACHE_HOME": str(Path(home, ".cache")),
        "HF_HOME": str(Path(home, "hf")),
        "MPLCONFIGDIR": str(_CHECKOUT / ".cache" / "matplotlib"),  # listing fonts takes seconds
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "xterm",
        "COLUMNS": "80",
        # Threads of one matrix product spin while they wait for each other: on two busy cores,
        # they take tens of times the time of one thread.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "CUDA_VISIBLE_DEVICES": "",  # outputs name the device of a model
    }


def own_caches() -> None:
    """Gives a test separate caches, since two stub servers may get the same port."""
    folder = f"{os.getpid()}-{next(_numbers)}"
    os.environ["XDG_CACHE_HOME"] = str(Path(os.environ["HOME"], "caches", folder))


@contextlib.contextmanager
def outside() -> Iterator[None]:
    """Returns the user's variables (proxies, folders), for downloads of a browser or a wiki."""
    ours = dict(os.environ)
    before = json.loads(ours.get(_BEFORE, "null"))
    try:
        if before is not None:
            os.environ.clear()
            os.environ.update(before)
        yield
    finally:
        os.environ.clear()
        os.environ.update(ours)
