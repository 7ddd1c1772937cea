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
        n: Such biographies.
        n_groups: Groups with a fact that an entity of the name supports.
        mixed_groups: Share of those that are mixed.
        mixed_biographies: Share of biographies with a mixed group, and its interval.
        entropy: Mean mixing entropy of the groups, in bits.
        min_entities: Mean number of entities that a group needs.
        foreign: Mean number of foreign facts in a group.
        switches: Mean number of switch points in a group.
        gap: Mean FS − D-FS, and its interval; the three parts add up to it.
        same_name, other_page, link_conflict: The parts of the gap.
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
    """The fields of a `dfactscore.RunMixing`, which documents them, and what they add up to."""

    biographies: tuple[BiographyMixing, ...]
    left_out: int
    min_foreign: int
    models: tuple[str, ...] = ()

    def summary(self) -> MixingSummary:
        """Averages the biographies; intervals are 95 % percentile bootstrap over names."""
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
        """Pairs of entities that are mixed, counted (see `dfactscore.linking.mixed_pairs`)."""
        return mixed_pairs((b.name, b.entities, b.groups) for b in self.biographies)

    def graph(self) -> nx.Graph:
        """The graph of mixed entities (see `dfactscore.linking.mixing_graph`)."""
        return mixing_graph((b.name, b.entities, b.groups) for b in self.biographies)

    def worst(self) -> list[BiographyMixing]:
        """The biographies, the most mixed first."""
        return sorted(self.biographies, key=lambda b: (-b.same_name, -b.foreign))
