"""FActScore as in its paper: a fact is true if any page in the knowledge source supports it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._text.clean_text import clean
from dfactscore.engines._answers import verify_together
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import WrappingVerifier
from dfactscore.retrieval import Retriever

if TYPE_CHECKING:
    from dfactscore.retrieval import Hit
    from dfactscore.work import Asks


FsScope = Literal["retrieved", "corpus"]
#: The column of verdicts against the passages retrieved for each fact. It only affects FS: it is
#: not an entity, so groups are not linked to it, and facts are not credited to it.
CORPUS = "(corpus)"
#: The column of verdicts against the results of an unrestricted search for each fact; likewise.
OPEN = "(open)"
FS_ONLY = frozenset({CORPUS, OPEN})


class CorpusVerifier(WrappingVerifier):
    """Adds a column in which each fact is judged against passages from the whole index.

    "Any page of the source" (appendix B.1 of the paper) is approximated by retrieving passages for
    each fact, using FActScore's query: the name followed by the fact.
    """

    def __init__(self, inner: Verifier, retriever: Retriever, *, passages: int = 5) -> None:
        super().__init__(inner)
        self._retriever = retriever
        self._passages = passages

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the inner verifier, of the index and of the search."""
        manifest = self._retriever.manifest
        return {
            **self.inner.settings,
            "fs_scope": {
                "scope": "corpus",
                "method": manifest.kind,
                "passages": self._passages,
                "index": manifest.corpus_hash,
                "snapshot": manifest.snapshot,
                "encoder": dict(manifest.encoder),
            },
        }

    def extra_entities(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """Returns the additional column, ranked last."""
        rank = max((entity.rank for entity in entities), default=-1) + 1
        return (Entity(CORPUS, "any page of the corpus", (), rank),)

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Lists the inner verifier's requests; for `CORPUS`, each fact has its own passages."""
        parts = [self._parts(biography, facts, entity) for facts, entity in pairs]
        return self.inner.asks(biography, [part for row in parts for part in row if part])

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact; for `CORPUS`, each is based on the fact's own passages."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row per pair of facts and entity."""
        parts = [self._parts(biography, facts, entity) for facts, entity in pairs]
        flat = [part for row in parts for part in row if part is not None]
        answers = iter(await verify_together(self.inner, biography, flat))
        rows = []
        for (_, entity), row in zip(pairs, parts, strict=True):
            if entity.id != CORPUS:
                rows.append(next(answers))
                continue
            verdicts = [
                Verdict("not_supported", 0.0) if p is None else next(answers)[0] for p in row
            ]
            # The evidence is in the passages for one fact, not in the documents of the column.
            rows.append(tuple(replace(v, evidence=None, conflict=None) for v in verdicts))
        return rows

    def _parts(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[tuple[Sequence[Fact], Entity] | None]:
        """Returns the inner calls: one for all facts, or one per fact with its passages."""
        if entity.id != CORPUS:
            return [(facts, entity)]
        hits_of_facts = self._retriever.search_facts(
            biography.name, [fact.text for fact in facts], self._passages
        )
        return [
            ([fact], replace(entity, documents=_documents(hits))) if hits else None
            for fact, hits in zip(facts, hits_of_facts, strict=True)
        ]


def _documents(hits: Sequence[Hit]) -> tuple[Document, ...]:
    return tuple(Document(hit.passage.title, clean(hit.passage.text)) for hit in hits)


def open_corpus(scope: FsScope | None, index: Any, inner: Verifier) -> Verifier:
    """Wraps a verifier so that it computes FS over a whole corpus."""
    if scope != "corpus":
        if index is not None:
            raise InputError("--index is for --fs-scope corpus; give both")
        return inner
    if index is None:
        raise InputError("--fs-scope corpus needs --index DIR (see 'dfactscore index build')")
    if not inner.tells_entities_apart:
        raise InputError("--fs-scope corpus needs a verifier that reads documents")

    return CorpusVerifier(inner, Retriever(index))
