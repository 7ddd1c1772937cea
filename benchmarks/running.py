"""Helpers of benchmarks: the data folder, times, and one-line errors about missing files."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dfactscore._errors import DFactScoreError

ROOT = Path(__file__).resolve().parent.parent


def default_data() -> Path:
    """Returns the data folder: DFACTSCORE_DATA, else shared/data beside the checkout."""
    return Path(os.environ.get("DFACTSCORE_DATA") or ROOT.parent / "shared" / "data")


def clock(call: Callable[[], Any], repeat: int) -> tuple[float, float]:
    """Returns median wall and CPU seconds."""
    wall, cpu = [], []
    for _ in range(repeat):
        w, c = time.perf_counter(), time.process_time()
        call()
        wall.append(time.perf_counter() - w)
        cpu.append(time.process_time() - c)
    return statistics.median(wall), statistics.median(cpu)


def run(main: Callable[[], Any]) -> None:
    """Calls a benchmark; exits with status 2 if a file or a setting is missing."""
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
