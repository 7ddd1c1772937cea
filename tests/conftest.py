"""Shared setup of all tests: an isolated home, the measurement data, and skips that may fail."""

from __future__ import annotations

import gc
import os
import re
from pathlib import Path

import hermetic
import pytest
from hypothesis import settings

hermetic.enter()
# Full garbage collections would examine the many objects of modules and tests each time.
gc.set_threshold(50_000)
# No test is about power cuts, so none waits for the disk. A closed file remains an error.
os.fsync = os.fstat

# No deadlines on a busy machine, and the same examples in each run.
settings.register_profile("ours", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("ours"), max_examples=25)
# New examples in each run, to find more failures: --hypothesis-profile=explore
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=500)

_ALL_SLOW = re.compile(r"^pytestmark = .*\bmark\.slow\b", re.MULTILINE)
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("DFACTSCORE_DATA", ROOT.parent / "shared" / "data"))


def pytest_configure(config):
    """Reduces the examples of properties in runs without slow tests."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if "not slow" in config.option.markexpr else "ours")


@pytest.fixture(autouse=True)
def _own_caches():
    hermetic.own_caches()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the measurement data; skips the test if absent."""
    if not DATA.is_dir():
        pytest.skip(f"measurement data not found at {DATA} (set DFACTSCORE_DATA)")
    return DATA


def _required(report):
    if report.skipped and os.environ.get("REQUIRE_ALL") == "1" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_ALL=1 and this was skipped: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turns a skip into a failure with REQUIRE_ALL=1, so that CI skips nothing silently."""
    return _required((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Turns a skipped file into a failure with REQUIRE_ALL=1."""
    return _required((yield))


def pytest_ignore_collect(collection_path, config):
    """Ignores files of slow tests in runs without them: their imports are slow or missing."""
    if "not slow" in config.option.markexpr and collection_path.suffix == ".py":
        return bool(_ALL_SLOW.search(collection_path.read_text("utf-8"))) or None
    return None
