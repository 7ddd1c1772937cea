"""The embedded engine: no network, no key, no model download."""

from dfactscore.embedded.decomposer import EmbeddedDecomposer, ScriptWarning
from dfactscore.embedded.grouper import EmbeddedGrouper

__all__ = ["EmbeddedDecomposer", "EmbeddedGrouper", "ScriptWarning"]
