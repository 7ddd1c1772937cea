"""Limits on calls and cost, checked before each call."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore._asking.errors import BudgetError
from dfactscore._asking.prices import PriceList
from dfactscore._errors import InputError


@dataclass
class Budget:
    """A command's budget, shared by all of its models."""

    prices: PriceList
    max_calls: int | None = None
    max_cost: float | None = None  # maximum cost in the price list's currency; None for no limit
    calls: int = 0
    cost: float = 0.0  # cost so far, including reserved amounts

    def check_price(self, model: str, base_url: str | None) -> None:
        """Checks that a model has a price if the cost is limited."""
        if self.max_cost is not None and self.prices.find(model, base_url) is None:
            known = ", ".join(sorted(self.prices.models))
            raise InputError(
                f"--max-cost needs the price of {model!r}, and the price list has none (it has: "
                f"{known}); give your own with --prices FILE"
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
        return cost
