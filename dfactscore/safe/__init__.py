"""SAFE and D-SAFE: scores based on searches, both unrestricted and about the linked person."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.safe._found_pages import People
    from dfactscore.safe._safe_scores import SafeScores, open_support, safe_scores
    from dfactscore.safe._verifier import QueryWriter, SearchVerifier

__all__ = [
    "People",
    "QueryWriter",
    "SafeScores",
    "SearchVerifier",
    "open_support",
    "safe_scores",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_found_pages": ("People",),
        "_safe_scores": ("SafeScores", "open_support", "safe_scores"),
        "_verifier": ("QueryWriter", "SearchVerifier"),
    },
)
