from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from dfactscore._errors import DFactScoreError, MissingExtraError
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._errors import MissingExtraError as AmbigBioMissing
from dfactscore.retrieval._errors import MissingExtraError as RetrievalMissing
from dfactscore.retrieval._errors import RetrievalError


@pytest.fixture
def installed(monkeypatch):
    """Installs the package from somewhere, as far as its metadata say."""

    def put(**origin):
        text = json.dumps(origin) if origin else None
        found = SimpleNamespace(read_text=lambda name: text)
        monkeypatch.setattr(importlib.metadata, "distribution", lambda name: found)

    return put


def test_the_command_fits_how_the_package_was_installed(installed, tmp_path):
    folder = tmp_path / "a check out"
    folder.mkdir()
    installed(url=folder.as_uri(), dir_info={"editable": True})
    assert str(MissingExtraError("Drawing", "plot")) == (
        f"Drawing needs the extra [plot]: pip install -e '{folder}[plot]'"
    )
    installed(url=folder.as_uri(), dir_info={})
    assert str(MissingExtraError("Drawing", "plot")).endswith(
        f"pip install 'dfactscore[plot] @ {folder.as_uri()}'"
    )
    installed(url=(folder / "gone.whl").as_uri(), archive_info={})
    assert "pip install '.[plot]' in the checkout" in str(MissingExtraError("Drawing", "plot"))
    installed()
    assert "'dfactscore[plot] @ file:///" in str(MissingExtraError("Drawing", "plot"))


def test_every_base_catches_its_own():
    for kind, base in ((RetrievalMissing, RetrievalError), (AmbigBioMissing, AmbigBioError)):
        error = kind("It", "gtr")
        assert isinstance(error, (base, DFactScoreError))
        assert isinstance(error, base)
        assert error.extra == "gtr"


@pytest.mark.slow
def test_pip_understands_the_command(installed, tmp_path):
    """Nothing is installed: pip only resolves what would be."""
    project = tmp_path / "it"
    project.mkdir()
    (project / "setup.cfg").write_text(
        "[metadata]\nname = dfactscore\nversion = 9\n[options]\npy_modules =\n"
        "[options.extras_require]\nplot =\n"
    )
    (project / "pyproject.toml").write_text('[build-system]\nrequires = ["setuptools"]\n')
    if shutil.which("pip") is None and subprocess.run([sys.executable, "-m", "pip"]).returncode:
        pytest.skip("pip is not installed")
    for origin in ({"dir_info": {"editable": True}}, {"dir_info": {}}):
        installed(url=project.as_uri(), **origin)
        command = str(MissingExtraError("It", "plot")).split("]: pip ", 1)[1].replace("'", "")
        words = command.split(" ", 2 if "-e" in command else 1)
        done = subprocess.run(
            [sys.executable, "-m", "pip", words[0], "--dry-run", "--no-build-isolation",
             "--ignore-installed", "--no-deps", *words[1:]],
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Would install dfactscore-9" in done.stdout
