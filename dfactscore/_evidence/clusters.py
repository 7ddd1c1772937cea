"""Finds the bearers of a name and their passages; what cannot be decided stays undecided."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

from dfactscore._evidence.asked_name import AskedName
from dfactscore._evidence.clues import Clues, continues, parts_of, read_clues, title_clues
from dfactscore._evidence.relations import (
    APART,
    PLACING,
    UNSEEN,
    WEIGHTS,
    Relation,
    conflict,
    field_words,
    one_bearer_documents,
    relation,
    shared_words,
    word_runs,
)
from dfactscore._evidence.title_forms import ADDRESS, names_no_one, title_form
from dfactscore._text.person_names import read_name
from dfactscore.retrieval import Passage

_Related = Callable[[Clues, Clues], Relation]
SURE = 0.78
"""The least probability at which a passage belongs to one bearer alone."""
POSSIBLE = 0.15
"""The least probability at which a passage stands under a bearer."""
_JOIN = 1.0  # mean log-odds at which two clusters are one
_MOST_BEARERS = 60  # that are compared with each other and with the other passages
_MOST_MEMBERS = 8  # of a bearer's passages that are compared
_MOST_READ = 1000  # passages of a catalog; of more, only the titles are read
_FURTHER = 0.9  # probability at which a passage is about a bearer of its own
_CLEAR = 3.0  # log-odds of one pair that are clear
_DECIDES = 4.0  # log-odds of one pair that outweigh the mean
_PIECE = re.compile(
    r"(?:#|(?<![\s_:-])[\s_:-]++(?:chunk|part|page|p)[\s_:-]*+)\w*\d\Z", re.IGNORECASE
)


@dataclass(slots=True)
class Cluster:
    """A bearer of the name, and the passages that are surely about it."""

    members: list[Clues] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)  # by passage

    @property
    def titles(self) -> int:
        """The number of different titles."""
        return len({clues.title for clues in self.members})

    @property
    def compared(self) -> list[Clues]:
        """The members that other passages are compared with: first those that say who it is."""
        first = sorted(self.members[:_MOST_READ], key=lambda clues: not clues.introduces)
        return first[:_MOST_MEMBERS]


@dataclass(slots=True)
class Undecided:
    """A passage about a bearer that is not known, and the probability of each bearer."""

    clues: Clues
    shares: list[float]


@dataclass(slots=True)
class Clusters:
    """The bearers of a name among passages."""

    bearers: list[Cluster] = field(default_factory=list)
    undecided: list[Undecided] = field(default_factory=list)
    others: list[list[Clues]] = field(default_factory=list)  # about no bearer, by entity
    different: dict[tuple[int, int], tuple[float, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Introductions:
    """The passages about a name, by what they say about its bearer."""

    related: _Related
    catalog: bool  # whether titles are those of a catalog, such as a wiki
    heads: Sequence[Clues] = ()  # tell their subjects apart
    rest: Sequence[Clues] = ()  # name a bearer, or continue a document that does
    loose: Sequence[Clues] = ()  # name no one: their words may tell whose they are
    further: Sequence[Clues] = ()  # are not known to name a bearer, including the loose ones


def read_passages(asked: AskedName, passages: Sequence[Passage]) -> Introductions:
    """Reads what passages say about the bearers of a name."""
    clues, catalog = _all_clues(asked, passages)
    of_others = {c.document for c in clues if c.other and c.document}
    of_others -= {c.document for c in clues if c.identifies}
    mine = [c for c in clues if c.bears != "no" and c.document not in of_others]
    documents = one_bearer_documents(mine)
    sizes = Counter(c.document for c in clues)
    parted = frozenset(document for document, size in sizes.items() if size > 1)

    def related(a: Clues, b: Clues) -> Relation:
        one_bearer = a.document in documents
        return relation(a, b, catalog=catalog, one_bearer=one_bearer, parted=parted)

    if not any(c.bears in ("subject", "title", "mention") for c in mine):
        return Introductions(related, catalog, further=clues)
    of_bearers = {c.document for c in mine if c.bears != "pronoun" and c.document in documents}
    of_bearers -= {c.document for c in clues if c.other}
    runs = frozenset().union(*(word_runs(c.text) for c in mine if not c.only_title))
    free = [
        c
        for c in clues
        if c.bears == "no" and c.form != "other" and not c.other and c.document not in of_others
    ]
    mine += [
        continues(c)
        for c in free
        if c.document in of_bearers or not runs.isdisjoint(word_runs(c.text))
    ]
    mine.sort(key=lambda c: (c.title, c.document, c.text))
    owned = {(c.passage, c.text) for c in mine}
    loose = [
        replace(continues(c), bears="no")
        for c in free
        if c.form == "none" and (c.passage, c.text) not in owned
        if not (asked.short and asked.short.search(c.text))  # a relative's
    ]
    heads = _heads(mine, catalog=catalog)
    chosen = {id(c) for c in heads}
    rest = [c for c in mine if id(c) not in chosen]
    rest.sort(key=lambda c: c.bears != "subject")  # may be about bearers of their own
    further = [c for c in clues if (c.passage, c.text) not in owned]
    return Introductions(related, catalog, heads, rest, loose, further)


def _heads(mine: Sequence[Clues], *, catalog: bool) -> list[Clues]:
    """Returns the passages that tell their subjects apart; at least one."""
    heads = [c for c in mine if c.identifies or (catalog and c.fuller)]
    titles = {read_name(c.title).words for c in mine if c.form in ("qualified", "bare")}
    if (catalog and len(titles) > 1) or any(c.form == "qualified" for c in heads):
        # Other titles tell bearers apart, so a bare title does, too.
        bare = [c for c in mine if c.form == "bare" and not c.identifies and not c.fuller]
        heads += bare if len({c.document for c in mine if c.form == "bare"}) == 1 else []
    if heads:
        return heads
    named = [c for c in mine if c.bears in ("subject", "title", "mention")]
    return [min(named, key=lambda c: (c.bears != "subject", c.bears != "title", -len(c.text)))]


def clusters(asked: AskedName, passages: Sequence[Passage]) -> Clusters:
    """Finds the bearers of a name and their passages, whatever the order of the passages."""
    reading = read_passages(asked, passages)
    found = introduced(reading)
    _place(reading.rest, reading.related, found)
    _place(reading.loose, reading.related, found)
    placed = {(c.passage, c.text) for b in found.bearers for c in b.members}
    found.others += _others([c for c in reading.further if (c.passage, c.text) not in placed])
    return found


def introduced(reading: Introductions) -> Clusters:
    """Finds the bearers that passages introduce."""
    found = Clusters()
    heads = reading.heads
    groups = _by_title(heads) if reading.catalog else [Cluster([c]) for c in heads]
    _agglomerate(groups, reading.related, found)
    return found


def _by_title(heads: Sequence[Clues]) -> list[Cluster]:
    """Joins the passages that a catalog gives one title."""
    by_title: dict[tuple[str, str], Cluster] = {}
    for clues in heads:
        document = clues.document if clues.form == "bare" else ""
        titled = clues.form in ("qualified", "bare")
        key = (clues.title.casefold(), document) if titled else (clues.text, clues.title)
        cluster = by_title.setdefault(key, Cluster())
        cluster.members.append(clues)
        cluster.reasons[clues.passage] = "equal titles of a catalog"
    for cluster in by_title.values():
        if len(cluster.members) == 1:
            cluster.reasons.clear()
    return list(by_title.values())


def _others(clues: Sequence[Clues]) -> list[list[Clues]]:
    """Groups the passages about no bearer: by title, name, document, text or overlap."""
    groups: list[list[Clues]] = []
    of_mark: dict[object, int] = {}
    for one in clues:
        title = "" if names_no_one(one.title) else one.title
        marks: list[object] = [("text", title, one.text)]
        if title or one.other:
            marks.append(("title", title) if title else ("name", one.other))
        if one.document and not title:
            marks.append(("document", one.document))
        if not title:
            marks += word_runs(one.text)
        group = next((of_mark[mark] for mark in marks if mark in of_mark), len(groups))
        if group == len(groups):
            groups.append([])
        groups[group].append(one)
        of_mark.update((mark, group) for mark in marks if mark not in of_mark)
    return groups


def document_of(passage: Passage) -> str:
    """Returns the name of the document that contains a passage; empty if it is unknown."""
    address = passage.title if ADDRESS.fullmatch(passage.title) else ""
    return _PIECE.sub("", passage.source or address).strip()


def _all_clues(asked: AskedName, passages: Sequence[Passage]) -> tuple[list[Clues], bool]:
    """Reads the passages, and whether their titles are those of a catalog, such as a wiki."""
    given = [(n, p) for n, p in enumerate(passages) if p.text.strip()]
    forms = {title: title_form(title, asked).form for title in {p.title for _, p in given}}
    proper = all(form in ("qualified", "bare", "other") for form in forms.values())
    catalog = "qualified" in forms.values() or (proper and len(forms) > 1)
    clues: list[Clues] = []
    for n, passage in given:
        form, document = forms[passage.title], document_of(passage)
        titled = form in ("qualified", "other") or (catalog and form == "bare")
        parts = [] if form in ("qualified", "other") else parts_of(passage.text, asked)
        if titled and catalog and len(given) > _MOST_READ:
            read = title_clues(n, passage.text, passage.title, document, asked)
            clues.append(replace(read, bears="no") if form == "other" else read)
            continue
        if titled and len(parts) > 1:  # one title for several people?
            several = [read_clues(n, text, "", document, asked) for text in parts]
            if any(conflict(a, b) for a, b in combinations(several, 2)):
                clues += several
                continue
        for text in [passage.text] if titled else parts:
            read = read_clues(n, text, passage.title, document, asked)
            clues.append(replace(read, bears="no") if catalog and form == "other" else read)
    return clues, catalog


def _agglomerate(groups: list[Cluster], related: _Related, found: Clusters) -> None:
    """Joins the passages that tell their subjects apart, the most alike first."""
    groups.sort(key=lambda group: min(c.passage for c in group.members) // _MOST_BEARERS)
    few, many = groups[:_MOST_BEARERS], groups[_MOST_BEARERS:]
    compared = [group.compared for group in few]
    pairs = {
        (x, y): [related(a, b) for a in compared[x] for b in compared[y]]
        for x, y in combinations(range(len(few)), 2)
    }
    values = {key: _mean([r.log_odds for r in between]) for key, between in pairs.items()}
    while values:
        best = max(values, key=lambda key: values[key])
        if values[best] < _JOIN:
            break
        x, y = best
        for clues in few[y].members:
            few[y].reasons[clues.passage] = few[y].reasons.get(clues.passage) or _for(pairs[best])
        for clues in few[x].members:
            few[x].reasons[clues.passage] = few[x].reasons.get(clues.passage) or _for(pairs[best])
        few[x].members += few[y].members
        few[x].reasons |= few[y].reasons
        for z in {z for key in values for z in key} - {x, y}:
            one, other = (min(x, z), max(x, z)), (min(y, z), max(y, z))
            pairs[one] = [*pairs[one], *pairs.pop(other)]
            values[one] = _mean([r.log_odds for r in pairs[one]])
            del values[other]
        del values[best], pairs[best]
        few[y] = Cluster()
    kept = [k for k, cluster in enumerate(few) if cluster.members]
    found.bearers += [few[k] for k in kept] + many
    for x, y in combinations(range(len(kept)), 2):
        key = (kept[x], kept[y])
        worst = min(pairs[key], key=lambda r: r.log_odds)
        found.different[x, y] = _probability(-values[key]), _strongest(worst, -1)


def _mean(values: Sequence[float]) -> float:
    """Combines the log-odds of the pairs of two clusters; one clear difference keeps them apart."""
    low, high = min(values), max(values)
    if low < APART and high < 7:
        return low
    return sum(values) / len(values) if high < _DECIDES else high + min(low, 0)


def _for(pairs: Sequence[Relation]) -> str:
    """Returns the reason that counts most for one bearer."""
    return _strongest(max(pairs, key=lambda r: r.log_odds), 1)


class Closeness(NamedTuple):
    """The evidence that a passage belongs to a bearer."""

    relation: float  # log-odds of the relation to the bearer's passage that decides
    clear: float  # its part that is clear
    words: float  # that it shares with this bearer's passages only
    fields: float  # words of this bearer's field, and not of another's
    reason: str = ""

    @property
    def parts(self) -> tuple[float, ...]:
        """The numbers, in the order of `PLACING`."""
        return self.relation, self.clear, self.words, self.fields

    @property
    def log_odds(self) -> float:
        """The weighted sum."""
        return sum(weight * value for weight, value in zip(PLACING, self.parts, strict=True))


def unseen_log_odds(clues: Clues, bearers: int) -> float:
    """Returns the log-odds that a passage is about a bearer that no other passage introduces."""
    constant, per_length = UNSEEN[clues.bears][min(bearers, 2) - 1]
    return constant + per_length * math.log1p(len(clues.content))


def evidence(
    clues: Clues,
    bearers: Sequence[Cluster],
    words: Sequence[frozenset[str]],
    related: _Related,
) -> Iterator[Closeness]:
    """Yields the evidence that a passage belongs to each bearer, whose words are given."""
    roles = [frozenset().union(*(c.definition.roles for c in b.compared)) for b in bearers]
    for k, bearer in enumerate(bearers):
        pairs = [related(clues, member) for member in bearer.compared]
        low = min(pairs, key=lambda r: r.log_odds)
        high = max(pairs, key=lambda r: r.log_odds)
        best = low if low.log_odds < -1 and high.log_odds <= _DECIDES else high
        rivals = [j for j in range(len(bearers)) if j != k]
        others = frozenset().union(*(words[j] for j in rivals))
        fields = [field_words(roles[k], roles[j], clues.content) for j in rivals]
        shared = shared_words(words[k], others, clues.content)
        field = sum(fields) / len(fields) if fields else 0.0
        reason = _strongest(best, 1) or ("shared words" if shared + field > 0 else "")
        yield Closeness(best.log_odds, max(0.0, best.log_odds - _CLEAR), shared, field, reason)


def _place(rest: Sequence[Clues], related: _Related, found: Clusters) -> None:
    """Gives each other passage to a bearer, to a bearer of its own, or to all it may be about."""
    words = [frozenset().union(*(c.content for c in b.compared)) for b in found.bearers]
    for clues in rest:
        near = found.bearers[:_MOST_BEARERS]
        weighed = list(evidence(clues, near, words, related))
        values = [one.log_odds for one in weighed]
        shares = _softmax([*values, unseen_log_odds(clues, len(values))])
        top = max(range(len(shares)), key=shares.__getitem__)
        if top < len(values) and shares[top] >= SURE:
            found.bearers[top].members.append(clues)
            found.bearers[top].reasons.setdefault(clues.passage, weighed[top].reason)
            words[top] |= clues.content
        elif clues.bears == "no":
            continue
        elif top == len(values) and clues.bears == "pronoun":
            found.others.append([clues])
        elif top == len(values) and shares[top] >= _FURTHER:
            for k, share in enumerate(shares[:-1]):
                found.different[k, len(found.bearers)] = 1 - share, ""
            found.bearers.append(Cluster([clues], {clues.passage: ""}))
            words.append(clues.content)
        else:
            found.undecided.append(Undecided(clues, shares[:-1]))


def _strongest(found: Relation, sign: int) -> str:
    """Returns the reason that counts most for (1) or against (-1) one bearer."""
    fitting = [r for r in found.reasons if WEIGHTS[r] * sign > 0]
    return max(fitting, key=lambda r: WEIGHTS[r] * sign, default="")


def _softmax(values: Sequence[float]) -> list[float]:
    weights = [math.exp(value - max(values)) for value in values]
    return [weight / sum(weights) for weight in weights]


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
