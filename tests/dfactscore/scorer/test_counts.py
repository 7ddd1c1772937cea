"""Counts of scores: their default by judge, their records and their display."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dfactscore import Scorer, check, compare, score
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore._report import render_report, write_report
from dfactscore._runs import load_run
from dfactscore._runs.rescore import rescore
from dfactscore._scoring import ScoreOptions, score_matrix
from dfactscore._scoring.stages import _weighed
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Engine, Verifier
from dfactscore.engines._wrapping import CORPUS
from dfactscore.factscorer import FactScorer
from dfactscore.linking import SupportMatrix

PAGES = {
    "Ann Lee (painter)": "Ann Lee (born 1950) is a painter of landscapes.",
    "Ann Lee (rower)": "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996.",
}
TEXT = "Ann Lee is a painter. She rowed for Canada."


class Sure(Verifier):
    """Says yes with a probability of .6, no with .2."""

    settings = {"name": "sure"}

    def verify(self, biography, facts, entity):
        said = ["painter" in f.text and "painter" in entity.id for f in facts]
        return [Verdict("supported", 0.6) if one else Verdict("not_supported", 0.2) for one in said]


class Calibrated(Sure):
    calibrated = True


@st.composite
def judged(draw):
    shape = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    status = draw(arrays(np.int8, shape, elements=st.integers(0, 4)))
    probability = draw(arrays(float, shape, elements=st.floats(0, 1)))
    owner = draw(st.lists(st.integers(0, 2), min_size=shape[0], max_size=shape[0]))
    groups = [[f for f in range(shape[0]) if owner[f] == g] for g in sorted(set(owner))]
    return SupportMatrix(tuple("abcd"[: shape[1]]), status, probability), groups


@given(judged())
def test_expected_scores_by_hand(case):
    matrix, groups = case
    plain = ScoreOptions(unreadable="unsupported")
    found = score_matrix(matrix, groups, options=plain.changed(counts="expected"))
    if found.fs is None:
        assert not matrix.readable.any()
        return
    q = np.where(matrix.readable, matrix.probability, 0.0)
    assert found.fs == pytest.approx(q.max(axis=1).mean(), abs=1e-9)
    assert found.dfs == pytest.approx(
        sum(q[g].sum(axis=0).max() for g in groups) / len(q), abs=1e-9
    )
    hard = score_matrix(matrix, groups, options=plain)
    assert (found.fs_verdicts, found.dfs_verdicts) == (hard.fs, hard.dfs)
    assert (hard.fs_verdicts, hard.dfs_verdicts) == (hard.fs, hard.dfs)
    assert (found.n_ent, found.category, found.mixed_groups) == (
        hard.n_ent, hard.category, hard.mixed_groups,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("verifier", "counts", "used"),
    [
        (Sure(), None, "verdicts"),
        (Sure(), "expected", "expected"),
        (Calibrated(), None, "expected"),
        (Calibrated(), "verdicts", "verdicts"),
        (BuiltinVerifier(), None, "expected"),
    ],
)
def test_the_judge_decides_unless_it_is_said(verifier, counts, used, tmp_path):
    scorer = Scorer(pages=PAGES, verifier=verifier, counts=counts)
    result = scorer.score(TEXT, name="Ann Lee")
    assert result.record.options.counts == used
    if not isinstance(verifier, BuiltinVerifier):
        assert result.scores.fs == (0.4 if used == "expected" else 0.5)
        assert result.scores.fs_verdicts == 0.5
    run = scorer.score_many([{"name": "Ann Lee", "text": TEXT}]).save(tmp_path / "run")
    assert load_run(run).options.counts == used
    assert load_run(run).manifest["settings"]["scores"]["counts"] == used


def test_verdicts_that_came_with_the_input_are_counted():
    facts = (Fact("Ann Lee is a painter."), Fact("Ann Lee rowed."))
    given = {title: [Verdict("supported", 0.7), Verdict("not_supported", 0.6)] for title in PAGES}
    texts = [
        Biography("1", "Ann Lee", TEXT),
        Biography("2", "Ann Lee", TEXT, facts=facts, verdicts=given),
    ]
    found = Scorer(pages=PAGES).score_many(texts)
    assert {result.record.options.counts for result in found} == {"verdicts"}
    assert found[1].fs == 0.5
    asked = Scorer(pages=PAGES, counts="expected").score_many(texts)
    assert asked[1].fs == pytest.approx(0.65)


def test_it_is_said_wherever_the_scores_stand(tmp_path):
    scorer = Scorer(pages=PAGES)
    found = scorer.score_many([{"name": "Ann Lee", "text": TEXT}])
    (result,) = found
    assert 0 < result.fs < 1
    text = str(result)
    assert (
        f"FActScore {result.fs:.2f} (2 of 2 facts), D-FActScore {result.dfs:.2f} (1 of 2)" in text
    )
    assert "expected" in text
    assert "by verdicts 100.0 and 50.0" in " ".join(str(found).split())
    folder = found.save(tmp_path / "run")
    with (folder / "scores.csv").open(encoding="utf-8") as lines:
        (row,) = csv.DictReader(lines)
    assert (float(row["fs"]), float(row["dfs"])) == (result.fs, result.dfs)
    assert (row["fs_verdicts"], row["dfs_verdicts"]) == ("1.0", "0.5")
    assert (row["n_supported"], row["n_unsupported"], row["n_linked"]) == ("2", "0", "1")
    assert json.loads((folder / "summary.json").read_text("utf-8"))["counts"] == "expected"
    comparison = compare([folder], tests=False)
    for shown in (comparison.to_text(), comparison.to_latex(), comparison.to_markdown()):
        assert "add up calibrated probabilities" in " ".join(shown.split())
    assert '"expected":true' in render_report([result.record])
    hard = rescore(folder, counts="verdicts")
    assert (hard.summary.fs, hard.summary.dfs, hard.summary.counts) == (1.0, 0.5, "verdicts")


class ByShare(Calibrated):
    """Replaces every probability by the mean of all."""

    def weigh(self, entities, probability):
        assert probability.shape[1] == len(entities)
        return np.full_like(probability, np.nanmean(probability))


def test_a_column_of_the_corpus_is_weighed_but_weighs_no_entity():
    entities = [Entity(name, name, ()) for name in ("a", "b", CORPUS)]
    probability = np.array([[0.1, 0.2, 0.9], [0.3, 0.4, 0.5]])
    matrix = SupportMatrix(tuple("abc"), np.ones((2, 3), dtype=np.int8), probability)
    engine = Engine(BuiltinDecomposer(), BuiltinGrouper(), ByShare())
    found = _weighed(matrix, entities, engine).probability
    np.testing.assert_allclose(found, [[0.25, 0.25, 0.4]] * 2)
    alone = replace(matrix, entities=("c",), ranks=(0,), status=matrix.status[:, 2:],
                    probability=probability[:, 2:])  # fmt: skip
    np.testing.assert_allclose(_weighed(alone, entities[2:], engine).probability, 0.7)


@given(judged(), st.randoms(use_true_random=False))
def test_expected_scores_are_the_same_in_every_order(case, chance):
    matrix, groups = case
    order = chance.sample(range(len(matrix.status)), len(matrix.status))
    moved = replace(matrix, status=matrix.status[order], probability=matrix.probability[order])
    renamed = [[order.index(fact) for fact in group] for group in groups]
    chance.shuffle(renamed)
    options = ScoreOptions(counts="expected", unreadable="unsupported")
    ours, theirs = (
        score_matrix(*one, options=options) for one in ((matrix, groups), (moved, renamed))
    )
    assert (ours.fs, ours.dfs, ours.dfs_one_group) == (theirs.fs, theirs.dfs, theirs.dfs_one_group)
    if ours.fs is not None:
        assert 0 <= ours.dfs <= ours.fs <= 1


def test_a_text_beside_other_evidence_is_said_to_be_out_of_range():
    river = {"River Severn": "The Severn rises in Wales. It is the longest river of Great Britain."}
    far = Scorer(pages=river).score_many(
        [{"name": "Ann Lee", "text": TEXT, "candidates": [*river]}]
    )
    assert far.summary.fs < 0.04
    assert far.summary.out_of_range == 1
    assert "out of range" in str(far)
    near = Scorer(pages=PAGES).score_many([{"name": "Ann Lee", "text": TEXT}])
    assert "out of range" not in str(near)
    assert near[0].notes == ()
    life = f"{TEXT} She was born in Oslo. She taught at Leeds. She won the Turner Prize in 1996."
    named = score(life, name="Ann Lee", pages={"Ann Lee": river["River Severn"]})
    assert named.notes
    assert named.notes[0] in str(named)


ANSWERS = {
    "What drove Norvik Bank's profit in 2023?": (
        "Norvik Bank's profit was driven by higher interest income. Fee income fell.",
        "Net interest income at the group climbed to EUR 412 million as rates went up. Commissions "
        "declined, reflecting subdued activity in brokerage.",
    ),
    "How did the company's debt change?": (
        "The company reduced its long-term debt by $240 million. It refinanced its revolving "
        "credit facility at a lower rate.",
        "Long-term borrowings: 2022 1,340; 2023 1,100. Revolver: SOFR + 175 bp (2022: + 225 bp).",
    ),
    "Why did the lake freeze late?": (
        "The lake froze late because of a warm autumn. Strong winds kept its surface moving.",
        "Ice-on was recorded on 14 January. Temperatures in October and November were 2.1 K above "
        "the mean, and gales mixed the water column.",
    ),
}


@pytest.mark.parametrize("question", ANSWERS)
def test_answers_about_other_things_than_people_are_out_of_range(question):
    answer, context = ANSWERS[question]
    assert score(answer, name=question, pages={"context 1": context}).notes


def test_a_short_page_of_the_right_person_is_in_range():
    page = {"Ann Lee (rower)": "Ann Lee (born 1950) is a Canadian rower."}
    text = "Ann Lee was born in 1950. She rowed for Canada. She lived in Oslo. She wrote two plays."
    assert not score(text, name="Ann Lee", pages=page).notes
    assert not score("Ann Lee was born in 1950.", name="Ann Lee", pages=page).notes


def test_facts_beside_a_figure_are_those_that_it_counts():
    text = str(Scorer(pages=PAGES, verifier=Calibrated()).score(TEXT, name="Ann Lee"))
    assert "FActScore 0.40 (0.8 of 2 facts), D-FActScore 0.40 (0.8 of 2)" in text
    assert "; expected counts, by verdicts 0.50 and 0.50" in text


def test_a_comparison_says_that_verdicts_order_runs_differently():
    class Other(Calibrated):
        def verify(self, biography, facts, entity):
            return [Verdict("not_supported", 0.5) for _ in facts]

    runs = {
        name: Scorer(pages=PAGES, verifier=verifier).score_many([{"name": "Ann Lee", "text": TEXT}])
        for name, verifier in (("a", Calibrated()), ("b", Other()))
    }
    assert "FS by verdicts orders the runs differently: a 50.0, b 0.0" in compare(runs).to_text()


def test_a_run_by_an_older_recipe_keeps_its_values_and_says_so(tmp_path, caplog):
    folders = [
        Scorer(pages=PAGES).score_many([{"name": "Ann Lee", "text": TEXT}]).save(tmp_path / name)
        for name in ("old", "new")
    ]
    manifest = folders[0] / "manifest.json"
    content = json.loads(manifest.read_text("utf-8"))
    content["settings"]["verifier"]["second_step"] = {"rivalry": 0.8, "usual": 0.9, "worth": 15}
    manifest.write_text(json.dumps(content), "utf-8")
    told = "old: judged by an older recipe"
    rescored = [rescore(folder) for folder in folders]
    assert rescored[0].rows == rescored[1].rows
    assert told in rescored[0].older
    assert rescored[1].older == rescore(folders[0], counts="verdicts").older == ""
    notes = compare(folders, tests=False).notes
    assert [told in note for note in notes].count(True) == 1
    assert not any("new: judged by" in note for note in notes)
    write_report(folders[0])
    assert told in caplog.text


def test_one_text_has_one_expected_score_in_every_place(dfs, tmp_path):
    scorer = Scorer(pages=PAGES)
    one = score(TEXT, name="Ann Lee", pages=PAGES)
    (many,) = found = scorer.score_many([{"name": "Ann Lee", "text": TEXT}])
    tested = dfs(TEXT, name="Ann Lee", pages=PAGES, at_least=0)
    checked = check(TEXT, PAGES, name="Ann Lee")
    (row,) = rescore(found.save(tmp_path / "run")).rows
    assert one.record.options.counts == "expected"
    wanted = one.fs, one.dfs
    assert (many.fs, many.dfs) == (row["fs"], row["dfs"]) == wanted
    assert (tested.fs, tested.dfs) == (checked.fs, checked.dfs) == wanted


def test_the_drop_in_gives_the_same_expected_score(tmp_path):
    page = {"Ann Lee": " ".join(PAGES.values())}
    scorer = FactScorer(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    scorer.add_pages("mine", page)
    found = scorer.get_score("Ann Lee", TEXT, gamma=0, knowledge_source="mine")
    assert found["score"] == score(TEXT, name="Ann Lee", pages=page).fs
