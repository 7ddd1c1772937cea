"""The examples in docstrings, each module under the name that it is installed by."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from dfactscore.errors import DFactScoreError

PACKAGES = ("dfactscore", "dfactscore.ambigbio", "dfactscore.linking", "dfactscore.retrieval")


def _modules() -> list[str]:
    found = set(PACKAGES)
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        found |= {m.name for m in pkgutil.walk_packages(path, f"{package}.")}
    return sorted(name for name in found if not name.endswith("__main__"))


@pytest.mark.parametrize("name", _modules())
def test_examples_print_what_they_say(name):
    try:
        module = importlib.import_module(name)
    except DFactScoreError as error:  # what a host finds by its entry point needs the host
        pytest.skip(str(error))
    except ModuleNotFoundError as error:  # and so does what only that imports
        if not name.startswith("dfactscore.integrations."):
            raise
        pytest.skip(str(error))
    failed, _ = doctest.testmod(module, verbose=False)
    assert not failed, f"python -m doctest shows what {name} printed instead"
