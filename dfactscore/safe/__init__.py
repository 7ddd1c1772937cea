"""SAFE and D-SAFE: evidence by search, in general and about the linked person."""

from dfactscore.safe._about import People
from dfactscore.safe._scores import SafeScores, open_support, safe_scores
from dfactscore.safe._verifier import QueryWriter, SearchVerifier

__all__ = [
    "People",
    "QueryWriter",
    "SafeScores",
    "SearchVerifier",
    "open_support",
    "safe_scores",
]
