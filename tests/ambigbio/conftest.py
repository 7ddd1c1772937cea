"""A real wiki for the tests of this folder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import hermetic
import pytest

_HERE = Path(__file__).resolve().parent / "mediawiki"


def _module(name: str):
    full = f"dfactscore_tests_mediawiki_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, _HERE / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


@pytest.fixture(scope="session")
def mediawiki():
    """The module that sets wikis up; skips the test if MediaWiki is unavailable."""
    module = _module("wiki")
    try:
        with hermetic.outside():
            module.tree()
    except module.Unavailable as reason:
        pytest.skip(f"no MediaWiki here: {reason}")
    return module


@pytest.fixture(scope="session")
def fixture():
    """The module that writes the pages."""
    module = _module("fixture")
    module.english()
    return module


@pytest.fixture(scope="session")
def fixture_module():
    """Loads one of the modules that write pages."""
    return _module


@pytest.fixture(scope="session")
def export(fixture, tmp_path_factory) -> Path:
    """The English pages as a dump."""
    path = tmp_path_factory.mktemp("export") / "testwiki-20260115-pages-articles.xml"
    path.write_text(fixture.english().xml(), "utf-8")
    return path


@pytest.fixture(scope="session")
def _shared(mediawiki, export, tmp_path_factory):
    server = mediawiki.Server(
        mediawiki.make_wiki(export.read_text("utf-8")), tmp_path_factory.mktemp("wiki")
    )
    yield server
    server.stop()


@pytest.fixture
def wiki(_shared):
    """The English wiki, with an empty log and without faults. Tests must not edit it."""
    _shared.clear()
    yield _shared
    _shared.clear()


@pytest.fixture
def own_wiki(mediawiki, export, tmp_path):
    """A copy of the English wiki that may be edited."""
    server = mediawiki.Server(mediawiki.make_wiki(export.read_text("utf-8")), tmp_path / "wiki")
    yield server
    server.stop()


@pytest.fixture
def api_source(tmp_path):
    """Opens a wiki as a source, with a cache in the test's folder."""
    from dfactscore.ambigbio._api_source import ApiSource
    from dfactscore.ambigbio._cache import ResponseCache
    from dfactscore.ambigbio._languages import language
    from dfactscore.ambigbio._wiki_client import Pace, WikiClient

    opened = []

    def opening(address: str, *, code: str = "en", cache: Path | None = None, **options):
        kept = ResponseCache(cache or tmp_path / "answers.sqlite")
        report, patience = options.pop("report", None), {"interval": 0.0, "retries": 3, **options}
        client = WikiClient(
            address, contact="tests@example.org", cache=kept, pace=Pace(**patience),
            report=report,
        )  # fmt: skip
        opened.append(client)
        return ApiSource(client, language(code))

    yield opening
    for client in opened:
        client.close()


@pytest.fixture
def dump_source(tmp_path):
    """Opens a dump as a source, with a cache in the test's folder."""
    from dfactscore.ambigbio._dump_source import DumpSource
    from dfactscore.ambigbio._languages import language

    opened = []

    def opening(dump: Path, *, code: str = "en", **options):
        cache = tmp_path / f"dump{len(opened)}.sqlite"
        opened.append(DumpSource(dump, language(code), **{"cache": cache, **options}))
        return opened[-1]

    yield opening
    for source in opened:
        source.close()
