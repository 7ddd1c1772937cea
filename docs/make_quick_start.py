"""Runs the commands on the quick start and other pages, and inserts their output.

``python docs/make_quick_start.py``. A line ``…`` stands for omitted lines. The most similar of the
next printed lines replaces each other line, so that the pages keep showing the same lines.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGES = ("index.md", "own_model.md", "mixing.md")
_FILES = re.compile(r'```\w+ title="(.*?)"\n(.*?)```', re.S)
_COMMANDS = re.compile(r"(```console\n\$ )(dfactscore .*?)\n(.*?)(```)", re.S)


def write_files(page: str, folder: Path) -> None:
    """Writes the files that the page shows."""
    for title, text in _FILES.findall(page):
        included = re.fullmatch(r'--8<-- "(.*)"\n', text)
        text = (ROOT / included[1]).read_text(encoding="utf-8") if included else text
        (folder / title).write_text(text, encoding="utf-8")


def write_examples(folder: Path) -> None:
    """Writes the shipped pages under the name in the commands, unless the file exists."""
    from dfactscore.examples import example

    if not (folder / "pages.jsonl").exists():
        shutil.copy(example("people").pages, folder / "pages.jsonl")


def render(page: str, run: Callable[[str], str]) -> str:
    """Returns a page with the current output of its commands.

    Args:
        page: The current page.
        run: Returns the standard output of a command.
    """

    def block(found: re.Match[str]) -> str:
        start, command, shown, end = found.groups()
        return f"{start}{command}\n{_shown(shown, run(command))}{end}"

    return _COMMANDS.sub(block, page)


def _shown(before: str, printed: str) -> str:
    lines, rest = [], printed.splitlines()
    for line in before.splitlines():
        if line != "…" and rest:
            at = max(range(len(rest)), key=lambda i: (_likeness(line, rest[i]), -i))
            line, rest = rest[at], rest[at + 1 :]
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _likeness(one: str, other: str) -> float:
    """Returns the similarity of the words of two lines, without numbers."""
    words = [" ".join(re.sub(r"[\d.,+−]+", "#", line).split()) for line in (one, other)]
    return difflib.SequenceMatcher(None, *words, autojunk=False).ratio()


def main() -> None:
    """Writes the pages."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": path}
    for name in PAGES:
        page = (DOCS / name).read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            write_files(page, Path(folder))
            write_examples(Path(folder))

            def run(command: str, folder: str = folder) -> str:
                arguments = [sys.executable, "-m", *shlex.split(command)]
                done = subprocess.run(
                    arguments, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True
                )
                return done.stdout.decode("utf-8")

            if "runs/demo" in page:
                run("dfactscore demo --out runs/demo")
            (DOCS / name).write_text(render(page, run), encoding="utf-8")


if __name__ == "__main__":
    main()
