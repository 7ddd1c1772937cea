"""BM25 search over a corpus, using a memory-mapped table of weights."""

from __future__ import annotations

import errno
import math
import os
import shutil
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util import jsonl
from dfactscore._util.files import why
from dfactscore._util.reporting import StepProgress
from dfactscore.retrieval._bm25_blocks import BLOCK_ROWS, CountedBlocks, count_words
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._files import load_array, read_json, write_json
from dfactscore.retrieval._tokens import STOP_WORDS, tokenize
from dfactscore.work._executors import SERIAL, Executor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Errors raised by file systems on which space cannot be reserved.
_NO_PLACES = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})
_ARRAYS = ("data", "indices", "indptr")


def build_bm25(
    texts: Iterable[str],
    folder: str | Path,
    *,
    k1: float = 1.5,
    b: float = 0.75,
    corpus: str = "",
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
) -> CorpusBM25:
    """Builds an index (Lucene's variant of BM25) and writes it atomically.

    The corpus is read once, and its words are counted in blocks of 2,048 passages. The weights of
    each block are then written to their places in the memory-mapped table. Only the vocabulary and
    a few blocks are held in memory.
    """
    folder = Path(folder)
    temporary = folder.with_name(folder.name + ".tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        blocks = CountedBlocks(folder.with_name(folder.name + ".blocks"), corpus)
        remaining = islice(texts, blocks.passages, None)
        passages = iter(lambda: list(islice(remaining, BLOCK_ROWS)), [])
        for counts in executor.map_blocks(count_words, passages):
            blocks.append(counts)
            if progress:
                progress("bm25", blocks.passages)
        if not blocks.vocabulary:
            blocks.remove()
            raise IndexFolderError("no passage contains a word that BM25 could index")
        temporary.mkdir()
        write_json(temporary / "vocabulary.json", list(blocks.vocabulary), indent=None)
        blocks.vocabulary.clear()
        _write_table(blocks, temporary, k1, b)
        settings = {"format": 1, "passages": blocks.passages, "k1": k1, "b": b, "method": "lucene"}
        write_json(temporary / "bm25.json", settings, indent=None)
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(temporary, folder)
        blocks.remove()
    except OSError as error:
        raise IndexFolderError(f"{folder}: cannot be written ({why(error)})") from None
    return CorpusBM25(folder)


def _write_table(blocks: CountedBlocks, folder: Path, k1: float, b: float) -> None:
    """Writes the weights, sorted by word and passage.

    The types and the order of operations are the same as in bm25s (Lù, 2024), so the table is
    bit-for-bit identical.
    """
    import numpy as np

    starts = np.zeros(len(blocks.frequencies) + 1, np.int64)
    np.cumsum(blocks.frequencies, out=starts[1:])
    np.save(folder / "indptr.npy", starts, allow_pickle=False)
    data = _mapped(folder / "data.npy", np.float32, blocks.entries)
    indices = _mapped(folder / "indices.npy", np.int32, blocks.entries)
    idf = _idf(blocks.frequencies, blocks.passages)
    mean = np.float64(blocks.words / blocks.passages)
    first = 0
    for block in blocks:
        words, frequencies, passages = block["words"], block["frequencies"], block["passages"]
        norms = k1 * ((1 - b) + b * block["lengths"].astype(np.float64) / mean)
        counts = block["counts"].astype(np.float32)
        begins = np.cumsum(frequencies) - frequencies
        places = np.repeat(starts[words] - begins, frequencies)
        places += np.arange(len(places))
        data[places] = np.repeat(idf[words], frequencies) * (counts / (norms[passages] + counts))
        indices[places] = passages.astype(np.int32) + np.int32(first)
        starts[words] += frequencies
        first += len(norms)


def _idf(frequencies: NDArray[np.int64], passages: int) -> NDArray[np.float32]:
    """Returns Lucene's idf, computed once per document frequency."""
    import numpy as np

    different, places = np.unique(frequencies, return_inverse=True)
    weights = [math.log(1 + (passages - n + 0.5) / (n + 0.5)) for n in different.tolist()]
    return np.array(weights, dtype=np.float32)[places]


def _mapped(path: Path, dtype: type, length: int) -> NDArray[Any]:
    """Creates an array on disk, reserving its space so that a full disk cannot cause a crash."""
    import numpy as np

    array = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=(length,))
    if hasattr(os, "posix_fallocate"):
        with path.open("r+b") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
            except OSError as error:
                if error.errno not in _NO_PLACES:
                    raise
    return array


class CorpusBM25:
    """A searchable BM25 index."""

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
        """The size on disk in bytes."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def _postings(self, query: str) -> list[tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """Returns the positions and weights of each query word that occurs in the corpus."""
        words = tokenize(query)
        content = [word for word in words if word not in STOP_WORDS] or words
        postings = []
        for word in content:
            number = self._ids.get(word)
            if number is not None:
                row = slice(self._indptr[number], self._indptr[number + 1])
                positions = self._indices[row]
                # Checks only these rows, since the whole table may take gigabytes.
                if positions.min(initial=0) < 0 or positions.max(initial=0) >= self.passages:
                    raise self._damaged()
                postings.append((positions, self._data[row]))
        return postings

    def _damaged(self) -> IndexFolderError:
        return IndexFolderError(f"{self.folder}: its files do not fit together; build it again")

    def scores(self, query: str) -> NDArray[np.float32]:
        """Scores every passage; a passage that contains none of the query's words scores zero."""
        import numpy as np

        scores = np.zeros(self.passages, dtype=np.float32)
        for positions, weights in self._postings(query):
            # A word has one weight per passage, so positions are unique.
            scores[positions] += weights
        return scores

    def search(
        self, queries: Sequence[str], k: int = 5
    ) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        """Finds the best passages for each query."""
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        # Scores and positions for each query, best first, with ties in corpus order. There are
        # fewer than k if fewer passages share a word with the query.
        return [self._search(query, k) for query in queries]

    def _search(self, query: str, k: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        import numpy as np

        postings = self._postings(query)
        if sum(len(positions) for positions, _ in postings) * 4 > self.passages:
            scores = self.scores(query)
            matches = np.flatnonzero(scores)
            scores = scores[matches]
        else:
            # Names are rare words, so a query matches few passages: only these are scored.
            position_lists = [np.empty(0, np.int32), *(positions for positions, _ in postings)]
            matches, places = np.unique(np.concatenate(position_lists), return_inverse=True)
            scores = np.zeros(len(matches), dtype=np.float32)
            start = 0
            for positions, weights in postings:
                scores[places[start : start + len(positions)]] += weights
                start += len(positions)
        if k < len(scores):
            best = np.flatnonzero(scores >= np.partition(scores, len(scores) - k)[-k])
            matches, scores = matches[best], scores[best]
        order = np.argsort(-scores, kind="stable")[:k]
        return scores[order], matches[order].astype(np.int64)
