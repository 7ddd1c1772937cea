"""FActScore as its paper defines it: a fact is true if any page of the source supports it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore._text.clean_text import clean
from dfactscore.engines._answers import verify_together
from dfactscore.engines._around import Around
from dfactscore.engines._roles import Verifier
from dfactscore.retrieval import Retriever

if TYPE_CHECKING:
    from dfactscore.retrieval import Hit
    from dfactscore.work import Asks


FsScope = Literal["retrieved", "corpus"]
#: The column of verdicts against what was retrieved for each fact. It counts for FS only: it is
#: no entity, so no group is linked to it and no fact credited to it.
CORPUS = "(corpus)"
#: The column of verdicts against what an unrestricted search found for each fact; likewise.
OPEN = "(open)"
FS_ONLY = frozenset({CORPUS, OPEN})


class CorpusVerifier(Around):
    """Judges facts as another verifier does, and adds a column: each fact against the index.

    "Any page of the source" (paper appendix B.1) is approximated by retrieving passages for each
    fact, with FActScore's query: the name, then the fact.

    Args:
        inner: Judges.
        retriever: Searches the whole index.
        passages: Passages for each fact (FActScore's 5).
    """

    def __init__(self, inner: Verifier, retriever: Retriever, *, passages: int = 5) -> None:
        super().__init__(inner)
        self._retriever = retriever
        self._passages = passages

    @property
    def settings(self) -> Mapping[str, Any]:
        """The inner verifier's, and which index was searched how."""
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
        """The column that this verifier adds, ranked last."""
        rank = max((entity.rank for entity in entities), default=-1) + 1
        return (Entity(CORPUS, "any page of the corpus", (), rank),)

    def asks(self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Requests of the inner verifier, each fact of `CORPUS` with its own passages."""
        parts = [self._parts(biography, facts, entity) for facts, entity in asked]
        return self.inner.asks(biography, [part for row in parts for part in row if part])

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact; for `CORPUS`, each against its own passages."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row for each of `asked`."""
        parts = [self._parts(biography, facts, entity) for facts, entity in asked]
        flat = [part for row in parts for part in row if part is not None]
        answers = iter(await verify_together(self.inner, biography, flat))
        rows = []
        for (_, entity), row in zip(asked, parts, strict=True):
            if entity.id != CORPUS:
                rows.append(next(answers))
                continue
            said = [Verdict("not_supported", 0.0) if p is None else next(answers)[0] for p in row]
            # Their evidence lies in passages that only one fact was judged against.
            rows.append(tuple(replace(v, evidence=None, conflict=None) for v in said))
        return rows

    def _parts(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[tuple[Sequence[Fact], Entity] | None]:
        """Requests to the inner verifier: all facts, or each one with what was found for it."""
        if entity.id != CORPUS:
            return [(facts, entity)]
        found = self._retriever.search_facts(
            biography.name, [fact.text for fact in facts], self._passages
        )
        return [
            ([fact], replace(entity, documents=_documents(hits))) if hits else None
            for fact, hits in zip(facts, found, strict=True)
        ]


def _documents(hits: Sequence[Hit]) -> tuple[Document, ...]:
    return tuple(Document(hit.passage.title, clean(hit.passage.text)) for hit in hits)


def open_corpus(scope: FsScope | None, index: Any, inner: Verifier) -> Verifier:
    """Wraps a verifier where FS is to range over a corpus.

    Args:
        scope: ``"corpus"``, or anything else for the retrieved pages.
        index: Folder of the index.
        inner: The verifier.

    Returns:
        The verifier to use.

    Raises:
        InputError: If scope and index do not go together.
        dfactscore.retrieval.RetrievalError: If the index cannot be opened.
    """
    if scope != "corpus":
        if index is not None:
            raise InputError("--index is for --fs-scope corpus; give both")
        return inner
    if index is None:
        raise InputError("--fs-scope corpus needs --index DIR (see 'dfactscore index build')")
    if not inner.tells_entities_apart:
        raise InputError("--fs-scope corpus needs a verifier that reads documents")

    return CorpusVerifier(inner, Retriever(index))
