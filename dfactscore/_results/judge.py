"""The names of a run's judges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


def judge_name(settings: Mapping[str, Any]) -> str:
    """Returns the name of a run's verifier, including its model and host.

    Example:
        >>> judge_name({"verifier": {"name": "llm-verifier", "model": "m",
        ...                         "endpoint": "http://127.0.0.1:8000/v1"}})
        'm at 127.0.0.1:8000 (llm-verifier)'
        >>> judge_name({"verifier": {"name": "builtin"}})
        'builtin'
    """
    return role_name(settings.get("verifier") or {})


def role_name(role: Mapping[str, Any]) -> str:
    """Returns the name of a role, including its model and host."""
    name = str(role.get("name", "?"))
    model = None if name == "builtin" else role.get("model")  # the built-in model is a hash
    parts = (part for part in role.values() if isinstance(part, Mapping))
    inner = next((p for p in parts if p.get("model") and p.get("name") != "builtin"), None)
    if not isinstance(model, str):
        return name if inner is None else f"{name} with {role_name(inner)}"
    host = urlsplit(str(role.get("endpoint") or "")).netloc
    return f"{model}{f' at {host}' if host else ''} ({name})"


def old_recipe(settings: Mapping[str, Any]) -> str:
    """Returns a note on a run whose probabilities come from an older recipe; empty for others."""
    verifier = settings.get("verifier") or {}
    built_in = (v for v in (verifier, *verifier.values()) if isinstance(v, Mapping))
    steps = [v.get("second_step") or {} for v in built_in if v.get("name") == "builtin"]
    counts = (settings.get("scores") or {}).get("counts", "verdicts")
    if counts == "verdicts" or all("slope" in step for step in steps):
        return ""
    return (
        "judged by an older recipe, whose expected counts are kept and are not those of newer "
        "runs; score the texts again to compare them"
    )
