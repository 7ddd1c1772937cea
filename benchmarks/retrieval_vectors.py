"""Seeded vectors with the shape of text embeddings, for the index benchmarks.

Clusters lie in a 96-dimensional subspace whose spectrum decays (the i-th axis has a standard
deviation of i ** -0.5). Points scatter around their center in the same subspace, and weak noise
fills the other dimensions. All vectors have unit length. Queries are other points of the same
clusters.
"""

from __future__ import annotations

import numpy as np

DIMENSION, SUBSPACE, CLUSTERS = 768, 96, 20_000
SCATTER, NOISE = 0.6, 0.25


class Generator:
    """Generates vectors that depend on the seed and not on the block size."""

    def __init__(self, *, clusters: int = CLUSTERS, seed: int = 2024) -> None:
        rng = np.random.default_rng(seed)
        spectrum = np.arange(1, SUBSPACE + 1) ** -0.5
        self.spectrum = (spectrum / np.linalg.norm(spectrum)).astype(np.float32)
        basis = np.linalg.qr(rng.standard_normal((DIMENSION, SUBSPACE)))[0]
        self.basis = np.ascontiguousarray(basis.T, dtype=np.float32)
        self.centres = rng.standard_normal((clusters, SUBSPACE), dtype=np.float32) * self.spectrum
        self.seed = seed

    def block(self, number: int, rows: int, *, queries: bool = False) -> np.ndarray:
        """Draws a block; its number and size determine it."""
        rng = np.random.default_rng([self.seed, int(queries), number])
        centre = self.centres[rng.integers(len(self.centres), size=rows)]
        scatter = rng.standard_normal((rows, SUBSPACE), dtype=np.float32) * self.spectrum
        points = (centre + SCATTER * scatter) @ self.basis
        noise = rng.standard_normal((rows, DIMENSION), dtype=np.float32)
        points += noise * np.float32(NOISE / DIMENSION**0.5)
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        return points

    def corpus(self, rows: int, *, block: int = 10_000):
        """Yields the corpus in blocks."""
        for number in range(-(-rows // block)):
            yield self.block(number, block)[: rows - number * block]

    def queries(self, rows: int) -> np.ndarray:
        """Draws the queries."""
        return self.block(0, rows, queries=True)
