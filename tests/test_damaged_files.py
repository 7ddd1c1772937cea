"""Damaged files, with fixed seeds, through every command and every reader.

The files and the damage are those of `benchmarks/fuzz_files.py` and `benchmarks/fuzz_readers.py`,
which take as many files as one likes; here are a few of what was tried.
"""

import shutil
import signal
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarm ends what hangs here"),
    pytest.mark.xdist_group("damage"),
]


@pytest.fixture(scope="module")
def fuzz_files():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import fuzz_files

        with pytest.MonkeyPatch.context() as patch:
            fuzz_files.hurry(patch.setattr)
            yield fuzz_files
    finally:
        sys.path.remove(str(BENCHMARKS))
        for name in [name for name in sys.modules if name.startswith("fuzz_")]:
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def good(fuzz_files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("damage") / "good"
    folder.mkdir()
    fuzz_files.make_files(folder)
    return folder


@pytest.mark.parametrize(
    ("files", "every"), [(1, 4), pytest.param(4, 1, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_no_command_ends_in_a_traceback(fuzz_files, good, files, every):
    targets = fuzz_files.TARGETS[::every]
    rows = [fuzz_files.fuzz(target, good, files, 11) for target in targets]
    faults = {row.name: row.faults for row in rows if row.faults}
    assert not faults
    assert sum(row.runs for row in rows) >= 75 * files // every


@pytest.mark.parametrize("files", [2, pytest.param(9, marks=pytest.mark.slow)])
def test_no_reader_raises_what_is_not_ours(fuzz_files, good, files, tmp_path):
    import fuzz_readers

    work = tmp_path / "work"
    shutil.copytree(good, work)
    names = list(fuzz_readers.readers())
    found = {name: fuzz_readers.fuzz(name, good, work, files, 11)[0] for name in names}
    assert not {name: faults for name, faults in found.items() if faults}
    assert len(names) >= 45
