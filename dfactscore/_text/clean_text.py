"""Normalizes text before it is processed further, and letters for comparison."""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from urllib.parse import unquote

STROKES = str.maketrans(
    {
        "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i",
        "æ": "ae", "œ": "oe", "ß": "ss",
        "Ø": "O", "Đ": "D", "Ð": "D", "Ł": "L", "Þ": "Th", "Ħ": "H", "Ŧ": "T",
        "Æ": "Ae", "Œ": "Oe",
    }
)  # fmt: skip
"""Letters that Unicode does not decompose into a letter and a mark, with their plain forms."""


def fold_accents(text: str) -> str:
    """Removes accents and strokes from a text, but not the vowel signs of other scripts.

    Example:
        >>> fold_accents("Þórður Ægisson, Łódź, Ǿrsted")
        'Thordur Aegisson, Lodz, Orsted'
    """
    if text.isascii():
        return text
    # Decomposed first, because the table does not contain letters with both a stroke and an accent.
    decomposed = unicodedata.normalize("NFKD", text).translate(STROKES)
    for mark in filter(unicodedata.combining, set(decomposed)):
        decomposed = decomposed.replace(mark, "")
    return decomposed


# UTF-8 cannot encode lone surrogates; NUL and other control characters truncate or garble output.
_UNSAFE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SIGNS = re.compile(r"[\W_]+")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


_HYPHENS = str.maketrans("\u2010\u2011", "--")


def clean(text: str) -> str:
    r"""Replaces each lone surrogate and control character with U+FFFD, and hyphens with "-".

    Example:
        >>> clean("a\x00b\ud800c")
        'a�b�c'
    """
    return _UNSAFE.sub("\ufffd", text.translate(_HYPHENS))


