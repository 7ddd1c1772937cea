from __future__ import annotations

import json
import unicodedata

import numpy as np
import pandas as pd
import pytest

from dfactscore._errors import InputError
from dfactscore.comparison import compare
from dfactscore.comparison._comparison_tables import cell, columns

PUBLISHED = {  # Table 4 of the paper: FS, D-FS, #bio, #ent
    "llama13b": ("94.6", "86.0", "1.1", "1.6"),
    "llama13b-no-ambig": ("94.3", "83.2", "1.1", "1.8"),
    "tulu": ("94.2", "88.5", "1.4", "1.8"),
}
RUN = [
    {"name": "A", "status": "scored", "fs": 1.0, "dfs": 0.5, "dfs_one_group": 0.5, "n_bio": 1,
     "n_ent": 2, "category": "one_bio_several_ents", "mixed_groups": 1, "coverage": 1.0},
    {"name": "B", "status": "scored", "fs": 0.8, "dfs": 0.8, "dfs_one_group": 0.4, "n_bio": 2,
     "n_ent": 2, "category": "several", "mixed_groups": 0, "coverage": 0.9},
    {"name": "C", "status": "abstained"},
    {"name": "D", "status": "error"},
    {"name": "E", "status": "no_facts"},
]  # fmt: skip


@pytest.fixture(scope="module")
def released(data):
    folder = data / "dfactscore" / "released"
    return compare([folder / f"{label}.json" for label in PUBLISHED], resamples=2_000)


def test_released_files_give_table_4(released):
    shown = {c.name: c for c in columns(released)}
    for model in released.models:
        values = tuple(cell(model, shown[k]) for k in ("fs", "dfs", "n_bio", "n_ent"))
        assert values == PUBLISHED[model.label]


def test_released_means_equal_the_stored_ones(released, data):
    for model in released.models:
        stored = json.loads((data / "dfactscore/released" / f"{model.label}.json").read_text())
        assert model.levels["fs"].mean == pytest.approx(stored["init_score"], abs=1e-12)
        assert model.levels["dfs"].mean == pytest.approx(stored["init_global_score"], abs=1e-12)
        assert model.levels["n_ent"].mean == pytest.approx(
            stored["num_supporting_topics"], abs=1e-12
        )
        assert model.levels["response_rate"].mean == stored["respond_ratio"]
        assert model.levels["n_bio"].interval is None


def test_released_differences(released):
    found = {(d.first, d.second, d.measure): d for d in released.differences}
    assert len(found) == 9
    assert not found["llama13b", "tulu", "fs"].significant
    assert found["llama13b", "tulu", "dfs"].significant
    assert found["llama13b", "tulu", "dfs"].n == 454  # of 498 and 456
    assert released.ranks.dfs_reorders_fs
    assert released.marks("tulu", "dfs") == "ab"
    assert released.marks("llama13b", "dfs") == "b"
    assert released.marks("tulu", "fs") == ""


def test_levels_of_one_run():
    (model,) = compare({"run": RUN}).models
    levels = model.levels
    assert (model.n, model.answered) == (5, 3)
    assert levels["fs"].mean == pytest.approx(0.9)
    assert levels["fs"].n == 2
    assert levels["gap"].mean == pytest.approx(0.25)
    assert levels["dfs_adjusted"].mean == pytest.approx((0.5 + 0.8 + 0) / 3)  # C counts as 0
    assert levels["response_rate"].mean == pytest.approx(3 / 4)  # an error is not an abstention
    assert levels["mixed"].mean == 0.5
    assert levels["one_bio_several_ents"].mean == 0.5


def test_runs_are_aligned_by_name_not_by_place():
    rng = np.random.default_rng(0)
    first = [{"name": f"n{i}", "fs": f, "dfs": f / 2} for i, f in enumerate(rng.random(30))]
    second = [{**row, "fs": row["fs"] / 2, "dfs": row["dfs"] / 2} for row in first[5:]][::-1]
    found = compare({"a": first, "b": second}, resamples=500)
    difference = next(d for d in found.differences if d.measure == "fs")
    assert difference.n == 25
    assert difference.difference == pytest.approx(np.mean([r["fs"] / 2 for r in first[5:]]))
    assert found.models[0].levels["fs"].n == 30  # levels keep their own names


def test_swapping_two_runs_swaps_signs_only():
    rng = np.random.default_rng(1)
    runs = {
        r: [{"name": f"n{i}", "fs": f, "dfs": f / 2} for i, f in enumerate(rng.random(40))]
        for r in "ab"
    }
    one = compare(runs, resamples=500).differences
    two = compare(dict(reversed(runs.items())), resamples=500).differences
    for x, y in zip(one, two, strict=True):
        assert x.difference == pytest.approx(-y.difference)
        assert x.p_holm == pytest.approx(y.p_holm)


