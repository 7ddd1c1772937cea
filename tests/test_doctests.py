"""The examples in docstrings, run under the installed names of their modules."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from dfactscore._errors import DFactScoreError

PACKAGES = ("dfactscore", "dfactscore.ambigbio", "dfactscore.linking", "dfactscore.retrieval")


HOSTS = "dfactscore.integrations."


def _modules() -> dict[str, list[str]]:
    """Yields the modules of each room; integrations with a host are separate."""
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
        except DFactScoreError as error:  # entry points of a host need the host
            pytest.skip(str(error))
        except ModuleNotFoundError as error:  # and so do modules that only these import
            if not name.startswith(HOSTS):
                raise
            pytest.skip(str(error))
        if doctest.testmod(module, verbose=False).failed:
            wrong.append(name)
    assert not wrong, "python -m doctest shows what these printed instead"
