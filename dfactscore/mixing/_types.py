"""The mixing in a run, without its tables and plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dfactscore._util.numbers import mean
from dfactscore.linking import Mixed, mixed_pairs, mixing_graph
from dfactscore.measures._bootstrap import Interval, clustered_interval
from dfactscore.mixing._biography import BiographyMixing

if TYPE_CHECKING:
    import networkx as nx


GAP_PARTS = ("same_name", "other_page", "link_conflict")


@dataclass(frozen=True, slots=True)
class MixingSummary:
    """Means over the biographies that have a D-FS.

    Attributes:
        n: The number of biographies that have a D-FS.
        n_groups: The number of groups in which an entity with the name supports at least one fact.
        mixed_groups: The share of these groups that are mixed.
        mixed_biographies: The share of biographies with a mixed group.
        mixed_interval: The confidence interval of `mixed_biographies`.
        entropy: The mean mixing entropy of a group, in bits.
        min_entities: The mean number of entities that a group needs.
        foreign: The mean number of foreign facts per group.
        switches: The mean number of switch points per group.
        gap: The mean FS − D-FS.
        gap_interval: The confidence interval of the gap.
        same_name, other_page, link_conflict: The three parts that add up to the gap.
    """

    n: int
    n_groups: int
    mixed_groups: float | None
    mixed_biographies: float | None
    mixed_interval: Interval
    entropy: float | None
    min_entities: float | None
    foreign: float | None
    switches: float | None
    gap: float | None
    gap_interval: Interval
    same_name: float | None
    other_page: float | None
    link_conflict: float | None


@dataclass(frozen=True)
class MixingData:
    """The fields of `dfactscore.RunMixing`, which documents them, and their sums."""

    biographies: tuple[BiographyMixing, ...]
    left_out: int
    min_foreign: int
    models: tuple[str, ...] = ()

    def summary(self) -> MixingSummary:
        """Averages the biographies, with 95 % percentile bootstrap intervals over names."""
        names = [b.name for b in self.biographies]
        groups = [g for b in self.biographies for g in b.groups if g.supported]
        mixed = [float(b.mixed > 0) for b in self.biographies]
        gap = [b.gap for b in self.biographies]
        parts = {p: mean([getattr(b, p) for b in self.biographies]) for p in GAP_PARTS}
        return MixingSummary(
            n=len(self.biographies),
            n_groups=len(groups),
            mixed_groups=mean([float(g.mixed) for g in groups]),
            mixed_biographies=mean(mixed),
            mixed_interval=clustered_interval(mixed, names),
            entropy=mean([g.entropy for g in groups]),
            min_entities=mean([float(g.min_entities) for g in groups]),
            foreign=mean([float(len(g.foreign)) for g in groups]),
            switches=mean([float(len(g.switches)) for g in groups]),
            gap=mean(gap),
            gap_interval=clustered_interval(gap, names),
            **parts,
        )

    def mixed(self) -> Mixed:
        """Counts the pairs of mixed entities (see `dfactscore.linking.mixed_pairs`)."""
        return mixed_pairs((b.name, b.entities, b.groups) for b in self.biographies)

    def graph(self) -> nx.Graph:
        """Returns the graph of mixed entities (see `dfactscore.linking.mixing_graph`)."""
        return mixing_graph((b.name, b.entities, b.groups) for b in self.biographies)

    def worst(self) -> list[BiographyMixing]:
        """Returns the biographies, most mixed first."""
        return sorted(self.biographies, key=lambda b: (-b.same_name, -b.foreign))
