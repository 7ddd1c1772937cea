"""Validates values from files against a declared form, without conversion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, InstanceOf

from dfactscore._util.printable import short_repr

if TYPE_CHECKING:
    from pydantic import ValidationError


_SURROGATE = re.compile("[\ud800-\udfff]")
# Not `str`: pydantic refuses halves of surrogate pairs, which texts of others do hold.
Text = Annotated[str, InstanceOf[str]]


def _undamaged(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError(f"half a surrogate pair in {short_repr(text)}")
    return text


# Others' text: half a pair is left of a text that was cut or damaged on its way.
Undamaged = Annotated[str, AfterValidator(_undamaged)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
# JSON has no tuples, so a list may represent one; its items are as strict as all others.
Pair = Annotated[tuple[int, int], Field(strict=False)]


class Form(BaseModel):
    """Base of the forms of objects in our files; undeclared fields are allowed."""

    model_config = ConfigDict(strict=True, frozen=True, protected_namespaces=(), defer_build=True)


class Problem(NamedTuple):
    """Describes the problem with a value.

    Attributes:
        path: The field, such as ``"groups[2].label"``; empty for the value itself.
        reason: Expected and actual value, in words.
    """

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


def first_problem(error: ValidationError) -> Problem:
    """The first thing that pydantic finds wrong."""
    first = error.errors(include_url=False)[0]
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in first["loc"])
    if first["type"] == "missing":
        return Problem(path.lstrip("."), "is missing")
    if first["type"] == "value_error":
        return Problem(path.lstrip("."), str(first["ctx"]["error"]))
    said = first["msg"]
    expected = re.sub(r" or an instance of \w+", "", said[:1].lower() + said[1:])
    found = first["input"]
    return Problem(
        path.lstrip("."), f"{expected}, found {type(found).__name__} {short_repr(found)}"
    )


def misfit(form: type[Form], value: object) -> Problem | None:
    """Describes a misfit in a value read from JSON; None if all of it does."""
    from pydantic import ValidationError

    if not isinstance(value, Mapping):
        return Problem("", f"expected an object, found {short_repr(value)}")
    try:
        form.model_validate(value)
    except ValidationError as error:
        return first_problem(error)
    return None
