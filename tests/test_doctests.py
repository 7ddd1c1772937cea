"""The examples in docstrings, each module under the name that it is installed by."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from dfactscore._errors import DFactScoreError

PACKAGES = ("dfactscore", "dfactscore.ambigbio", "dfactscore.linking", "dfactscore.retrieval")


HOSTS = "dfactscore.integrations."


def _modules() -> dict[str, list[str]]:
    """The modules of each room; those of a host by themselves."""
    found = set(PACKAGES)
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        found |= {m.name for m in pkgutil.walk_packages(path, f"{package}.")}
    rooms: dict[str, list[str]] = {}
    for name in sorted(name for name in found if not name.endswith("__main__")):
        room = name if name.startswith(HOSTS) else ".".join(name.split(".")[:2])
        rooms.setdefault(room, []).append(name)
    return rooms


MODULES = _modules()


@pytest.mark.parametrize(
    "room",
    [
        pytest.param(room, marks=pytest.mark.slow) if room.startswith(f"{HOSTS}lm_eval") else room
        for room in MODULES
    ],
)
def test_examples_print_what_they_say(room):
    wrong = []
    for name in MODULES[room]:
        try:
            module = importlib.import_module(name)
        except DFactScoreError as error:  # what a host finds by its entry point needs the host
            pytest.skip(str(error))
        except ModuleNotFoundError as error:  # and so does what only that imports
            if not name.startswith(HOSTS):
                raise
            pytest.skip(str(error))
        if doctest.testmod(module, verbose=False).failed:
            wrong.append(name)
    assert not wrong, "python -m doctest shows what these printed instead"