def test_the_order_of_the_arguments_changes_no_number():
    """Each run has another order of names, and all biographies of the first have the same FS."""
    rng = np.random.default_rng(2)
    one = [{"name": f"n{i}", "fs": 1.0, "dfs": 1.0} for i in range(9)]
    mixing = [{"name": f"n{i}", "fs": 1.0, "dfs": d} for i, d in enumerate(rng.random(9))][::-1]
    there = compare({"one": one, "mixing": mixing}, resamples=300)
    back = compare({"mixing": mixing, "one": one}, resamples=300)
    assert there.ranks.fs_order == (("mixing", "one"),)
    for field in ("fs_orders", "dfs_orders", "reordered"):
        assert getattr(there.ranks, field) == getattr(back.ranks, field)
    assert "FS    100.0 %  mixing = one" in there.to_text()
    assert "a tie in one of them counts half" in " ".join(there.to_text().split())
    for x, y in zip(there.differences, back.differences, strict=True):
        assert x.interval == pytest.approx((-y.interval.high, -y.interval.low))


def test_what_is_left_of_fs_is_a_ratio_of_means():
    rng = np.random.default_rng(6)
    rows = [
        {"name": f"n{i // 2}", "fs": f, "dfs": f * rng.random()}
        for i, f in enumerate([0.0, *rng.random(39)])
    ]
    level = compare({"run": rows}, resamples=2_000, seed=4).models[0].levels["kept"]
    fs, dfs = (np.array([r[m] for r in rows]) for m in ("fs", "dfs"))
    assert level.mean == pytest.approx(dfs.sum() / fs.sum())
    assert level.n == 40
    draws = np.random.default_rng(4).integers(0, 20, (2_000, 20))
    sums = [x.reshape(20, 2).sum(axis=1) for x in (dfs, fs)]
    ratios = [sums[0][d].sum() / sums[1][d].sum() for d in draws]
    assert level.interval == pytest.approx(np.percentile(ratios, [2.5, 97.5]))
    few = [{"name": n, "fs": f, "dfs": f / 2} for n, f in (("a", 0), ("b", 0), ("c", 1))]
    with np.errstate(all="raise"):  # some draws have no true fact to keep
        level = compare({"run": few}, resamples=200).models[0].levels["kept"]
    assert level.interval == (0.5, 0.5)
    nothing = compare({"run": [{"name": n, "fs": 0, "dfs": 0} for n in "ab"]}).models[0]
    assert "kept" not in nothing.levels


def test_the_fs_that_the_gap_is_taken_from():
    rows = [*RUN[:2], {"name": "F", "status": "grouping_failed", "fs": 0.3}]
    found = compare({"run": rows})
    levels = found.models[0].levels
    assert levels["gap"].mean == pytest.approx(0.9 - levels["dfs"].mean)
    assert (
        "run: FS is over 3 biographies, D-FS and gap over the 2 that have both; the FS of those "
        "is 90.0"
    ) in found.notes
    assert not any("have both" in note for note in compare({"run": RUN}).notes)


def test_same_seed_same_digits():
    frames = {"a": pd.DataFrame(RUN), "b": pd.DataFrame(RUN[::-1])}
    assert compare(frames, seed=3).to_json() == compare(frames, seed=3).to_json()


def test_biographies_of_one_name_stay_together():
    rng = np.random.default_rng(0)
    rows = [
        {"name": f"n{i}", "fs": f, "dfs": f / 2}
        for i in range(30)
        for f in np.clip(rng.random() + rng.normal(0, 0.02, 1 + i % 3), 0, 1)
    ]
    found = compare({"run": rows}, resamples=2_000, seed=4)
    level = found.models[0].levels["fs"]
    assert (found.models[0].n, level.n) == (60, 60)
    assert level.mean == pytest.approx(np.mean([r["fs"] for r in rows]))  # as the run's summary
    assert any("60 biographies of 30 names" in note for note in found.notes)
    by_name = [[r["fs"] for r in rows if r["name"] == f"n{i}"] for i in range(30)]
    draws = np.random.default_rng(4).integers(0, 30, (2_000, 30))
    means = [np.mean([f for i in draw for f in by_name[i]]) for draw in draws]
    assert level.interval == pytest.approx(np.percentile(means, [2.5, 97.5]))


def test_disjoint_runs_are_shown_but_not_tested():
    other = [{**row, "name": f"x{row['name']}"} for row in RUN]
    found = compare({"a": RUN, "b": other})
    assert found.differences == ()
    assert found.ranks is None
    assert any("no name in common" in note for note in found.notes)


