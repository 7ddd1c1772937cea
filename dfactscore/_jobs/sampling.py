"""Reads the input of a command: either a whole file or a random sample of it."""

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
    """Reads the biographies specified in the settings, or a sample of them."""
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
    """Returns the seed for the sample."""
    return settings.seed or 0 if settings.sample_seed is None else settings.sample_seed


def sampled(reading: Reading, n: int, seed: int, name: str = "the input") -> Reading:
    """Draws a simple random sample of each model's texts, in input order.

    Texts are drawn by a hash of their content and the seed. Input order therefore does not affect
    which texts are drawn. A larger sample contains every smaller one, so a run can be resumed with
    more texts. If the input grows, new texts replace some of those drawn, so that the sample still
    represents all texts.
    """
    total = len(reading.biographies)
    of_model: dict[str, list[int]] = {}
    for number, biography in enumerate(reading.biographies):
        of_model.setdefault(biography.model or "", []).append(number)
    fewest = min(of_model, key=lambda model: len(of_model[model]), default="")
    if n > (least := len(of_model.get(fewest, ()))):
        whose = f" of {fewest or 'no model'}" if len(of_model) > 1 else ""
        raise InputError(f"--sample {n}: {name} has {counted(least, 'text')}{whose}")

    keys = record_keys(begin_records(reading.biographies))

    def rank(number: int) -> tuple[str, int]:
        return hashlib.sha256(f"{seed}:{keys[number]}".encode()).hexdigest(), number

    sample = BiographySpool(keys)
    chosen = (heapq.nsmallest(n, numbers, key=rank) for numbers in of_model.values())
    for number in sorted(number for numbers in chosen for number in numbers):
        sample.append(reading.biographies[number])
    models = {"models": len(of_model)} if len(of_model) > 1 else {}
    drawn = {"n": n, "of": total, "seed": seed, **models}
    return replace(reading, biographies=sample, drawn=drawn)
