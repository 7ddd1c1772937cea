"""Engines: the protocols of the three roles and their implementations."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.engines.builtin.decompose.decomposer import BuiltinDecomposer
    from dfactscore.engines.builtin.group.grouper import BuiltinGrouper
    from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier, support_probability
    from dfactscore.engines.nli.verifier import NLIVerifier
    from dfactscore.engines.protocols import (
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
        "builtin.decompose.decomposer": ("BuiltinDecomposer",),
        "builtin.group.grouper": ("BuiltinGrouper",),
        "builtin.verify.verifier": ("BuiltinVerifier", "support_probability"),
        "nli.verifier": ("NLIVerifier",),
        "protocols": (
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
