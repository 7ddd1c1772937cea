"""The package's exceptions."""

from __future__ import annotations


class DFactScoreError(Exception):
    """Base class of this package's errors; commands print one line and exit with status 2."""


class InputError(DFactScoreError):
    """A file, a record or an option cannot be used.

    The message names the file, the line or record, the field and its value, and says what to do.
    """


class DFactScoreWarning(UserWarning):
    """Base class of this package's warnings, which name the line that called the package."""


class LanguageWarning(DFactScoreWarning):
    """Warns that texts were not scored because the engine cannot read their language."""


class RunError(DFactScoreError):
    """A run folder cannot be written, resumed or read."""


class WorkerError(DFactScoreError):
    """Worker processes or machines failed for a reason unrelated to their work."""


class MissingExtraError(DFactScoreError):
    """An optional dependency is not installed.

    Args:
        feature: The feature that needs the dependency, worded as the start of a sentence.
        extra: The name of the extra that installs the dependency.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the extra [{extra}]: {_install(extra)}")
        self.extra = extra


def _install(extra: str) -> str:
    """Returns the command that installs an extra from the same source as the package."""
    import json
    import shlex
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    try:
        origin = json.loads(distribution("dfactscore").read_text("direct_url.json") or "{}")
        place = Path(unquote(urlsplit(origin["url"]).path))
        if not place.exists():
            raise FileNotFoundError(place)
    except (PackageNotFoundError, OSError, ValueError, KeyError, TypeError):
        return (
            f"pip install '.[{extra}]' in the checkout, or "
            f"pip install 'dfactscore[{extra}] @ file:///FOLDER/WHEEL' with the wheel's place"
        )
    if origin.get("dir_info", {}).get("editable"):
        return f"pip install -e {shlex.quote(f'{place}[{extra}]')}"
    return f"pip install 'dfactscore[{extra}] @ {origin['url']}'"
