"""Facts of one biography, prepared once for all of its candidate entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.embedded.lexicon import PRONOUNS
from dfactscore.embedded.roles import life_terms
from dfactscore.embedded.tokens import tokens

__all__ = ["Claims", "prepare_claims"]

MAX_CHARACTERS = 4000
MAX_WORDS = 400  # a "fact" beyond this is no fact; what follows is not read
UNKNOWN_IDF = 9.0


@dataclass(frozen=True, eq=False, slots=True)
class Claims:
    """Facts as flat lists of content words; each fact begins with one empty word.

    Attributes:
        keys: Key of each content word of all facts, length ``T``; so `loose` and `exact`.
        starts: Shape ``(facts,)``, where each fact's words begin.
        owner: Shape ``(T,)``, fact of each word.
        weights: Shape ``(T, 5)``: one, idf, capitalised, number, other; 0 for the empty words.
        pairs: Pairs of neighbouring content keys of all facts, `pair_owner` their facts.
        triples: Triples of neighbouring forms, `triple_owner` their facts.
        subject: Leading capitalised forms, `subject_owner` their facts.
        edges: Shape ``(facts, 2)``, places of the first and the last content word (0 if none).
        name: Forms of the target name, as far as each fact holds them, `name_owner` their facts.
        roles: See `life_terms`, for each fact.
        shape: Shape ``(facts, n)``: features of the fact alone.
    """

    keys: list[str]
    loose: list[str]
    exact: list[str]
    starts: NDArray[np.intp]
    owner: NDArray[np.intp]
    weights: NDArray[np.float32]
    pairs: list[str]
    pair_owner: NDArray[np.intp]
    triples: list[str]
    triple_owner: NDArray[np.intp]
    subject: list[str]
    subject_owner: NDArray[np.intp]
    edges: NDArray[np.intp]
    name: list[str]
    name_owner: NDArray[np.intp]
    roles: tuple[frozenset[str], ...]
    shape: NDArray[np.float32]


SHAPE = (
    "fact_words",
    "fact_content",
    "fact_idf",
    "fact_caps",
    "fact_numbers",
    "fact_negated",
    "fact_pronoun",
    "fact_named",
    "fact_roles",
)


def prepare_claims(facts: Sequence[str], name: str, idf: Mapping[str, float]) -> Claims:
    """Prepares facts about the bearer of a name.

    Args:
        facts: Sentences.
        name: The target name; its words neither support nor contradict by themselves.
        idf: Inverse document frequency by key; `UNKNOWN_IDF` for the others.
    """
    name_words = {item.exact for item in tokens(name)}
    name_keys = {item.key for item in tokens(name)}
    keys: list[str] = []
    loose: list[str] = []
    exact: list[str] = []
    starts: list[int] = []
    owner: list[int] = []
    weights: list[tuple[float, float, float, float, float]] = []
    pairs: list[str] = []
    pair_owner: list[int] = []
    triples: list[str] = []
    triple_owner: list[int] = []
    subject: list[str] = []
    subject_owner: list[int] = []
    named: list[str] = []
    named_owner: list[int] = []
    edges: list[int] = []
    roles: list[frozenset[str]] = []
    shape: list[tuple[float, ...]] = []
    for number, text in enumerate(facts):
        forms = tokens(text[:MAX_CHARACTERS])[:MAX_WORDS]
        starts.append(len(keys))
        keys.append("")
        loose.append("")
        exact.append("")
        owner.append(number)
        weights.append((0.0, 0.0, 0.0, 0.0, 0.0))
        negated = content = caps = numbers = own = 0
        total = 0.0
        in_subject = True
        before = two = one = ""
        for position, (kind, low, key, short, upper, _) in enumerate(forms):
            if two:
                triples.append(f"{two} {one} {low}")
                triple_owner.append(number)
            two, one = one, low
            if in_subject:
                if kind == 1 and upper:
                    subject.append(low)
                    subject_owner.append(number)
                elif position or (kind == 0 and low not in {"the", "a", "an"}):
                    in_subject = False
            if kind == 3:
                negated += 1
                continue
            if kind == 0:
                continue
            if low in name_words or key in name_keys:
                named.append(low)
                named_owner.append(number)
                own += 1
                continue
            value = idf.get(key, UNKNOWN_IDF)
            cap = kind == 1 and upper and (position > 0 or key not in idf)
            keys.append(key)
            loose.append(short)
            exact.append(low)
            owner.append(number)
            weights.append((1.0, value, float(cap), float(kind == 2), float(kind == 1 and not cap)))
            if before:
                pairs.append(f"{before} {key}")
                pair_owner.append(number)
            before = key
            content += 1
            caps += cap
            numbers += kind == 2
            total += value
        edges += (starts[-1] + min(1, content), len(keys) - 1)
        spoken = life_terms(text[:MAX_CHARACTERS])
        roles.append(spoken)
        first = forms[0].exact if forms else ""
        shape.append(
            (
                len(forms),
                content,
                total / max(1, content),
                caps,
                numbers,
                min(1, negated),
                first in PRONOUNS,
                own > 0,
                len(spoken) > 0,
            )
        )

    def index(values: list[int]) -> NDArray[np.intp]:
        return np.array(values, dtype=np.intp)

    return Claims(
        keys=keys,
        loose=loose,
        exact=exact,
        starts=index(starts),
        owner=index(owner),
        weights=np.array(weights, dtype=np.float32).reshape(-1, 5),
        pairs=pairs,
        pair_owner=index(pair_owner),
        triples=triples,
        triple_owner=index(triple_owner),
        subject=subject,
        subject_owner=index(subject_owner),
        edges=index(edges).reshape(-1, 2),
        name=named,
        name_owner=index(named_owner),
        roles=tuple(roles),
        shape=np.array(shape, dtype=np.float32).reshape(-1, len(SHAPE)),
    )
