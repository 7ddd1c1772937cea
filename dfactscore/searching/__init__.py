"""Search services: an index of one's own, a wiki, SearXNG, serper.dev."""

from dfactscore.searching.client import SearchClient, SearchLimits
from dfactscore.searching.open import open_search
from dfactscore.searching.results import Search, SearchError, SearchFailed, SearchResult

__all__ = [
    "Search",
    "SearchClient",
    "SearchError",
    "SearchFailed",
    "SearchLimits",
    "SearchResult",
    "open_search",
]
