from __future__ import annotations

import json
from pathlib import Path

import pytest

from dfactscore._asking.budget import Price, PriceList, load_prices
from dfactscore._errors import InputError
from dfactscore._util.usage import Usage, collect_usage, take_usage


def test_no_price_is_known_without_a_file() -> None:
    assert load_prices().find("gpt-4o-mini") is None
    assert load_prices().find("m", "http://127.0.0.1:1/v1") == Price(0, 0)


def test_the_table_of_litellm_is_read(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    cost = {"input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6}
    table = {
        "sample_spec": {"input_cost_per_token": 0.0},
        "m": {**cost, "cache_read_input_token_cost": 5e-7},
        "image": {"output_cost_per_image": 0.04},
    }
    file.write_text(json.dumps(table))
    prices = load_prices(file)
    assert prices.find("m") == Price(2.0, 8.0, 0.5)
    assert prices.find("image") is None


def test_the_longest_beginning_of_a_name_counts() -> None:
    prices = PriceList({"a": Price(1, 1), "a-mini": Price(2, 2)})
    assert prices.find("a-mini-2024") == Price(2, 2)
    assert prices.find("a-large") == Price(1, 1)
    assert prices.find("ab") is None
    assert prices.find("ab", "http://localhost:1/v1") == Price(0, 0)
    assert prices.find("ab", "https://example.org/v1") is None


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text('{"currency": "EUR", "models": {"m": {"prompt": 1, "completion": 2}}}')
    prices = load_prices(file)
    assert (prices.currency, prices.find("m")) == ("EUR", Price(1.0, 2.0))
    file.write_text('{"models": {"m": {"prompt": 1}}}')
    with pytest.raises(InputError, match=r"not a price file.*completion"):
        load_prices(file)
    with pytest.raises(InputError, match="no such file"):
        load_prices(tmp_path / "none.json")


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    usage = Usage()
    usage.tally("a", "m").add(calls=1, cost=0.5)
    usage.tally("b", "n").add(calls=2, cost=None)
    assert usage.total().cost is None
    assert usage.total().calls == 3
    again = Usage()
    again.merge(usage.to_dict())
    assert again.to_dict() == usage.to_dict()


def test_usage_is_collected_by_block() -> None:
    assert take_usage() == {}
    with collect_usage() as usage:
        usage.tally("a", "m").add(answers=1)
        assert take_usage() == {"a": {"m": {"answers": 1}}}
        assert take_usage() == {}
