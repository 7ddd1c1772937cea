"""Hand labels of individuals: the files, the spans of the labels, and the measures."""

import json
from itertools import pairwise
from pathlib import Path

import grouping_labels
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._records import Fact

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FOLDER = BENCHMARKS / "data" / "grouping_labels"
FILES = sorted(path.stem for path in FOLDER.glob("*.jsonl") if "_" not in path.stem)
HALVES = [name for name in FILES if name != "second"]


@pytest.fixture(scope="module")
def labels():
    return grouping_labels


def rows(half):
    return [json.loads(line) for line in (FOLDER / f"{half}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("half", FILES)
def test_every_label_is_whole(half):
    seen = set()
    for row in rows(half):
        offsets = [offset for offset, _ in row["changes"]]
        who = [w for _, w in row["changes"]]
        people = {w for x in who for w in (x if isinstance(x, list) else [x])} - {-1}
        assert offsets[0] == 0, row["id"]
        assert all(a < b for a, b in pairwise(offsets)), row["id"]
        assert people == set(range(row["individuals"])), row["id"]
        assert {int(k) for k in row["ways"]} == people - {0}, row["id"]
        assert row["id"] not in seen
        seen.add(row["id"])


def test_a_name_is_in_one_half():
    names = [{row["name"] for row in rows(half)} for half in HALVES]
    assert all(not a & b for i, a in enumerate(names) for b in names[:i])


@pytest.mark.parametrize("half", FILES)
def test_shipped_texts_are_the_labeled_ones(labels, half, tmp_path):
    texts, absent = labels.load(half, tmp_path)
    shipped = [row for row in rows(half) if row["file"].startswith("generated_")]
    assert len(texts) == len(shipped)
    assert absent == len(rows(half)) - len(shipped)


@pytest.mark.data
@pytest.mark.parametrize("half", FILES)
def test_labels_stand_where_they_were_set_though_citations_are_cut(labels, half, data):
    texts, absent = labels.load(half, data)
    assert absent == 0
    stored = {}
    for text, row in zip(texts, rows(half), strict=True):
        path = FOLDER / row["file"]
        if not path.exists():
            path = data / "dfactscore" / row["file"]
        if path not in stored:
            stored[path] = labels._stored_texts(path)
        raw = stored[path][row["record"]]
        for (offset, _), stretch in zip(row["changes"], text.stretches, strict=True):
            letters = [c for c in raw[offset : offset + 40] if c.isalnum()][:8]
            placed = [c for c in text.text[stretch.start : stretch.start + 40] if c.isalnum()][:8]
            assert letters == placed, (text.id, offset)


def test_another_text_is_refused(labels, tmp_path):
    (tmp_path / "dev.jsonl").write_text(
        json.dumps(
            {
                "id": "x",
                "file": "generated_dev.jsonl",
                "record": 0,
                "name": "A",
                "sha256": "0" * 64,
                "individuals": 1,
                "changes": [[0, 0]],
                "ways": {},
                "sure": True,
            }
        )
    )
    (tmp_path / "generated_dev.jsonl").write_text(json.dumps({"text": "A is a poet."}))
    with pytest.raises(ValueError, match=r"generated_dev\.jsonl, record 0: not the text labeled"):
        labels.load("dev", labels=tmp_path)


TEXT = (
    "Ann Lee is a poet. Among others are Ann B. Lee, a judge, and Ann C. Lee, a diver. Both died."
)


def made(labels):
    cuts = [0, TEXT.index("Ann B."), TEXT.index("and Ann C."), TEXT.index("Both"), len(TEXT)]
    people = [(0,), (1,), (2,), (1, 2)]
    stretches = tuple(
        labels.Stretch(a, b, who) for a, b, who in zip(cuts[:-1], cuts[1:], people, strict=True)
    )
    return labels.LabeledText("t", "generated", "Ann Lee", TEXT, 3, stretches, {}, True)


def test_a_fact_belongs_to_the_stretch_that_its_span_touches(labels):
    text = made(labels)
    start = TEXT.index("Ann C.")
    assert text.about(Fact("anything", None, (0, 18))) == (0,)
    assert text.about(Fact("anything", None, (start, start + 19))) == (2,)
    assert text.about(Fact("They died.", None, (TEXT.index("Both"), len(TEXT)))) == (1, 2)


def test_facts_of_one_sentence_go_to_their_own_people(labels):
    text = made(labels)
    span = (TEXT.index("Among"), TEXT.index(" Both"))
    assert text.about(Fact("Ann B. Lee is a judge.", None, span)) == (1,)
    assert text.about(Fact("Ann C. Lee is a diver.", None, span)) == (2,)


def test_facts_without_places_are_found_by_their_words(labels):
    text = made(labels)
    assert text.about(Fact("Ann Lee is a poet.")) == (0,)
    assert text.about(Fact("Ann C. Lee is a diver.")) == (2,)


def engine_of(facts, groups):
    return lambda biography: (facts, groups)


def facts_of(*texts):
    return [Fact(text) for text in texts]


FACTS = ("Ann Lee is a poet.", "Ann B. Lee is a judge.", "Ann C. Lee is a diver.", "Both died.")


def test_groups_as_labeled_are_exact(labels):
    out = labels.outcome(made(labels), engine_of(facts_of(*FACTS), [[0], [1, 3], [2]]))
    assert (out.exact, out.same, out.b_cubed, out.opened) == (True, True, 1.0, {1: True, 2: True})
    either = labels.outcome(made(labels), engine_of(facts_of(*FACTS), [[0], [1], [2, 3]]))
    assert either.same


def test_the_right_number_of_wrong_groups_is_seen(labels):
    out = labels.outcome(made(labels), engine_of(facts_of(*FACTS), [[0, 1], [2], [3]]))
    assert out.exact
    assert not out.same
    assert out.opened == {1: False, 2: True}
    assert out.b_cubed < 1


def test_a_group_of_statements_about_no_one_counts_as_a_biography(labels):
    text = labels.LabeledText(
        "t",
        "generated",
        "Ann Lee",
        "Several share it. Ann Lee is a poet.",
        1,
        (labels.Stretch(0, 18, ()), labels.Stretch(18, 36, (0,))),
        {},
        True,
    )
    facts = [Fact("Several share it.", 0, (0, 17)), Fact("Ann Lee is a poet.", 1, (18, 36))]
    assert labels.outcome(text, engine_of(facts, [[0, 1]])).exact
    torn = labels.outcome(text, engine_of(facts, [[0], [1]]))
    assert not torn.exact
    assert torn.b_cubed == 1


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_b_cubed_is_its_definition(labels, pairs):
    precision = recall = 0.0
    for p, g in pairs:
        both = sum(q == p and h == g for q, h in pairs)
        precision += both / sum(q == p for q, _ in pairs) / len(pairs)
        recall += both / sum(h == g for _, h in pairs) / len(pairs)
    expected = 2 * precision * recall / (precision + recall)
    assert labels._b_cubed(pairs) == pytest.approx(expected)
