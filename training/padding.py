"""Pages made longer with other people's text, the same for every script."""

from __future__ import annotations

import random
from dataclasses import replace

from verifier_data import Documents, Pair, fold_of


def padded(pair: Pair, source: dict[str, dict[str, Documents]], words: int) -> Pair:
    """The pair with its evidence inside passages of people of other names, as one text.

    The passages are of names of the same fold, so that padding tells a fold's model nothing. The
    own passages are somewhere among them; nothing changes where the evidence is long enough.
    """
    own = [body for _, body in pair.documents]
    size = sum(len(body.split()) for body in own)
    if size >= words or not pair.documents:
        return pair
    title = pair.documents[0][0]
    chance = random.Random(f"{words} {pair.name} {title}")
    fold = fold_of(pair.name)
    names = [n for n in sorted(source) if n != pair.name and fold_of(n) == fold]
    chance.shuffle(names)
    before: list[str] = []
    after: list[str] = []
    for name in names:
        documents = chance.choice(sorted(source[name].items()))[1]
        for head, body in documents:
            (before if chance.random() < 0.5 else after).append(body.removeprefix(head).strip())
            size += len(body.split())
        if size >= words:
            break
    return replace(pair, documents=((title, "\n".join([*before, *own, *after])),))
