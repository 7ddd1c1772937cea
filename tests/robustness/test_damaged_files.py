"""Damaged files, with fixed seeds, through every command and every reader.

The files and the damage are those of `fuzz_files.py` and `fuzz_readers.py`, which take as many as
one likes; here are a few of what was tried.
"""

import shutil
import signal

import fuzz_files
import fuzz_readers
import pytest

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no alarm ends what hangs here"),
    pytest.mark.xdist_group("damage"),
]


@pytest.fixture(scope="module", autouse=True)
def hurry():
    with pytest.MonkeyPatch.context() as patch:
        fuzz_files.hurry(patch.setattr)
        yield


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("damage") / "good"
    folder.mkdir()
    fuzz_files.make_files(folder)
    return folder


@pytest.mark.parametrize(
    ("files", "every"), [(1, 8), pytest.param(4, 1, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_no_command_ends_in_a_traceback(good, files, every):
    targets = fuzz_files.TARGETS[::every]
    rows = [fuzz_files.fuzz(target, good, files, 11) for target in targets]
    faults = {row.name: row.faults for row in rows if row.faults}
    assert not faults
    assert sum(row.runs for row in rows) >= 75 * files // every


@pytest.mark.parametrize("files", [2, pytest.param(9, marks=pytest.mark.slow)])
def test_no_reader_raises_what_is_not_ours(good, files, tmp_path):
    work = tmp_path / "work"
    shutil.copytree(good, work)
    names = list(fuzz_readers.readers())
    found = {name: fuzz_readers.fuzz(name, good, work, files, 11)[0] for name in names}
    assert not {name: faults for name, faults in found.items() if faults}
    assert len(names) >= 45
