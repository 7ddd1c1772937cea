"""Relatives who can bear the same name: "His son Ann Lee, born in 1561, was", "Ann, her niece"."""

from __future__ import annotations

from dfactscore.engines._builtin.group.cues import Cues, Said, View, cues_of
from dfactscore.engines._builtin.group.epithets import born_in, copular, says_who
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.word_classes import is_role
from dfactscore.engines._builtin.language.word_lists import word_list

# A relative of the same name has the same sex: "her son Ben Ford" is of another person's son.
_MEN, _WOMEN = word_list("namesake_men"), word_list("namesake_women")
_OF = {"his": _MEN, "her": _WOMEN, "the": _MEN | _WOMEN}
_ELDERS = word_list("elders")
_REACH = 8  # words between "his" and the relative's name
_PASSING = frozenset({"born", "died"})


def is_tie(it: View, reach: Range) -> bool:
    """Whether a stretch says whose relative someone of the same name is: "his eldest son"."""
    a, b = reach
    b -= it.low(b - 1) == ","
    lows = [it.low(k) for k in range(a, b)]
    if lows[:1] in (["a"], ["the"], ["another"]) and lows[-3:-1] == ["of", "the"]:
        return lows[-4] in _OF["the"] and is_role(lows[-1])  # "a grandson of the missionary"
    return 0 < b - a <= 4 and it.low(b - 1) in _OF.get(it.low(a), ())


def kin_cues(it: View) -> Cues | None:
    """The cues of a clause whose subject is a relative with a full name, as if about that one.

    None for what stays with the other one: an elder without dates, a birth or a death alone, "his
    son also sang", and "his son, also Ben Ford" without dates or a role.
    """
    start, verb = it.clause.start, it.clause.verb
    if (it.low(start), it.low(start + 1)) == ("one", "of"):
        start += 2  # "One of his sons, Ann Lee,"
    of = _OF.get(it.low(start), ())
    near = range(start + 1, min(verb, start + 5))
    relation = max((k for k in near if it.low(k).removesuffix("s") in of), default=verb)
    names = (
        [m for m in it.names((relation + 1, verb)) if len(m.words) > 1] if relation < verb else []
    )
    if not names or names[0].first > relation + _REACH:
        return None
    mention = names[0]
    dates = life_years(it.words((mention.last, verb)))
    life = dates if dates != NO_LIFE else born_in(it)
    before, behind = says_who(it, (relation + 1, mention.first)), it.says((mention.last, verb))
    said = copular(it)
    roles = said.roles | before.roles | behind.roles
    passing = it.low(verb) == "died" or it.low(verb + 1) in _PASSING
    passing = passing or "also" in it.lows((relation, mention.first))
    if life == NO_LIFE and it.low(relation) in _ELDERS:
        return None
    if "also" in it.lows((verb, verb + 3)) or (passing and not roles and dates == NO_LIFE):
        return None
    return cues_of(
        *("name", "presented", "relative"),
        mention=mention,
        life=life,
        said=Said(roles, said.origins | before.origins | behind.origins),
    )
