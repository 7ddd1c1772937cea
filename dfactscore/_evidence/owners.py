"""Determines the entities that passages are about, and counts how they were determined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from dfactscore._evidence.asked_name import asked_name
from dfactscore._evidence.clues import Clues
from dfactscore._evidence.clusters import POSSIBLE, SURE, Cluster, Clusters, clusters
from dfactscore._evidence.title_forms import names_no_one
from dfactscore._records import Biography, Entity, OwnedText, Ownership
from dfactscore._text.names import bears_name, differs_within, may_be_one, plain_name
from dfactscore._text.person_names import read_name
from dfactscore._text.questions import subjects
from dfactscore._util.numbers import counted
from dfactscore.retrieval import Passage

OwnerChoice = Literal["auto", "titles", "passages"]
_PHRASES = {
    "introduction": "by their introduction",
    "document": "by their document",
    "overlap": "by an overlap",
    "words": "by their words",
    "undecided": "of unknown owner",
    "separate": "as entities of their own",
}
_TITLE = "title"
_MOST_TEXT = 20_000  # characters of a passage in which other bearers are looked for
_MOST_NAMESAKES = 3  # that a description of an entity compares it with
_METHODS = {"same document": "document", "shared words in a row": "overlap"}


class Owners:
    """Determines the owners of passages, and counts how often each method was used."""

    # `choice`: the evidence. With "auto", titles, texts and documents; with "passages", texts and
    # documents; with "titles", titles alone.

    def __init__(self, choice: OwnerChoice = "auto") -> None:
        self.choice = choice
        self._methods: Counter[str] = Counter()
        self._passages = 0

    def __call__(self, biography: Biography) -> Biography:
        """Returns the biography with the owners of its passages."""
        self._passages += len(biography.passages)
        owned = with_owners(biography, self.choice)
        if owned.owners is not None:
            self._methods.update(text.method for text in owned.owners.texts)
        return owned

    def __iter__(self) -> Iterator[str]:
        """Yields one-line messages for the user."""
        by_content = self._methods.total() - self._methods[_TITLE]
        if by_content:
            parts = ", ".join(
                f"{self._methods[method]} {phrase}"
                for method, phrase in _PHRASES.items()
                if self._methods[method]
            )
            yield (
                f"assigned {by_content} of {counted(self._passages, 'passage')} by content "
                f"({parts}); --entities titles (entities='titles' in Python) uses titles instead"
            )


def with_owners(biography: Biography, choice: OwnerChoice = "auto") -> Biography:
    """Returns a biography with the entities that its passages are about."""
    # Verdicts and links that a biography brings refer to the titles of its passages.
    passages = biography.passages
    fixed = biography.verdicts is not None or biography.links is not None
    if biography.owners or not passages or (fixed and all(p.title for p in passages)):
        return biography
    if choice == "titles":
        return replace(biography, owners=_by_title(passages))
    if choice == "passages":
        passages = tuple(replace(passage, title="") for passage in passages)
    biography = replace(biography, name=_shared_name(biography.name, passages))
    found = clusters(asked_name(biography.name), passages)
    owners = _ownership(biography.name, passages, found)
    rest = {clues.passage for group in found.others for clues in group}
    for name in _further_names(biography):
        owners, rest = _with_namesakes(owners, name, passages, rest)
    return replace(biography, owners=owners)


def _shared_name(text: str, passages: Sequence[Passage]) -> str:
    """Returns a name without a middle name that tells it from that of others in the passages."""
    asked = asked_name(text)
    if len(asked.name.words) < 3:
        return text
    texts = (passage.text[:_MOST_TEXT] for passage in passages)
    found = [read_name(match[0]) for part in texts for match in asked.full.finditer(part)]
    others = any(differs_within(asked.name, name) for name in found)
    own = any(name.words == asked.name.words for name in found)
    first, *_, last = asked.name.text.split()
    return f"{first} {last}" if others and own and asked.name.surnames == 1 else text


def _further_names(biography: Biography) -> Iterator[str]:
    """Yields the other full names that sentences of the text begin with."""
    known = [read_name(biography.name)]
    for text in subjects(biography.text):
        name = read_name(text)
        if len(name.words) > 1 and not any(may_be_one(name, other) for other in known):
            known.append(name)
            yield text


def _with_namesakes(
    owners: Ownership, name: str, passages: Sequence[Passage], rest: set[int]
) -> tuple[Ownership, set[int]]:
    """Tells the bearers of another name apart, among the passages about no bearer of the first."""
    last = name.split()[-1]
    if sum(last in passages[n].text or last in passages[n].title for n in rest) < 2:
        return owners, rest
    kept = [p if n in rest else Passage("", "") for n, p in enumerate(passages)]
    found = clusters(asked_name(name), kept)
    bearers = {clues.passage for cluster in found.bearers for clues in cluster.members}
    if len(found.bearers) < 2:
        return owners, rest
    moved = bearers | {undecided.clues.passage for undecided in found.undecided}
    theirs = _ownership(name, kept, found)
    texts = [text for text in owners.texts if text.passage not in moved]
    texts += [text for text in theirs.texts if text.passage in moved]
    texts.sort(key=lambda text: (text.passage, text.span or (0, 0)))
    different = (*owners.different, *theirs.different)
    return replace(owners, texts=tuple(texts), different=different), rest - moved


def read_by_content(owners: Ownership | None) -> bool:
    """Whether more than titles tells whose some passage is."""
    return owners is not None and any(
        text.method not in (_TITLE, "separate") for text in owners.texts
    )


def owner_lines(biography: Biography) -> Iterator[str]:
    """Yields one line about the owner of each passage, and one about each two namesakes."""
    if biography.owners is None:
        return
    for text in biography.owners.texts:
        owners = " or ".join(
            owner if text.certain else f"{owner} ({share:.2f})"
            for owner, share in text.owners.items()
        )
        why = ": ".join(filter(None, (text.method, text.reason)))
        yield f"{biography.id}: passage {text.passage + 1}: {owners} ({why})"
    for first, second, share, reason in biography.owners.different:
        yield (
            f"{biography.id}: {first} and {second} are different with probability {share:.2f}"
            f"{f' ({reason})' if reason else ''}"
        )


def owner_methods(entity: Entity, owners: Ownership | None = None) -> str:
    """Returns how an entity's passages were determined; empty if their titles tell.

    Example:
        >>> from dfactscore._records import Document
        >>> owner_methods(Entity("Ann", "Ann", (Document("Ann", "Ann sang.", note="document"),)))
        'passages: 1 by their document'
    """
    notes = Counter(d.note for d in entity.documents if d.note in _PHRASES)
    if not notes:
        return ""
    counts = ", ".join(f"{count} {_PHRASES[method]}" for method, count in notes.items())
    others = [
        f"{second if first == entity.id else first} is another ({reason})"
        for first, second, share, reason in (owners.different if owners else ())
        if entity.id in (first, second) and share >= SURE and reason
    ]
    return "; ".join((f"passages: {counts}", *others[:_MOST_NAMESAKES]))


def _by_title(passages: Sequence[Passage]) -> Ownership:
    """Makes each title an entity, and each text without a title."""
    labels: dict[str, str] = {}
    for n, passage in enumerate(passages):
        labels.setdefault(passage.title or passage.text, passage.title or f"passage {n + 1}")
    return Ownership(
        tuple(
            OwnedText(n, None, {labels[p.title or p.text]: 1.0}, _TITLE if p.title else "separate")
            for n, p in enumerate(passages)
            if p.text.strip()
        )
    )


def _ownership(name: str, passages: Sequence[Passage], found: Clusters) -> Ownership:
    """Converts clusters to labeled entities."""
    order = sorted(range(len(found.bearers)), key=lambda k: _first(found.bearers[k]))
    labels = dict(zip(order, _labels(name, [found.bearers[k] for k in order]), strict=True))
    bearers = Counter(title for c in found.bearers for title in {m.title for m in c.members})
    texts = [
        _text(
            passages,
            clues,
            {labels[k]: 1.0},
            _method(clues, reason, alone=one_title and bearers[clues.title] == 1),
            reason,
        )
        for k, cluster in enumerate(found.bearers)
        for one_title in [cluster.titles == 1]
        for clues in cluster.members
        for reason in [cluster.reasons.get(clues.passage, "")]
    ]
    for undecided in found.undecided:
        shares = dict(enumerate(undecided.shares))
        best = max(shares, key=lambda k: (shares[k], -k))
        possible = [k for k in order if shares.get(k, 0.0) >= POSSIBLE] or [best]
        owners = {labels[k]: round(min(shares[k], 0.999), 3) for k in possible}
        texts.append(_text(passages, undecided.clues, owners, "undecided", ""))
    used = set(labels.values())
    for group in found.others:
        first = min(group, key=lambda clues: clues.passage)
        titled = bool(first.title) and not names_no_one(first.title) and first.title not in used
        name = next((c.other for c in group if c.other), "")
        label = first.title if titled else name if name and name not in used else ""
        label = label or f"passage {first.passage + 1}"
        used.add(label)
        method = _TITLE if titled else "separate"
        texts += [_text(passages, clues, {label: 1.0}, method, "") for clues in group]
    return Ownership(
        tuple(sorted(texts, key=lambda text: (text.passage, text.span or (0, 0)))),
        tuple(labels[k] for k in order),
        tuple(
            (min(labels[a], labels[b]), max(labels[a], labels[b]), round(share, 3), reason)
            for (a, b), (share, reason) in sorted(found.different.items())
        ),
    )


def _first(cluster: Cluster) -> tuple[int, str]:
    """Returns the index of a bearer's first passage, and its text."""
    return min((clues.passage, clues.text) for clues in cluster.members)


