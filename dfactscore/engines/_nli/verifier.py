"""A verifier that asks an entailment model about the chunks of a page."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._nli.judge import FactsAndTexts, JudgeOptions, NLIJudge, StrongestChunk
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Evidence

if TYPE_CHECKING:
    from typing_extensions import Unpack


class NLIVerifier(Verifier):
    """Judges facts by the chunk of a page that supports them most.

    All facts of a biography are judged against all its pages in few calls of the model, in a
    thread of its own, so that language models of other roles are answered meanwhile. Biographies
    are never mixed: a run that is resumed rounds as one that was not interrupted.

    Args:
        model: A folder or a hub id.
        options: See `NLIJudge`.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be used; the message says why and what to do.
    """

    def __init__(self, model: str | Path, **options: Unpack[JudgeOptions]) -> None:
        self.judge = NLIJudge(model, **options)

    @property
    def settings(self) -> dict[str, Any]:
        """The model, how it is asked, and the threshold."""
        return {"name": "nli", **self.judge.settings}

    @property
    def threshold(self) -> float:
        """The probability from which a fact counts as supported."""
        return self.judge.threshold

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Verdict]:
        """Judges facts against one entity's documents; see `verify_together`."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[list[Verdict]]:
        """Judges facts against the documents of several entities, in as few calls as fit.

        Args:
            biography: Source of the facts.
            asked: Facts with the entity that they are judged against.

        Returns:
            One row for each of `asked`, one verdict a fact: ``"unparsed"`` for a fact that is
            longer than the model reads, ``"error"`` where the model gives no number. The evidence
            is the sentence of the best chunk that says most of the fact.
        """
        questions = [
            FactsAndTexts(
                tuple(fact.text for fact in facts),
                tuple(document.text for document in entity.documents),
            )
            for facts, entity in asked
        ]
        found = await self._run(questions)
        return [
            self._verdicts(biography, facts, entity, row)
            for (facts, entity), row in zip(asked, found, strict=True)
        ]

    async def _run(self, questions: Sequence[FactsAndTexts]) -> list[list[StrongestChunk]]:
        """Judges in the thread; a caller that is cancelled stops it at the next call."""
        import torch

        gone = threading.Event()
        threads = torch.get_num_threads()

        def work() -> list[list[StrongestChunk]]:
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)  # it is a setting of each thread
            return self.judge.judge(questions, gone.is_set)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except asyncio.CancelledError:
            gone.set()
            raise

    @cached_property
    def _thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=1, thread_name_prefix="nli")

    @cached_property
    def _aligner(self) -> BuiltinVerifier:
        return BuiltinVerifier()

    def _verdicts(
        self,
        biography: Biography,
        facts: Sequence[Fact],
        entity: Entity,
        row: Sequence[StrongestChunk],
    ) -> list[Verdict]:
        evidence = self._evidence(biography, facts, entity, row)
        verdicts = []
        for found, span in zip(row, evidence, strict=True):
            value = found.probability
            if value is None:
                verdicts.append(Verdict("unparsed"))
            elif math.isnan(value):
                verdicts.append(Verdict("error"))
            else:
                supported = value >= self.threshold
                verdicts.append(Verdict("supported" if supported else "not_supported", value, span))
        return verdicts

    def _evidence(
        self,
        biography: Biography,
        facts: Sequence[Fact],
        entity: Entity,
        row: Sequence[StrongestChunk],
    ) -> list[Evidence | None]:
        """The sentence of each fact's chunk that is aligned best with it, else the whole chunk."""
        places: dict[tuple[int, int, int], list[int]] = {}
        for i, found in enumerate(row):
            if found.text >= 0:
                places.setdefault((found.text, found.start, found.end), []).append(i)
        spans: list[Evidence | None] = [None] * len(row)
        for (number, start, end), members in places.items():
            document = entity.documents[number]
            chunk = Document(document.title, document.text[start:end])
            part = Entity(entity.id, entity.label, (chunk,))
            aligned = self._aligner.verify(biography, [facts[i] for i in members], part)
            for i, verdict in zip(members, aligned, strict=True):
                spans[i] = Evidence(number, start, end)
                if verdict.evidence is not None:
                    _, first, last = verdict.evidence
                    spans[i] = Evidence(number, start + first, start + last)
        return spans
