"""Births and deaths: "(1744–1826)", "(born 5 May 1970 in Leeds)", "was born in Leeds in 1970"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.language.word_classes import MONTHS

_MONTH = "(?:" + "|".join(m.capitalize() for m in sorted(MONTHS)) + ")"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_ABOUT = r"(?:AD\s|ca\.?|c\.?|circa|around|about|before|after|fl\.?)\s?"
_DATE = (
    rf"(?:{_ABOUT})?(?:{_DAY}\s(?:of\s)?{_MONTH},?\s(?:\d{{3,4}})|{_MONTH}\s{_DAY},?\s\d{{3,4}}|"
    rf"{_MONTH},?\s\d{{3,4}}|{_DAY}\s{_MONTH}|{_MONTH}\s{_DAY}|\d{{3,4}}s?)"
)
_DATE_ONLY = re.compile(_DATE)
_BARE_DATE = re.compile(rf" ({_MONTH}\s{_DAY},\s\d{{3,4}}),?(?= in | at | to )")
_SPAN = re.compile(
    rf"\(\s*(?:born\s)?(?P<b>{_DATE})(?:\s?(?:in|at|,)\s(?P<bp>[^–—;()]+?))?\s*(?:–|—|-|‑|\bto\b|;\s*(?:died|d\.))\s*"
    rf"(?:(?P<d>{_DATE})(?:\s?(?:in|at|,)\s(?P<dp>[^;()]+?))?)?\s*\)"
)
_BORN = re.compile(
    rf"\(\s*(?:born|b\.)\s(?:on\s|in\s)?(?P<b>{_DATE})(?:,?\s(?:in\s|at\s)?(?P<bp>[^;()]+?))?"
    rf"(?:\s*[;,–—-]\s*(?:died|d\.)\s(?:on\s|in\s)?(?P<d>{_DATE})(?:,?\s(?:in\s|at\s)?(?P<dp>[^;()]+?))?)?\s*\)"
)
# "(Murcia, 1897 – Paris, 1967)"
_PLACED = re.compile(
    rf"\(\s*(?P<bp>[^\W\d_a-z][^–—;()\d]{{1,60}}?),\s(?P<b>{_DATE})\s?(?:–|—|-|‑)\s?"
    rf"(?P<dp>[^\W\d_a-z][^;()\d]{{1,60}}?),\s(?P<d>{_DATE})\s*\)"
)
_DIED = re.compile(rf"\(\s*(?:died|d\.|†)\s?(?:on\s|in\s)?(?P<d>{_DATE})\s*\)")
_LIFE = re.compile(
    r"^(?P<head>(?:\w+ly |also |later |eventually )?(?:(?:was|is) born|died|passed away|"
    r"(?:was|were) baptized|(?:was|were) baptised|(?:was|were) buried))\b(?P<rest>.*)$",
    re.DOTALL,
)
_CHUNK = re.compile(
    r",?(?<!\bdue)(?<!\bprior)(?<!ed)(?<!ing)(?<!\s)\s+"
    r"(?=(?:in|on|at|to|from|into|near|due to|of|around|c\.|circa|as|by|after|while|during|aged)\s)"
)
_CLAUSE = re.compile(r",?\s(?:who|which|where|whose|when)\s")
_STRUCTURE = re.compile(r"\b(?:who|which|that|where|when|and|but|while|because)\b")


def life_statements(words: str) -> list[str]:
    """Splits parenthetical life dates, or a predicate about birth or death, into predicates.

    Returns:
        Predicates such as ``"was born in 1744"``; any other predicate is returned unchanged, and
        any other parenthetical yields nothing.

    Example:
        >>> life_statements("(1744–1826)")
        ['was born in 1744', 'died in 1826']
        >>> life_statements("was born in Leeds on 5 May 1970")
        ['was born in Leeds', 'was born on 5 May 1970']
    """
    if words.startswith("("):
        return _bracket(words)
    found = _LIFE.match(words)
    if found is None or len(words) > 400:
        return [words]
    rest, goes_on = found["rest"], ""
    clause = _CLAUSE.search(rest)
    if clause is not None:
        # ", where he is head of a body at national level": none of it says where the birth was
        rest, goes_on = rest[: clause.start()], rest[clause.start() :]
    dated = _BARE_DATE.match(rest)
    chunks = _chunks(rest if dated is None else rest[dated.end() :])
    if dated is not None:
        chunks.insert(0, f"on {dated[1]}")
    if len(chunks) < 2 or not chunks[1]:
        return [words]
    chunks[-1] += goes_on
    return [f"{found['head']} {chunk}" for chunk in chunks]


def _bracket(words: str) -> list[str]:
    words = words.replace("†", "died ")
    for pattern in (_SPAN, _BORN, _PLACED):
        found = pattern.fullmatch(words)
        if found:
            out = _dated("was born", found["b"])
            if found["bp"]:
                out.append(f"was born in {found['bp'].strip(' ,')}")
            if found["d"]:
                out.extend(_dated("died", found["d"]))
            if found["dp"]:
                out.append(f"died in {found['dp'].strip(' ,')}")
            return out
    died = _DIED.fullmatch(words)
    return _dated("died", died["d"]) if died else []


def _dated(verb: str, date: str) -> list[str]:
    date = re.sub(r"^(?:ca\.?|c\.?(?!irca)|circa)\s?", "around ", date.strip(" ,"))
    if date.startswith("fl"):
        return []
    if date.startswith(("around", "about", "before", "after")):
        return [f"{verb} {date}"]
    return [
        f"{verb} {'on' if re.match(rf'{_DAY} |{_MONTH} {_DAY}(?:,|$| )', date) else 'in'} {date}"
    ]


def _chunks(rest: str) -> list[str]:
    """Splits "in Leeds on 5 May 1970 to poor parents" into place, date and parents."""
    parts = [p for p in _CHUNK.split(rest) if p.strip(" ,")]
    out: list[tuple[str, str]] = []
    for part in parts:
        part = part.strip(" ,")
        kind = _kind(part)
        follows = out and (
            kind == out[-1][0]
            or part.split(" ", 1)[0]
            in {"of", "by", "as", "from", "into", "near", "while", "during", "after"}
            or out[-1][0] == "other"
        )
        if follows:
            out[-1] = (
                out[-1][0],
                f"{out[-1][1]} {part}" if not _needs_comma(rest, part) else f"{out[-1][1]}, {part}",
            )
        else:
            out.append((kind, part))
    if not out or out[0][1].split(" ", 1)[0] not in {
        "in",
        "on",
        "at",
        "to",
        "around",
        "near",
        "of",
        "c.",
        "circa",
        "due",
        "from",
        "aged",
    }:
        # "born Margherita Rossi in 1687": the name is a part of its own
        if (
            out
            and re.match(r"[A-Z]", out[0][1])
            and len(out) > 1
            and not _STRUCTURE.search(out[0][1])
        ):
            return [p for _, p in out]
        return [rest.strip()]
    return [p for _, p in out]


def _needs_comma(rest: str, part: str) -> bool:
    return f", {part}" in rest


def _kind(part: str) -> str:
    word, _, rest = part.partition(" ")
    if word in {"in", "on", "around", "c.", "circa"} and _DATE_ONLY.match(
        rest.removeprefix("the ")
    ):
        return "date"
    if word == "on":
        return "date"
    if word in {"in", "at", "near"} and not _STRUCTURE.search(rest):
        return "age" if rest.startswith("the age") else "place"
    if word in {"to", "due", "from", "of", "aged"}:
        return word
    return "other"
