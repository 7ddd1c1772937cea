"""BM25 over a corpus: bm25s builds the table of weights, which is memory-mapped for search."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._util import jsonl
from dfactscore._util.callbacks import StepProgress
from dfactscore._util.files import why
from dfactscore.retrieval.errors import IndexFolderError
from dfactscore.retrieval.files import load_array, read_json, write_json
from dfactscore.retrieval.tokens import STOP_WORDS, tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CorpusBM25", "build_bm25"]

_ARRAYS = ("data", "indices", "indptr")


def build_bm25(
    texts: Iterable[str],
    folder: str | Path,
    *,
    k1: float = 1.5,
    b: float = 0.75,
    progress: StepProgress | None = None,
) -> CorpusBM25:
    """Builds an index (Lucene's variant of BM25) and writes it, all at once or not at all.

    Args:
        texts: The passages, titles included.
        folder: Where it goes; an index that is there is replaced.
        k1: Saturation of a word's count.
        b: Weight of the passage's length.
        progress: Called with the step and how many are done.

    Returns:
        The index, opened.

    Raises:
        IndexFolderError: If no text holds a word, or the folder cannot be written.
    """
    import warnings

    import numpy as np

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tqdm's, about progress bars in notebooks; none is shown
        import bm25s

    folder = Path(folder)
    vocabulary: dict[str, int] = {}
    tokens: list[NDArray[np.int32]] = []
    for number, text in enumerate(texts, start=1):
        words = tokenize(text)
        ids = [vocabulary.setdefault(word, len(vocabulary)) for word in words]
        # Arrays, not lists: 21 million lists of Python integers fit in no memory.
        tokens.append(np.array(ids, dtype=np.int32))
        if progress and number % 10_000 == 0:
            progress("bm25", number)
    if not vocabulary:
        raise IndexFolderError("no passage holds a word that BM25 could index")
    index = bm25s.BM25(method="lucene", k1=k1, b=b)
    # The vocabulary is complete and dense, so every id is an index of the table.
    scores = index.build_index_from_ids(range(len(vocabulary)), tokens, show_progress=False)
    temporary = folder.with_name(folder.name + ".tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        for name in _ARRAYS:
            np.save(temporary / f"{name}.npy", np.asarray(scores[name]), allow_pickle=False)
        write_json(temporary / "vocabulary.json", list(vocabulary), indent=None)
        settings = {"format": 1, "passages": len(tokens), "k1": k1, "b": b, "method": "lucene"}
        write_json(temporary / "bm25.json", settings, indent=None)
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(temporary, folder)
    except OSError as error:
        raise IndexFolderError(f"{folder}: cannot be written ({why(error)})") from None
    return CorpusBM25(folder)


class CorpusBM25:
    """A BM25 index to search.

    Args:
        folder: A folder made by `build_bm25`.

    Raises:
        IndexFolderError: If a file is missing or cut short.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.settings = read_json(self.folder / "bm25.json", passages=int)
        words = jsonl.read_json(self.folder / "vocabulary.json", error=IndexFolderError)
        self._data, self._indices, self._indptr = (
            load_array(self.folder / f"{name}.npy") for name in _ARRAYS
        )
        fits = all(array.ndim == 1 for array in (self._data, self._indices, self._indptr))
        if (
            not fits
            or not isinstance(words, list)
            or len(self._indptr) <= len(words)
            or [array.dtype.kind for array in (self._data, self._indices, self._indptr)]
            != ["f", "i", "i"]
            or self._indptr[-1] != len(self._data)
            or len(self._data) != len(self._indices)
        ):
            raise self._damaged()
        self._ids = {str(word): number for number, word in enumerate(words)}
        self.passages: int = self.settings["passages"]

    def __len__(self) -> int:
        return self.passages

    @property
    def nbytes(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def _postings(self, query: str) -> list[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """Positions and weights of each word of a query that the corpus holds."""
        words = tokenize(query)
        content = [word for word in words if word not in STOP_WORDS] or words
        found = []
        for word in content:
            number = self._ids.get(word)
            if number is not None:
                here = slice(self._indptr[number], self._indptr[number + 1])
                positions = self._indices[here]
                # Only what is used is looked at: the whole table may be gigabytes.
                if positions.min(initial=0) < 0 or positions.max(initial=0) >= self.passages:
                    raise self._damaged()
                found.append((positions, self._data[here]))
        return found

    def _damaged(self) -> IndexFolderError:
        return IndexFolderError(f"{self.folder}: its files do not fit together; build it again")

    def scores(self, query: str) -> NDArray[np.float32]:
        """Scores every passage; zero where no word of the query occurs.

        Args:
            query: A text; words like "tell" and "of" count only where it has no others.

        Returns:
            One score a passage.

        Raises:
            IndexFolderError: If its files do not fit together.
        """
        import numpy as np

        scores = np.zeros(self.passages, dtype=np.float32)
        for positions, weights in self._postings(query):
            # A word has one weight a passage, so no position comes twice.
            scores[positions] += weights
        return scores

    def search(
        self, queries: Sequence[str], k: int = 5
    ) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        """Finds the best passages.

        Args:
            queries: Texts.
            k: How many for each.

        Returns:
            Scores and positions for each query, best first, equal scores in the order of the
            corpus; fewer than k where fewer passages share a word with it.

        Raises:
            ValueError: If k is below 1.
            IndexFolderError: If its files do not fit together.
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        return [self._search(query, k) for query in queries]

    def _search(self, query: str, k: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        import numpy as np

        postings = self._postings(query)
        if sum(len(positions) for positions, _ in postings) * 4 > self.passages:
            scores = self.scores(query)
            held = np.flatnonzero(scores)
            scores = scores[held]
        else:
            # Names are rare words: a query touches few passages, and only those are looked at.
            several = [np.empty(0, np.int32), *(positions for positions, _ in postings)]
            held, at = np.unique(np.concatenate(several), return_inverse=True)
            scores = np.zeros(len(held), dtype=np.float32)
            start = 0
            for positions, weights in postings:
                scores[at[start : start + len(positions)]] += weights
                start += len(positions)
        if k < len(scores):
            best = np.flatnonzero(scores >= np.partition(scores, len(scores) - k)[-k])
            held, scores = held[best], scores[best]
        order = np.argsort(-scores, kind="stable")[:k]
        return scores[order], held[order].astype(np.int64)
