"""Finds the blocks of a text that tell people apart, and begins each person with a heading.

A model may give each person a heading, a list item, a condition ("If you mean the painter, ...") or
half of a sentence. The rules read one form, a heading with the name and a qualifier
("## Ann Lee (painter)"), so the other forms are rewritten to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dfactscore._text.block_conditions import addressed, of_sources
from dfactscore._text.block_contrasts import contrasted, enumerated, one_and_other, qualified
from dfactscore._text.block_headings import headed, in_sections, without_lead
from dfactscore._text.block_pairs import paired, timed
from dfactscore._text.block_titles import retold, titled


@dataclass(frozen=True, slots=True)
class Block:
    """A kind of block: how a text tells people apart, or states one fact per line."""

    id: str
    says: str
    example: str  # text about Ann Lee that the block changes
    rewrite: Callable[[str, str], str]  # takes the text and the name


_LONGEST = 30_000  # a biography is shorter; some patterns take time that grows with the square


def read_blocks(text: str, name: str) -> tuple[str, tuple[tuple[str, Block], ...]]:
    r"""Rewrites the blocks of a text, and returns the lines that changed, each with its block.

    Example:
        >>> print(read_blocks("# Poet\nShe sang.\n# Judge\nShe ruled.", "Ann Lee")[0])
        ## Ann Lee (poet)
        She sang.
        ## Ann Lee (judge)
        She ruled.
    """
    read: list[tuple[str, Block]] = []
    if not name.strip() or len(text) > _LONGEST:
        return text, ()
    for block in BLOCKS:
        changed = block.rewrite(text, name)
        if changed != text:
            kept = {line.strip() for line in changed.split("\n")}
            lines = (line for line in text.split("\n") if line.strip())
            read += ((line, block) for line in lines if line.strip() not in kept)
        text = changed
    return text, tuple(read)


BLOCKS: tuple[Block, ...] = (
    Block(
        "section",
        "The heading of a section runs into the sentence after it",
        "Ann Lee was a nun. Early life Lee was born in 1736.",
        in_sections,
    ),
    Block(
        "enumeration",
        'A sentence counts the people it means: "may refer to (1) ... and (2) ..."',
        "Ann Lee may refer to (1) the nun who sang and (2) the poet who wrote Elm.",
        enumerated,
    ),
    Block(
        "address",
        "A condition to the reader names the person of its main clause",
        "If you mean the nun, she sang. If you mean the poet, she wrote Elm.",
        addressed,
    ),
    Block(
        "source",
        "A sentence says who a source is about",
        "Document 1 is about a nun named Ann Lee. Document 2 is about a poet named Ann Lee.",
        of_sources,
    ),
    Block(
        "one and the other",
        '"The other" bears the same name',
        "One Ann Lee sang; the other wrote Elm.",
        one_and_other,
    ),
    Block(
        "contrast",
        "Two clauses with differently qualified names are about two people",
        "Ann Lee (nun) sang, while Ann Lee (poet) wrote Elm.",
        contrasted,
    ),
    Block(
        "title",
        "The text after a title begins with the name in it",
        "Ann Lee, Ohio: Ann Lee is a village.\nAnn Lee, Texas: Ann Lee is a town.",
        titled,
    ),
    Block(
        "numeral",
        "A sentence opens with another numeral, or with the first qualifier",
        "Ann Lee 3 is a ship. Ann Lee 4 is a ship.",
        retold,
    ),
    Block(
        "qualified name",
        "A sentence about a thing opens with its qualified name",
        "Ann Lee, Ohio is a village. Ann Lee, Texas is a town.",
        qualified,
    ),
    Block(
        "heading",
        "A heading, item or label with a role, number or qualified name begins a person",
        "**Nun:** She sang.\n**Poet:** She wrote Elm.",
        headed,
    ),
    Block(
        "lead",
        "A sentence before the people only says that several bear the name",
        "Two women are named Ann Lee.\n- Ann Lee (nun) sang.\n- Ann Lee (poet) wrote Elm.",
        without_lead,
    ),
    Block(
        "pairs",
        "A line of key and value is one fact about the person",
        "Nationality: Swiss\nOccupation: nun",
        paired,
    ),
    Block(
        "timeline",
        "A line with a date is a statement about the person",
        "1758: Left England\n1774: Sailed to New York",
        timed,
    ),
)
