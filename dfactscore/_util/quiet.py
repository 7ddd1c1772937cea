"""Silences libraries that print while they work."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keeps the progress bars and warnings of transformers off the terminal while it loads."""
    from transformers.utils import logging as found

    logging: Any = found  # without types of its own
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        # Reading a GGUF file shows a bar that no setting of the library turns off.
        with redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
