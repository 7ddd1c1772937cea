from __future__ import annotations

import json

import pytest

from dfactscore.errors import InputError
from dfactscore.jobs.experiment import estimate_experiment, load_experiment, run_experiment

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
    """What the second judge, which is strict, says of its sample corrects the first."""
    found = run_experiment(experiment(tmp_path, "{n: 10, threshold: 0.95}"), tmp_path / "out")
    run = tmp_path / "out" / "mixing" / "run"
    corrected = json.loads((run / "corrected.json").read_text())
    assert corrected["by"] == "sample"
    assert corrected["measures"]["fs"]["labels"] == 10
    level = found.comparison.models[0].levels["fs_corrected"]
    assert level.mean == corrected["measures"]["fs"]["corrected"]
    assert "corrected" in (run / "report.html").read_text()
    files = {p: p.read_bytes() for p in (tmp_path / "out").rglob("*.jsonl")}
    run_experiment(experiment(tmp_path, "{n: 10, threshold: 0.95}"), tmp_path / "out")
    assert files == {p: p.read_bytes() for p in (tmp_path / "out").rglob("*.jsonl")}


def test_what_two_judges_would_cost(tmp_path):
    model = "{n: 10, engine: llm, model: m, base_url: 'http://127.0.0.1:9/v1', no_cache: true}"
    usage, _, about = estimate_experiment(experiment(tmp_path, model), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert usage.total().calls >= 30  # facts, groups and verdicts of ten texts
    assert "0 of them written" in about


@pytest.mark.parametrize("sample", ["{engine: llm}", "{n: 3}", "llm"])
def test_a_sample_needs_its_size(tmp_path, sample):
    with pytest.raises(InputError, match=r"experiment\.yaml: judges: sample: give n"):
        experiment(tmp_path, sample)
