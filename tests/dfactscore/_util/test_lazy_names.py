from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest

PACKAGES = ["dfactscore"] + [
    f"dfactscore.{name}"
    for name in (
        "_experiment",
        "citations",
        "factor",
        "generation",
        "likelihood",
        "meta",
        "mixing",
        "safe",
        "work",
    )
]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_found(package):
    home = import_module(package)
    for name in home.__all__:
        assert getattr(home, name) is not None


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_is_hidden_by_a_module(package):
    # A module that is imported becomes an attribute of its package, and would stand for the name.
    for name in import_module(package).__all__:
        assert find_spec(f"{package}.{name}") is None, name


def test_other_names_are_missing_as_usual():
    with pytest.raises(AttributeError, match=r"'dfactscore.meta' has no attribute 'none_such'"):
        import_module("dfactscore.meta").none_such
