"""Python warnings about an input: skipped records, unsupported languages, and removed text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from dfactscore._errors import LanguageWarning
from dfactscore._readers import Reading
from dfactscore._results.result import Result
from dfactscore._text.language import unscored_languages
from dfactscore._util.message_text import warn_caller
from dfactscore._util.numbers import counted


def warn_of_languages(results: Sequence[Result]) -> None:
    """Issues one warning about the texts that were not scored because of their language."""
    others = [r for r in results if r.status == "not_english"]
    if others:
        line = unscored_languages(Counter(r.reason for r in others), len(results))
        if len(results) == 1:
            line = f"the text about {others[0].name} was not scored: {others[0].reason}"
        warn_caller(f"{line} (language='any' scores every text)", LanguageWarning)


def warn_of_bad(reading: Reading) -> None:
    """Issues one warning about skipped records."""
    if reading.bad:
        n, total = len(reading.bad), len(reading.bad) + len(reading.biographies)
        warn_caller(
            f"{n} of {counted(total, 'record')} skipped (Results.bad); the first: {reading.bad[0]}"
        )


def warn_of_cuts(notes: Iterable[str]) -> None:
    """Issues warnings about removed text, unknown markers, and the owners of passages."""
    for note in notes:
        warn_caller(note)
