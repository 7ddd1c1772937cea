"""FS over a whole corpus: an additional column, to which groups are not linked."""

from __future__ import annotations

import pytest

from dfactscore._errors import InputError
from dfactscore._scorer.scorer import Scorer
from dfactscore._util.tasks import run_sync
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import CORPUS, CorpusVerifier, open_corpus
from dfactscore.retrieval import BuildOptions, Passage, Retriever, build_index

TEXT = "Ann Lee is an English painter. She rowed for Canada in 1996. She was a judge in Rome."
PAGES = {"Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes."}


@pytest.fixture
def retriever(tmp_path):
    passages = [
        Passage("Ann Lee (rower)", "Ann Lee is a rower. She rowed for Canada in 1996.", "1"),
        Passage("Canada", "Canada is a country in North America.", "2"),
        Passage("Rome", "Rome is the capital of Italy.", "3"),
    ]
    build_index(passages, tmp_path / "index", BuildOptions(snapshot="2018-12-20"))
    return Retriever(tmp_path / "index")


def test_fs_finds_support_elsewhere_and_d_fs_does_not_move(retriever):
    plain = Scorer(pages=PAGES).score(TEXT, name="Ann Lee")
    verifier = CorpusVerifier(Scorer().engine.verifier, retriever)
    assert isinstance(verifier, Verifier)
    wide = Scorer(pages=PAGES, verifier=verifier).score(TEXT, name="Ann Lee")
    assert plain.scores.fs_verdicts == pytest.approx(1 / 3)
    assert wide.scores.fs_verdicts == pytest.approx(2 / 3)
    assert wide.fs > plain.fs
    assert (wide.dfs, wide.n_ent, wide.n_bio) == (plain.dfs, plain.n_ent, plain.n_bio)
    judged = wide.record
    assert [e.id for e in judged.entities] == ["Ann Lee (painter)", CORPUS]
    first = plain.record.matrix
    assert (judged.matrix.status[:, :1] == first.status).all()
    assert (judged.matrix.probability[:, :1] == first.probability).all()
    assert wide.record.candidate_columns == (0,)
    assert verifier.threshold == verifier.inner.threshold
    scope = verifier.settings["fs_scope"]
    assert (scope["method"], scope["snapshot"], scope["passages"]) == ("bm25", "2018-12-20", 5)


def test_a_fact_that_nothing_matches_is_not_supported(retriever):
    from dfactscore._records import Biography, Entity, Fact

    verifier = CorpusVerifier(Scorer().engine.verifier, retriever)
    verdicts = run_sync(
        verifier.verify(Biography("0", "Xx Yy", ""), [Fact("Zz zz.")], Entity(CORPUS, "", ()))
    )
    assert [(v.status, v.probability) for v in verdicts] == [("not_supported", 0.0)]


def test_an_index_makes_the_corpus_the_scope(retriever):
    inner = Scorer().engine.verifier
    assert open_corpus(None, inner) is inner
    assert isinstance(open_corpus(retriever.folder, inner), CorpusVerifier)

    class Blind(BuiltinVerifier):
        tells_entities_apart = False

    with pytest.raises(InputError, match="needs a verifier that reads documents"):
        open_corpus(retriever.folder, Blind())


def test_pages_and_corpus_are_judged_in_one_call(retriever):
    class Together(Verifier):
        settings = {"name": "together"}
        calls = 0

        def verify(self, biography, facts, entity):
            raise AssertionError("asked about one entity alone")

        def verify_together(self, biography, asked):
            self.calls += 1
            inner = Scorer().engine.verifier
            return [inner.verify(biography, facts, entity) for facts, entity in asked]

        def weigh(self, entities, probability):
            return Scorer().engine.verifier.weigh(entities, probability)

    together = Together()
    wide = Scorer(pages=PAGES, verifier=CorpusVerifier(together, retriever))
    plain = CorpusVerifier(Scorer().engine.verifier, retriever)
    expected = Scorer(pages=PAGES, verifier=plain).score(TEXT, name="Ann Lee")
    found = wide.score(TEXT, name="Ann Lee")
    assert found.record.matrix.probability.tolist() == (expected.record.matrix.probability.tolist())
    assert together.calls == 1
