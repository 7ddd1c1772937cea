"""BM25 within a single page: selects the passages relevant to a fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore.retrieval._tokens import tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_DENSE_CELLS = 1 << 23  # 32 MB


class PageBM25:
    """Ranks the passages of a page for many facts.

    The weights (Robertson and Zaragoza, 2009, with Lucene's idf) are computed once. For a page of
    ordinary size, they form a dense table of words × passages, and each fact requires a single sum
    over rows. For a page of several megabytes, whose table would take gigabytes, only the rows
    needed for the facts are built.

    Example:
        >>> page = PageBM25(["Born in Leeds in 1936.", "He swam for Britain.", "He died in 1970."])
        >>> page.select("Dick Hanley was born in 1936.", k=2)
        [0, 2]
    """

    def __init__(self, passages: Sequence[str], *, k1: float = 1.5, b: float = 0.75) -> None:
        import numpy as np

        counts = [Counter(tokenize(text)) for text in passages]
        self._ids: dict[str, int] = {}
        ids = self._ids
        rows = [ids.setdefault(word, len(ids)) for count in counts for word in count]
        columns = np.repeat(np.arange(len(counts)), [len(count) for count in counts])
        values = np.fromiter((n for c in counts for n in c.values()), np.float32, len(rows))
        lengths = np.bincount(columns, values, len(counts)) if rows else np.ones(len(counts))
        mean = lengths.mean() if len(counts) else 1.0
        document_counts = np.bincount(rows, minlength=len(ids)) if rows else np.zeros(0)
        idf = np.log1p((len(counts) - document_counts + 0.5) / (document_counts + 0.5)).astype(
            np.float32
        )
        norm = (k1 * (1 - b + b * lengths / max(mean, 1.0))).astype(np.float32)
        weights = idf[rows] * values / (values + norm[columns])
        self._passages = len(counts)
        self._dense = (len(ids) + 1) * len(counts) <= _DENSE_CELLS
        if self._dense:
            # The last row, all zeros, stands for words that do not occur on the page.
            self._table: NDArray[np.float32] = np.zeros((len(ids) + 1, len(counts)), np.float32)
            self._table[rows, columns] = weights
            return
        order = np.argsort(np.asarray(rows), kind="stable")
        self._columns, self._weights = columns[order].astype(np.int32), weights[order]
        self._starts = np.concatenate([[0], np.cumsum(document_counts), [len(rows)]]).astype(
            np.int64
        )

    def __len__(self) -> int:
        return self._passages

    def _rows(self, words: Sequence[int]) -> NDArray[np.float32]:
        """Returns the weights of words, one row per word (words × passages)."""
        import numpy as np

        if self._dense:
            return np.asarray(self._table[words])
        places = {word: place for place, word in enumerate(dict.fromkeys(words))}
        table = np.zeros((len(places), self._passages), np.float32)
        for word, place in places.items():
            part = slice(self._starts[word], self._starts[word + 1])
            table[place, self._columns[part]] = self._weights[part]
        return table[[places[word] for word in words]]

    def scores(self, facts: Sequence[str]) -> NDArray[np.float32]:
        """Scores every passage for every fact."""
        import numpy as np

        missing, ids = len(self._ids), self._ids
        words = [[ids.get(word, missing) for word in tokenize(fact)] or [missing] for fact in facts]
        if not words:
            return np.zeros((0, len(self)), np.float32)
        flat = [word for fact in words for word in fact]
        starts = np.cumsum([0, *(len(fact) for fact in words[:-1])])
        return np.asarray(np.add.reduceat(self._rows(flat), starts, axis=0))

    def select_many(self, facts: Sequence[str], k: int = 5) -> list[list[int]]:
        """Ranks the passages for every fact."""
        import numpy as np

        order = np.argsort(-self.scores(facts), axis=1, kind="stable")[:, :k]
        answer: list[list[int]] = order.tolist()
        # For each fact, the indices of the passages, best first, with ties in page order. There are
        # always min(k, passages) indices, even if no words match.
        return answer

    def select(self, fact: str, k: int = 5) -> list[int]:
        """Ranks the passages for one fact; see `select_many`."""
        return self.select_many([fact], k)[0]
