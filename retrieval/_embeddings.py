"""Stores embeddings in memory-mapped shards, which an interruption cannot damage."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.files import make_folder, why
from dfactscore._util.reporting import StepProgress
from dfactscore.retrieval._encoders import check_vectors
from dfactscore.retrieval._errors import EncoderError, IndexFolderError
from dfactscore.retrieval._files import load_array, read_json, write_json
from dfactscore.work._executors import SERIAL, Executor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.retrieval._encoders import Encoder


_META = "embeddings.json"
#: Number of rows per shard: 256 Ki rows of 768 float32 values take up 768 MiB.
SHARD_ROWS = 2**18
#: Number of rows per block; progress is recorded after each block.
CHUNK_ROWS = 1024


def _shard(folder: Path, number: int) -> Path:
    return folder / f"shard-{number:05d}.npy"


def _set_rows(file: Any, rows: int, dimension: int, dtype: Any) -> None:
    """Rewrites the .npy header in place; numpy pads the header so that the first axis can grow."""
    from numpy.lib import format as npy

    file.seek(0)
    header = {
        "descr": npy.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": (rows, dimension),
    }
    npy.write_array_header_1_0(file, header)


def _header_bytes(dimension: int, dtype: Any) -> int:

    buffer = io.BytesIO()
    _set_rows(buffer, 0, dimension, dtype)
    return len(buffer.getvalue())


def append_rows(folder: Path, meta: dict[str, Any], vectors: NDArray[Any]) -> None:
    """Appends rows after `meta["done"]`, overwriting rows from an interrupted attempt."""
    import numpy as np

    dtype, dimension, size = np.dtype(meta["dtype"]), meta["dimension"], meta["shard_rows"]
    offset = _header_bytes(dimension, dtype)
    done, at = meta["done"], 0
    while at < len(vectors):
        number, row = divmod(done + at, size)
        part = vectors[at : at + size - row].astype(dtype, copy=False)
        path = _shard(folder, number)
        try:
            with path.open("r+b" if path.exists() else "w+b") as file:
                file.truncate(offset + row * dimension * dtype.itemsize)
                file.seek(0, os.SEEK_END)
                if row == 0:
                    _set_rows(file, 0, dimension, dtype)
                file.write(np.ascontiguousarray(part).data)
                _set_rows(file, row + len(part), dimension, dtype)
        except OSError as error:
            raise IndexFolderError(f"{path}: cannot be written ({why(error)})") from None
        at += len(part)
    meta["done"] = done + len(vectors)
    write_json(folder / _META, meta)


def start_meta(
    folder: Path, encoder: Encoder, dtype: str, *, shard_rows: int = SHARD_ROWS
) -> dict[str, Any]:
    """Creates the folder and its metadata, or reads the metadata from an interrupted attempt."""
    make_folder(folder, error=IndexFolderError)
    identity = dict(encoder.settings)
    if not (folder / _META).exists():
        meta = {"format": 1, "done": 0, "dimension": encoder.dimension, "dtype": dtype}
        return meta | {"shard_rows": shard_rows, "encoder": identity}
    meta = _read_meta(folder)
    if meta["encoder"] != identity or meta["dtype"] != dtype:
        raise EncoderError(
            f"{folder}: was started with {meta['encoder']} ({meta['dtype']}), "
            f"not {identity} ({dtype}); delete it to start again"
        )
    return meta


def _read_meta(folder: Path, **more_fields: type) -> dict[str, Any]:
    path = folder / _META
    fields = {"done": int, "dimension": int, "shard_rows": int, "dtype": str, "encoder": dict}
    meta = read_json(path, **fields, **more_fields)
    if not meta["shard_rows"] or meta["dtype"] not in ("float32", "float16"):
        raise IndexFolderError(
            f"{path}: damaged (dtype {meta['dtype']!r:.40}, {meta['shard_rows']} rows in a shard); "
            "build the index again"
        )
    return meta


def write_embeddings(
    folder: str | Path,
    encoder: Encoder,
    texts: Callable[[int, int], Sequence[str]],
    count: int,
    *,
    corpus: str = "",
    dtype: Literal["float32", "float16"] = "float32",
    shard_rows: int = SHARD_ROWS,
    chunk_rows: int = CHUNK_ROWS,
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
) -> Embeddings:
    """Encodes a corpus into shards; after an interruption, the same call resumes identically."""
    folder = Path(folder)
    meta = start_meta(folder, encoder, dtype, shard_rows=shard_rows)
    meta |= {"rows": count, "corpus": corpus}
    # Blocks start at multiples, so that padding and rounding do not depend on interruptions or the
    # number of workers.
    edges = [meta["done"], *range((meta["done"] // chunk_rows + 1) * chunk_rows, count, chunk_rows)]
    spans = list(zip(edges, [*edges[1:], count], strict=True)) if meta["done"] < count else []
    blocks = (texts(start, stop) for start, stop in spans)
    gpus = int(str(getattr(encoder, "device", "")).startswith("cuda"))
    encoded = executor.map_blocks(encoder.encode, blocks, gpus=gpus)
    for (start, stop), rows in zip(spans, encoded, strict=True):
        rows = check_vectors(rows, meta["dimension"], f"embeddings of passages {start}-{stop - 1}")
        if len(rows) != stop - start:
            raise EncoderError(f"the encoder gave {len(rows)} rows for {stop - start} texts")
        append_rows(folder, meta, rows)
        if progress:
            progress("encode", stop)
    write_json(folder / _META, meta)
    return Embeddings(folder)


class Embeddings:
    """Read-only memory-mapped embeddings."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.meta = _read_meta(self.folder, rows=int, corpus=str)
        self.rows: int = self.meta["rows"]
        self.dimension: int = self.meta["dimension"]
        self.shard_rows: int = self.meta["shard_rows"]
        if self.meta["done"] != self.rows:
            raise IndexFolderError(
                f"{self.folder}: {self.meta['done']} of {self.rows} rows are done; "
                "run the build again to resume"
            )
        self.shards: list[NDArray[Any]] = []
        for number in range(-(-self.rows // self.shard_rows)):
            path = _shard(self.folder, number)
            want = min(self.shard_rows, self.rows - number * self.shard_rows)
            shard = load_array(path)
            if shard.shape != (want, self.dimension):
                raise IndexFolderError(
                    f"{path}: has shape {shard.shape} where {(want, self.dimension)} is expected"
                )
            self.shards.append(shard)

    def __len__(self) -> int:
        return self.rows

    @property
    def nbytes(self) -> int:
        """The size of the rows on disk in bytes."""
        return sum(shard.nbytes for shard in self.shards)

    def take(self, positions: NDArray[np.int64]) -> NDArray[np.float32]:
        """Reads rows by position."""
        import numpy as np

        if len(self.shards) == 1:
            return np.asarray(self.shards[0][positions], dtype=np.float32)
        rows = np.empty((len(positions), self.dimension), dtype=np.float32)
        numbers = positions // self.shard_rows
        for number in np.unique(numbers):
            in_shard = numbers == number
            rows[in_shard] = self.shards[number][positions[in_shard] - number * self.shard_rows]
        return rows

    def blocks(
        self, rows: int = 65536, *, start: int = 0
    ) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Reads the rows in order, in blocks."""
        import numpy as np

        while start < self.rows:
            number, row = divmod(start, self.shard_rows)
            block = self.shards[number][row : row + rows]
            yield start, np.ascontiguousarray(block, dtype=np.float32)
            start += len(block)


def sample_embeddings(
    vectors: Embeddings, folder: str | Path, rows: int, *, seed: int = 0
) -> Embeddings:
    """Copies a random sample of the rows, keeping their order."""
    import numpy as np

    folder, count = Path(folder), min(rows, len(vectors))
    make_folder(folder, error=IndexFolderError)
    sample = np.random.default_rng(seed).choice(len(vectors), count, replace=False)
    meta = {**vectors.meta, "done": 0, "rows": count, "shard_rows": SHARD_ROWS}
    append_rows(folder, meta, vectors.take(np.sort(sample)))
    return Embeddings(folder)
