from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from dfactscore._errors import InputError
from dfactscore.annotation._agreement import agree, exact_interval, kappa_figure
from dfactscore.annotation._report import study_report
from dfactscore.annotation._report_tables import (
    render_html,
    render_markdown,
    render_text,
    write_report,
)


def near(value):
    return pytest.approx(value, abs=1e-6)


@pytest.fixture(scope="module")
def both(tmp_path_factory, write_run, worked_records, worked):
    """The worked example, answered by two people."""
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._importing import import_answers
    from dfactscore.annotation._study import Study

    folder = tmp_path_factory.mktemp("both")
    runs = {"x": write_run(folder / "x", worked_records())}
    init_study(runs.values(), folder / "s.db", annotators=["ann", "ben"], double=1.0)
    rows = []
    for record, sides in worked.items():
        for name, answer in zip(("ann", "ben"), sides, strict=True):
            rows.append(line(record, name, answer))
    (folder / "a.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    with Study(folder / "s.db") as study:
        import_answers(study, folder / "a.jsonl")
        yield study


def line(record, name, answer, run="x", texts=None):
    texts = texts or [f"Ann Lee did thing {i}." for i in range(len(answer.facts))]
    return {
        "study": "", "item": record, "run": run, "model": "", "name": "Ann Lee", "annotator": name,
        "role": "annotator", "n_bio": len(answer.groups),
        "biographies": [{"facts": list(g), "page": p}
                        for g, p in zip(answer.groups, answer.pages, strict=True)],
        "facts": [{"text": t, "biography": f.biography, "label": f.label, "found_in": f.found_in}
                  for t, f in zip(texts, answer.facts, strict=True)],
        "revised_after_pages": answer.revised_after_pages, "seconds": 60, "status": "done",
    }  # fmt: skip


def test_the_worked_example(both):
    report = study_report(both, resamples=500)
    found = report["agreement"]["x"]
    assert found["n_bio"]["percent"]["value"] == near(2 / 3)
    label = found["label"]
    assert label["percent"]["value"] == near(0.833333)
    assert label["kappa"][0]["value"] == near(0.653430)
    assert label["alpha"]["value"] == near(0.658802)
    assert found["supported"]["kappa"][0]["value"] == near(0.627907)
    assert found["found_in"]["percent"]["value"] == near(0.708333)
    assert found["found_in"]["kappa"][0]["value"] == near(0.542234)
    assert found["found_in"]["alpha"]["value"] == near(0.542420)
    assert found["adjusted_rand"]["value"] == near(2 / 3)
    assert found["link"]["percent"]["n"] == 24
    assert found["confusion"][0]["counts"] == [[14, 2, 1], [1, 5, 0], [0, 0, 1]]
    people = report["means"]["x"]["people"]
    assert people["dfs"]["value"] == near(np.mean([0.625, 0.5, 0.9, 0.5, 0.5, 0.8]))
    assert people["n_ent"]["value"] == near(np.mean([2, 2, 2, 2, 2, 3]))
    assert report["paragraphs"]["undecided"] == 3
    dropped = study_report(both, irrelevant="drop", resamples=0)["means"]["x"]["people"]["dfs"]
    assert dropped["value"] == near(np.mean([0.714286, 0.5, 0.9, 0.571429, 0.6, 0.8]))
    assert dropped["low"] is None
    ann = report["annotators"][0]
    assert (ann["annotator"], ann["done"], ann["median_seconds"]) == ("ann", 3, 60)
    assert ann["supported"] == near(17 / 24)


def test_what_rests_on_few_paragraphs_is_named(make_study, make_scored, browse):
    """Of eleven paragraphs each model has fewer than ten; people link to the other page."""
    from dataclasses import replace

    from dfactscore.annotation import FactAnswer, ItemAnswer

    records = []
    for i in range(11):
        record = make_scored(id=f"r{i}", name=f"Ann Lee{i}")
        model = "few" if i < 2 else "more"
        records.append(replace(record, biography=replace(record.biography, model=model)))
    study = make_study(records, annotators=["ann"])
    ann = browse(study, "ann")
    for task in ann.tasks():
        said = FactAnswer(1, "supported", "Ann Lee (poet)")
        ann.annotate(task.public, ItemAnswer((said,) * 5, ("Ann Lee (poet)",)))
    text = render_text(study_report(study, resamples=20), width=300)
    assert "Fewer than 10 paragraphs: few (2), more (9);" in text
    assert "few: the run links 0 of 10 facts to the page that people chose." in text
    rows = [row.split() for row in text.splitlines() if row.startswith("all models")]
    assert [row[2:4] for row in rows if row[2] in ("any", "people's")] == [
        ["any", "55"], ["people's", "0"],
    ]  # fmt: skip


def test_every_form_says_the_same(both, tmp_path):
    report = study_report(both, resamples=200)
    texts = [render_text(report, width=200), render_markdown(report), render_html(report)]
    for text in texts:
        assert "0.659" in text
        assert "83.3" in text
    files = {f.name for f in write_report(report, tmp_path / "out")}
    assert {"report.json", "report.html", "report.md", "means.csv", "agreement.csv"} <= files
    assert json.loads((tmp_path / "out" / "report.json").read_text()) == report
    assert "<script" not in texts[2]
    narrow = render_text(report, width=40)
    assert max(map(len, narrow.splitlines())) <= 40
    again = study_report(both, resamples=200)
    assert json.dumps(again) == json.dumps(report)


def test_a_report_replaces_its_own_files_only(both, tmp_path):
    report = study_report(both, resamples=10)
    (tmp_path / "means.csv").write_text("my own notes\n")
    with pytest.raises(InputError, match=r"means\.csv: exists"):
        write_report(report, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["means.csv"]
    files = write_report(report, tmp_path, overwrite=True)
    first = {file: file.read_bytes() for file in files}
    assert write_report(report, tmp_path) == files
    for file in files[:3]:
        file.write_text("my own notes\n")
        with pytest.raises(InputError, match="not written by this command"):
            write_report(report, tmp_path)
        assert file.read_text() == "my own notes\n"
        write_report(report, tmp_path, overwrite=True)
    assert {file: file.read_bytes() for file in files} == first


def test_what_is_undefined_is_a_dash_with_its_reason(make_study, make_scored, browse):
    study = make_study(annotators=["ann", "ben"], double=1.0)
    report = study_report(study, resamples=20)
    text = render_text(report, width=160)
    assert "– (no paragraph" in text
    from dfactscore.annotation import FactAnswer, ItemAnswer

    for name in ("ann", "ben"):
        browser = browse(study, name)
        for task in browser.tasks():
            pages = browser.state(task.public).item.pages
            title = pages[0].title
            browser.annotate(
                task.public, ItemAnswer((FactAnswer(1, "supported", title),) * 5, (title,))
            )
    text = render_text(study_report(study, resamples=50), width=200)
    assert "– (both always gave the same value)" in text
    assert "– (everyone always gave the same value)" in text
    assert "– (people gave one label only)" in text
    assert "– (people's scores are all the same)" in text


def test_the_automatic_run_beside_people(tmp_path, make_scored, write_run):
    """Two models; people say what the run says, but for a fact each."""
    from dfactscore.annotation import FactAnswer, ItemAnswer
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._importing import import_answers
    from dfactscore.annotation._study import Study

    rng = np.random.default_rng(5)
    runs, rows = [], []
    expected = {}
    for model, share in (("x", 0.8), ("y", 0.4)):
        records, pairs = [], []
        for i in range(12):
            support = [(int(rng.random() < share), int(rng.random() < 0.3)) for _ in range(8)]
            support[0] = (1, 0)
            record = make_scored(name=f"Name {i}", id=f"{model}{i}", support=support,
                                 titles=("P", "Q"), groups=(tuple(range(8)),))  # fmt: skip
            records.append(record)
            link = record.entities[record.links[0].entity].id
            facts = []
            for f, row in enumerate(support):
                by = dict(zip(("P", "Q"), row, strict=True))
                other = "Q" if link == "P" else "P"
                if by[link] and f:
                    facts.append(FactAnswer(1, "supported", link))
                else:  # people do not find the first fact
                    found = other if by[other] and f else None
                    facts.append(FactAnswer(1, "not_supported", found))
            answer = ItemAnswer(tuple(facts), (link,))
            texts = [f"Name {i} did thing {k}." for k in range(8)]
            row = line(f"{model}{i}", "annotator", answer, run=model, texts=texts)
            rows.append({**row, "name": f"Name {i}"})
            pairs.append((sum(f.label == "supported" for f in facts) / 8, record.scores.dfs))
        expected[model] = pairs
        runs.append(write_run(tmp_path / model, records))
    init_study(runs, tmp_path / "s.db")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    with Study(tmp_path / "s.db") as study:
        import_answers(study, tmp_path / "a.jsonl")
        report = study_report(study, resamples=300)
        assert study_report(study, runs=runs, resamples=300)["automatic"] == report["automatic"]
        with pytest.raises(InputError, match="one at a time"):
            study_report(study, runs=[runs[0], copied(runs[0], tmp_path)])
    both = expected["x"] + expected["y"]
    found = report["automatic"]["all"]["dfs"]
    assert found["pearson"] == pytest.approx(np.corrcoef(*zip(*both, strict=True))[0, 1])
    assert found["bias"] == pytest.approx(np.mean([b - a for a, b in both]))
    assert report["means"]["x"]["people"]["dfs"]["value"] == pytest.approx(
        np.mean([a for a, _ in expected["x"]])
    )
    facts = report["automatic"]["all"]["facts"]
    (tp, fn), (fp, tn) = facts["table"]
    assert fn == 0
    assert fp >= 1
    assert tp + tn + fp == 24 * 8
    from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

    truth = [1] * tp + [0] * (fp + tn)
    said = [1] * tp + [1] * fp + [0] * tn
    assert facts["balanced_accuracy"]["value"] == near(balanced_accuracy_score(truth, said))
    assert facts["kappa"]["value"] == near(cohen_kappa_score(truth, said))
    order = report["order"]["dfs"]
    assert order["people"] == order["automatic"] == ["x", "y"]
    assert 0.9 < order["same"] <= 1
    assert "x > y" in render_text(report)


def copied(folder, tmp_path):
    import shutil

    return shutil.copytree(folder, tmp_path / "copy")


def test_a_run_with_other_facts(both, tmp_path, make_scored, write_run):
    """It is compared per paragraph only."""
    records = [
        make_scored(name="Ann Lee", id=record, support=((1, 0, 0),) * n, titles=("P", "Q", "R"),
                    groups=(tuple(range(n)),), texts=[f"Ann Lee did thing {i}." for i in range(n)])
        for record, n in (("b1", 8), ("b2", 6), ("b3", 10))
    ]  # fmt: skip
    records = [
        replace(r, facts=tuple(replace(f, text=f"Other {f.text}") for f in r.facts))
        for r in records
    ]
    run = write_run(tmp_path / "other", records)
    report = study_report(both, runs=[run], resamples=20)
    assert report["paragraphs"]["other_facts"] == 3
    assert report["automatic"]["x"]["dfs"]["n"] == 3
    assert report["automatic"]["x"]["facts"]["balanced_accuracy"]["n"] == 0
    assert "only their scores are" in render_text(report)


def test_changed_after_the_pages_is_left_out_of_n_bio(make_study, worked_records, worked, tmp_path):
    from dfactscore.annotation._importing import import_answers

    study = make_study(worked_records(), annotators=["ann", "ben"], double=1.0)
    rows = []
    for record, sides in worked.items():
        for name, answer in zip(("ann", "ben"), sides, strict=True):
            revised = record == "b3" and name == "ben"
            row = line(record, name, replace(answer, revised_after_pages=revised))
            rows.append({**row, "run": "run of study.db"})
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    import_answers(study, tmp_path / "a.jsonl")
    left, kept = (
        study_report(study, include_revised=flag, resamples=20)["agreement"] for flag in (0, 1)
    )
    scope = next(iter(left))
    assert left[scope]["n_bio"]["percent"]["value"] == 1
    assert left[scope]["revised_left_out"] == 1
    assert kept[scope]["n_bio"]["percent"]["value"] == near(2 / 3)
    assert left[scope]["label"]["percent"]["n"] == 24


def test_intervals_are_those_of_drawn_paragraphs():
    """Against drawing the paragraphs one by one."""
    from dfactscore.annotation._agreement import krippendorff_alpha
    from dfactscore.measures._agreement import cohen_kappa
    from dfactscore.measures._resampling import resample_counts

    rng = np.random.default_rng(3)
    paragraphs = [
        [{"a": int(rng.integers(3)), "b": int(rng.integers(3))} for _ in range(rng.integers(2, 9))]
        for _ in range(8)
    ]
    found = agree(paragraphs, resamples=200)
    kappas, alphas = [], []
    for row in next(iter(resample_counts(8, resamples=200))):
        units = [u for p, times in zip(paragraphs, row, strict=True) for u in p * int(times)]
        kappas.append(cohen_kappa([u["a"] for u in units], [u["b"] for u in units]))
        alphas.append(krippendorff_alpha([list(u.values()) for u in units]))
    for figure, drawn in ((found.kappas[0].kappa, kappas), (found.alpha, alphas)):
        assert list(figure.interval) == pytest.approx(np.percentile(drawn, [2.5, 97.5]))
    pairs = [[(u["a"], u["b"]) for u in own] for own in paragraphs]
    assert kappa_figure(pairs, 200) == found.kappas[0].kappa


def test_nine_of_ten():
    low, high = exact_interval(9, 10)
    assert (round(low, 2), round(high, 2)) == (0.55, 1.00)
    assert exact_interval(0, 0) is None
    assert list(exact_interval(0, 3)) == pytest.approx([0, 0.7076], abs=1e-4)
