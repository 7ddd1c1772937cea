"""Facts against pages: chunks, evidence, cells that cannot be judged, batches, threads."""

from __future__ import annotations

import asyncio
import math
import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from dfactscore._errors import InputError  # noqa: E402
from dfactscore._records import Biography, Document, Entity, Fact  # noqa: E402
from dfactscore._util.tasks import run_sync  # noqa: E402
from dfactscore.engines._nli.entailment_model import chunk_spans  # noqa: E402
from dfactscore.engines._nli.judge import FactsAndTexts, NLIJudge  # noqa: E402
from dfactscore.engines._nli.verifier import NLIVerifier  # noqa: E402
from dfactscore.engines._roles import Verifier, as_role  # noqa: E402

BIOGRAPHY = Biography("1", "Al Bo", "")
#: Ten chunks of up to 15 tokens; only the tenth has the word that the model detects.
CHUNK = "Bo sang a race. Cy rode a race. Di wrote a race. "
LONG = CHUNK * 9 + "Bo sang. Al swam in Lund. Cy died."


def entity(*texts, name="Al Bo (swimmer)"):
    return Entity(name, name, tuple(Document(name, text) for text in texts))


def verify(verifier, facts, *texts):
    return run_sync(verifier.verify(BIOGRAPHY, [Fact(f) for f in facts], entity(*texts)))


@pytest.mark.parametrize("chunks", [0, 3])
def test_a_sentence_in_the_tenth_chunk_is_found_and_named(finder, chunks):
    verifier = NLIVerifier(finder, chunk_tokens=15, chunks=chunks, device="cpu")
    assert len(chunk_spans(LONG, 15, verifier.judge.model.count)) == 10
    (verdict,) = verify(verifier, ["Al swam."], LONG)
    assert verdict.status == "supported"
    document, start, end = verdict.evidence
    assert (document, LONG[start:end]) == (0, "Al swam in Lund.")
    # After another document, and never across two.
    (verdict,) = verify(verifier, ["Al swam."], CHUNK, LONG)
    assert verdict.evidence == (1, start, end)
    (verdict,) = verify(verifier, ["Al swam."], CHUNK * 9)
    assert verdict.status == "not_supported"


def test_only_the_best_chunks_are_read_and_the_first_of_equals_counts(finder):
    judge = NLIJudge(finder, chunk_tokens=15, chunks=2, device="cpu")
    (found,) = judge.judge([FactsAndTexts(("Al swam.",), (LONG,))])[0]
    assert judge.calls == 1
    # The best chunk by BM25, and the first of the chunks without a word of the fact.
    assert judge.tokens == sum(
        len(row.ids)
        for row in judge.model.encode(
            [(CHUNK.strip(), "Al swam."), (LONG[found.start : found.end], "Al swam.")]
        )
    )
    everything = NLIJudge(finder, chunk_tokens=15, chunks=0, device="cpu")
    (same,) = everything.judge([FactsAndTexts(("Di taught.",), (CHUNK * 4, CHUNK * 3))])[0]
    assert (same.text, same.start) == (0, 0)
    assert everything.tokens == len(everything.model.encode([(CHUNK.strip(), "Di taught.")])[0].ids)


def test_what_cannot_be_judged(finder, monkeypatch):
    verifier = NLIVerifier(finder, device="cpu")
    facts = ["Al swam.", "Al " * 70, "...", ""]
    verdicts = verify(verifier, facts, "Al swam in Lund.")
    assert [v.status for v in verdicts] == ["supported", "unparsed"] + ["not_supported"] * 2
    assert [v.probability for v in verdicts[1:]] == [None, 0.0, 0.0]
    for texts in ((), ("",), (" \n",)):
        (verdict,) = verify(verifier, ["Al swam."], *texts)
        assert (verdict.status, verdict.probability) == ("not_supported", 0.0)
    assert verify(verifier, [], "Al swam.") == []
    monkeypatch.setattr(
        verifier.judge.model, "probabilities", lambda rows: np.full(len(rows), math.nan)
    )
    (verdict,) = verify(verifier, ["Al swam."], "Al swam in Lund.")
    assert (verdict.status, verdict.probability) == ("error", None)


def test_a_fact_that_leaves_less_room_is_judged_on_smaller_chunks(finder):
    judge = NLIJudge(finder, chunks=0, device="cpu")
    fact = "Al swam " * 22 + "."
    room = judge.model.room([fact])[0]
    assert 8 < room < 20
    short, long = judge.judge([FactsAndTexts(("Al swam.", fact), (LONG,))])[0]
    assert "Lund" in LONG[short.start : short.end]
    assert judge.model.count([LONG[long.start : long.end]])[0] <= room


def test_a_page_without_words_of_the_fact_is_shown_whole(finder):
    verifier = NLIVerifier(finder, device="cpu")
    page = "Nothing here. Xx Lund zz."
    (verdict,) = verify(verifier, ["Überall."], page)
    assert verdict.evidence == (0, 0, len(page))


