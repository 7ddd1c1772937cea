"""Some commands, with one use of a file that fails: one line, and the same command ends well.

`file_faults.py` does so with all commands, as often as one likes.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("file_faults.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="commands run in forks")
@pytest.mark.slow
def test_commands_survive_a_fault_of_a_file():
    names = ("citations", "generate", "index pages", "index add")
    only = [word for name in names for word in ("--only", name)]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--faults", "3", "--seed", "5", *only],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout.strip().endswith("0 faults met badly"), done.stdout + done.stderr
