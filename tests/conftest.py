"""What all tests share: a home of their own, the measurement data, and skips that may fail."""

from __future__ import annotations

import gc
import os
import re
from pathlib import Path

import hermetic
import pytest
from hypothesis import settings

hermetic.enter()
# The modules and tests of this process are many objects, which each full pass looks through again.
gc.set_threshold(50_000)
# No test is about power cuts: none waits for a busy disk. A closed file is an error still.
os.fsync = os.fstat

# A busy machine makes no example slow, and a run fails for a reason that the next one repeats.
settings.register_profile("ours", deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("ours"), max_examples=25)
# Other examples in each run, to look for what no run has met: --hypothesis-profile=explore
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=500)

_ALL_SLOW = re.compile(r"^pytestmark = .*\bmark\.slow\b", re.MULTILINE)
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("DFACTSCORE_DATA", ROOT.parent / "shared" / "data"))


def pytest_configure(config):
    """Without the slow tests a property is tried on fewer examples, too."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if "not slow" in config.option.markexpr else "ours")


@pytest.fixture(autouse=True)
def _own_caches():
    hermetic.own_caches()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the measurement data; the test is skipped where it is absent."""
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
    """With REQUIRE_ALL=1 a skip is a failure: nothing is left out silently in CI."""
    return _required((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """So is a file that is skipped as a whole."""
    return _required((yield))


def pytest_ignore_collect(collection_path, config):
    """A file of slow tests is not read without them: what it imports is slow, or is missing."""
    if "not slow" in config.option.markexpr and collection_path.suffix == ".py":
        return bool(_ALL_SLOW.search(collection_path.read_text("utf-8"))) or None
    return None
