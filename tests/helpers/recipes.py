"""Runs the recipes of the documentation in separate processes, offline."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from dfactscore.examples import example

ROOT = Path(__file__).resolve().parents[2]
PAGES = """
PAGES = {
    "Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996.",
}
TEXT = "Ann Lee is a poet. She rowed for Canada."
"""


def biographies() -> list[str]:
    """Returns some of the shipped biographies as lines."""
    lines = example("people").biographies.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if '"id": "hanley' in line or '"id": "smith' in line]


def run(heading: str, folder: Path, *, before: str = "", after: str = "") -> str:
    """Runs the code below a heading, between two pieces of test code; returns its output."""
    return ended(start(heading, folder, before=before, after=after), folder)


def start(
    heading: str, folder: Path, *, before: str = "", after: str = ""
) -> subprocess.Popen[str]:
    """Starts the code below a heading, between two pieces of test code."""
    write(heading, folder, before=before, after=after)
    return subprocess.Popen(
        [sys.executable, "recipe.py"], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**environment(), **places(folder)},
    )  # fmt: skip


def write(heading: str, folder: Path, *, before: str = "", after: str = "") -> None:
    """Writes ``recipe.py`` and the input of recipes."""
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    section = page.split(f"### {heading}\n")[1].split("\n### ")[0]
    (code,) = re.findall(r"^```python\n(.*?)^```", section, re.S | re.M)
    (folder / "bios.jsonl").write_text("\n".join(biographies()), encoding="utf-8")
    (folder / "recipe.py").write_text(f"{PAGES}{before}\n{code}\n{after}\n", encoding="utf-8")


def environment() -> dict[str, str]:
    """Returns the environment variables of all recipes."""
    return {
        **{k: v for k, v in os.environ.items() if not k.startswith("COV_")},
        "PYTHONPATH": str(ROOT / "tests" / "helpers" / "offline"),
        "HIDDEN_PACKAGES": "torch transformers sklearn",  # no recipe needs them
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "WANDB_ERROR_REPORTING": "false",
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "RAGAS_DO_NOT_TRACK": "true",
    }


def places(folder: Path) -> dict[str, str]:
    """Returns the environment variables of one recipe."""
    return {"HOME": str(folder), "OFFLINE_LOG": str(folder / "refused.txt")}


def ended(process: subprocess.Popen[str], folder: Path) -> str:
    """Waits for a recipe; returns its output."""
    printed, _ = process.communicate(timeout=600)
    return checked(process.returncode, printed, folder)


def checked(status: int, printed: str, folder: Path) -> str:
    """Returns the output of a recipe that must succeed without a network."""
    refused = folder / "refused.txt"
    assert status == 0, printed[-6000:]
    assert not refused.exists(), refused.read_text(encoding="utf-8")
    return printed
