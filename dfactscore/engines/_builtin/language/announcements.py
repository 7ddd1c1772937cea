"""Phrases that announce other people: "another", "may refer to", "not to be confused with"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dfactscore.engines._builtin.language.word_classes import word_list, word_pairs

PEOPLE = word_list("people")
# Which of several people is meant: -1 is the latest, -2 is an additional one.
ORDINALS = {word: int(place) for word, place in word_pairs("ordinals").items()}

ALSO = re.compile(
    r"\b(?:also(?! (?:known|known as|called|spelled|written) (?!(?:as )?an? |for ))|as well|too|"
    r"additionally|furthermore|moreover|in addition)\b",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\b(?:named|called|known as|by (?:the|this|that)(?: same)? name(?: of)?|"
    r"with (?:the|this) (?:same )?name(?: of)?|"
    r"(?:shar\w+|bear\w+|of) (?:the|this|that|his|her) (?:same )?(?:\w+ )?name|"
    r"same (?:full |first |last )?name|namesake)\b",
    re.IGNORECASE,
)
# "X is also the name of a poet", "The name is also shared by a poet", "X may also refer to a poet"
_SHARED_NAME = re.compile(
    r"\b(?:is|was) (?:also|likewise) (?:the|a) name (?:of|for|shared|borne)\b|"
    r"\bnames?\b[^.]{0,60}\b(?:also|likewise|too)\b[^.]{0,20}\b(?:shared|borne|held|belong\w*|refer\w*|used|carried)\b|"
    r"\b(?:shared|borne|carried|held) by (?:another|an? (?!\w+ of\b))|"
    r"\bsame name (?:is|was) (?:shared|borne|held|carried) by\b|"
    r"\b(?:may|can|could|might) (?:also |alternatively )?refer to\b",
    re.IGNORECASE,
)
# "Other people with this name include ..."
OTHER_BEARERS = re.compile(
    r"^(?:there (?:are|were) (?:also )?)?(?:other\s+(?:\w+\s+){0,2}(?:people|persons|individuals|"
    r"figures|men|women|bearers|namesakes|"
    r"notable|holders|[A-Z]\w+ [A-Z]\w+s?))\b.*?\b(?:includ\w+|such as|are|is|namely|like)\b",
    re.IGNORECASE,
)
# The person is after the verb: "Not to be forgotten is X, a poet"
INVERTED = re.compile(
    r"^(?:not to be (?:forgotten|overlooked|outdone)|also (?:notable|of note|known|worth \w+|"
    r"sharing|bearing|named|called|deserving)|equally (?:notable|deserving|well-known)|"
    r"(?:sharing|bearing) (?:the|this|that|his|her) (?:same )?name|next (?:comes|is)|"
    r"lastly comes|worth (?:mentioning|noting)|deserving mention|then comes|"
    r"not to be (?:confused with|mistaken for|mixed up with) (?:(?:the|this|that) [^,.;]{2,50}?|"
    r"him|her|them|either) (?:is|was)|"
    r"among (?:the )?others?)\b",
    re.IGNORECASE,
)
_CONFUSED = re.compile(
    r"\b(?:not (?:to )?be (?:confused with|mistaken for|mixed up with|conflated with)|"
    r"(?:confused|mistaken) (?:with|for)|unrelated to|no relation to|not related to|"
    r"(?:not|isn't|wasn't) the same (?:(?:person|individual|man|woman) )?as|"
    r"about (?:the other|another|a different|a second)|"
    r"(?:different|distinct|to be distinguished|distinguished) (?:person |individual |man |"
    r"woman )?from)\s+",
    re.IGNORECASE,
)
# A lead, an addition or brackets that set the subject apart from someone of the same name
_SOMEONE = r"(?:him|her|them|(?:the|this|that) (?:[\w-]+ ?){1,4})"
_SETS_APART = re.compile(
    r"(?:(?:also|likewise|another|an?|the|his|her|[\w-]+['’]s) ){0,3}namesake"
    rf"(?: of {_SOMEONE})?"
    r"|(?:also |likewise )?(?:of|with|by|bearing|sharing) (?:the |that |this )(?:same )?name"
    r"|(?:unrelated|not related|no relation|not connected|unconnected|distinct|different)"
    rf"(?: (?:to|of|with|from) {_SOMEONE})?",
    re.IGNORECASE,
)
# "She should not be confused with": what follows is about someone else
_WARNS = re.compile(
    r"(?:\w+ ){0,4}?(?:(?:confused|mixed up|conflated) with|mistaken for|(?:unrelated|related|no "
    r"relation) to|(?:distinct|different)(?: person| \w*man)? from|"
    r"the same (?:(?:person|individual|man|woman) )?as)\b",
    re.IGNORECASE,
)
MARKER = re.compile(
    r"\s*(?:(?:[-*•–—·▪‣]|\(?\d{1,2}[.):]|\(?[a-zA-Z]\)|[a-z]\.)\s+|#{1,6}\s*|\*{2}\s?\d{1,2}[.)]\s+)"
    r"(?:\*{0,2}\(?\d{1,2}[.):]\s+)?(?=\S)"
)
_LISTING = re.compile(
    r"\b(?:may|can|could|might) (?:also )?refer to\b"
    r"|\b(?:several|multiple|many|two|three|four|five|six|various|a few|a couple of|some|different|"
    r"numerous|at least \w+|more than one|a number of|other|both|a handful of)\s+(?:of\s+)?"
    r"(?:\S+\s+){0,3}(?:people|persons|individuals|figures|men|women|"
    r"(?:person|individual)(?! [a-z]+s\b)|entities|"
    r"biographies|bios|profiles|possibilities|candidates|namesakes)\b"
    r"|^(?:notable|famous|well-known) (?:people|persons|individuals|bearers)\b"
    r"|\b(?:two|three|four|five|several|many) (?:[\w-]+ ){0,2}(?!sons|daughters|brothers|sisters|"
    r"children|wives|cousins)\w+s (?:who (?:are|were) )?(?:named|called|by the name of) "
    r"(?-i:[A-Z])\w+ (?-i:[A-Z])"
    r"|\b(?:shared|borne) by\s+(?:several|multiple|many|two|three|more|at least|a number)\b"
    r"|\b(?:may|can|could|might) be (?:one|any) of (?:these|the following|several|the)\b"
    r"|\b(?:is|was) (?:a (?:common |popular |shared )?name\b|(?:also )?the name of:?$)"
    r"|\bwhich \S+ \S+ you\b",
    re.IGNORECASE,
)
# Every match of a pattern contains one of these, which are searched for first: the pattern is slow.
_CONFUSED_CUES = (
    *("confused", "mistaken", "mixed up", "conflated", "related to", "relation to", "the same"),
    *("about the other", "about another", "about a ", "different", "distinct", "distinguished"),
)
_NAME_CUES = ("name", "by a", "refer to")
_ODD_CASE = re.compile("[İıſ\N{KELVIN SIGN}]")  # a pattern takes them for i, s and k
_LISTING_CUES = (
    *("name", "called", "people", "person", "individual", "figures", "men", "entities", "bio"),
    *("profiles", "possibilities", "candidates", "refer to", "shared by", "borne by", "be one of"),
    *("be any of", "which ", "bearers"),
)
_COUNT = (
    r"(?:at least |more than |no fewer than )?(?:several|multiple|many|two|three|four|five|six|"
    r"seven|various|a few|a couple of|some|different|numerous|a number of|both|a handful of)"
)
_NAMING = (
    r"(?:named|called|known as|by the name of|go(?:es|ing)? by the name(?: of)?|"
    r"(?:with|by|of|shar\w+|bear\w*) "
    r"(?:the|this|that)(?: same)?(?: \w+)? name(?: of)?)"
)
# "Two English footballers share the name Ann Lee", and nothing more
_ANNOUNCES = re.compile(
    r"(?:there (?:is|are) )?(?:more than one|\w+ (?:results|entries|matches) for)"
    r" (?-i:[A-Z])[^,:;()]{1,60}(?: (?:exists?|(?:is|are|was|were) (?:known|found|listed)))?|"
    r"there (?:is|was) (?:only |just |at least |exactly )?one\s+(?:[\w'’-]+\s+){0,3}?"
    rf"{_NAMING}\s+[\"'“‘]?(?-i:[A-Z])[^,:;()]{{1,80}}"
    rf"|(?:there (?:are|were|have been|exist)(?: (?:also|actually|at least))?\s+)?{_COUNT}\s+"
    r"(?:(?!(?:of|his|her|its|their)\b)[\w'’-]+\s+){0,5}?"
    r"(?!(?:sons|daughters|brothers|sisters|wives|cousins|uncles|aunts)\b)(?:\w+s|\w*men|people)\s+"
    rf"(?:(?:are|were|who|that|have|all|both|been)\s+){{0,3}}?{_NAMING}"
    r"(?:\s+[\"'“‘]?(?-i:[A-Z])[^,:;()]{1,80})?(?: exist)?:?",
    re.IGNORECASE,
)
_OF_NAMES = re.compile(
    r"\bnam(?:e|ed|es)\b|\b(?:documents|passages|results|sources)\b|\bcalled\b|\bwith (?:this|"
    r"that|the same)\b|\bknown as\b|\brefer|\b(?:one|any) of (?:these|the following)",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"(?:(?:however|additionally|furthermore|moreover|finally|lastly|meanwhile|similarly|likewise|"
    r"conversely|alternatively|secondly|thirdly|fourthly|second|third|fourth|first|firstly|next|"
    r"also|then|besides|in addition|in addition to (?:him|her|this|that|these|them|the above)|"
    r"on the other hand|in contrast|by contrast|contrastingly|elsewhere|separately|in comparison|"
    r"as well|last but not least|in a different vein|on a different note|unlike (?:him|her)|"
    r"in turn|"
    r"not to be (?:confused with|mistaken for|mixed up with) (?:him|her|them)|"
    r"(?:that (?:being )?said|with that (?:being )?said|having said that)|"
    r"interestingly|notably|another one|and then|it(?:['’]s| is) (?:also )?"
    r"(?:worth noting|interesting to note|important to note) that|"
    r"(?:according to|based on|judging by|in|from|per|as per) (?:the |this |an)?(?:(?:provided|"
    r"given|search|second|third|first|fourth|fifth|last|final|next|remaining|other|different) )*"
    r"(?:documents?|passages?|sources?|texts?|results?|information|context)(?: provided| given)?"
    r"(?: \[?\d+\]?(?:,? (?:and )?\[?\d+\]?)*)?|"
    r"note that|please note that|and|but|yet|"
    r"(?:as )?per the above|as above|"
    r"as (?:was |already |just )?(?:noted|mentioned|stated|said|seen|discussed|described|explained|"
    r"indicated|shown)(?: (?:above|earlier|before|previously|already|below))?|"
    r"interestingly enough|so|in short|in conclusion|in summary|overall|to summarize|to sum up|"
    r"for (?:example|instance))"
    r"(?:\s*,\s*|\s+(?=there\b|another\b|a\b|an\b|we\b))|"
    r"(?:yes|no|yeah|indeed|correct|right|actually|well|as of my [^,.;]{2,60}|"
    r"(?:to the best of |to )?my knowledge|as far as (?:i|we) (?:know|can tell)|"
    r"from what (?:i|we) (?:know|can find|could find|found)),\s+(?=\w)|"
    r"(?:(?:please )?note that|"
    r"it should (?:also )?be (?:noted|mentioned|added) that|(?:keep|bear) in mind that|"
    r"remember that|it(?:['’]s| is) (?:also )?"
    r"(?:worth (?:noting|mentioning)|important to (?:note|mention)|interesting to note) that|"
    r"(?-i:I|We|we) (?:(?:think|believe|know)(?: that)?|(?:can )?(?:found|see|learn(?:ed|t)?|"
    r"read|discovered|tell(?: you)?|say) that))\s+(?=(?:s?he|they|his|her|it|the)\b|(?-i:[A-Z])\w)|"
    r"(?:the )?(?:document|passage|source|result)s?(?: \[?\d+\]?)?(?: (?:also|further))? (?:adds?|"
    r"states?|says?|notes?|mentions?|reports?|explains?|indicates?|confirms?|shows?) that\s+|"
    r"(?:the )?(?:\w+ )?(?:document|passage|source|result)(?: \[?(?:\d+|[a-e])\]?)?:\s+(?=\S))",
    re.IGNORECASE,
)


def shares_name(text: str) -> bool:
    """Whether a clause says that another person shares the name: "is also the name of a poet"."""
    return may_say(text, _NAME_CUES) and _SHARED_NAME.search(text) is not None


def confused_in(text: str, start: int, end: int) -> re.Match[str] | None:
    """Returns the position of a warning about another person: "not to be confused with"."""
    return _CONFUSED.search(text, start, end) if may_say(text, _CONFUSED_CUES) else None


def sets_apart(words: str) -> bool:
    """Whether a lead or an addition says no more than that someone else has the same name.

    Example:
        >>> sets_apart("unrelated to the Canadian painter"), sets_apart("a nun")
        (True, False)
    """
    return _SETS_APART.fullmatch(words) is not None


def warns(predicate: str) -> bool:
    """Whether a predicate warns of someone else: "should not be confused with"."""
    return _WARNS.match(predicate) is not None


def skip_connectives(text: str, start: int = 0) -> int:
    """Returns the index at which a sentence begins after "However, " and the like.

    Example:
        >>> skip_connectives("On the other hand, there is")
        19
    """
    found = _CONNECTIVE.match(text, start)
    while found:
        start = found.end()
        found = _CONNECTIVE.match(text, start)
    return start


def is_announcement(text: str) -> bool:
    """Whether a clause says that several people bear the name and nothing else.

    Example:
        >>> is_announcement("Two English footballers share the name Ann Lee.")
        True
        >>> is_announcement("Two sons named Tom and Bob survived her.")
        False
    """
    words = text.strip(" .!*")
    return len(words) < 200 and _ANNOUNCES.fullmatch(words) is not None


def is_listing(text: str) -> bool:
    """Whether a clause says that several people bear the name.

    Example:
        >>> is_listing("There are several people named Ann Lee")
        True
    """
    found = _LISTING.search(text) if may_say(text, _LISTING_CUES) else None
    if found is None:
        return is_announcement(text)
    return found.group().lower().startswith("which ") or _OF_NAMES.search(text) is not None


def may_say(text: str, cues: Iterable[str]) -> bool:
    """Whether a pattern can match; every match contains at least one of the cues, in lowercase."""
    if any(map(text.lower().__contains__, cues)):
        return True
    return not text.isascii() and _ODD_CASE.search(text) is not None
