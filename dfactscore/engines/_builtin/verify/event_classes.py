"""Classes of words that name events: born, studied, played, won."""

from __future__ import annotations

from dfactscore.engines._builtin.language.tokens import token

_WORDS = (
    "born birth native",
    "died killed buried death",
    "graduated studied attended educated enrolled degree alumnus student doctorate bachelor master "
    "diploma matriculated",
    "taught professor lecturer lectured faculty chair dean teacher",
    "played signed debuted transferred scored loaned appeared footballer midfielder defender "
    "goalkeeper pitcher appearances goals matches games",
    "served enlisted commanded deployed commissioned officer captain lieutenant general soldier",
    "elected represented candidate seat member politician senator minister joined nominated",
    "worked employed director manager executive editor chairman president secretary",
    "won awarded received honored prize medal recipient winner",
    "married son daughter brother sister wife husband father mother nephew uncle cousin",
    "wrote published authored author book novel poem",
    "starred directed produced film role episode album recorded performed",
    "lived moved settled raised resided grew emigrated returned based",
    "founded established created co-founded founder opened",
    "fought battle wounded captured defeated",
    "coached managed coach",
    "known famous noted",
    "appointed promoted named succeeded retired",
)
_CLASSES = {
    token(word).key: number for number, line in enumerate(_WORDS, 1) for word in line.split()
}


def event_class_of(key: str) -> int:
    """Returns the class of the word with this key, or 0 if it has none.

    >>> event_class_of(token("studying").key) == event_class_of(token("graduate").key)
    True
    """
    return _CLASSES.get(key, 0)
