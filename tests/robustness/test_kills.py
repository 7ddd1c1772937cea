"""Each command, killed once at a random moment: the same command ends well, with the same files.

`kills.py` does so as often as one likes.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("kills.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="commands are killed in forks")
@pytest.mark.slow
def test_every_command_survives_a_kill():
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--kills", "1", "--seed", "5"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout.strip().endswith("0 kills met badly"), done.stdout + done.stderr
    for name in ("score", "generate", "citations", "ambigbio build", "index build", "index add",
                 "index pages", "run", "report", "factor ambig", "factor build"):  # fmt: skip
        assert f"\n{name} " in done.stdout
