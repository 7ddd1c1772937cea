"""The package's exceptions."""

from __future__ import annotations


class DFactScoreError(Exception):
    """Base of all errors of this package; the command line prints it as one line and exits 2."""


class InputError(DFactScoreError):
    """A file, record or option that cannot be used.

    The message names the file, the line or record, the field, its value and what to do.
    """


class LanguageWarning(UserWarning):
    """Texts were not scored, because they are written in a language that the engine cannot read."""


class RunError(DFactScoreError):
    """A run folder that cannot be written, resumed or read."""


class WorkerError(DFactScoreError):
    """Work over several processes or machines failed for a reason that is not in the work."""


class MissingExtraError(DFactScoreError):
    """An optional dependency is not installed.

    Args:
        feature: The feature that needs it, as the start of a sentence.
        extra: Name of the extra that installs it.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the extra [{extra}]: {_install(extra)}")
        self.extra = extra


def _install(extra: str) -> str:
    """The command that adds an extra to the package from where it was installed."""
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