# A letter's bytes in UTF-8, read one by one in another encoding. Leads of old encodings are signs
# that stand in no word: "√" in Mac OS Roman, box-drawing lines in the code pages of DOS.
_WINDOWS = bytes(set(range(128, 160)) - {129, 141, 143, 144, 157}).decode("cp1252")
_REST = f"[\u0080-\u00bf{_WINDOWS}]"
_MISREAD = re.compile(
    f"[\u00c2-\u00df]{_REST}|[\u00e0-\u00ef]{_REST}{{2}}|[\u00f0-\u00f4]{_REST}{{3}}"
)
_OLD = (
    ("mac_roman", re.compile("[√ƒ≈][^\x00-\x7f]")),
    ("cp850", re.compile("[├─┼][^\x00-\x7f]")),
    ("cp437", re.compile("[├─┼][^\x00-\x7f]")),
)
_TWICE = re.compile("[\u00c2-\u00c5][\u0080-\u00bf]")  # what a second misreading leaves
# Letters as codes: "\\u00fc", "\\xfc", "\\xc3\\xbc", "\\303\\274", "<U+00FC>", "=C3=BC"
_UTF_16 = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_CODE = re.compile(r"(?:\\u\{|<U\+|\\N\{U\+|\{U\+)([0-9a-fA-F]{2,5})[>}]")
_BYTES = re.compile(
    r"(?:\\x[89a-fA-F][0-9a-fA-F])+|(?:\\[2-3][0-7]{2})+|=[C-F][0-9A-F](?:=[89AB][0-9A-F]){1,3}"
)
_PERCENT = re.compile(
    r"(?<![\w/=?&.-])(?:[^\W\d_]*(?:%[C-F][0-9A-F](?:%[89AB][0-9A-F]){1,3})[^\W\d_]*)+"
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WIDE_END = re.compile(r"([。｡．।！？])\s*")  # marks of other scripts between Latin letters
_LATIN_ENDS = {"！": "!", "？": "?"}
_ACCENT = re.compile(r"\\([\"'`^~])\{([A-Za-z])\}|(?<=[A-Za-z])\\([\"`^~])([aeinouAEINOU])")
_ACCENTS = dict(zip("\"'`^~", "\u0308\u0301\u0300\u0302\u0303", strict=True))
_DAMAGED = re.compile(r"(?<![^\W\d_])[^\W\d_]*(?:\ufffd|(?<=[^\W\d_])\?(?=[^\W\d_]))[^\W\d_]*")


def repair(text: str) -> str:
    r"""Restores letters where the damage is certain.

    These are letters in UTF-8 that were read as another encoding, letters written as codes, and
    words in the form of addresses (``M%C3%BCller``).

    Example:
        >>> repair("FranÃ§ois MÃ¼ller"), repair(r"M\u00fcller"), repair("Z%C3%BCrich in São Paulo")
        ('François Müller', 'Müller', 'Zürich in São Paulo')
    """
    if not text.isascii():
        text = _TWICE.sub(_reread, _MISREAD.sub(_reread, text))
        for encoding, pattern in _OLD:
            text = pattern.sub(partial(_decoded, encoding=encoding), text)
        if _WIDE_END.search(text) and not _WIDE.search(text):
            text = _WIDE_END.sub(lambda m: _LATIN_ENDS.get(m[1], ".") + " ", text).rstrip(" ")
    if "\\" in text or "U+" in text or "=C" in text:
        text = _UTF_16.sub(_unescaped, text)
        text = _CODE.sub(lambda match: _printable(chr(int(match[1], 16)), match[0]), text)
        text = _BYTES.sub(_from_bytes, text)
        text = _ACCENT.sub(
            lambda match: unicodedata.normalize(
                "NFC", (match[2] or match[4]) + _ACCENTS[match[1] or match[3]]
            ),
            text,
        )
    text = _PERCENT.sub(lambda match: unquote(match[0]), text) if "%" in text else text
    return text


def _printable(letter: str, otherwise: str) -> str:
    return letter if letter.isprintable() or letter.isspace() else otherwise


def _reread(match: re.Match[str]) -> str:
    """Returns the letter whose bytes were read one by one; invalid bytes stay."""
    codes = bytes(ord(c) if ord(c) < 256 else c.encode("cp1252", "replace")[0] for c in match[0])
    try:
        return _printable(codes.decode("utf-8"), match[0])
    except UnicodeDecodeError:
        return match[0]


def _decoded(match: re.Match[str], encoding: str) -> str:
    try:
        letter = match[0].encode(encoding).decode("utf-8")
    except UnicodeError:
        return match[0]
    return letter if letter.isalpha() else match[0]


def _unescaped(match: re.Match[str]) -> str:
    codes = bytes.fromhex(match[0].replace("\\u", ""))
    return _printable(codes.decode("utf-16-be", "replace"), match[0])


def _from_bytes(match: re.Match[str]) -> str:
    """Decodes bytes written as codes: as UTF-8 if they are valid, otherwise as Latin-1."""
    if match[0][1] == "x" or match[0][0] == "=":
        codes = bytes.fromhex(match[0].replace("\\x", "").replace("=", ""))
    else:
        codes = bytes(int(code, 8) for code in match[0].split("\\")[1:])
    for encoding in ("utf-8", "latin-1"):
        try:
            return _printable(codes.decode(encoding), match[0])
        except UnicodeDecodeError:
            continue
    return match[0]


def damaged_words(text: str) -> list[str]:
    """Returns words with letters that were lost: a replacement character or "?" inside a word.

    Example:
        >>> damaged_words("Fran?ois M\ufffdller asked: who?")
        ['Fran?ois', 'M\ufffdller']
    """
    if "?" not in text and "\ufffd" not in text:
        return []
    return [match[0] for match in _DAMAGED.finditer(text) if len(match[0]) > 1]


def one_line(text: str, width: int = 80) -> str:
    r"""Shortens a text to one line for a message and removes control characters.

    Example:
        >>> one_line("two\nlines")
        'two lines'
    """
    flat = " ".join(_INVISIBLE.sub("", clean(text)).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def plain_words(text: str) -> str:
    """Normalizes a fact for comparison: lower case, no punctuation, single spaces.

    Example:
        >>> plain_words("Ann Lee sang.") == plain_words(" ann  lee SANG")
        True
    """
    return " ".join(_SIGNS.sub(" ", text.casefold()).split())
