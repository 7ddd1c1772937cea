"""Validates values from files against declared schemas without converting them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, InstanceOf

from dfactscore._util.message_text import short_repr

if TYPE_CHECKING:
    from pydantic import ValidationError


_SURROGATE = re.compile("[\ud800-\udfff]")
# Not `str`: pydantic rejects halves of surrogate pairs, which occur in real texts.
Text = Annotated[str, InstanceOf[str]]


def _undamaged(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError(f"half a surrogate pair in {short_repr(text)}")
    return text


# A truncated or damaged text may contain half a surrogate pair.
Undamaged = Annotated[str, AfterValidator(_undamaged)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
# JSON has no tuples, so a list is accepted; its items are strict.
Pair = Annotated[tuple[int, int], Field(strict=False)]


class Form(BaseModel):
    """Base class for the schemas of objects in files; undeclared fields are allowed."""

    model_config = ConfigDict(strict=True, frozen=True, protected_namespaces=(), defer_build=True)


class Problem(NamedTuple):
    """A problem with a value."""

    path: str  # location of the field, such as `"groups[2].label"`; empty for the value itself
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


def first_problem(error: ValidationError) -> Problem:
    """Returns the first problem that pydantic reports."""
    first = error.errors(include_url=False)[0]
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in first["loc"])
    if first["type"] == "missing":
        return Problem(path.lstrip("."), "is missing")
    if first["type"] == "value_error":
        return Problem(path.lstrip("."), str(first["ctx"]["error"]))
    message, value = first["msg"], first["input"]
    expected = re.sub(r" or an instance of \w+", "", message[:1].lower() + message[1:])
    found = f"{type(value).__name__} {short_repr(value)}"
    return Problem(path.lstrip("."), f"{expected}, found {found}")


def misfit(form: type[Form], value: object) -> Problem | None:
    """Returns the first problem with a value from JSON; None if the value matches the schema."""
    from pydantic import ValidationError

    if not isinstance(value, Mapping):
        return Problem("", f"expected an object, found {short_repr(value)}")
    try:
        form.model_validate(value)
    except ValidationError as error:
        return first_problem(error)
    return None
