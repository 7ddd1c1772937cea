"""English words that mean the same, imply one another or carry no meaning in a comparison."""

from __future__ import annotations

from dfactscore.engines._builtin.language.word_lists import (
    word_heads,
    word_list,
    word_pairs,
    words_in_order,
)

STOP_WORDS = word_list("stop_words")
PRONOUNS = word_list("pronouns")
NEGATIONS = word_list("negations")
NUMBER_WORDS = word_pairs("number_words")
NOT_AGENTS = word_list("not_agents")
MONTHS = {
    form: f"month{number}"
    for number, name in enumerate(words_in_order("months"), 1)
    for form in (name, name[:3])
} | {"sept": "month9"}
IRREGULAR = word_heads("irregular")
CANONICAL = word_heads("synonyms", "countries")
IMPLIED = word_heads("implied")