def _text(
    passages: Sequence[Passage],
    clues: Clues,
    owners: Mapping[str, float],
    method: str,
    reason: str,
) -> OwnedText:
    whole = passages[clues.passage].text
    start = whole.find(clues.text)
    span = None if clues.text == whole else (start, start + len(clues.text))
    return OwnedText(clues.passage, span, owners, method, reason)


def _method(clues: Clues, reason: str, *, alone: bool) -> str:
    """Returns how the owner of a passage was determined."""
    # The title tells if its passages, and no others, are about one entity.
    if "titles" in reason or (alone and clues.form in ("qualified", "bare")):
        return _TITLE
    if clues.introduces:
        return "introduction"
    return _METHODS.get(reason, "words")


def _labels(name: str, found: Sequence[Cluster]) -> list[str]:
    """Returns a unique label for each bearer: a title, or the name and what tells it apart."""
    titled = Counter(title for c in found for title in {clues.title for clues in c.members})
    bases = [_base(name, cluster, titled) for cluster in found]
    counts = Counter(plain_name(base) for base in bases)
    labels: list[str] = []
    for base, cluster in zip(bases, found, strict=True):
        definitions = [clues.definition for clues in cluster.members]
        role = next((d.label for d in definitions if d.label), "")
        born = next((d.life.born for d in definitions if d.life.born), None)
        alone = "(" in base or counts[base] == 1 or titled[base] == 1
        labels.append(
            next(
                label
                for label in (
                    *([base] if alone else []),
                    *([f"{base} ({role})"] if role else []),
                    *([f"{base} ({f'{role}, ' if role else ''}born {born})"] if born else []),
                    *(f"{base} ({number})" for number in range(2, 999)),
                )
                if label not in labels
            )
        )
    return labels


def _base(name: str, cluster: Cluster, titled: Mapping[str, int]) -> str:
    """Returns the best title of a bearer, or else its longest name."""
    own = {clues.title for clues in cluster.members}
    if len(own) == 1 and cluster.members[0].form in ("qualified", "bare"):
        (title,) = own
        if titled[title] == 1:
            return title
    titles = [c.title for c in cluster.members if c.form in ("qualified", "bare")]
    fitting = [title for title in titles if bears_name(title, name)] or titles
    if fitting:
        return min(fitting, key=lambda title: ("(" not in title, len(title), title))
    introduce = [c for c in cluster.members if c.introduces] or cluster.members
    names = [n.text for c in introduce for n in c.names]
    return max(names, key=lambda text: (len(text), text), default=plain_name(name))
