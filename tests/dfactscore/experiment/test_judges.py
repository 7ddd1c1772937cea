from __future__ import annotations

import json

import pytest

from dfactscore import BudgetError
from dfactscore._errors import InputError, RunError
from dfactscore._experiment import estimate_experiment, load_experiment, run_experiment

FILE = """
example: people
models:
  mixing: {{generator: extractive, mode: mixing}}
judges:
  all: builtin
  sample: {sample}
citations: false
"""


def experiment(tmp_path, sample):
    path = tmp_path / "experiment.yaml"
    path.write_text(FILE.format(sample=sample))
    return load_experiment(path)


def test_two_judges(tmp_path):
    """The scores of the strict second judge correct those of the first."""
    found = run_experiment(experiment(tmp_path, "{n: 10, threshold: 0.95}"), tmp_path / "out")
    run = tmp_path / "out" / "mixing" / "run"
    corrected = json.loads((run / "corrected.json").read_text())
    assert corrected["by"] == "sample (judged by builtin)"
    assert corrected["measures"]["fs"]["labels"] == 10
    level = found.comparison.models[0].levels["fs_corrected"]
    assert level.mean == corrected["measures"]["fs"]["corrected"]
    assert "corrected" in (run / "report.html").read_text()
    files = {p: p.read_bytes() for p in (tmp_path / "out").rglob("*.jsonl")}
    run_experiment(experiment(tmp_path, "{n: 10, threshold: 0.95}"), tmp_path / "out")
    assert files == {p: p.read_bytes() for p in (tmp_path / "out").rglob("*.jsonl")}


def _strictly(loaded):
    """The experiment with another judge of all texts."""
    judge = loaded.score.model_copy(update={"strict": True})
    judges = loaded.judges.model_copy(update={"all": judge})
    return loaded.model_copy(update={"score": judge, "judges": judges})


def test_what_two_judges_would_cost(tmp_path):
    model = "{n: 10, engine: llm, model: m, base_url: 'http://127.0.0.1:9/v1', no_cache: true}"
    usage, _, about = estimate_experiment(experiment(tmp_path, model), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert usage.total().calls >= 30  # facts, groups and verdicts of ten texts
    assert "0 of them written" in about


def test_what_two_judges_cost(tmp_path, stub, monkeypatch):
    """Generators and judges of one model: the probe is asked once, and counted once."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    model = f"engine: llm, model: m, base_url: '{stub.base_url}'"
    path, out = tmp_path / "experiment.yaml", tmp_path / "out"
    text = FILE.format(sample=f"{{n: 10, {model}, strict: true}}")
    text = text.replace("all: builtin", f"all: {{{model}}}")
    path.write_text(text.replace("mixing}", "mixing}\n  first: {generator: extractive}"))
    loaded = load_experiment(path, {"limit": 12})

    def counted():
        usage, _, _ = estimate_experiment(loaded, out)
        return usage.tally("probe", "m").calls, usage.tally("group", "m").calls

    first = counted()
    assert not out.exists()
    run_experiment(loaded, out)
    asked = stub.stats()["by_stage"]
    assert first == (asked["probe"], asked["group"]) == (1, 24)
    files = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    assert estimate_experiment(loaded, out)[0].total().calls == 0
    with pytest.raises(RunError, match="holds another run") as refused:
        estimate_experiment(_strictly(loaded), out)
    with pytest.raises(RunError, match="holds another run") as again:
        run_experiment(_strictly(loaded), out)
    assert str(refused.value) == str(again.value)
    assert files == {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}


def test_a_dry_run_counts_the_check_of_a_judge_once(tmp_path, stub, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("dfactscore._jobs.engines._PAYS", 3)
    path, out = tmp_path / "experiment.yaml", tmp_path / "out"
    text = FILE.replace("mixing}}", "mixing}}\n  first: {{generator: extractive}}")
    model = f"{{engine: llm, model: m, base_url: '{stub.base_url}'}}"
    path.write_text(text.format(sample="null").replace("all: builtin", f"all: {model}"))
    loaded = load_experiment(path, {"limit": 3})

    def counted():
        tallies = estimate_experiment(loaded, out)[0]
        return {stage: tallies.tally(stage, "m").calls for stage in ("probe", "read", "group")}

    said = counted()
    assert said == {"probe": 1, "read": 5, "group": 6}
    run_experiment(loaded, out)
    asked = stub.stats()["by_stage"]
    assert said == {stage: asked[stage] for stage in said}
    assert not any(counted().values())


@pytest.mark.parametrize("by", ["file", "flags"])
def test_an_experiment_has_one_budget(tmp_path, stub, monkeypatch, by):
    """For generators and judges, though the judge has a larger one of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "prices.json").write_text('{"models": {"m": {"prompt": 1e3, "completion": 1e3}}}')
    model = f"engine: llm, model: m, base_url: '{stub.base_url}', max_cost: 100, no_cache: true"
    text = FILE.format(sample=f"{{n: 10, {model}}}")
    path, given = tmp_path / "experiment.yaml", {"max_cost": 12, "prices": "prices.json"}
    lines = [f"{key}: {value}" for key, value in given.items() if by == "file"]
    path.write_text("\n".join([text, *lines]))
    flags = {"max_cost": "12", "prices": tmp_path / "prices.json"} if by == "flags" else {}
    loaded = load_experiment(path, flags)
    _, prices, _ = estimate_experiment(loaded, tmp_path / "out")
    assert prices.find("m").prompt == 1000
    with pytest.raises(BudgetError, match="--max-cost 12 USD"):
        run_experiment(loaded, tmp_path / "out")