def test_runs_that_were_scored_differently(tmp_path):
    hashes = {"model": ["922f8a9ce676bc38", "1f7c6b0d1e2f3a4b"]}
    for label, evidence, tree in (("a", "page", 0), ("b", "passages", 1), ("c", "page", 0)):
        folder = tmp_path / label
        folder.mkdir()
        pd.DataFrame(RUN).to_csv(folder / "scores.csv", index=False)
        settings = {
            "evidence": evidence,
            "candidates": ["retrieved", "named"][tree],
            "pages": {"kind": "jsonl", "path": f"{'b' * tree}pages.jsonl", "sha256": "0" * 64},
            "scores": {"link": ["argmax", "hungarian"][tree], "counts": ["x", "y"][tree]},
            "verifier": {"name": "builtin", "page_shift": tree, "model": hashes["model"][tree]},
            "grouper": {"name": "builtin", "rules": hashes["model"][tree]},
        }
        manifest = {"settings": settings, "status": "incomplete" if label == "a" else "complete"}
        (folder / "manifest.json").write_text(json.dumps(manifest))
    found = compare([tmp_path / "a", tmp_path / "b"])
    assert "a: the run is incomplete, some biographies are not scored" in found.notes
    assert [note for note in found.notes if note.startswith("scored differently")] == [
        "scored differently: judge: page shift 0 in a; 1 in b; other model",
        "scored differently: evidence: page in a; passages in b",
        "scored differently: pages: pages.jsonl in a; bpages.jsonl in b",
        "scored differently: candidates: retrieved in a; named in b",
        "scored differently, too: scores, grouper (--columns all)",
    ]
    assert hashes["model"][0] not in str(found)
    assert f"verifier.model: {hashes['model'][0]} in a" in str(found.select("all"))
    assert not any("differ" in note for note in compare([tmp_path / "a", tmp_path / "c"]).notes)


def test_rows_say_who_judged_them(tmp_path):
    model = {"name": "llm-verifier", "model": "m", "endpoint": "http://127.0.0.1:8000/v1"}
    for label, verifier in (("a", {"name": "builtin", "model": "1f7c6b0d1e2f3a4b"}), ("b", model)):
        folder = tmp_path / label
        folder.mkdir()
        pd.DataFrame(RUN).to_csv(folder / "scores.csv", index=False)
        (folder / "manifest.json").write_text(json.dumps({"settings": {"verifier": verifier}}))
    found = compare([tmp_path / "a", tmp_path / "b"], resamples=100)
    named = ["builtin", "m at 127.0.0.1:8000 (llm-verifier)"]
    assert found.to_frame()["judged_by"].tolist() == named
    assert "judged by builtin" in found.to_text(width=160)
    assert "| a (judged by builtin) |" in found.to_markdown()
    assert f"judged by {named[1]}" in found.to_latex()
    alone = " ".join(str(compare(tmp_path / "b", resamples=100)).split())
    assert f"Judged by {named[1]}." in alone
    assert alone.count("udged by") == 1


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ({}, "nothing to compare"),
        ({"a": []}, "no biography"),
        ({"a": [{"fs": 1}]}, "record 1 has no 'name'"),
        ({"a": [{"name": "A", "fs": 94.6}]}, "fs is 94.6, not a number from 0 to 1"),
        ({"a": [{"name": "A", "fs": "high"}]}, "fs is 'high'"),
        ({"a": 3}, "cannot compare a int"),
        ({"a": "nowhere/run"}, "no such run or file"),
    ],
)
def test_what_cannot_be_compared(runs, words):
    with pytest.raises(InputError, match=words):
        compare(runs)


def test_options_out_of_range():
    with pytest.raises(InputError, match="confidence is 95"):
        compare({"a": RUN}, confidence=95)
    with pytest.raises(InputError, match="resamples is 5"):
        compare({"a": RUN}, resamples=5)


def test_two_runs_of_one_name(tmp_path):
    for parent in ("x", "y"):
        (tmp_path / parent / "run").mkdir(parents=True)
        pd.DataFrame(RUN).to_csv(tmp_path / parent / "run" / "scores.csv", index=False)
    with pytest.raises(InputError, match="two runs are called 'run'"):
        compare([tmp_path / "x/run", tmp_path / "y/run"])


@pytest.mark.parametrize("spelling", ["NFD", "two blanks"])
def test_a_name_is_the_same_however_it_is_encoded(spelling):
    names = [f"José Ñúñez {i}" for i in range(6)]
    other = [
        unicodedata.normalize("NFD", name) if spelling == "NFD" else name.replace(" ", "  ")
        for name in names
    ]
    assert set(names).isdisjoint(other)
    a = [{"name": name, "fs": 0.9, "dfs": i / 10} for i, name in enumerate(names)]
    b = [{"name": name, "fs": 0.9, "dfs": i / 20} for i, name in enumerate(other)]
    found = compare({"a": a, "b": b[::-1]}, resamples=100)
    assert (found.differences[0].n, found.ranks.n) == (6, 6)
    assert found.differences[1].difference == pytest.approx(np.mean([i / 20 for i in range(6)]))
    both = compare({"a": a + b}, resamples=100)
    assert both.scores[0].names == tuple(names)
    assert both.models[0].n == 12
