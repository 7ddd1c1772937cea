"""Reads relatives who can bear the same name: "His son Ben Lee, born in 1561", "Ann, her niece"."""

from __future__ import annotations

from dfactscore.engines._builtin.group.cues import Cues, Traits, View, cues_of
from dfactscore.engines._builtin.group.epithets import born_in, copular, says_who
from dfactscore.engines._builtin.group.mentions import NO_LIFE, life_years
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.word_classes import is_role
from dfactscore.engines._builtin.language.word_lists import word_list

# A namesake has the same sex: "her son Ben Ford" is not in a text about a Ben Ford.
_MEN, _WOMEN = word_list("namesake_men"), word_list("namesake_women")
_OF = {"his": _MEN, "her": _WOMEN, "the": _MEN | _WOMEN}
_ELDERS = word_list("elders")
_REACH = 8  # words between "his" and the relative's name
_PASSING = frozenset({"born", "died"})


def is_tie(view: View, reach: Range) -> bool:
    """Whether a span calls someone a relative who may bear the same name: "his eldest son"."""
    a, b = reach
    b -= view.low(b - 1) == ","
    lows = [view.low(k) for k in range(a, b)]
    if lows[:1] in (["a"], ["the"], ["another"]) and lows[-3:-1] == ["of", "the"]:
        return lows[-4] in _OF["the"] and is_role(lows[-1])  # "a grandson of the missionary"
    return 0 < b - a <= 4 and view.low(b - 1) in _OF.get(view.low(a), ())


def kin_cues(view: View) -> Cues | None:
    """Returns the cues of a clause when it is read as being about its subject, a named relative."""
    # Returns the cues; None if the clause does not introduce the relative, as with an elder without
    # dates, a mere birth or death, "his son also sang", or "his son, also Ben Ford" without dates
    # or a role.
    start, verb = view.clause.start, view.clause.verb
    if (view.low(start), view.low(start + 1)) == ("one", "of"):
        start += 2  # "One of his sons, Ann Lee,"
    of = _OF.get(view.low(start), ())
    near = range(start + 1, min(verb, start + 5))
    relation = max((k for k in near if view.low(k).removesuffix("s") in of), default=verb)
    names = (
        [m for m in view.names((relation + 1, verb)) if len(m.words) > 1] if relation < verb else []
    )
    if not names or names[0].first > relation + _REACH:
        return None
    mention = names[0]
    dates = life_years(view.words((mention.last, verb)))
    life = dates if dates != NO_LIFE else born_in(view)
    traits_before, traits_after = (
        says_who(view, (relation + 1, mention.first)),
        view.traits((mention.last, verb)),
    )
    traits = copular(view)
    roles = traits.roles | traits_before.roles | traits_after.roles
    passing = view.low(verb) == "died" or view.low(verb + 1) in _PASSING
    passing = passing or "also" in view.lows((relation, mention.first))
    if life == NO_LIFE and view.low(relation) in _ELDERS:
        return None
    if "also" in view.lows((verb, verb + 3)) or (passing and not roles and dates == NO_LIFE):
        return None
    return cues_of(
        *("name", "presented", "relative"),
        mention=mention,
        life=life,
        traits=Traits(roles, traits.origins | traits_before.origins | traits_after.origins),
    )
