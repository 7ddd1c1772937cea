"""Imports precomputed embeddings from a .npy table and a file of passage ids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.files import read_text
from dfactscore.retrieval._documents import passage_text
from dfactscore.retrieval._embeddings import Embeddings, append_rows, start_meta
from dfactscore.retrieval._encoders import Encoder, check_vectors
from dfactscore.retrieval._errors import EncoderError, SourceError
from dfactscore.retrieval._passage_file import PassageStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PICKLE = (
    "a pickle runs code when it is opened, so it is not read; convert it where you trust its "
    "source: open it with Python's module pickle, then numpy.save('embeddings.npy', array). "
    "ALCE's table has a row for each line of psgs_w100.tsv in its order, so --ids is the numbers "
    "1 to 21015324, one a line (seq 21015324 > ids.txt), and opening it takes memory for "
    "the whole table: 32 GB in float16, 65 GB in float32"
)


def _open(path: Path) -> NDArray[Any]:
    import numpy as np

    if not path.is_file():
        raise SourceError(f"{path}: no such file")
    with path.open("rb") as file:
        magic = file.read(6)
    if path.suffix in {".pkl", ".pickle", ".pt", ".bin"} or magic[:1] == b"\x80":
        raise EncoderError(f"{path}: {_PICKLE}")
    if magic != b"\x93NUMPY":
        raise EncoderError(f"{path}: not a .npy file; write it with numpy.save")
    try:
        table: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        hint = (
            _PICKLE if "pickle" in str(error).lower() or "object" in str(error).lower() else error
        )
        raise EncoderError(f"{path}: cannot be read, or cut short ({hint})") from None
    if table.ndim != 2 or table.dtype.kind != "f":
        raise EncoderError(
            f"{path}: expected a table of floats (passages × dimension), got shape {table.shape} "
            f"of {table.dtype}"
        )
    return table


def _order(path: Path, rows: int, store: PassageStore) -> NDArray[np.int64]:
    """Returns the table row of each passage in the corpus."""
    import numpy as np

    ids = read_text(path, error=SourceError).split("\n")
    ids = [line.strip() for line in (ids[:-1] if ids[-1] == "" else ids)]
    if len(ids) != rows:
        raise EncoderError(f"{path}: {len(ids)} ids for {rows} embeddings; one id a line is needed")
    numbers: dict[str, int] = {}
    for line, id_ in enumerate(ids, start=1):
        if not id_:
            raise EncoderError(f"{path}:{line}: the id is empty")
        if numbers.setdefault(id_, line - 1) != line - 1:
            raise EncoderError(
                f"{path}:{line}: the id '{id_}' came before, in line {numbers[id_] + 1}"
            )
    order = np.empty(store.count, dtype=np.int64)
    for position, passage in enumerate(store):
        row = numbers.get(passage.id)
        if row is None:
            raise EncoderError(
                f"{path}: no embedding for passage '{passage.id}' ('{passage.title}')"
            )
        order[position] = row
    return order


def import_embeddings(
    table: str | Path,  # `.npy` file of floats, rows × dimension; it is memory-mapped
    # A text file with the passage id of each row, one per line; ids that are not in the corpus are
    # ignored.
    ids: str | Path,
    store: PassageStore,
    folder: str | Path,
    encoder: Encoder,
    *,
    dtype: Literal["float32", "float16"] = "float32",
) -> Embeddings:
    """Imports embeddings, puts them in corpus order, and scales them to unit length."""
    import numpy as np

    rows = _open(Path(table))
    if rows.shape[1] != encoder.dimension:
        raise EncoderError(
            f"{table}: {rows.shape[1]} dimensions, the encoder gives {encoder.dimension}"
        )
    order = _order(Path(ids), len(rows), store)
    folder = Path(folder)
    meta = start_meta(folder, encoder, dtype)
    meta |= {"rows": store.count, "corpus": store.hash, "done": 0}
    for start in range(0, store.count, 16384):
        part = check_vectors(rows[order[start : start + 16384]], 0, str(table))
        length = np.linalg.norm(part, axis=1, keepdims=True)
        if not length.all():
            bad = int(order[start + int(np.flatnonzero(length[:, 0] == 0)[0])])
            raise EncoderError(f"{table}: row {bad} is all zeros")
        append_rows(folder, meta, part / length)
    _check(encoder, store, Embeddings(folder), str(table))
    return Embeddings(folder)


def _check(encoder: Encoder, store: PassageStore, vectors: Embeddings, table: str) -> None:
    import numpy as np

    sample = np.unique(np.linspace(0, store.count - 1, 3).astype(np.int64))
    encoded = encoder.encode([passage_text(passage) for passage in store.get(sample.tolist())])
    cosine = float((vectors.take(sample) * encoded).sum(axis=1).min())
    if cosine < 0.95:
        raise EncoderError(
            f"{table}: the encoder gives other vectors for the same passages "
            f"(cosine {cosine:.3f}); name the encoder that made them"
        )
