"""Support matrices, links from fact groups to entities, candidates and entity mixing."""

from linking.candidates import CandidateMode, candidate_mask
from linking.errors import LinkingError
from linking.links import Link, LinkMethod, link_groups, support_counts
from linking.matrix import STATUSES, Status, SupportMatrix
from linking.names import bears_name, plain_name

__all__ = [
    "STATUSES",
    "CandidateMode",
    "Link",
    "LinkMethod",
    "LinkingError",
    "Status",
    "SupportMatrix",
    "bears_name",
    "candidate_mask",
    "link_groups",
    "plain_name",
    "support_counts",
]
