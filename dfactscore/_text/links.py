"""Replaces the links in an answer with their text and removes links that only name a source."""

from __future__ import annotations

import re

from dfactscore._text.gaps import GAP

_PLAIN_URL = (
    r"(?:https?://|ftp://|www\.)(?:[^\s<>\"“”\[\]{}|()\x00]|\([^\s()<>\x00]*\))+"
    r"(?<![.,;:!?'’…*_`])"
)
_TARGET = (
    r"\(\s*<?(?:[a-z][a-z0-9+.-]{1,12}:|/|\#|\.{1,2}/|www\.|[\w-]{1,60}\.[a-z]{2,})"
    r"(?:[^()\s<>]|\([^()\s<>]*\))*>?(?:\s+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'))?\s*\)"
)
_LINK = rf"\[(?:[^\[\]\n]|\[[^\[\]\n]*\]){{0,300}}\]{_TARGET}"
_WORDS = re.compile(rf"(?<!!)\[(?P<words>(?:[^\[\]\n]|\[[^\[\]\n]*\]){{0,300}})\]{_TARGET}", re.I)
_IMAGE = re.compile(rf"!\[[^\]\n]{{0,300}}\](?:{_TARGET}|\[[^\]\n]{{0,60}}\])", re.I)
_BEFORE = r"(?:(?:see|sources?|via|from|url|links?|available\s+at|read\s+more|cf\.?)\s*:?\s*)?"
_SOURCES = re.compile(
    rf"(?<!\])(?<![^\S\n])[^\S\n]*+[(\[（]\s*{_BEFORE}(?:{_LINK}|<?{_PLAIN_URL}>?)(?:[\s,;|·]*(?:and\s+|&\s*)?"
    rf"(?:{_LINK}|<?{_PLAIN_URL}>?))*(?:[,;]?\s*(?:accessed|retrieved)[^)\]\n]{{0,40}})?\s*[)\]）]",
    re.I,
)
# A sentence that only refers to a source: "For more, see https://…"
_POINTER = re.compile(
    r"(?:(?<=[.!?\]”\"])[^\S\n]++|^[^\S\n]*+)[-*•(]?[^\S\n]*+(?:for\s+(?:more|further)|see|visit"
    r"|read\s+more"
    r"|learn\s+more|find\s+out\s+more|more\s+(?:information|details|about)|sources?|links?|url"
    r"|website"
    r"|official\s+(?:web)?site|available\s+at|retrieved\s+from|you\s+can\s+(?:read|find|learn"
    r"|visit))\b"
    rf"[^.!?\n\x00]{{0,120}}?{_PLAIN_URL}[^.!?\n]{{0,80}}[.!?)]*(?=\s|$)",
    re.I | re.M,
)
_BARE = re.compile(
    rf"(?<![^\S\n])(?:[^\S\n]++(?:at|on|via|from|in)(?=[^\S\n]))?+[^\S\n]*+[<*_`]{{0,2}}{_PLAIN_URL}[>*_`]{{0,2}}",
    re.I,
)
_TARGETS = re.compile(
    r"^[^\S\n]*+\[(?P<id>[^\]\n^]{1,40})\]:[^\S\n]*+<?(?P<target>[^\s<>()]+://[^\s<>()]+|/[^\s<>()]+)",
    re.M,
)
_BY_ID = re.compile(r"(?<!\])\[(?P<words>[^\[\]\n]*[^\W\d][^\[\]\n]*)\]\[(?P<id>[^\[\]\n]{1,40})\]")
_NO_WORDS = re.compile(
    r"\W*(?:(?:https?://|www\.)\S*|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|co|uk|de|info"
    r"|tv|ai|eu"
    r"|[a-z]{2})(?:/\S*)?|sources?|links?|refs?|references?|citations?|here|read\s+more|wikipedia"
    r"|website|\+?\d{0,3}|\u2197)\W*",
    re.I,
)
_CLOSES = re.compile(r"(?:^|[.!?:][\"”’)]?)\s*$")


def with_targets(text: str) -> str:
    r"""Turns reference links into inline links.

    Example:
        >>> with_targets("He studied at [Slade][s].\n\n[s]: https://s.org").split("\n")[0]
        'He studied at [Slade](https://s.org).'
    """
    if "]:" not in text:
        return text
    targets = {m["id"].casefold(): m["target"] for m in _TARGETS.finditer(text)}
    if not targets:
        return text

    def linked(match: re.Match[str]) -> str:
        target = targets.get(match["id"].casefold())
        return match[0] if target is None else f"[{match['words']}]({target})"

    return _BY_ID.sub(linked, text)


def without_links(text: str) -> str:
    """Replaces links with their text and removes URLs and images.

    A link in brackets, a link whose text is a domain or a number, and a link after the end of a
    sentence only name a source. Such links are removed together with their text.

    Example:
        >>> from dfactscore._text.gaps import close_gaps
        >>> close_gaps(without_links("He studied at [Slade](https://a.org) ([b.org](https://b.org))."))
        'He studied at Slade.'
        >>> close_gaps(without_links("He swam https://a.org/x_(y). See https://b.org for more."))
        'He swam.'
    """
    if "](" in text or "![" in text:
        text = _IMAGE.sub(GAP, text)
    if "](" not in text and "://" not in text and "www." not in text.lower():
        return text
    text = _SOURCES.sub(GAP, text)
    text = _WORDS.sub(_words, text)
    text = _POINTER.sub(GAP, text)
    return _BARE.sub(GAP, text)


def _words(match: re.Match[str]) -> str:
    words = match["words"].strip()
    if _NO_WORDS.fullmatch(words):
        return GAP
    after = match.string[match.end() : match.end() + 1]
    before = match.string[max(0, match.start() - 20) : match.start()]
    ends_line = after in ("", "\n") and _CLOSES.search(before) and "\n" not in before[-1:]
    return GAP if ends_line and before.strip() else words
