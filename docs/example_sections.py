"""Shows ``Example:`` sections as code on the API pages, and the defaults of options.

The docstring parser knows only sections named ``Examples:``; it reads others as remarks, in which
``>>>`` is a quotation.
"""

from __future__ import annotations

import inspect
import pydoc
import re
from typing import Any

import griffe

_HEAD = re.compile(r"^( *)Example:$", re.MULTILINE)


class ExampleSections(griffe.Extension):
    """Renames the section when sources are read."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called once for each class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = _HEAD.sub(r"\1Examples:", obj.docstring.value)

    def on_function(self, *, func: griffe.Function, **kwargs: Any) -> None:
        """Adds the defaults of the imported function to the options of a TypedDict."""
        if any(parameter.default == "..." for parameter in func.parameters):
            real = inspect.signature(pydoc.locate(func.path)).parameters
            for parameter in func.parameters:
                if parameter.default == "..." and parameter.name in real:
                    parameter.default = repr(real[parameter.name].default)
