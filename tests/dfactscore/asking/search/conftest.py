from __future__ import annotations

from search_service import index_folder, service  # noqa: F401 (fixtures)
