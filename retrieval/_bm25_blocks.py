"""Counts the words in a corpus for BM25, block by block."""

from __future__ import annotations

import shutil
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dfactscore._util.files import atomic_path, make_folder, why
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._files import read_json, write_json
from dfactscore.retrieval._index_manifest import library_versions
from dfactscore.retrieval._tokens import tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: Number of passages per block: enough to fill whole memory pages of the table, few enough that an
#: interruption costs only seconds.
BLOCK_ROWS = 2048
_META = "blocks.json"


class Counts(NamedTuple):
    """Number of times each word occurs in each passage of a block."""

    words: str  # block's words, in order of first occurrence, one per line
    frequencies: NDArray[np.int64]
    passages: NDArray[Any]
    counts: NDArray[Any]
    lengths: NDArray[np.int32]


def count_words(texts: Sequence[str]) -> Counts:
    """Counts the words in a block's passages."""
    import numpy as np

    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__
    parts = []
    for text in texts:
        words = tokenize(text)
        parts.append(np.fromiter(map(vocabulary.__getitem__, words), np.int64, len(words)))
    lengths = np.array([len(part) for part in parts], dtype=np.int32)
    keys = np.concatenate([*parts, np.empty(0, np.int64)])
    del parts
    # One number for each pair of word and passage, so that sorting groups the passages of each
    # word.
    keys <<= 32
    keys |= np.repeat(np.arange(len(texts)), lengths)
    keys.sort()
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)])
    counts = np.diff(np.append(first, len(keys)))
    keys = keys[first]
    return Counts(
        "\n".join(vocabulary),
        np.bincount(keys >> 32, minlength=len(vocabulary)),
        _narrow(keys & 0xFFFFFFFF),
        _narrow(counts),
        lengths,
    )


def _narrow(numbers: NDArray[Any]) -> NDArray[Any]:
    """Converts numbers to the smallest integer type that holds them."""
    import numpy as np

    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


class CountedBlocks:
    """Word counts of all blocks, stored in one file per block, and the combined vocabulary."""

    def __init__(self, folder: Path, corpus: str) -> None:
        import numpy as np

        self.folder = folder
        self.vocabulary: defaultdict[str, int] = defaultdict()
        self.vocabulary.default_factory = self.vocabulary.__len__
        self.frequencies = np.zeros(0, np.int64)
        self.blocks = self.words = self.passages = self.entries = 0
        make_folder(folder, error=IndexFolderError)
        made_with = library_versions("dfactscore", "numpy")
        expected = {"corpus": corpus, "rows": BLOCK_ROWS, "versions": made_with}
        if not corpus or not _same(folder / _META, expected):
            self.remove()
            make_folder(folder, error=IndexFolderError)
            write_json(folder / _META, expected)
            return
        while (counts := self._load(self.blocks)) is not None:
            new = bytes(counts["new"]).decode()
            for word in new.split("\n") if new else ():
                self.vocabulary[word]
            self._note(counts)

    def _path(self, number: int) -> Path:
        return self.folder / f"block-{number:05d}.npz"

    def _load(self, number: int) -> dict[str, NDArray[Any]] | None:
        """Returns the arrays of a block, or None if the block is missing or damaged."""
        import numpy as np

        try:
            with np.load(self._path(number), allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, zipfile.BadZipFile):
            return None

    def _note(self, counts: dict[str, NDArray[Any]]) -> None:
        import numpy as np

        zeros = np.zeros(len(self.vocabulary) - len(self.frequencies), np.int64)
        self.frequencies = np.concatenate([self.frequencies, zeros])
        self.frequencies[counts["words"]] += counts["frequencies"]
        self.blocks += 1
        self.words += int(counts["lengths"].sum(dtype=np.int64))
        self.passages += len(counts["lengths"])
        self.entries += len(counts["passages"])

    def append(self, block: Counts) -> None:
        """Stores the next block's counts."""
        import numpy as np

        words = block.words.split("\n") if block.words else []
        vocabulary_size = len(self.vocabulary)
        numbers = np.fromiter(map(self.vocabulary.__getitem__, words), np.int32, len(words))
        new = [
            word
            for word, number in zip(words, numbers.tolist(), strict=True)
            if number >= vocabulary_size
        ]
        counts: dict[str, Any] = {
            "new": np.frombuffer("\n".join(new).encode(), np.uint8),
            "words": numbers,
            "frequencies": block.frequencies,
            "passages": block.passages,
            "counts": block.counts,
            "lengths": block.lengths,
        }
        path = self._path(self.blocks)
        with atomic_path(path, error=IndexFolderError) as place, place.open("wb") as file:
            np.savez(file, **counts)
        self._note(counts)

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yields the blocks in order."""
        for number in range(self.blocks):
            counts = self._load(number)
            if counts is None:
                raise IndexFolderError(
                    f"{self._path(number)}: damaged while the index was built; build it again"
                )
            yield counts

    def remove(self) -> None:
        """Removes the files."""
        try:
            shutil.rmtree(self.folder)
        except OSError as error:
            raise IndexFolderError(f"{self.folder}: cannot be removed ({why(error)})") from None


def _same(path: Path, expected: dict[str, Any]) -> bool:
    try:
        return read_json(path) == expected
    except IndexFolderError:
        return False