@pytest.mark.parametrize("sample", ["{n: 3}", "{n: '30'}", "{n: true}"])
def test_a_sample_has_ten_texts(tmp_path, sample):
    with pytest.raises(InputError, match=r"experiment\.yaml: judges: sample: n is .* leave n out"):
        experiment(tmp_path, sample)


def test_null_leaves_a_judge_or_a_size_out(tmp_path):
    assert experiment(tmp_path, "null").judges is None
    assert experiment(tmp_path, "{n: null, threshold: 0.95}").judges.sample.sample is None
    with pytest.raises(InputError, match="judges: sample: the decomposer needs a language model"):
        experiment(tmp_path, "llm")
    with pytest.raises(InputError, match="judges: sample: expected settings"):
        experiment(tmp_path, "3")


@pytest.mark.parametrize("size", ["", "n: 30, "])
def test_two_judges_of_all_texts(tmp_path, size):
    """Without a size, or with a larger one, the second judge's mean is the corrected one."""
    loaded = experiment(tmp_path, f"{{{size}threshold: 0.95}}")
    found = run_experiment(loaded.model_copy(update={"limit": 12}), tmp_path / "out")
    levels = found.comparison.models[0].levels
    summary = json.loads((tmp_path / "out" / "mixing" / "sample" / "summary.json").read_text())
    assert levels["dfs_corrected"].n == levels["dfs"].n == 12
    assert levels["dfs_corrected"].mean == pytest.approx(summary["dfs"])


def test_too_few_texts_to_correct(tmp_path):
    loaded = experiment(tmp_path, "{threshold: 0.95}").model_copy(update={"limit": 4})
    found = run_experiment(loaded, tmp_path / "out").comparison
    assert any(note.startswith("not corrected: mixing: 4 labels") for note in found.notes)
    assert "dfs_corrected" not in found.models[0].levels


def test_a_sample_of_more_names(tmp_path):
    """A larger limit draws the sample from all texts: the folder is as if made with it at once."""
    loaded = experiment(tmp_path, "{n: 10, threshold: 0.95}")
    for limit, out in ((12, "grown"), (None, "grown"), (None, "fresh")):
        run_experiment(loaded.model_copy(update={"limit": limit}), tmp_path / out)
    grown, fresh = (tmp_path / out / "mixing" / "sample" for out in ("grown", "fresh"))
    for name in ("biographies", "facts", "groups", "verdicts", "documents"):
        assert (grown / f"{name}.jsonl").read_bytes() == (fresh / f"{name}.jsonl").read_bytes()


def test_a_dry_run_is_refused_as_the_run_is(tmp_path):
    """Judges that ask no model, too: what is there was judged with other settings."""
    limit = {"update": {"limit": 12}}
    first, other = (experiment(tmp_path, f"{{n: 10, threshold: {t}}}") for t in (0.95, 0.9))
    run_experiment(first.model_copy(**limit), tmp_path / "out")
    estimate_experiment(first.model_copy(**limit), tmp_path / "out")
    for does in (run_experiment, estimate_experiment):
        with pytest.raises(RunError, match=r"sample: holds another run: .*threshold was 0\.95"):
            does(other.model_copy(**limit), tmp_path / "out")
