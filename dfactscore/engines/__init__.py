"""Engines: the base classes of the three roles and their implementations."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
    from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
    from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier, support_probability
    from dfactscore.engines._nli.verifier import NLIVerifier
    from dfactscore.engines._roles import (
        Decomposer,
        Found,
        Grouper,
        GroupingError,
        RoleError,
        Verifier,
    )

__all__ = [
    "BuiltinDecomposer",
    "BuiltinGrouper",
    "BuiltinVerifier",
    "Decomposer",
    "Found",
    "Grouper",
    "GroupingError",
    "NLIVerifier",
    "RoleError",
    "Verifier",
    "support_probability",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_builtin.decompose.decomposer": ("BuiltinDecomposer",),
        "_builtin.group.grouper": ("BuiltinGrouper",),
        "_builtin.verify.verifier": ("BuiltinVerifier", "support_probability"),
        "_nli.verifier": ("NLIVerifier",),
        "_roles": (
            "Decomposer",
            "Found",
            "Grouper",
            "GroupingError",
            "RoleError",
            "Verifier",
        ),
    },
)
