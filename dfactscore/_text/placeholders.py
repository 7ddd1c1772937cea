"""Prompt templates: text in which ``{{name}}`` is replaced by a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dfactscore._errors import InputError
from dfactscore._util.near import near_miss

_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def variables_of(text: str) -> set[str]:
    """The names of the variables that a template uses.

    Example:
        >>> sorted(variables_of("{{name}}: {{ text }} {x} {{1 + 1}}"))
        ['name', 'text']
    """
    return set(_VARIABLE.findall(text))


def fill_template(text: str, variables: Mapping[str, str]) -> str:
    """Fills in the variables, once: what they bring in is never read as a template.

    Example:
        >>> fill_template("{{a}} costs $5", {"a": "{{b}}"})
        '{{b}} costs $5'
    """
    return _VARIABLE.sub(lambda match: variables[match[1]], text)


def check_template(
    texts: Iterable[str],
    where: object,
    *,
    known: Sequence[str],
    needed: Sequence[str],
    why: str = "so the model would not see it",
) -> None:
    """Checks the variables of a template.

    Args:
        texts: The parts of the template.
        where: Start of messages.
        known: Variables that are filled in.
        needed: Those of them that must be used.
        why: The reason for them.

    Raises:
        InputError: If a variable is unknown (the near miss is named) or missing, or written in
            the shell's way, which other tools use.
    """
    text = "\n".join(texts)
    other = re.search(rf"\$(?:\{{({'|'.join(known)})\}}|({'|'.join(known)})\b)", text)
    if other:
        name = other[1] or other[2]
        raise InputError(
            f"{where}: a variable is written {{{{{name}}}}}, not {other[0]}; and a $ is only a $"
        )
    found = variables_of(text)
    for name in sorted(found - set(known)):
        near = near_miss(name, known, cutoff=0.5, show=lambda known: f"{{{{{known}}}}}")
        raise InputError(
            f"{where}: no variable {{{{{name}}}}}{near} (there are {', '.join(known)})"
        )
    for name in needed:
        if name not in found:
            raise InputError(f"{where}: does not use {{{{{name}}}}}, {why}")
