"""Builds BM25's table by bm25s, from all words together."""

import json
from pathlib import Path

import bm25s
import numpy as np

from dfactscore.retrieval._tokens import tokenize


def oracle(texts, folder, k1=1.5, b=0.75):
    """Writes the files of an index."""
    folder = Path(folder)
    vocabulary, tokens = {}, []
    for text in texts:
        ids = [vocabulary.setdefault(word, len(vocabulary)) for word in tokenize(text)]
        tokens.append(np.array(ids, dtype=np.int32))
    index = bm25s.BM25(method="lucene", k1=k1, b=b)
    table = index.build_index_from_ids(range(len(vocabulary)), tokens, show_progress=False)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("data", "indices", "indptr"):
        np.save(folder / f"{name}.npy", np.asarray(table[name]), allow_pickle=False)
    words = json.dumps(list(vocabulary), ensure_ascii=False)
    (folder / "vocabulary.json").write_text(words + "\n", encoding="utf-8")
    return folder
