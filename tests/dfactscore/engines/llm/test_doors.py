"""A language model's verdicts make the same run folder through the command and from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dfactscore import OpenAIModel, Scorer
from dfactscore._readers import read_biographies


@pytest.mark.parametrize("verifier", ["llm", "cascade"])
def test_the_same_bytes(
    job: Any, stub: Any, contents: Any, biographies: Path, tmp_path: Path, verifier: str
) -> None:
    band = {"verifier": verifier}
    if verifier == "cascade":
        band |= {"cascade_low": 0.01, "cascade_high": 0.99}
    ours = contents(job("command", **band))
    scorer = Scorer(
        model=OpenAIModel("stub-a", base_url=stub.base_url, backoff=0.02, timeout=5.0),
        llm={"cache": tmp_path / "other.sqlite", **band},
    )
    results = scorer.score_many(read_biographies(biographies).biographies)
    theirs = contents(results.save(tmp_path / "saved"))
    assert b'"usage"' in ours["verdicts.jsonl"]
    for found, name in ((ours, "bios"), (theirs, "records")):
        for file in ("manifest.json", "report.html"):
            found[file] = found[file].replace(b"bios.json", b"records")
            found[file] = found[file].replace(name.encode(), b"records")
    assert theirs == ours
    calls = stub.stats()["requests"]
    assert contents(job("saved", **band))["verdicts.jsonl"] == ours["verdicts.jsonl"]
    assert stub.stats()["requests"] == calls
