"""Exports the dataset as a folder for Hugging Face `datasets` or as a two-column CSV file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from dfactscore._util.csv_text import csv_text
from dfactscore._util.datasets_folder import Card, write_card, write_table
from dfactscore._util.jsonl import read_jsonl
from dfactscore.ambigbio._columns import arrow_fields, columns_of
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
`people` lists only people with a page that the disambiguation page links to. `named` has the
lines about other bearers, which may also be characters or things. The categories of a page, then
its short description, decide whether it is about a person. Page ids and revisions identify the
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
