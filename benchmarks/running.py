"""Runs a benchmark: what is missing is one line with what to do, not a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from dfactscore.errors import DFactScoreError

__all__ = ["run"]


def run(main: Callable[[], Any]) -> None:
    """Calls it; exits with 2 where a file or a setting is missing."""
    try:
        status = main()
    except FileNotFoundError as error:
        missing = f"{error.filename}: no such file"
    except ModuleNotFoundError as error:
        missing = f"{error.name} is not installed; pip install '.[dev,gtr,nli,parquet,plot]'"
    except DFactScoreError as error:
        missing = str(error)
    else:
        raise SystemExit(status)
    name = sys.argv[0].rpartition("/")[2]
    print(
        f"{name}: {' '.join(missing.split())} (benchmarks/README.md says what each script reads; "
        "--data FOLDER or DFACTSCORE_DATA names the folder)",
        file=sys.stderr,
    )
    raise SystemExit(2)
