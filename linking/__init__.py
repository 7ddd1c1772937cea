"""Support matrices, links from fact groups to entities, candidates, and entity mixing."""

from dfactscore._text.names import bears_name, plain_name
from dfactscore.linking._errors import LinkingError
from dfactscore.linking._gap import LostFacts, lost_facts
from dfactscore.linking._links import (
    CandidateMode,
    Link,
    LinkMethod,
    candidate_mask,
    link_groups,
    support_counts,
)
from dfactscore.linking._mixed_facts import (
    MIXED_SHARE,
    GroupMixing,
    Mixed,
    group_mixing,
    mixed_pairs,
    mixing_graph,
    support_graph,
)
from dfactscore.linking._support_matrix import STATUSES, Evidence, Status, SupportMatrix

__all__ = [
    "MIXED_SHARE",
    "STATUSES",
    "CandidateMode",
    "Evidence",
    "GroupMixing",
    "Link",
    "LinkMethod",
    "LinkingError",
    "LostFacts",
    "Mixed",
    "Status",
    "SupportMatrix",
    "bears_name",
    "candidate_mask",
    "group_mixing",
    "link_groups",
    "lost_facts",
    "mixed_pairs",
    "mixing_graph",
    "plain_name",
    "support_counts",
    "support_graph",
]