def test_settings_and_threshold(finder):
    verifier = NLIVerifier(finder, device="cpu", threshold=0.7)
    assert as_role(verifier, Verifier, "verifier") is verifier
    assert verifier.threshold == verifier.settings["threshold"] == 0.7
    assert verifier.settings["name"] == "nli"
    assert {"model", "sha256", "form", "label", "chunk_tokens", "chunks", "dtype", "device"} <= set(
        verifier.settings
    )
    assert NLIVerifier(finder, device="cpu").settings["chunks"] == 3  # on a CPU
    assert NLIVerifier(finder, device="cpu", chunks=0).settings["chunks"] == "all"
    with pytest.raises(InputError, match=r"threshold 1\.5"):
        NLIVerifier(finder, threshold=1.5)
    for wrong in ({"chunk_tokens": 0}, {"chunks": -1}, {"batch_tokens": 0}):
        with pytest.raises(InputError, match="expected positive numbers"):
            NLIVerifier(finder, **wrong)
    assert "form pair, support is label 1 'entailment', float32 on cpu" in verifier.judge.describe()


def test_all_entities_of_a_biography_share_their_calls(finder):
    facts = [Fact("Al swam."), Fact("Bo sang in Lund.")]
    asked = [(facts, entity(LONG)), (facts[:1], entity("Cy died.")), ([], entity("Di rode."))]
    verifier = NLIVerifier(finder, device="cpu", chunks=0)
    together = run_sync(verifier.verify_together(BIOGRAPHY, asked))
    assert verifier.judge.calls == 1
    alone = [run_sync(verifier.verify(BIOGRAPHY, f, e)) for f, e in asked]
    assert together == alone


def test_as_the_second_stage_of_the_cascade(finder):
    from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
    from dfactscore.engines._wrapping import CascadeVerifier

    second = NLIVerifier(finder, device="cpu", chunk_tokens=15)
    cascade = CascadeVerifier(BuiltinVerifier(), second, low=0.0, high=1.0)
    asked = [([Fact("Al swam.")], entity(LONG)), ([Fact("Al swam.")], entity(CHUNK))]
    (own,), (other,) = run_sync(cascade.verify_together(BIOGRAPHY, asked))
    assert second.judge.calls == 1
    assert own.sent
    assert LONG[own.evidence.start : own.evidence.end] == "Al swam in Lund."
    assert own.probability > other.probability
    assert cascade.settings["second"] == second.settings


@pytest.mark.parametrize("name", ["people", "ships"])
def test_few_calls_and_little_padding_on_the_examples(folders, name):
    from dfactscore._evidence.entities import gather_entities
    from dfactscore._evidence.pages import open_pages
    from dfactscore._readers import read_biographies
    from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
    from dfactscore.examples import example

    files = example(name)
    source = open_pages(files.pages)
    judge = NLIJudge(folders("deberta", longest=512), device="cpu", batch_tokens=1024)
    for biography in read_biographies(files.biographies, limit=8).biographies:
        facts = tuple(fact.text for fact in BuiltinDecomposer().decompose(biography))
        entities = gather_entities(biography, source).entities
        calls, tokens = judge.calls, judge.tokens
        judge.judge([FactsAndTexts(facts, tuple(d.text for d in e.documents)) for e in entities])
        assert judge.calls - calls <= math.ceil((judge.tokens - tokens) / judge.batch_tokens) + 1
    assert judge.tokens > 5000
    assert 1 - judge.tokens / judge.padded_tokens <= 0.15


def test_a_small_memory_halves_the_calls_and_says_so_once(finder, monkeypatch, caplog):
    judge = NLIJudge(finder, device="cpu", chunks=0, batch_tokens=400)
    asked = [FactsAndTexts(("Al swam.", "Bo sang in Lund."), (LONG, CHUNK * 5, "Cy died."))]
    expected = judge.judge(asked)
    real = judge.model.probabilities

    def small(rows):
        if len(rows) * max(len(row.ids) for row in rows) > 130:
            raise torch.cuda.OutOfMemoryError
        return real(rows)

    monkeypatch.setattr(judge.model, "probabilities", small)
    assert judge.judge(asked) == expected
    assert judge.batch_tokens <= 130
    (line,) = caplog.messages
    assert "memory of the GPU is too small" in line
    monkeypatch.setattr(
        judge.model, "probabilities", lambda rows: (_ for _ in ()).throw(
            torch.cuda.OutOfMemoryError()
        )
    )  # fmt: skip
    with pytest.raises(InputError, match="tokens does not fit into the memory"):
        judge.judge(asked)


def test_who_no_longer_waits_stops_the_model(finder, monkeypatch):
    verifier = NLIVerifier(finder, device="cpu", chunks=0, batch_tokens=64)
    real, calls = verifier.judge.model.probabilities, []
    begun, allowed = threading.Event(), threading.Event()

    def slow(rows):
        calls.append(len(rows))
        begun.set()
        assert allowed.wait(30)
        return real(rows)

    monkeypatch.setattr(verifier.judge.model, "probabilities", slow)

    async def interrupted():
        task = asyncio.ensure_future(
            verifier.verify(BIOGRAPHY, [Fact("Al swam.")], entity(LONG, CHUNK * 9))
        )
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_sync(interrupted())
    allowed.set()
    verifier._thread.submit(lambda: None).result(30)  # after the running call
    assert len(calls) == 1
    assert verify(verifier, ["Al swam."], LONG)[0].status == "supported"


def test_the_number_of_threads_does_not_show(finder):
    seen = []
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            verifier = NLIVerifier(finder, device="cpu", chunks=0)
            used = []
            real = verifier.judge.model.probabilities

            def noting(rows, real=real, used=used):
                used.append(torch.get_num_threads())
                return real(rows)

            verifier.judge.model.probabilities = noting
            seen.append(verify(verifier, ["Al swam.", "Bo rode."], LONG, CHUNK))
            assert set(used) == {threads}
    finally:
        torch.set_num_threads(before)
    assert seen[0] == seen[1]
