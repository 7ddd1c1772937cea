"""The length of an entity's documents, as recorded in the manifest of a run."""

from __future__ import annotations

import statistics
from array import array
from collections.abc import Iterable, Sequence

from dfactscore._runs.run import Run
from dfactscore.work._blocks import blocks_of
from dfactscore.work._executors import Executor
from dfactscore.work._journal import read_line

_BLOCK = 500  # documents


class EvidenceLengths:
    """Lengths of entities' documents, in words."""

    def __init__(self, run: Run, executor: Executor) -> None:
        self._run = run
        self._words = array("I")  # by document number
        self._lengths = array("Q")  # by entity
        for words in executor.map_blocks(count_words, blocks_of(run.document_lines(), _BLOCK)):
            self._words.extend(words)

    def add(self, columns: Iterable[Sequence[str]]) -> None:
        """Adds entities, each given by the digests of its documents."""
        number = self._run.document_number
        self._lengths.extend(sum(self._words[number(d)] for d in column) for column in columns)

    def median(self) -> float | None:
        """Returns the median number of words; None if the entities' documents contain no words."""
        return statistics.median(self._lengths) if any(self._lengths) else None


def count_words(block: Sequence[bytes]) -> list[int]:
    """Counts the words of each document in a block of journal lines."""
    return [len(str(read_line(line, "documents.jsonl")["text"]).split()) for line in block]
