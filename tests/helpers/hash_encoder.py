"""An encoder without weights: vectors from hashed words, equal in every process."""

import zlib

import numpy as np

from dfactscore.retrieval._tokens import tokenize


class HashEncoder:
    """Sums a fixed random vector per word, so that texts with common words are similar."""

    def __init__(self, dimension=32, seed=0):
        self.dimension, self.seed, self.calls = dimension, seed, 0

    @property
    def settings(self):
        return {"kind": "hash", "model": f"hash-{self.seed}", "dimension": self.dimension}

    def encode(self, texts):
        self.calls += 1
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in tokenize(text) or ["-"]:
                rng = np.random.default_rng([self.seed, zlib.crc32(word.encode())])
                row += rng.standard_normal(self.dimension, dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)
