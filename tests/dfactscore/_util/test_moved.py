"""Old module names lead to the modules that they are now."""

from __future__ import annotations

import importlib
import sys

import pytest

from dfactscore._util import moved


@pytest.mark.parametrize("old", ["engines.llm.client.cache", "searching", "searching.wiki"])
def test_an_old_name_is_the_same_module_and_says_so(old, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(f"dfactscore.{old}")]:
        monkeypatch.delitem(sys.modules, name)
    prefix = next(o for o in moved.MOVED if old == o or old.startswith(f"{o}."))
    new = "dfactscore." + old.replace(prefix, moved.MOVED[prefix], 1)
    with pytest.warns(DeprecationWarning, match=new.replace(".", r"\.")) as said:
        module = importlib.import_module(f"dfactscore.{old}")
    assert module is importlib.import_module(new)
    assert module.__spec__.name == new
    assert said


def test_names_that_never_were_are_not_found():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("dfactscore.searching.nothing")


@pytest.mark.parametrize("new", sorted(set(moved.MOVED.values())))
def test_what_the_table_names_is_there(new):
    importlib.import_module(f"dfactscore.{new}")
