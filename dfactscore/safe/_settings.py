"""Settings for `dfactscore safe`: those of `score`, plus options for searching."""

from __future__ import annotations

from typing import Any, Literal

from dfactscore._jobs.settings import Config
from dfactscore._util.settings import panels, setting

_evidence, _limit, _scoring = panels("Evidence Limits Scoring")


class SafeConfig(Config):
    """Settings for `dfactscore safe`."""

    first = "search per_entity"
    files = "search"

    irrelevant: Literal["keep", "exclude"] = _scoring(
        "exclude", "Keep irrelevant facts in the denominator, or exclude them."
    )
    search: str | None = _evidence(
        None,
        "Source of evidence: index:FOLDER, wikipedia[:LANG], mediawiki:URL, searxng:URL "
        "or serper[:URL].",
    )
    steps: int = _evidence(5, "Maximum searches per fact; 1 without a model.", ge=1)
    results: int = _evidence(3, "Number of results to use per search.", ge=1, le=50, in_file=True)
    per_entity: bool = _evidence(
        False, "Also search for evidence about each candidate entity (D-SAFE)."
    )
    all_columns: bool = _evidence(
        False, "Judge all facts against all entities, even facts that no open search supports."
    )
    revise: bool = setting(
        False,
        "Have a model make the facts self-contained before the search.",
        panel="Engine",
    )
    contact: str | None = _evidence(
        None, "Your e-mail address or URL, required by Wikimedia.", variable=True
    )
    interval: float = _limit(0.5, "Minimum seconds between requests to a wiki.", ge=0, in_file=True)
    max_searches: int | None = _limit(None, "Stop after this many searches.", ge=0)
    searches_per_minute: float | None = _limit(
        None, "Maximum searches per minute.", gt=0, in_file=True
    )
    search_timeout: float = _limit(30.0, "Search timeout in seconds.", gt=0, in_file=True)
    search_cache_days: float | None = _limit(
        None,
        "Maximum age of stored results, in days, before searching again.",
        ge=0,
        named="never",
        in_file=True,
    )

    @property
    def asks_model(self) -> dict[Any, bool]:
        """Whether each role calls a language model; the decomposer also does if revision is on."""
        asks = dict(super().asks_model)
        return {**asks, "decomposer": asks["decomposer"] or self.revise}
