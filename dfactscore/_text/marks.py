"""Converts the citation markers of various models and services to one format: ``[1]``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dfactscore._text.answer_markup import GAP

_THING = (
    r"(?:documents?|docs?|sources?|src|passages?|psg|contexts?|ctx|(?:search[\s_-]*)?results?"
    r"|references?|refs?|citations?|cites?|cit|evidences?|snippets?|chunks?|articles?|texts?"
    r"|excerpts?|web(?:page)?s?|pages?|links?|records?|entr(?:y|ies)|files?|hits?|ids?"
    r"|[sdprce](?=\s?\d))"
)
_SEP = r"[\s_.:#-]{0,3}(?:no\.\s*)?#?"
_NUMBER = rf"(?:\^|{_THING}{_SEP}|\#)?\d{{1,3}}"
_NUMBERS = rf"{_NUMBER}(?:\s*[-–—,;&/|]\s*(?:and\s+)?{_NUMBER}|\s+and\s+{_NUMBER})*"
_PLACE = (
    r"(?:\s*(?::\s*\d{1,4}(?:-\d{1,4})?|[,:;]?\s*(?:pp?|para(?:graph)?s?|lines?|sec(?:tion)?"
    r"|sentences?"
    r"|§|L|s)\.?\s*\d{1,4}(?:\s*[-–]\s*L?\d{1,4})?|†[^\]】\n]{0,80}|\^))?"
)
_LEAD = (
    r"(?:(?:see|cf\.?|per|via|from|cite[ds]?|source|according\s+to"
    r"|as\s+(?:stated|mentioned|noted)\s+in)\s*:?\s*)?"
)
# Numbers in any type of brackets, with or without a word such as "document".
_SQUARE = re.compile(
    rf"\\?[\[［【〔〖⟦]{{1,3}}\s*{_LEAD}(?:{_THING}\s*:\s*)?(?P<numbers>{_NUMBERS}){_PLACE}"
    r"\s*\\?[\]］】〕〗⟧]{1,3}"
    r"(?:\(Title:[^()\n]{0,120}(?:\([^()\n]{0,80}\)[^()\n]{0,80})?\))?",
    re.I,
)
_CURLY = re.compile(
    rf"(?<![\w\\}}{{^_=$])\{{{{?\s*(?:{_THING}{_SEP})?(?P<numbers>{_NUMBERS})\s*\}}\}}?", re.I
)
_WORDED = (
    r"(?:documents?|docs?|sources?|passages?|contexts?|(?:search\s+)?results?|references?|refs?"
    r"|snippets?"
    r"|excerpts?|citations?)"
)
_ROUND = re.compile(
    rf"\(\s*{_LEAD}(?P<numbers>{_WORDED}\.?\s*(?:no\.\s*)?[#:]?\s*\[?\d{{1,3}}\]?(?:(?:\s*[-–,;&]\s*|\s+)"
    rf"(?:and\s+)?(?:{_WORDED}\.?\s*)?\[?\d{{1,3}}\]?)*){_PLACE}\s*\)",
    re.I,
)
_LEADING = re.compile(r"\(\s*(?:see|cf\.?|per|via|from|sources?:?)\s+(\[\d[^\]\n]*\])\s*\)", re.I)
_CARETS = re.compile(
    r"(?<=[a-z.,;:!?”\"’])\^(?:\[\s*)?(?P<numbers>\d{1,3}(?:\s*,\s*\d{1,3})*)(?:\]|\^)"
)
_HIGH = re.compile(
    r"(?:(?<=[a-z]{3})|(?<=[.,;:!?)\]”\"’]))[⁽⁅]?(?P<numbers>[⁰¹²³⁴-⁹]+"
    r"(?:[⁽⁾,˒ʼ’⁻ ]+[⁰¹²³⁴-⁹]+)*)[⁾]?"
)
_UNIT = re.compile(r"(?<![^\W\d_])(?:[kcdm]?m|mi|ft|in|yd|[a-zA-Z])$|\d$")
# "(a + 2b)" before "²"
_TERM = r"\s*\d*(?:[a-zA-Zα-ω]{1,2}|\d|[a-z]{2,4}\s?[a-zα-ω])[₀-₉⁰¹²³⁴-⁹]*\s*"
_POWER = re.compile(rf"\((?!\d+\s*-\s*\d+\))(?:{_TERM}(?:[-−+*/=^×·]{_TERM})+|[a-zα-ω])\)$")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LINKED = re.compile(
    r"\(?\\?\[\s*\\?\[?\s*(?P<numbers>"
    + _NUMBERS
    + r")\s*\\?\]?\s*\\?\]\(\s*<?[^()\s]*(?:\([^()\s]*\)[^()\s]*)*>?"
    r"(?:\s+\"[^\"\n]{0,200}\")?\s*\)\)?",
    re.I,
)
# Tags around a number, tags with a number as attribute, and tags around the cited words (whose
# documents are numbered from 0).
_TAGGED = re.compile(
    r"<(?P<tag>cite|citation|ref|source|sup|doc|document|passage|footnote|c"
    r"|s)\b[^<>]{0,200}>\s*(?:<a\b[^<>]{0,200}>)?"
    r"\s*\[?\s*(?P<numbers>" + _NUMBERS + r")\s*\]?\s*(?:</a>)?\s*</(?P=tag)>",
    re.I,
)
_EMPTY_TAG = re.compile(
    r"<(?:cite|citation|ref|source|doc|document|passage|footnote)\b(?P<in>[^<>]{0,200})/>", re.I
)
_NAMED = re.compile(
    r"(?:id|index|n|num|number|idx|doc|source)\s*=\s*[\"']?\D{0,8}(\d{1,3})\b", re.I
)
_AROUND = re.compile(
    r"<(?P<tag>cite|citation|co"
    r"|source)\b(?P<in>[^<>]{0,200})>(?P<words>(?:(?!</?(?P=tag)\b).){0,4000}?)"
    r"</(?P=tag)\b[^<>]{0,80}>",
    re.I | re.S,
)
_INDEX = re.compile(r"(?:index|:)\s*=?\s*[\"']?(?P<list>\d[\d\s,:-]*)")
_WIKI_REF = re.compile(r"<ref\b[^<>]{0,200}>.{0,1000}?</ref>|<ref\b[^<>]{0,200}/>", re.I | re.S)
# Markers that do not identify a passage.
_NAMELESS = re.compile(
    r"\ue200[^\ue200\ue201\n]{0,300}\ue201|[\ue000-\uf8ff]"
    r"|:contentReference\[[^\]\n]{0,60}\](?:\{[^}\n]{0,60}\})?"
    r"|\[?\boaicite:\d+\]?(?:\{index=\d+\})?|\bcite(?:turn\d+[a-z]+\d+)+"
    r"|[\[【]?\bturn\d+(?:search|view|news"
    r"|image|fetch|file)\d+(?:†[^】\]\n]{0,60})?[\]】]?"
    r"|\[/?cit(?:e|ation)(?:[_ -]?(?:start|end|begin))?\]|\[(?:citation|source|page"
    r"|clarification|verification)s?"
    r"[\s_]needed(?:\s[^\]\n]{0,40})?\]|\[(?:(?:who|when|where|which|why|by\swh[o]m)\?"
    r"|dubious[^\]\n]{0,40}|according\sto\swh[o]m"
    r"|update|unreliable source|better source needed|note\s\d{1,3}|nb\s?\d{1,3}|n\s?\d{1,2})\??\]"
    r"|\[\^(?!\s*\d)[^\]\n]{1,40}\]"
    r"|~?\\(?:(?:foot|auto|paren|text|full)?cite[a-z]{0,8}\*?(?:\[[^\]\n]{0,60}\]){0,2}"
    r"|footnote|footnotemark|label|ref)\{[^{}\n]{0,300}\}|\[@[^\]\n]{1,120}\]"
    r"|\{\{(?:cite|sfn|refn|citation|cn|efn|r\||reflist|fact|webarchive)[^{}\n]{0,400}\}\}"
    r"|(?<=[.,;:!?)”\"])\[(?-i:[a-z])\](?=[\s.,;:]|$)"
    r"|[\[(]\s*(?:sources?|refs?|references?|citations?"
    r"|via)\s*:\s*(?![^\])\n]{0,12}\d{1,3}\s*[\])])"
    r"[^\[\]()\n]{1,120}(?:\([^()\n]{0,60}\))?\s*[\])]",
    re.I,
)
_WIKI_LINK = re.compile(
    r"\[\[(?:(?P<kind>file|image|category):)?(?:[^\[\]|\n]{1,120}\|)*(?P<words>[^\[\]"
    r"|\n]{1,120})\]\]",
    re.I,
)
_WIKI_BOLD = re.compile(r"'''(?=\S)(.{1,120}?)(?<=\S)'''")
_TITLED = re.compile(
    r"[\[【]\s*(?:(?:documents?|sources?"
    r"|passages?)\s*:\s*)?(?P<title>[^\[\]【】\n]{2,120})[\]】](?=\s*(?:[.,;:!?\])]|\[|$|[A-Z]))",
    re.I | re.M,
)
_STRANGE = re.compile(
    r"\[(?!(?:january|february|march|april|may|june|july|august|sept?(?:ember)?|october|november"
    r"|december|circa|ca|c|born|died|in|aged?|about|of|the|et|room|no|vol|volume|part|chapter)\b)"
    r"[a-z]{1,20}[\s_:#.-]{0,2}\d{1,5}[a-z]?\]|【[^】\n]{1,60}】|⟦[^⟧\n]{1,60}⟧|\{\{[^{}\n]{1,60}\}\}"
    r"|</?[a-z][\w:.-]{0,30}(?:\s[\w-]+=[^<>\n]{0,80})?/?>|\[/?[a-z]+_[a-z_]+\]",
    re.I,
)


def plain_marks(text: str, titles: Sequence[str] = ()) -> str:
    """Converts citation markers to ``[1]`` and removes markers that do not identify a passage.

    Example:
        >>> plain_marks('He swam [cite: 1] (Document 2). <cite index="0-1">He won.</cite>')
        'He swam [1] [2]. He won. [1]'
    """
    if "<" in text:
        text = _TAGGED.sub(_number, text)
        text = _EMPTY_TAG.sub(_named, text)
        text = _AROUND.sub(_around, text)
        text = _WIKI_REF.sub(GAP, text)
    if "[" in text and "](" in text:
        text = _LINKED.sub(_number, text)
    text = _NAMELESS.sub(GAP, text)
    if "[[" in text:
        text = _WIKI_LINK.sub(
            lambda m: m[0] if m["words"].isdigit() else GAP if m["kind"] else m["words"], text
        )
    if "'''" in text:
        text = _WIKI_BOLD.sub(r"\1", text)
    numbers = {title.strip().casefold(): n for n, title in reversed(list(enumerate(titles, 1)))}
    if numbers and ("[" in text or "【" in text):
        text = _TITLED.sub(lambda m: _titled(m, numbers), text)
    for pattern in (
        (_SQUARE, _ROUND, _CARETS) if "\\" in text else (_SQUARE, _ROUND, _CURLY, _CARETS)
    ):
        text = pattern.sub(_number, text)
    text = _LEADING.sub(r"\1", text)
    return _HIGH.sub(_high, text)


def unknown_marks(text: str) -> list[str]:
    """Finds text that looks like an unknown type of marker, which `plain_marks` does not remove.

    Example:
        >>> unknown_marks("He swam [zref_12] in 1990 [May 4].")
        ['[zref_12]']
    """
    if not any(sign in text for sign in "[【⟦{<"):
        return []
    return list(dict.fromkeys(match[0] for match in _STRANGE.finditer(text)))


def _number(match: re.Match[str]) -> str:
    """Formats a marker's numbers as ``[1, 2]``; `_readers.citation_marks` interprets ranges."""
    numbers = re.findall(r"\d{1,3}(?:\s*[-–—]\s*\d{1,3})?", match["numbers"])
    return f"[{', '.join(numbers)}]" if numbers else match[0]


def _named(match: re.Match[str]) -> str:
    numbers = _NAMED.findall(match["in"])
    return f"[{', '.join(numbers)}]" if numbers else GAP


def _around(match: re.Match[str]) -> str:
    """Returns the cited words, followed by the numbers of their documents."""
    index = _INDEX.search(match["in"])
    documents = re.findall(r"(?:^|,)\s*(\d{1,3})", index["list"]) if index else []
    marks = "".join(f"[{n}]" for n in dict.fromkeys(int(n) + 1 for n in documents))
    return f"{match['words']} {marks}" if marks else match["words"]


def _titled(match: re.Match[str], numbers: dict[str, int]) -> str:
    number = numbers.get(match["title"].strip().casefold())
    return f"[{number}]" if number else match[0]


def _high(match: re.Match[str]) -> str:
    if _UNIT.search(match.string[max(0, match.start() - 3) : match.start()]):
        return match[0]
    if _POWER.search(match.string[max(0, match.start() - 60) : match.start()]):
        return match[0]
    return f"[{', '.join(re.findall(r'[0-9]+', match['numbers'].translate(_DIGITS)))}]"
