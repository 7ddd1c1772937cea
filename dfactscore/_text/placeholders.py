"""Prompt templates with variables such as ``{{name}}``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dfactscore._errors import InputError
from dfactscore._util.message_text import near_miss

_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def variables_of(text: str) -> set[str]:
    """Returns the names of the variables in a template.

    Example:
        >>> sorted(variables_of("{{name}}: {{ text }} {x} {{1 + 1}}"))
        ['name', 'text']
    """
    return set(_VARIABLE.findall(text))


def fill_template(text: str, variables: Mapping[str, str]) -> str:
    """Replaces the variables with their values, which are not read as templates themselves.

    Example:
        >>> fill_template("{{a}} costs $5", {"a": "{{b}}"})
        '{{b}} costs $5'
    """
    return _VARIABLE.sub(lambda match: variables[match[1]], text)


def check_template(
    texts: Iterable[str],
    where: object,  # location to show at the start of error messages
    *,
    known: Sequence[str],
    needed: Sequence[str],
    why: str = "so the model would not see it",
) -> None:
    """Checks the variables of a template."""
    text = "\n".join(texts)
    shell = re.search(rf"\$(?:\{{({'|'.join(known)})\}}|({'|'.join(known)})\b)", text)
    if shell:
        name = shell[1] or shell[2]
        raise InputError(
            f"{where}: a variable is written {{{{{name}}}}}, not {shell[0]}; and a $ is only a $"
        )
    variables = variables_of(text)
    for name in sorted(variables - set(known)):
        near = near_miss(name, known, cutoff=0.5, show=lambda known: f"{{{{{known}}}}}")
        raise InputError(
            f"{where}: no variable {{{{{name}}}}}{near} (there are {', '.join(known)})"
        )
    for name in needed:
        if name not in variables:
            raise InputError(f"{where}: does not use {{{{{name}}}}}, {why}")
