"""The built wheel works in an empty environment, away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec
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
    if find_spec("setuptools") is not None:  # else the build creates an environment
        command.append("--no-isolation")  # and fails if the installed setuptools is too old
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


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An interpreter with dependencies from this environment and packages from the wheel."""
    home = tmp_path_factory.mktemp("empty") / "env"
    venv.create(home, with_pip=False)
    folder = "Scripts" if os.name == "nt" else "bin"
    python = home / folder / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # Python searches folders named in a .pth file, but ignores .pth files in them (such as that of
    # this editable install).
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    (Path(site) / "dependencies.pth").write_text("\n".join(dependencies) + "\n")
    return python


def test_scores_the_example_in_an_empty_environment(environment, tmp_path):
    script = (
        "import dfactscore, sys; assert dfactscore.__file__.startswith(sys.prefix);"
        "from dfactscore._cli.app import main; main()"
    )
    result = subprocess.run(
        [environment, "-I", "-c", script, "demo", "ships", "--out", str(tmp_path / "run")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "D-FActScore" in result.stdout


def _without_an_installation(tmp_path):
    """Returns an interpreter with the dependencies, without the package and its import hook."""
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    folder = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run(
        [python, "-c", folder], check=True, capture_output=True, text=True
    ).stdout.strip()
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    (Path(site) / "dependencies.pth").write_text("\n".join(dependencies) + "\n")
    return python


_SCORE = """
import sys, dfactscore
from dfactscore import score
import dfactscore.ambigbio, dfactscore.retrieval

assert dfactscore.__file__.startswith(sys.argv[1]), dfactscore.__file__
assert dfactscore.retrieval.__file__.startswith(sys.argv[1]), dfactscore.retrieval.__file__
print(score("Ann Lee is a painter.", name="Ann Lee", pages={"Ann Lee": "Ann Lee paints."}))
"""


@pytest.mark.parametrize("place", ["checkout", "copy", "zip"])
def test_without_an_installation(place, wheel, tmp_path):
    """From the folder of a checkout, with one on the path, and from a wheel as a zip file."""
    python = _without_an_installation(tmp_path)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    beside = tmp_path / "beside"
    beside.mkdir()
    home = ROOT
    if place == "copy":  # on the path, with user modules of the same names
        home = tmp_path / "copy"
        for name in ("dfactscore", "ambigbio", "linking", "retrieval"):
            shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
    if place == "zip":
        home = wheel
    if place != "checkout":
        environment["PYTHONPATH"] = str(home)
        for name in ("retrieval.py", "linking.py", "ambigbio.py"):
            (beside / name).write_text("mine = True\n")
    for command in (
        ["-c", _SCORE, str(home)],
        ["-m", "dfactscore", "demo", "ships", "--out", str(tmp_path / "run")],
        ["-m", "dfactscore.factscorer", "--help"],
    ):
        result = subprocess.run(
            [python, *command],
            cwd=ROOT if place == "checkout" else beside,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        assert result.stdout


_SCRIPT = """
import ambigbio, linking, retrieval, sys
from dfactscore import score

import dfactscore.ambigbio, dfactscore.linking, dfactscore.retrieval

assert ambigbio.mine and linking.mine and retrieval.mine
assert (sys.prefix in dfactscore.__file__) is (sys.argv[1] == "wheel"), dfactscore.__file__
print(score("Ann Lee is a painter.", name="Ann Lee", pages={"Ann Lee": "Ann Lee paints."}))
"""


@pytest.mark.parametrize("installed", ["wheel", "editable"])
def test_files_of_the_user_with_our_folders_names(installed, request, tmp_path):
    """`import retrieval` means the user's module, and `import dfactscore` works beside it."""
    python = sys.executable if installed == "editable" else request.getfixturevalue("environment")
    for name in ("retrieval.py", "linking.py", "ambigbio/__init__.py", "records.py", "text.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine = True\n")
    (tmp_path / "script.py").write_text(_SCRIPT)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    for command in (
        ["script.py", installed],
        ["-m", "dfactscore", "demo", "ships", "--out", "run"],
    ):
        result = subprocess.run(
            [python, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        assert "D-FActScore" in result.stdout
    assert (tmp_path / "run" / "summary.json").exists()
