"""The root knows its commands before their modules are read, and reads only the called one."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from dfactscore._cli.app import read_all
from dfactscore._cli.root import COMMANDS

LOADED = (
    "import sys\n"
    "from dfactscore._cli.app import main\n"
    "sys.argv = ['dfactscore', *sys.argv[1:]]\n"
    "try:\n    main()\n"
    "except SystemExit:\n    pass\n"
    "print('loaded:', *sys.modules)\n"
)


def loaded(*words: str) -> set[str]:
    """The modules that a command leaves loaded."""
    command = [sys.executable, "-c", LOADED, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_the_list_says_what_the_commands_say():
    own = read_all().commands
    assert list(own) == list(COMMANDS)
    for name, (_, about) in COMMANDS.items():
        assert inspect.cleandoc(own[name].help).split("\n\n")[0] == about, name
        assert own[name].callback is None or own[name].callback.__module__.endswith(
            COMMANDS[name][0]
        )


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("scroe",), ("--no-such",)])
def test_what_concerns_no_command_reads_none(words):
    found = loaded(*words)
    assert not {f"dfactscore._cli.{module}" for module, _ in COMMANDS.values()} & found
    assert not {"dfactscore._util.settings", "numpy"} & found


@pytest.mark.parametrize("name", COMMANDS)
def test_a_mistake_in_a_command_waits_for_its_settings_only(name):
    found = loaded(name, "--no-such")
    module = COMMANDS[name][0]
    others = {f"dfactscore._cli.{m}" for m, _ in COMMANDS.values() if m != module}
    assert f"dfactscore._cli.{module}" in found
    assert not others & found
    assert not {"numpy", "asyncio", "dfactscore._records", "dfactscore._runs"} & found
