"""Support matrices, links from fact groups to entities, candidates and entity mixing."""

from linking.candidates import CandidateMode, candidate_mask
from linking.errors import LinkingError
from linking.gap import LostFacts, lost_facts
from linking.graphs import mixing_graph, support_graph
from linking.links import Link, LinkMethod, link_groups, support_counts
from linking.matrix import STATUSES, Status, SupportMatrix
from linking.mixing import GroupMixing, group_mixing, share_mixed
from linking.names import bears_name, plain_name

__all__ = [
    "STATUSES",
    "CandidateMode",
    "GroupMixing",
    "Link",
    "LinkMethod",
    "LinkingError",
    "LostFacts",
    "Status",
    "SupportMatrix",
    "bears_name",
    "candidate_mask",
    "group_mixing",
    "link_groups",
    "lost_facts",
    "mixing_graph",
    "plain_name",
    "share_mixed",
    "support_counts",
    "support_graph",
]
