"""Headers of the user's: options name variables, and the values stay in the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from dfactscore._errors import InputError

_GIVEN = re.compile(r"([\w!#$%&'*+.^`|~-]+)=([A-Za-z_][A-Za-z0-9_]*)", re.ASCII)
_WORDS = re.compile(r"[A-Za-z]{0,15}(?:[ .-][A-Za-z]{1,15})*")


def named_headers(given: Iterable[str]) -> dict[str, str]:
    """The variable of each header.

    Args:
        given: As ``NAME=ENV_VARIABLE``.

    Raises:
        InputError: If one has another form, or there are two of one name. The value is not
            repeated: it may be a key.

    Example:
        >>> named_headers(["X-Team=TEAM_TOKEN"])
        {'X-Team': 'TEAM_TOKEN'}
    """
    found: dict[str, str] = {}
    for header in given:
        match = _GIVEN.fullmatch(header)
        if match is None:
            raise InputError(
                "--header: expected NAME=ENV_VARIABLE, the name of the header and of the "
                "environment variable that holds its value, like X-Team=TEAM_TOKEN"
            )
        name, variable = match.groups()
        if name.lower() in map(str.lower, found):
            raise InputError(f"--header: {name} is given twice")
        found[name] = variable
    return found


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """The value of each header.

    Args:
        headers: The variable of each.

    Raises:
        InputError: If a variable is not set, or holds what no header can.
    """
    found = {}
    for name, variable in headers.items():
        value = os.environ.get(variable, "").strip()
        if not value:  # the variable is not named: it may be a key in the wrong place
            raise InputError(
                f"header {name}: the environment variable that --header names is not set; set "
                "it to the header's value"
            )
        if not (value.isascii() and value.isprintable()):
            raise InputError(
                f"header {name}: its variable holds line breaks or letters that no header has; "
                "copy the value again"
            )
        found[name] = value
    return found


def header_secrets(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The values that no text may hold; plain words are excluded, since answers contain them."""
    values = (os.environ.get(variable, "").strip() for variable in headers.values())
    return tuple(value for value in values if not _WORDS.fullmatch(value))
