"""Words that tell bearers of a name apart: of titles, roles, kinds of things, fields."""

from __future__ import annotations

from dfactscore._text.word_files import lines_by_head, word_lists

_LISTS = {name: frozenset(words.split()) for name, words in word_lists(__package__).items()}
SECTIONS = _LISTS["sections"]
"""Words of headings that name no one: "about", "team"."""
LINKS = _LISTS["links"]
"""Words between these: "our", "the"."""
SITES = _LISTS["sites"]
"""Words that a site adds to a name: "interview", "profile"."""
FURNITURE = _LISTS["furniture"]
"""Words of menus and footers."""
MORE_ROLES = _LISTS["more_roles"]
"""Roles besides those that the engine knows."""
NOT_ALONE = _LISTS["not_alone"]
"""Words after "the" that describe no one alone."""
RANKS = _LISTS["ranks"]
"""Offices that several people hold in several places."""
WOMEN = _LISTS["women"]
"""Roles of women."""
FIELDS = lines_by_head(__package__, "fields.txt")
"""The fields whose texts use a word: "goal" and "striker" are of sport."""
