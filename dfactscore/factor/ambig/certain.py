"""Whether another place or body is certainly not the target's."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re

from dfactscore.factor.ambig.values import content_words
from dfactscore.text.names import name_words

__all__ = ["may_hold", "names_one", "rank_of"]

_AMERICAN = frozenset(
    (
        "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia "
        "hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts "
        "michigan minnesota mississippi missouri montana nebraska nevada new_hampshire new_jersey "
        "new_mexico new_york north_carolina north_dakota ohio oklahoma oregon pennsylvania "
        "rhode_island south_carolina south_dakota tennessee texas utah vermont virginia washington "
        "west_virginia wisconsin wyoming"
    ).split()
)
_STATES = _AMERICAN | frozenset(
    (
        "ontario quebec manitoba alberta saskatchewan british_columbia nova_scotia new_brunswick "
        "new_south_wales victoria queensland tasmania south_australia western_australia "
        "bavaria saxony prussia tuscany sicily lombardy catalonia andalusia normandy brittany "
        "bengal punjab kerala gujarat bihar"
    ).split()
)
_LANDS = frozenset(
    (
        "afghanistan albania algeria argentina armenia australia austria azerbaijan "
        "bangladesh barbados belarus belgium bolivia bosnia botswana brazil britain bulgaria "
        "cambodia cameroon canada chile china colombia congo costa_rica croatia cuba cyprus "
        "czechoslovakia denmark ecuador egypt england estonia ethiopia finland france gambia "
        "germany ghana greece guatemala guyana haiti honduras hungary iceland india indonesia "
        "iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya korea kosovo "
        "kuwait laos latvia lebanon liberia libya lithuania luxembourg macedonia madagascar "
        "malawi malaysia mali malta mexico moldova mongolia montenegro morocco mozambique "
        "myanmar namibia nepal netherlands new_zealand nicaragua niger nigeria "
        "northern_ireland norway pakistan palestine panama paraguay persia peru philippines "
        "poland portugal romania russia rwanda saudi_arabia scotland senegal serbia "
        "sierra_leone singapore slovakia slovenia somalia south_africa soviet_union spain "
        "sri_lanka sudan sweden switzerland syria taiwan tanzania thailand trinidad tunisia "
        "turkey uganda ukraine united_kingdom united_states uruguay uzbekistan venezuela "
        "vietnam wales yugoslavia zambia zimbabwe africa america asia europe"
    ).split()
)
#: Parts that are named without the city that they lie in.
_PARTS = {
    "london": "barnes battersea bermondsey bethnal_green bloomsbury brixton bromley camberwell "
    "camden chelsea clapham clerkenwell croydon deptford ealing east_ham enfield "
    "finchley fulham  greenwich hackney hammersmith hampstead haringey harrow holborn "
    "hounslow ilford islington  kensington kentish_town kilburn kingston_upon_thames "
    "lambeth lewisham leyton marylebone mayfair  paddington peckham poplar putney "
    "richmond shoreditch soho southwark stepney stoke_newington  stratford streatham "
    "sutton tooting tottenham twickenham walthamstow wandsworth wapping  westminster "
    "whitechapel wimbledon woolwich",
    "new_york": "astoria bedford-stuyvesant bronx brooklyn coney_island flushing greenwich_village "
    "harlem manhattan queens staten_island",
    "new_york_city": "astoria bedford-stuyvesant bronx brooklyn coney_island flushing "
    "greenwich_village harlem manhattan queens staten_island",
    "paris": "auteuil batignolles belleville marais montmartre montparnasse passy",
    "los_angeles": "bel_air boyle_heights hollywood san_pedro venice watts",
    "boston": "back_bay brighton charlestown dorchester jamaica_plain roxbury south_boston",
    "philadelphia": "fishtown germantown kensington manayunk",
    "chicago": "hyde_park rogers_park south_side",
    "berlin": "charlottenburg köpenick kreuzberg neukölln pankow schöneberg spandau tempelhof",
    "vienna": "döbling favoriten hietzing leopoldstadt ottakring",
    "glasgow": "anderston bridgeton calton drumchapel easterhouse gorbals govan maryhill partick",
    "edinburgh": "leith morningside portobello",
    "dublin": "ballymun clontarf crumlin drumcondra finglas phibsborough rathmines",
    "liverpool": "anfield bootle everton toxteth walton wavertree",
    "manchester": "ardwick didsbury gorton hulme moss_side moston wythenshawe",
    "birmingham": "aston edgbaston handsworth harborne small_heath",
    "sydney": "balmain bondi manly newtown paddington parramatta redfern",
    "melbourne": "brunswick carlton collingwood fitzroy footscray richmond st_kilda",
    "tokyo": "asakusa shibuya shinjuku",
    "mumbai": "bandra dadar worli",
}  # fmt: skip
_COUNTY = re.compile(
    r"\b(?:County|Province|Prefecture|Island|Islands|Region|District|Parish|shire)\b"
)
_SHIRE = re.compile(r"\w{3}shire$")
# Bodies that many places have: their names alone do not tell which one is meant.
_BODY = re.compile(
    r"(?:House of (?:Representatives|Assembly|Commons|Lords|Delegates|Burgesses)"
    r"|(?:State |National |Provincial |General |Legislative )*(?:Senate|Assembly|Legislature|"
    r"Parliament|Congress|Council)|(?:City|County|Town|Borough|Parish|Privy|Executive) Council"
    r"|(?:Royal )?(?:Navy|Army|Air Force|Marine Corps|Marines|Coast Guard|National Guard|Air Corps)"
    r"|(?:Prime |Deputy |First )*Minister(?: (?:of|for) (?:the )?[A-Z]\w+)*"
    r"|(?:Attorney|Solicitor|Governor|Postmaster)[- ]General|Secretary of [A-Z]\w+|Cabinet"
    r"|(?:General )?Post Office|(?:Supreme|High|Appeal) Court|Bar|Bench|Church|Board|Committee)"
)
_NAME = re.compile(r"\b[A-Z][\w'’-]+")


def may_hold(first: str, second: str) -> bool:
    """Whether one of two places may lie in the other one, as far as their names say.

    Args:
        first: A place, as "in Milton, Massachusetts".
        second: Another one.

    Example:
        >>> may_hold("in London", "in Westminster"), may_hold("in Milton", "in Massachusetts")
        (True, True)
        >>> may_hold("in London", "in Rome"), may_hold("in Milton, Ohio", "in Utah")
        (False, False)
    """
    a, b = _levels(first), _levels(second)
    if content_words(first) <= content_words(second) or content_words(second) <= content_words(
        first
    ):
        return True
    for one, other in ((a, b), (b, a)):
        for whole in one:
            if set(other) & set(_PARTS.get(whole, "").split()):
                return True
    for ranks in (_LANDS, _STATES):
        own, its = (next((p for p in places if p in ranks), None) for places in (a, b))
        if own and its and own != its and {own, its}.isdisjoint(_UNIONS):
            return False
    return any(_is_wide(place) for place in (a[0], b[0]))


_COUNTIES = frozenset(
    (
        "cornwall cumbria devon dorset essex kent norfolk rutland somerset suffolk surrey sussex"
    ).split()
)
_UNIONS = frozenset("britain united_kingdom soviet_union yugoslavia europe asia africa".split())


def _levels(place: str) -> list[str]:
    """The parts of a place, the smallest first, as the lists above write them."""
    parts = [re.sub(r"^(?:in|at) (?:the )?", "", part.strip()) for part in place.split(",")]
    return [re.sub(r"[\s.]+", "_", part.casefold()) for part in parts if part] or [""]


def _is_wide(place: str) -> bool:
    spaced = place.replace("_", " ").title()
    return (
        place in _LANDS or place in _STATES or bool(_COUNTY.search(spaced) or _SHIRE.search(place))
    )


def rank_of(place: str) -> str:
    """What a place is by its name: a land, a state, a county, or, where nothing says so, empty.

    Example:
        >>> rank_of("Ohio"), rank_of("Brazil"), rank_of("Kent"), rank_of("North Yorkshire")
        ('american state', 'land', 'county', 'county')
    """
    key = _levels(place)[0]
    if key in _LANDS:
        return "land"
    if key in _STATES:
        return "american state" if key in _AMERICAN else "state"
    return "county" if key in _COUNTIES or _is_wide(key) else ""


def names_one(sentence: str, name: str) -> bool:
    """Whether a sentence says which body it means: by a year, or a name that few bodies have.

    Args:
        sentence: About ``{}`` or about `name`.
        name: The person's.

    Example:
        >>> names_one("Ann Lee sat in the House of Representatives.", "Ann Lee")
        False
        >>> names_one("Ann Lee sat on Leeds City Council.", "Ann Lee")
        True
        >>> names_one("In 1987 Ann Lee entered the House of Assembly.", "Ann Lee")
        True
    """
    if re.search(r"\d{3,4}", sentence):
        return True
    before, _, after = sentence.replace(name, "{}").partition("{}")
    rest = _BODY.sub("", after)
    words = {word.casefold() for word in _NAME.findall(f"{before[1:]} {rest}")}
    return bool(words - set(name_words(name)))
