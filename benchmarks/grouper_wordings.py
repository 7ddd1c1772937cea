"""Wordings that introduce a further person of the same name; a third is held out.

Slots: {name}, {first} and {last} of it, {desc} an indefinite description ("a Polish poet"),
{role} it without article, {head} its last word, {be} is or was, {born} a year, {death} a
later one, {middle} an initial, {given} another second name.
"""

from __future__ import annotations

import random

__all__ = ["OPENINGS", "WORDINGS", "split_wordings"]

WORDINGS: dict[str, tuple[str, ...]] = {
    "another": (
        "Another {name} {be} {desc}.",
        "Another person named {name} {be} {desc}.",
        "Another notable {name}, {desc}, {be} born in {born}.",
        "A different {name} {be} {desc}.",
        "Yet another {name} {be} {desc}.",
        "Another individual by the name of {name} {be} {desc}.",
        "{name} is also the name of {desc}.",
        "A second person with the same name, {name}, {be} {desc}.",
        "The name {name} is also shared by {desc}.",
        "An unrelated {name} {be} {desc}.",
        "Other people called {name} include {desc}.",
        "Another well-known figure sharing this name is {name}, {desc}.",
    ),
    "there_is": (
        "There is also {name}, {desc}.",
        "There is also {desc} named {name}.",
        "There was also a {name} who {be} {desc}.",
        "There is another {name}, {desc}.",
        "Additionally, there is {desc} named {name}.",
        "Then there is {name}, {desc}.",
        "There is, too, {desc} who shares the name {name}.",
        "There are other people with this name, such as {name}, {desc}.",
        "In addition to him, there exists another {name}, {desc}.",
    ),
    "dates": (
        "{name} (born {born}) is {desc}.",
        "{name} ({born}–{death}) was {desc}.",
        "{name} ({born} - {death}) was {desc}.",
        "{name}, born in {born}, {be} {desc}.",
        "{name} (b. {born}) is {desc}.",
        "{name} (12 May {born} – 3 July {death}) was {desc}.",
        "{name} ({desc}, born {born}) lived elsewhere.",
        "Born in {born}, {name} {be} {desc}.",
        "{name} was born in {born} and {be} {desc}.",
    ),
    "apposition": (
        "{name}, {desc}, had a different career.",
        "{name}, {desc} born in {born}, worked abroad.",
        "Meanwhile, {name}, {desc}, followed another path.",
        "{name} the {head} {be} known for other work.",
        "As {desc}, {name} (born {born}) gained recognition.",
        "The {head} {name} worked abroad.",
        "Similarly, {name}, {desc}, received several awards.",
        "{name}, {desc} of the same name, is well known too.",
    ),
    "enumeration": (
        "2. {name}: {desc}.",
        "2. {name} (born {born}) - {desc}.",
        "2) {name}, {desc}.",
        "- {name}, {desc}",
        "* {name} ({head}): {desc}.",
        "2. **{name}** – {desc}.",
        "• {name} – {desc}.",
        "(2) {name} {be} {desc}.",
    ),
    "ordinal": (
        "The second {name} {be} {desc}.",
        "The second, {desc}, is less well known.",
        "Second, {name} {be} {desc}.",
        "Secondly, there is {name}, {desc}.",
        "The other {name} {be} {desc}.",
        "The second individual is {desc}.",
        "The next {name} {be} {desc}.",
    ),
    "contrast": (
        "On the other hand, {name} {be} {desc}.",
        "In contrast, {name} {be} {desc}.",
        "On the other hand, there is {desc} also named {name}.",
        "Meanwhile, the {name} who worked elsewhere {be} {desc}.",
        "By contrast, another {name}, {desc}, lived abroad.",
        "Not to be forgotten is {name}, {desc}.",
        "Alternatively, {name} may refer to {desc}.",
        "Conversely, the {head} {name} {be} {desc}.",
    ),
    "confused": (
        "He should not be confused with {name}, {desc}.",
        "This person is not to be confused with {name}, who {be} {desc}.",
        "Not to be confused with this person is {name}, {desc}.",
        "He is different from {name}, {desc} born in {born}.",
        "He is unrelated to {name}, {desc}.",
        "Note that this is not the same person as {name}, {desc}.",
    ),
    "full_name": (
        "{first} {middle}. {last} {be} {desc}.",
        "{first} {given} {last}, {desc}, worked abroad.",
        "{first} {middle}. {last} ({born}–{death}) was {desc}.",
        "Finally, {first} {given} {last} {be} {desc}.",
        "{first} {last} Jr. {be} {desc}.",
        "Sir {first} {given} {last}, 2nd Baronet, {be} {desc}.",
        "In addition, {first} {given} {last} (born {born}) is {desc}.",
        "{desc_cap}, {first} {given} {last} worked abroad.",
        "{given} {last} {be} {desc}.",
    ),
    "heading": (
        "**{name} ({head})**\n{name} {be} {desc}.",
        "## {name} ({head})\nThis person {be} {desc}.",
        "{name} ({head}): {desc}.",
        "**{name}, born {born}**: {desc}.",
        "{name} ({head})\n{name} {be} {desc}.",
        "### 2. {name}\n\n{name} {be} {desc}.",
        "{name} ({head}) {be} {desc}.",
    ),
}

# How a paragraph that goes on to list people may open; the first person's description follows.
OPENINGS: tuple[str, ...] = (
    "There are several people named {name}. One is {desc}.",
    "There are multiple individuals with the name {name}. The first {name} {be} {desc}.",
    "{name} may refer to several people. The first {be} {desc}.",
    "Several notable people share the name {name}. One {name} {be} {desc}.",
    "The name {name} belongs to more than one person. One of them {be} {desc}.",
    "I found information on two people named {name}. First, {name} {be} {desc}.",
)


def split_wordings(seed: int = 11) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Returns, per way, the wordings to develop with and the third held out."""
    halves = {}
    for way, wordings in WORDINGS.items():
        order = list(range(len(wordings)))
        random.Random(f"{seed} {way}").shuffle(order)
        held = set(order[: -(-len(order) // 3)])
        halves[way] = (
            tuple(w for i, w in enumerate(wordings) if i not in held),
            tuple(w for i, w in enumerate(wordings) if i in held),
        )
    return halves
