"""The documentation builds as a site that loads nothing from elsewhere."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sorted(
    name
    for name in (
        ".".join(("dfactscore", *path.parent.relative_to(ROOT).parts)).replace(
            "dfactscore.dfactscore", "dfactscore"
        )
        for folder in ("dfactscore", "ambigbio", "linking", "retrieval")
        for path in (ROOT / folder).rglob("__init__.py")
    )
    if "._" not in name
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for module in ("zensical", "mkdocstrings_handlers.python"):
        pytest.importorskip(module, reason=f"{module} is not installed (pip install '.[docs]')")
    subprocess.run([sys.executable, str(ROOT / "docs" / "link_sources.py")], check=True)
    # The builder writes beside its configuration, and does not follow links to folders of pages.
    checkout = tmp_path_factory.mktemp("checkout")
    shutil.copy(ROOT / "mkdocs.yml", checkout)
    shutil.copytree(ROOT / "docs", checkout / "docs")
    for path in ROOT.iterdir():
        if path.name not in ("mkdocs.yml", "docs", "site", ".cache"):
            (checkout / path.name).symlink_to(path, target_is_directory=path.is_dir())
    built = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return checkout / "site"


@pytest.mark.slow
def test_every_page_is_there(site):
    pages = {p.stem for p in (ROOT / "docs").glob("*.md")}
    assert pages <= {p.stem for p in site.glob("*.html")}
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert not [p for p in pages if f": {p}.md" not in navigation]
    assert not list(site.rglob("*.py"))


@pytest.mark.slow
def test_loads_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        tags = re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", text)
        found = [t for t in tags if re.search(r'(?:src|href)="(?:https?:)?//', t)]
        assert not [t for t in found if 'rel="canonical"' not in t], page.name


@pytest.mark.slow
def test_snippets_and_docstrings(site):
    extending = (site / "extending.html").read_text(encoding="utf-8")
    assert "WordVerifier" in extending
    assert "--8&lt;--" not in extending
    api = (site / "api.html").read_text(encoding="utf-8")
    assert 'id="dfactscore.Scorer"' in api
    assert "Examples:" in api


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_described(package):
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    public = set(importlib.import_module(package).__all__) - {"__version__"}
    described = set(re.findall(rf"^::: {re.escape(package)}\.(\w+)$", page, re.M))
    assert public == described


def test_every_module_that_is_not_a_public_package_begins_with_an_underscore():
    wrong = []
    for folder in ("dfactscore", "ambigbio", "linking", "retrieval"):
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            private = any(p.startswith("_") and p not in ("__init__", "__main__") for p in parts)
            if not private and parts[-1] not in ("__init__", "__main__"):
                wrong.append("/".join(parts))
    assert not wrong


def test_only_packages_declare_what_is_public():
    declared = [
        path.relative_to(ROOT).as_posix()
        for folder in ("dfactscore", "ambigbio", "linking", "retrieval")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "__init__.py" and "\n__all__" in path.read_text("utf-8")
    ]
    assert not declared
