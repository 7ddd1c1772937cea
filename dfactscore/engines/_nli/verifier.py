"""A verifier that runs an entailment model on the chunks of a page."""

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
    """Judges facts by the chunk of a page that supports them most strongly.

    The model judges all facts in a biography against all of its pages in a few calls. It runs in a
    separate thread, so that the requests of other roles can proceed. Calls never mix biographies,
    so that a resumed run gives the same rounded results as an uninterrupted one.

    Args:
        model: A folder or a hub id.
        options: See `NLIJudge`.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be used; the message says why and how to fix it.
    """

    def __init__(self, model: str | Path, **options: Unpack[JudgeOptions]) -> None:
        self.judge = NLIJudge(model, **options)

    @property
    def settings(self) -> dict[str, Any]:
        """The verifier's name, the settings of the judge and the threshold."""
        return {"name": "nli", **self.judge.settings}

    @property
    def threshold(self) -> float:
        """The minimum probability of a supported fact."""
        return self.judge.threshold

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Verdict]:
        """Judges facts against one entity's documents; see `verify_together`."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]
    ) -> list[list[Verdict]]:
        """Judges facts against the documents of several entities in as few calls as possible.

        Args:
            biography: The biography the facts come from.
            pairs: Pairs of facts and the entity to judge them against.

        Returns:
            One row per pair, with one verdict per fact: ``"unparsed"`` if the fact is too long for
            the model, ``"error"`` if the model returns NaN. The evidence is the sentence in the
            best chunk that contains most of the fact.
        """
        questions = [
            FactsAndTexts(
                tuple(fact.text for fact in facts),
                tuple(document.text for document in entity.documents),
            )
            for facts, entity in pairs
        ]
        rows = await self._run(questions)
        return [
            self._verdicts(biography, facts, entity, row)
            for (facts, entity), row in zip(pairs, rows, strict=True)
        ]

    async def _run(self, questions: Sequence[FactsAndTexts]) -> list[list[StrongestChunk]]:
        """Runs the model in the thread; if the caller is canceled, stops before the next call."""
        import torch

        cancelled = threading.Event()
        threads = torch.get_num_threads()

        def work() -> list[list[StrongestChunk]]:
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)  # torch has a separate value for each thread
            return self.judge.judge(questions, cancelled.is_set)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except asyncio.CancelledError:
            cancelled.set()
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
        for strongest, span in zip(row, evidence, strict=True):
            value = strongest.probability
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
        """Returns the best aligned sentence in each fact's chunk, or else the whole chunk."""
        places: dict[tuple[int, int, int], list[int]] = {}
        for i, strongest in enumerate(row):
            if strongest.text >= 0:
                places.setdefault((strongest.text, strongest.start, strongest.end), []).append(i)
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
