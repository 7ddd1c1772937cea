"""The notebooks run, and show real output."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NAMES = (
    "01_factscore_vs_dfactscore",
    "02_generate_ambiguous_biographies",
    "03_entity_mixing",
    "04_rag",
)


@pytest.fixture(scope="module")
def execute():
    for module in ("nbclient", "ipykernel", "matplotlib"):
        pytest.importorskip(module)
    spec = importlib.util.spec_from_file_location("execute", FOLDER / "execute.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.execute


def outputs(notebook):
    """Returns each code cell's outputs: printed text, and the types of displayed objects."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            printed = "".join(o.text for o in cell.outputs if o.output_type == "stream")
            shown = [sorted(o.data) for o in cell.outputs if "data" in o]
            found.append((printed, shown))
    return found


def test_there_is_one_for_each_use():
    assert tuple(path.stem for path in NOTEBOOKS) == NAMES


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_executes_and_shows_the_same(path, execute, tmp_path):
    saved = nbformat.read(path, as_version=4)
    again = execute(path, tmp_path)
    for cell in again.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text
    hint = "run python notebooks/execute.py"
    for old, new in zip(outputs(saved), outputs(again), strict=True):
        assert old == new, hint
    assert not list(tmp_path.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_saved_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    text = path.read_text(encoding="utf-8")
    assert not re.search(r'"?/(?:tmp|home|root|usr|work|Users)/', text)
    assert "execution" not in {key for cell in notebook.cells for key in cell.metadata}
    shown = outputs(notebook)
    numbers = re.findall(r"\d+\.\d+", "".join(printed for printed, _ in shown))
    assert len(numbers) >= 20
    assert any("image/png" in kinds for _, kinds in shown for kinds in kinds)
    counts = [c.execution_count for c in notebook.cells if c.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_the_first_cell_installs_what_is_needed(path, monkeypatch):
    """It installs from the checkout, and only if something is missing."""
    import subprocess

    notebook = nbformat.read(path, as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    asked = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: asked.append(command))
    monkeypatch.chdir(FOLDER)
    exec(first.source, {})
    assert asked == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    exec(first.source, {})
    assert asked[0][1:] == ["-m", "pip", "install", "-q", f"{FOLDER.parent}[plot]"]
