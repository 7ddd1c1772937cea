from __future__ import annotations

from scripted_model import script  # noqa: F401 (fixture)
from search_service import index_folder, service  # noqa: F401 (fixtures)
