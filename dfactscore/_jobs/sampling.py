"""Reads the input of a command: all of a file, or a random sample of it."""

from __future__ import annotations

import hashlib
import heapq
from dataclasses import replace

from dfactscore._errors import InputError
from dfactscore._evidence.owners import Owners
from dfactscore._jobs.settings import Config
from dfactscore._readers import Reading, read_biographies
from dfactscore._runs.biography_spool import BiographySpool
from dfactscore._runs.input_records import begin_records, record_keys
from dfactscore._util.numbers import counted


def read_input(settings: Config) -> Reading:
    """The biographies that the settings name; a sample of them where they ask for one.

    Raises:
        InputError: If the file cannot be read, or has fewer texts than the sample.
    """
    if settings.input is None:
        raise InputError("no input: name a file of biographies, or give 'input' in --config")
    reading = read_biographies(
        settings.input,
        limit=settings.limit,
        columns=settings.columns,
        into=BiographySpool(),
        text=settings.text,
        owners=Owners(settings.entities),
    )
    if settings.sample is None:
        return reading
    return sampled(reading, settings.sample, seed_of(settings), str(settings.input))


def seed_of(settings: Config) -> int:
    """The seed by which a sample is drawn."""
    return settings.seed or 0 if settings.sample_seed is None else settings.sample_seed


def sampled(reading: Reading, n: int, seed: int, name: str = "the input") -> Reading:
    """A simple random sample, in the order of the input.

    A text is drawn by a hash of its content and the seed: a larger sample holds the smaller one,
    so that a run can be resumed with more, and the order of the input does not matter. When the
    input grows, new texts replace some, so that the sample is one of all.

    Args:
        reading: All biographies.
        n: The number to draw.
        seed: Another seed draws others.
        name: Name in messages of the input.

    Raises:
        InputError: If there are fewer.
    """
    total = len(reading.biographies)
    if n > total:
        raise InputError(f"--sample {n}: {name} has {counted(total, 'text')}")

    keys = record_keys(begin_records(reading.biographies))

    def rank(place: int) -> tuple[str, int]:
        return hashlib.sha256(f"{seed}:{keys[place]}".encode()).hexdigest(), place

    chosen = sorted(heapq.nsmallest(n, range(total), key=rank))
    kept = BiographySpool(keys)
    for place in chosen:
        kept.append(reading.biographies[place])
    return replace(reading, biographies=kept, drawn={"n": n, "of": total, "seed": seed})
