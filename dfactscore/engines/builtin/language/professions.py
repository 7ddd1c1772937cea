"""Which descriptions can be of one person: roles that go together."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["go_together"]

# A reader takes "a footballer" and later "a midfielder" for one person.
_FAMILIES = tuple(
    frozenset(words.split())
    for words in (
        "footballer player midfielder defender goalkeeper forward striker winger fullback "
        "full-back "
        "coach manager athlete sportsman",
        "footballer player linebacker quarterback cornerback receiver lineman kicker punter coach "
        "athlete",
        "cricketer player batsman bowler all-rounder wicketkeeper wicket-keeper coach athlete",
        "player pitcher catcher outfielder infielder shortstop coach manager athlete",
        "sprinter runner hurdler jumper thrower athlete olympian",
        "swimmer diver athlete olympian paralympian",
        "player athlete coach sportsman champion medalist medallist recruit scout trainer",
        "politician statesman senator congressman representative governor mayor minister secretary "
        "councillor legislator lawmaker president premier chancellor speaker delegate republican "
        "democrat parliamentarian commissioner treasurer",
        "lawyer attorney barrister solicitor judge jurist prosecutor magistrate justice",
        "musician singer songwriter guitarist pianist violinist drummer bassist composer conductor "
        "producer rapper performer vocalist instrumentalist artist multi-instrumentalist",
        "singer soprano tenor baritone performer musician vocalist",
        "actor actress performer comedian star entertainer",
        "writer author novelist poet essayist playwright dramatist journalist critic "
        "columnist editor "
        "biographer screenwriter translator",
        "journalist reporter correspondent broadcaster presenter commentator host anchor",
        "filmmaker director producer screenwriter cinematographer cameraman",
        "artist painter sculptor illustrator printmaker engraver photographer cartoonist",
        "scientist researcher physicist chemist biologist mathematician astronomer engineer "
        "professor "
        "scholar academic lecturer educator inventor",
        "historian scholar professor academic author lecturer educator philologist linguist "
        "philosopher economist anthropologist ethnographer sociologist archaeologist theologian",
        "doctor physician surgeon professor researcher",
        "soldier officer general colonel captain major lieutenant commander brigadier "
        "sergeant marshal "
        "pilot veteran",
        "sailor officer admiral captain commander",
        "clergyman priest bishop archbishop cardinal minister pastor missionary preacher "
        "theologian "
        "vicar monk friar jesuit",
        "nun sister mystic saint",
        "businessman businesswoman entrepreneur executive founder co-founder ceo chairman director "
        "president merchant banker investor philanthropist industrialist consultant",
        "king queen prince princess duke duchess earl count countess baron nobleman noblewoman "
        "emperor monarch ruler landowner governor general",
        "diplomat ambassador consul",
        "explorer adventurer navigator mountaineer",
    )
)


def _with_parts(roles: Iterable[str]) -> frozenset[str]:
    """A singer-songwriter is a singer and a songwriter."""
    return frozenset(part for role in roles for part in (role, *role.split("-")))


def go_together(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a role of one description can be said of the person that the other describes.

    Example:
        >>> go_together({"footballer"}, {"midfielder"}), go_together({"poet"}, {"boxer"})
        (True, False)
    """
    mine, theirs = _with_parts(some), _with_parts(others)
    if mine & theirs:
        return True
    return any(mine & family and theirs & family for family in _FAMILIES)
