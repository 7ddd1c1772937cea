"""The built wheel works in an empty environment, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytest.importorskip("build")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("source")
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    for name in files:
        if (ROOT / name).is_file():
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (path,) = out.glob("*.whl")
    return path


def test_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"dfactscore"}
    folders = ("dfactscore", "ambigbio", "linking", "retrieval")
    tracked = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    installed = {n if n.startswith("dfactscore/") else f"dfactscore/{n}" for n in tracked}
    assert not installed - set(names), "files that the wheel lacks"
    for package in ("dfactscore", *(f"dfactscore/{name}" for name in folders[1:])):
        assert f"{package}/py.typed" in names


def test_scores_the_example_in_an_empty_environment(wheel, tmp_path):
    """Dependencies come from this environment; the packages only from the wheel."""
    venv.create(tmp_path / "env", with_pip=False)
    folder = "Scripts" if os.name == "nt" else "bin"
    python = tmp_path / "env" / folder / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    dependencies = Path(next(p for p in sys.path if p.endswith("site-packages")))
    (Path(site) / "dependencies.pth").write_text(f"{dependencies}\n")
    script = (
        "import dfactscore, sys; assert dfactscore.__file__.startswith(sys.prefix);"
        "from dfactscore.cli.app import main; main()"
    )
    result = subprocess.run(
        [python, "-c", script, "demo", "ships", "--out", str(tmp_path / "run")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "D-FActScore" in result.stdout
