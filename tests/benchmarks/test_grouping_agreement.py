"""Two labelers of who is who: which texts both have, and the measures of their agreement."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FOLDER = BENCHMARKS / "data" / "grouping_labels"
NAMES = ("grouping_agreement", "grouping_labels", "running")


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(NAMES[0])
    for name in NAMES:
        sys.modules.pop(name, None)


def rows(name):
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_the_second_labeler_read_texts_of_both_halves():
    second = rows("second")
    counts = {}
    for half in ("dev", "test"):
        first = rows(half)
        shared = first.keys() & second.keys()
        counts[half] = len(shared)
        for key in shared:
            for field in ("file", "record", "name", "sha256"):
                assert first[key][field] == second[key][field], (key, field)
    assert counts == {"dev": 28, "test": 27}
    assert sum(counts.values()) == len(second)
    assert not rows("fresh").keys() & second.keys()


TEXT = "Ann Lee is a poet. She was born in 1901. Ann Lee is a judge. She was born in 1950."
JUDGE = TEXT.index("Ann Lee is a judge")
LAST = TEXT.rindex("She")


def labeled(module, *changes):
    starts = [start for start, _ in changes]
    stretches = tuple(
        sys.modules["grouping_labels"].Stretch(start, end, who)
        for (start, who), end in zip(changes, [*starts[1:], len(TEXT)], strict=True)
    )
    people = {w for _, who in changes for w in who}
    return module.LabeledText("t", "generated", "Ann Lee", TEXT, len(people), stretches, {}, True)


def test_equal_labels_agree_in_everything(module):
    one = labeled(module, (0, (0,)), (JUDGE, (1,)))
    text = module.compare(one, one)
    assert len(text.facts) == 4
    assert text.same_number
    assert text.same_facts
    assert text.same_letters
    assert all(a == b for a, b in text.pairs)


def test_other_numbers_for_the_same_groups_agree(module):
    one = labeled(module, (0, (0,)), (JUDGE, (1,)))
    other = labeled(module, (0, (1,)), (JUDGE, (0,)))
    assert module.compare(one, other).same_facts


def test_a_merged_person_is_a_disagreement(module):
    two = labeled(module, (0, (0,)), (JUDGE, (1,)))
    merged = labeled(module, (0, (0,)))
    for first, second in ((two, merged), (merged, two)):
        text = module.compare(first, second)
        assert not text.same_number
        assert not text.same_facts
        assert not text.same_letters
        assert sum(a != b for a, b in text.pairs) == 4
        assert len(text.pairs) == 6


def test_statements_about_no_one_are_a_group(module):
    first = labeled(module, (0, (0,)), (LAST, ()))
    second = labeled(module, (0, (0,)))
    text = module.compare(first, second)
    assert text.same_number
    assert not text.same_facts


def test_a_shifted_border_moves_letters_and_no_fact(module):
    first = labeled(module, (0, (0,)), (JUDGE, (1,)))
    second = labeled(module, (0, (0,)), (JUDGE - 2, (1,)))
    text = module.compare(first, second)
    assert text.same_facts
    assert text.same_letters  # the two characters are a full stop and a space
    later = labeled(module, (0, (0,)), (JUDGE + 4, (1,)))
    text = module.compare(first, later)
    assert text.same_facts
    assert not text.same_letters


def test_kappa_counts_pairs_of_facts_by_hand(module, capsys):
    two = labeled(module, (0, (0,)), (JUDGE, (1,)))
    merged = labeled(module, (0, (0,)))
    module.show_agreement("both", [module.compare(two, two), module.compare(two, merged)])
    out = capsys.readouterr().out
    # of 12 pairs the first puts 4 together, the second 8; both agree on 8
    chance = (4 * 8 + 8 * 4) / 144
    assert f"{(8 / 12 - chance) / (1 - chance):.3f}" in out
    assert "same groups, fact for fact        1/2 0.500" in out
    assert "(12 pairs)" in out


def test_labels_of_two_texts_are_refused(module):
    one = labeled(module, (0, (0,)))
    other = module.LabeledText("u", "generated", "Ann Lee", "x", 1, one.stretches, {}, True)
    with pytest.raises(ValueError, match="t and u are not labels of one text"):
        module.compare(one, other)


def test_without_the_data_the_shipped_texts_are_compared(tmp_path):
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "grouping_agreement.py"), "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    shipped = [r for r in rows("second").values() if r["file"].startswith("generated_")]
    assert done.returncode == 0, done.stderr
    assert f"{55 - len(shipped)} labels left out" in done.stdout
    assert f"all: {len(shipped)} texts" in done.stdout


@pytest.mark.data
def test_the_page_has_the_figures_of_the_files(module, data):
    texts, absent = module.compared(data)
    assert (len(texts), absent) == (55, 0)
    several = [text for text in texts if text.first.individuals > 1]
    assert sum(text.same_number for text in several) == 38
    assert sum(text.same_number for text in texts) == 53
    different = {text.first.id for text in texts if not (text.same_letters and text.same_number)}
    page = (BENCHMARKS / "data" / "grouping_labels" / "README.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in page for key in different)
