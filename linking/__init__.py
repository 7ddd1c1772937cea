"""Support matrices, links from fact groups to entities, candidates and entity mixing."""

from linking.errors import LinkingError
from linking.matrix import STATUSES, Status, SupportMatrix

__all__ = ["STATUSES", "LinkingError", "Status", "SupportMatrix"]
