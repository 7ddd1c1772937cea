"""Token prices from the user's file, as prices shipped with the package would become outdated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_json


def on_this_machine(base_url: str | None) -> bool:
    """Whether an endpoint is at a loopback address."""
    return bool(base_url) and urlsplit(base_url).hostname in ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Price:
    """Prices per million tokens, in the currency of the price list."""

    prompt: float
    completion: float
    # The price of prompt tokens from the server's prefix cache; None if they cost the same as other
    # prompt tokens.
    cached: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int, *, cached: int = 0) -> float:
        """Returns the cost of a call; the `cached` tokens are included in its prompt tokens.

        Example:
            >>> Price(0.15, 0.60).cost(1_000_000, 100_000)
            0.21
        """
        full = (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6
        if self.cached is not None:
            full -= cached * (self.prompt - self.cached) / 1e6
        return round(full, 9)


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by model name."""

    models: Mapping[str, Price]
    currency: str = "USD"
    date: str = ""

    def find(self, model: str, base_url: str | None = None) -> Price | None:
        """Returns the price of a model: zero for a local endpoint, None if unknown."""
        names = [name for name in self.models if model == name or model.startswith(f"{name}-")]
        if names:
            return self.models[max(names, key=len)]
        if on_this_machine(base_url):
            return Price(0.0, 0.0)
        return None


def load_prices(path: Path | str | None = None) -> PriceList:
    """Reads a price file or litellm's table; the list is empty if no path is given."""
    if path is None:
        return PriceList({})
    data = read_json(Path(path), error=InputError)
    try:
        if "models" not in data:
            data = {"models": _of_litellm(data)}
        models = {
            str(name): Price(
                float(entry["prompt"]),
                float(entry["completion"]),
                float(entry["cached"]) if "cached" in entry else None,
            )
            for name, entry in data["models"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(
            f"{path}: not a price file ({type(error).__name__}: {error}); expected "
            '{"models": {"NAME": {"prompt": 0.15, "completion": 0.6}}}'
        ) from None
    return PriceList(models, str(data.get("currency", "USD")), str(data.get("date", "")))


def _of_litellm(table: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Converts litellm's table, which gives prices per single token."""
    names = {
        "prompt": "input_cost_per_token",
        "completion": "output_cost_per_token",
        "cached": "cache_read_input_token_cost",
    }
    models = {
        model: {name: 1e6 * entry[key] for name, key in names.items() if entry.get(key) is not None}
        for model, entry in table.items()
        if model != "sample_spec"
    }
    priced = {
        model: prices for model, prices in models.items() if {"prompt", "completion"} <= {*prices}
    }
    if not priced:
        raise KeyError("models")
    return priced
