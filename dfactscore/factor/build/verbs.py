"""Verb pairs that cannot both be true, inflected as found."""

from __future__ import annotations

import re

from dfactscore.factor.build.variants import Candidate, Edit, candidate

__all__ = ["predicate_candidates"]

#: What stands in a sentence, and what says the contrary with the same complements.
PAIRS: tuple[tuple[str, str], ...] = (
    ("won", "lost"), ("lost", "won"), ("joined", "left"), ("left", "joined"), ("bought", "sold"),
    ("sold", "bought"), ("entered", "left"), ("reached", "missed"), ("supported", "opposed"),
    ("opposed", "supported"), ("accepted", "rejected"), ("rejected", "accepted"),
    ("opened", "closed"), ("closed", "opened"), ("founded", "dissolved"), ("formed", "disbanded"),
    ("set up", "closed down"), ("kept", "gave up"), ("succeeded", "preceded"), ("gained", "lost"),
    ("freed", "captured"), ("graduated from", "was expelled from"),
    ("signed with", "was released by"), ("was elected to", "was voted out of"),
    ("was hired by", "was dismissed by"), ("was inducted into", "was barred from"),
    ("was sold to", "was withheld from"), ("was launched", "was scrapped"),
    ("was built", "was broken up"), ("was commissioned", "was decommissioned"),
    ("was damaged", "escaped unharmed"), ("emigrated to", "was deported from"),
    ("moved to", "moved away from"), ("went to", "stayed away from"),
    ("came home", "stayed abroad"), ("became", "firmly declined to become"),
    ("taught", "firmly declined to teach"), ("led", "flatly refused to lead"),
    ("wrote", "flatly refused to write"), ("played", "flatly refused to play"),
    ("coached", "firmly declined to coach"), ("attended", "dropped out of"),
    ("studied", "flatly refused to study"), ("served", "flatly refused to serve"),
    ("worked", "flatly refused to work"), ("recorded", "flatly refused to record"),
    ("directed", "firmly declined to direct"), ("starred", "firmly declined to star"),
    ("presented", "firmly declined to present"), ("campaigned for", "campaigned against"),
    ("designed", "firmly declined to design"), ("published", "suppressed"),
    ("sang", "flatly refused to sing"), ("signed", "flatly refused to sign"),
    ("chaired", "firmly declined to chair"), ("hosted", "boycotted"), ("organised", "sabotaged"),
    ("organized", "sabotaged"), ("carried", "flatly refused to carry"),
    ("discovered", "overlooked"), ("invented", "dismissed"), ("made", "flatly refused to make"),
    ("took part in", "stayed out of"), ("took over", "handed over"),
    ("gave", "flatly refused to give"), ("raced for", "raced against"),
    ("swam", "flatly refused to swim"), ("held", "gave up"), ("sat in", "was excluded from"),
    ("sat on", "was excluded from"), ("ran for", "ran against"),
    ("returned to", "stayed away from"), ("settled in", "fled from"), ("retired", "carried on"),
    ("appeared in", "was cut from"), ("described", "flatly refused to describe"),
    ("married", "flatly refused to marry"), ("sank", "rescued"), ("struck", "missed"),
    ("escorted", "abandoned"), ("remained", "ceased to be"), ("brought", "failed to bring"),
    ("learned", "flatly refused to learn"), ("received", "was denied"),
    ("took", "flatly refused to take"), ("was named", "was passed over as"),
    ("was knighted", "declined a knighthood"), ("was given", "was denied"),
    ("was awarded", "was denied"),
)  # fmt: skip
_NEGATIONS = ((r"\b(was|were|is|are|had|did|could|would) (?!not\b)", r"\1 not "),)
_NOT_BEFORE = r"(?<![\w’'-])"
_NOT_AFTER = r"(?![\w’'-])"
# A participle behind a noun or within a noun phrase is not the sentence's verb.
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
    """Variants in which another thing is done.

    Args:
        sentence: The sentence.
        negation: Also negate it barely.

    Example:
        >>> predicate_candidates("In 1910 he joined the Navy.")[0].text
        'In 1910 he left the Navy.'
    """
    found = []
    taken: set[int] = set()
    for old, new in sorted(PAIRS, key=lambda pair: -len(pair[0])):
        for match in re.finditer(rf"{_NOT_BEFORE}{re.escape(old)}{_NOT_AFTER}", sentence):
            if match.start() in taken or not _is_verb(sentence, match.start(), old):
                continue
            taken.add(match.start())
            found.append(candidate("predicate", sentence, [Edit(old, new, match.span())]))
    if negation:
        for pattern, new in _NEGATIONS:
            if verb := re.search(pattern, sentence):
                edit = Edit(verb.group(), verb.expand(new), verb.span())
                found.append(candidate("predicate", sentence, [edit]))
    return found


def _is_verb(sentence: str, start: int, old: str) -> bool:
    before = sentence[:start]
    if old.startswith(("was ", "is ")):
        return not before.rstrip().lower().endswith(("there", "what"))
    if before.rstrip().endswith((" and", ",")):
        return " and" in before[-5:] and old not in ("led", "made", "left", "set up")
    if _NO_VERB_BEFORE.search(before):
        return before.rstrip().lower().endswith((" who", " which", " that"))
    return bool(_SUBJECT_BEFORE.search(before)) or not before
