"""Additional request headers, whose values come from environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from dfactscore._errors import InputError

_HEADER = re.compile(r"([\w!#$%&'*+.^`|~-]+)=([A-Za-z_][A-Za-z0-9_]*)", re.ASCII)
_WORDS = re.compile(r"[A-Za-z]{0,15}(?:[ .-][A-Za-z]{1,15})*")


def named_headers(options: Iterable[str]) -> dict[str, str]:
    """Returns the environment variable of each header.

    Example:
        >>> named_headers(["X-Team=TEAM_TOKEN"])
        {'X-Team': 'TEAM_TOKEN'}
    """
    variables: dict[str, str] = {}
    for header in options:
        match = _HEADER.fullmatch(header)
        if match is None:
            raise InputError(
                "--header: expected NAME=ENV_VARIABLE, the name of the header and of the "
                "environment variable that holds its value, like X-Team=TEAM_TOKEN"
            )
        name, variable = match.groups()
        if name.lower() in map(str.lower, variables):
            raise InputError(f"--header: {name} is given twice")
        variables[name] = variable
    return variables


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """Returns the value of each header."""
    values = {}
    for name, variable in headers.items():
        value = os.environ.get(variable, "").strip()
        if not value:  # the message omits the variable, which may be a misplaced key
            raise InputError(
                f"header {name}: the environment variable that --header names is not set; set "
                "it to the header's value"
            )
        if not (value.isascii() and value.isprintable()):
            raise InputError(
                f"header {name}: its variable holds line breaks or letters that no header has; "
                "copy the value again"
            )
        values[name] = value
    return values


def header_secrets(headers: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the header values to mask in texts, excluding plain words, which answers may use."""
    values = (os.environ.get(variable, "").strip() for variable in headers.values())
    return tuple(value for value in values if not _WORDS.fullmatch(value))
