"""Suppresses the output of libraries."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Hides transformers' progress bars and warnings while it loads a model."""
    from transformers.utils import logging as untyped

    logging: Any = untyped
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        # No setting of the library hides its progress bar for GGUF files.
        with redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
