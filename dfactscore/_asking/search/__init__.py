"""Search services: a local index, a wiki, SearXNG, serper.dev."""

from dfactscore._asking.search.open import open_search
from dfactscore._asking.search.results import Search, SearchError, SearchFailed, SearchResult
from dfactscore._asking.search.search_client import SearchClient, SearchLimits

__all__ = [
    "Search",
    "SearchClient",
    "SearchError",
    "SearchFailed",
    "SearchLimits",
    "SearchResult",
    "open_search",
]
