"""Token counts and prices, and limits on calls and cost, checked before each call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dfactscore._asking.messages import Answer, BudgetError, Message
from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_json


def estimate_tokens(text: str) -> int:
    """Estimates the number of tokens in a text at four UTF-8 bytes per token; at least 1."""
    return len(text.encode("utf-8", "replace")) // 4 + 1


def with_counts(answer: Answer, prompt: int) -> Answer:
    """Estimates an answer's token counts, to which cost limits apply, if the server gives none."""
    if answer.prompt_tokens or answer.completion_tokens:
        return answer
    return replace(answer, prompt_tokens=prompt, completion_tokens=estimate_tokens(answer.text))


def prompt_tokens(messages: Iterable[Message]) -> int:
    """Estimates the number of tokens in a prompt, including those that separate messages."""
    return sum(estimate_tokens(content) + 4 for _, content in messages) + 3


def body_tokens(body: Mapping[str, Any]) -> int:
    """Estimates the number of prompt tokens of a request body."""
    if "messages" not in body:
        prompt = body.get("prompt", "")
        return estimate_tokens(prompt) if isinstance(prompt, str) else len(prompt)
    messages = [(m["role"], m["content"]) for m in body["messages"]]
    schema = body.get("response_format")
    return prompt_tokens(messages) + (estimate_tokens(json.dumps(schema)) if schema else 0)


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


@dataclass
class Budget:
    """A command's budget, shared by all of its models."""

    prices: PriceList
    max_calls: int | None = None
    max_cost: float | None = None  # maximum cost in the price list's currency; None for no limit
    calls: int = 0
    cost: float = 0.0  # cost so far, including reserved amounts
    under_way: int = 0  # number of calls with a reserved amount

    def check_price(self, model: str, base_url: str | None) -> None:
        """Checks that a model has a price if the cost is limited."""
        if self.max_cost is not None and self.prices.find(model, base_url) is None:
            known = ", ".join(sorted(self.prices.models))
            raise InputError(
                f"--max-cost needs the price of {model!r}, and the price list has none (it has: "
                f"{known}); give your own with --prices FILE"
            )

    def waits(self, model: str, base_url: str | None, prompt: int, completion: int) -> bool:
        """Whether a call may fit once those under way have cost less than was reserved."""
        price = self.prices.find(model, base_url)
        worst = price.cost(prompt, completion) if price else 0.0
        return (
            self.max_cost is not None and self.under_way > 0 and self.cost + worst > self.max_cost
        )

    def reserve(
        self, model: str, base_url: str | None, prompt: int, completion: int
    ) -> float | None:
        """Reserves one call at its maximum cost."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise BudgetError(
                f"stopped at --max-calls {self.max_calls}: nothing is lost, and the same command "
                "with a higher limit resumes from here"
            )
        price = self.prices.find(model, base_url)
        worst = price.cost(prompt, completion) if price else None
        if self.max_cost is not None and worst is not None and self.cost + worst > self.max_cost:
            raise BudgetError(
                f"stopped before --max-cost {self.max_cost:g} {self.prices.currency} "
                f"({self.cost:.4f} spent or under way): nothing is lost, and the same command "
                "with a higher limit resumes from here"
            )
        self.calls += 1
        self.cost += worst or 0.0
        self.under_way += worst is not None
        # The amount reserved, to be passed to `settle`; None if the price is unknown.
        return worst

    def settle(
        self,
        model: str,
        base_url: str | None,
        reserved: float | None,
        prompt: int,
        completion: int,
        *,
        cached: int = 0,
    ) -> float | None:
        """Replaces the reserved amount with the actual cost; returns the cost (None if unknown)."""
        price = self.prices.find(model, base_url)
        if price is None or reserved is None:
            return None
        cost = price.cost(prompt, completion, cached=cached)
        self.cost += cost - reserved
        self.under_way -= 1
        return cost
