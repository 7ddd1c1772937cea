"""Exports the dataset as a folder for Hugging Face `datasets` or as a CSV file; derives columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dfactscore._util.datasets_folder import Card, write_card, write_table
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.tables import csv_text
from dfactscore.ambigbio._errors import AmbigBioError, MissingExtraError
from dfactscore.ambigbio._files import not_written, replace_file
from dfactscore.ambigbio._records import AmbigBio, AmbiguousName
from dfactscore.ambigbio._summary import PAPER_MEAN, histogram, summarize
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._index_manifest import library_versions

_ABOUT_FIELDS = """
Configuration `names`: `name`, the disambiguation page (`title`, `page_id`, `revision`,
`timestamp`, `url`), `asked` (the name as requested by a list of names), `entities` (the number of
pages that it lists, including pages that are not about people), `named` (lines about bearers
without a page) and `people`, each with the same fields of its page, `label`, `description`,
`born`, `died` (negative before Christ), `short_description`, `aliases` (redirects), `primary`,
`evidence` of being a person, `wikidata` and `views`."""
_LIMITS = """
`people` lists only people with a page that the disambiguation page links to; `named` has the
lines about people without one. The categories of a page, then its short description, decide
whether it is about a person. Page ids and revisions identify the
pages that were read; the wiki has changed since."""
_ATTRIBUTION = """
Labels, descriptions and text are by the contributors of the pages and are licensed under
[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/). The `url` and `revision` of each
row lead to the page and its list of authors. Changes: markup was removed, and text was cut into
fields."""


_CITATION = """
The paper that defines the set:

```bibtex
@inproceedings{{chiang-lee-2024-merging,
  title = {{Merging Facts, Crafting Fallacies: Evaluating the Contradictory Nature of Aggregated
           Factual Claims in Long-Form Generations}},
  author = {{Chiang, Cheng-Han and Lee, Hung-yi}},
  booktitle = {{Findings of the Association for Computational Linguistics: ACL 2024}},
  year = {{2024}}
}}
```

This build of it:

```bibtex
@misc{{ambigbio-{snapshot},
  title = {{AmbigBio, rebuilt from {wiki}, snapshot {snapshot}}},
  note = {{{names} names, {people} people; built with dfactscore {version}}},
  year = {{{year}}}
}}
```"""
#: Names and types: ``"string"``, ``"int64"``, ``"float64"``, ``"bool"``; ``[type]`` is a list, and
#: a tuple holds the columns of a nested row.
Columns = tuple[tuple[str, Any], ...]
_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool"}


def version() -> str:
    """The installed version of this toolkit."""
    return library_versions("dfactscore").get("dfactscore", "0")


def _citation(dataset: AmbigBio) -> str:
    header = dataset.header
    return _CITATION.format(
        snapshot=header.snapshot,
        wiki=header.wiki,
        names=len(dataset),
        people=header.n_people,
        version=version(),
        year=header.snapshot[:4],
    )


def export_csv(dataset: AmbigBio, path: Path | str) -> None:
    """Writes a CSV file with the columns ``name`` and ``entities`` (titles separated by ``|``).

    Titles never contain the separator.
    """
    rows = [
        {"name": name.name, "entities": "|".join(person.title for person in name.people)}
        for name in dataset
    ]
    text = csv_text(rows, ("name", "entities"))
    replace_file(Path(path), lambda place: place.write_bytes(text.encode("utf-8", "replace")))


def card_of(dataset: AmbigBio, *, pages: bool) -> Card:
    """Returns the README of a dataset."""
    header, summary = dataset.header, summarize(dataset)
    origin = "a list of names" if header.seed is None else f"a random draw with seed {header.seed}"
    pages_section = (
        f"""

Configuration `pages` has the text of the {summary.distinct_people} people's pages, with
revision, address and license line of each."""
        if pages
        else ""
    )
    others = (
        f"; with entities that are not people {summary.mean_entities:.2f} (in the paper's "
        f"AmbigBio {PAPER_MEAN})"
        if summary.mean_entities is not None
        else ""
    )
    intro = f"""
{summary.names} names, each shared by several people who have a page on {header.wiki}:
{summary.people} people, {summary.mean:.2f} per name{others}.
Built with dfactscore {version()} from {origin}, snapshot {header.snapshot}; {header.listed} pages
were listed and {header.considered} examined. The definition follows Chiang and Lee, "Merging
Facts, Crafting Fallacies: Evaluating the Contradictory Nature of Aggregated Factual Claims in
Long-Form Generations" (Findings of ACL 2024), section 2.1; the names are not those of its
release."""
    return Card(
        title="AmbigBio (rebuilt)",
        license="cc-by-sa-4.0",
        language=header.language,
        tags=("factuality", "entity-ambiguity", "biography"),
        size=summary.names,
        configs=("names", "pages") if pages else ("names",),
        intro=intro,
        sections=(
            ("Fields", _ABOUT_FIELDS + pages_section),
            ("People per name", f"```\n{histogram(summary.per_name)}\n```"),
            ("Limits", _LIMITS),
            ("License and attribution", _ATTRIBUTION),
            ("Citation", _citation(dataset)),
        ),
    )


def export_hf(dataset: AmbigBio, folder: Path | str, pages: Path | None = None) -> None:
    """Writes a folder that ``datasets.load_dataset`` can read: Parquet files and a dataset card."""
    try:
        of_names, of_pages = (arrow_fields(columns_of(kind)) for kind in (AmbiguousName, Page))
    except ImportError as error:
        raise MissingExtraError("writing parquet", "parquet") from error
    folder = Path(folder)
    rows = (asdict(name) for name in dataset)
    write_table(rows, of_names, folder, "names", error=not_written)
    if pages is not None:
        records = (record for _, record in read_jsonl(pages, error=AmbigBioError))
        try:
            write_table(records, of_pages, folder, "pages", error=not_written)
        except (TypeError, ValueError) as error:  # Arrow's, too
            raise AmbigBioError(
                f"{pages}: not pages as the builder writes them ({error})"
            ) from None
    write_card(card_of(dataset, pages=pages is not None), folder, error=not_written)


def columns_of(record: type) -> Columns:
    """Derives table columns from the fields of a dataclass.

    Example:
        >>> from dfactscore.ambigbio._records import Popularity
        >>> columns_of(Popularity)[:2]
        (('start', 'string'), ('end', 'string'))
    """
    hints = get_type_hints(record)
    return tuple((field.name, _type(hints[field.name])) for field in fields(record))


def _type(hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):  # every column may be null
        return _type(next(kind for kind in arguments if kind is not type(None)))
    if origin is Literal:
        return "string"
    if origin is tuple:
        return [_type(arguments[0])]
    return _TYPES.get(hint) or columns_of(hint)


def without(columns: Columns, names: Iterable[str]) -> Columns:
    """Removes columns, including from nested rows."""
    dropped = frozenset(names)

    def inner(kind: Any) -> Any:
        if isinstance(kind, list):
            return [inner(kind[0])]
        return without(kind, dropped) if isinstance(kind, tuple) else kind

    return tuple((name, inner(kind)) for name, kind in columns if name not in dropped)


def arrow_fields(columns: Columns) -> list[tuple[str, Any]]:
    """Converts columns to Arrow fields."""
    import pyarrow as pa

    simple = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64()}

    def arrow(kind: Any) -> Any:
        if isinstance(kind, list):
            return pa.list_(arrow(kind[0]))
        if isinstance(kind, tuple):
            return pa.struct([(name, arrow(inner)) for name, inner in kind])
        return simple.get(kind, pa.bool_())

    return [(name, arrow(kind)) for name, kind in columns]
