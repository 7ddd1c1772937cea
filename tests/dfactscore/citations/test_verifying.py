"""Any verifier judges citations, at once or awaited."""

from __future__ import annotations

import asyncio

import pytest

from dfactscore._readers import biography_from_record
from dfactscore._records import Verdict
from dfactscore.citations import Judgment, Query, score_citations, summarize
from dfactscore.citations._entailment import VerifierEntailer, builtin_entailer
from dfactscore.engines._builtin.verify.model import DEFAULT_MODEL, load_model
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.retrieval import Passage

ROWER = Passage("Ann Lee (rower)", "Ann Lee (born 1961) is a Canadian rower from Perth.")
PAINTER = Passage("Ann Lee (painter)", "Ann Lee was a painter who lived in Leeds until 1941.")


def test_builtin_reads_passages_together():
    entailer = VerifierEntailer(BuiltinVerifier())
    both = "Ann Lee was a Canadian rower and a painter who lived in Leeds."
    queries = [
        Query(both, (ROWER, PAINTER), "Ann Lee"),
        Query(both, (ROWER,), "Ann Lee"),
        Query("She was born in 1975 in Paris.", (ROWER,), "Ann Lee"),
        Query("Ann Lee is a rower.", (ROWER,), "Ann Lee"),
    ]
    found = entailer.judge(queries)
    assert [j.entailed for j in found] == [True, False, False, True]
    assert [j.probability for j in found] == [entailer.judge([q])[0].probability for q in queries]
    assert entailer.settings["entailer"] == "verifier"
    assert entailer.judge([]) == []


def test_a_verifier_that_takes_time_and_one_that_cannot_be_read():
    class Slow:
        settings = {"name": "slow"}
        threshold = None
        seen = []

        async def verify(self, biography, facts, entity):
            await asyncio.sleep(0)
            self.seen.append((biography.name, [f.text for f in facts], entity.label))
            status = {"yes.": "supported", "no.": "not_supported"}
            return [Verdict(status.get(f.text.split()[-1], "unparsed"), 0.5) for f in facts]

    entailer = VerifierEntailer(Slow())
    queries = [Query(f"He said {w}.", (ROWER, PAINTER), "Ann Lee") for w in ("yes", "no", "hm")]
    found = asyncio.run(entailer.judge(queries))
    assert found == [Judgment(True, 0.5), Judgment(False, 0.5), Judgment(None, 0.5)]
    assert Slow.seen == [
        ("Ann Lee", [q.sentence for q in queries], "Ann Lee (rower); Ann Lee (painter)")
    ]


def test_end_to_end():
    record = {
        "name": "Ann Lee",
        "output": "Ann Lee is a Canadian rower [1][2]. She lived in Leeds [1].",
        "passages": [{"title": p.title, "text": p.text} for p in (ROWER, PAINTER)],
    }
    scores = score_citations([biography_from_record(record)], VerifierEntailer(BuiltinVerifier()))
    summary = summarize(scores)
    assert summary.citation_recall == 0.5
    assert summary.citation_precision == 1 / 3  # [2] is not needed, and the last [1] is wrong


def test_threshold():
    """The shipped coefficients have the threshold that training set on labeled citations."""
    held = load_model(DEFAULT_MODEL).threshold("citation")
    assert builtin_entailer().settings["threshold"] == pytest.approx(held, abs=1e-6)
    assert builtin_entailer(0.9).settings["threshold"] == 0.9
