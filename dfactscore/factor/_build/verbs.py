"""Replaces verbs with incompatible ones, inflected like the original."""

from __future__ import annotations

import re

from dfactscore.factor._build.variants import Candidate, Edit, candidate
from dfactscore.factor._words import pairs

#: Verbs and their opposites, which take the same complements.
PAIRS = pairs("contrary_verbs")
_NEGATIONS = ((r"\b(was|were|is|are|had|did|could|would) (?!not\b)", r"\1 not "),)
_NOT_BEFORE = r"(?<![\w’'-])"
_NOT_AFTER = r"(?![\w’'-])"
# A participle after a noun or within a noun phrase is not the verb of the sentence.
_NO_VERB_BEFORE = re.compile(
    r"(?:\b(?:the|a|an|his|her|its|their|of|to|by|been|be|being|is|are|was|were|has|have|had|and|"
    r"having|who|which|that|not|never) )$",
    re.IGNORECASE,
)
_SUBJECT_BEFORE = re.compile(
    r"(?:(?:^|[\s(])(?:he|she|it|they|who|which|then|later|also|once|soon|again|first|even|at last|"
    r"twice|and|finally|[A-Z][\w’'.-]*|[a-z]+s|[a-z]+ly),? )$",
    re.IGNORECASE,
)


def predicate_candidates(sentence: str, *, negation: bool = False) -> list[Candidate]:
    """Creates variants with an incompatible verb.

    Example:
        >>> predicate_candidates("In 1910 he joined the Navy.")[0].text
        'In 1910 he left the Navy.'
    """
    candidates = []
    taken: set[int] = set()
    for old, new in sorted(PAIRS, key=lambda pair: -len(pair[0])):
        for match in re.finditer(rf"{_NOT_BEFORE}{re.escape(old)}{_NOT_AFTER}", sentence):
            if match.start() in taken or not _is_verb(sentence, match.start(), old):
                continue
            taken.add(match.start())
            candidates.append(candidate("predicate", sentence, [Edit(old, new, match.span())]))
    if negation:
        for pattern, new in _NEGATIONS:
            if verb := re.search(pattern, sentence):
                edit = Edit(verb.group(), verb.expand(new), verb.span())
                candidates.append(candidate("predicate", sentence, [edit]))
    return candidates


def _is_verb(sentence: str, start: int, old: str) -> bool:
    before = sentence[:start]
    if old.startswith(("was ", "is ")):
        return not before.rstrip().lower().endswith(("there", "what"))
    if before.rstrip().endswith((" and", ",")):
        return " and" in before[-5:] and old not in ("led", "made", "left", "set up")
    if _NO_VERB_BEFORE.search(before):
        return before.rstrip().lower().endswith((" who", " which", " that"))
    return bool(_SUBJECT_BEFORE.search(before)) or not before
