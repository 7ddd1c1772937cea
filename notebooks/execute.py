"""Executes the notebooks and saves their outputs: ``python notebooks/execute.py``.

Each notebook runs in a temporary folder. Outputs that change from run to run, such as times, are
not saved.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

__all__ = ["HERE", "execute"]

HERE = Path(__file__).resolve().parent


def execute(path: Path, folder: Path, *, timeout: int = 300) -> Any:
    """Runs a notebook with its outputs removed.

    Args:
        path: The notebook.
        folder: The working directory; outputs go there.
        timeout: Seconds for one cell.

    Returns:
        The notebook with new outputs.

    Raises:
        nbclient.exceptions.CellExecutionError: If a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    state = folder / ".jupyter"
    (state / "runtime").mkdir(parents=True)
    found = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "IPYTHONDIR": str(state / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(state / "runtime"),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONPATH": os.pathsep.join(found),  # the notebooks run elsewhere
    }
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=environment)
    return _stable(notebook)


def _stable(notebook: Any) -> Any:
    """Removes outputs that depend on machine or time; renumbers ids by position."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id, cell.metadata = f"cell-{number}", {}
        outputs: list[Any] = []
        for output in cell.get("outputs", ()):
            if "metadata" in output:
                output.metadata = {}
            last = outputs[-1] if outputs else {}
            if "name" in output and output.name == last.get("name"):
                last["text"] += output.text  # timing decides how printed text is divided
            else:
                outputs.append(output)
        if cell.cell_type == "code":
            cell.outputs = outputs
    return notebook


def main() -> None:
    """Executes all notebooks, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path)
    for path in parser.parse_args().notebooks or sorted(HERE.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            notebook = execute(path, Path(folder))
        temporary = path.with_suffix(".part")
        temporary.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        temporary.replace(path)
        print(path.name)


if __name__ == "__main__":
    main()
