"""Engines: the protocols of the three roles and their implementations."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
    from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
    from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier, support_probability
    from dfactscore.engines._nli.verifier import NLIVerifier
    from dfactscore.engines._protocols import (
        AddsEntities,
        Decomposer,
        FindsEvidence,
        Found,
        Grouper,
        GroupingError,
        HasThreshold,
        JudgesTogether,
        LabelsFacts,
        ReadsEnglish,
        RoleError,
        TellsEntitiesApart,
        Verifier,
    )

__all__ = [
    "AddsEntities",
    "BuiltinDecomposer",
    "BuiltinGrouper",
    "BuiltinVerifier",
    "Decomposer",
    "FindsEvidence",
    "Found",
    "Grouper",
    "GroupingError",
    "HasThreshold",
    "JudgesTogether",
    "LabelsFacts",
    "NLIVerifier",
    "ReadsEnglish",
    "RoleError",
    "TellsEntitiesApart",
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
        "_protocols": (
            "AddsEntities",
            "Decomposer",
            "FindsEvidence",
            "Found",
            "Grouper",
            "GroupingError",
            "HasThreshold",
            "JudgesTogether",
            "LabelsFacts",
            "ReadsEnglish",
            "RoleError",
            "TellsEntitiesApart",
            "Verifier",
        ),
    },
)
