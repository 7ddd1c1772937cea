"""Settings for the commands that read a wiki."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dfactscore._util.settings import Settings, panels

_input, _evidence, _limit, _output = panels("Input Evidence Limits Output")


class WikiSettings(Settings):
    """Settings for requests to Wikimedia's servers."""

    contact: str | None = _limit(
        None, "Your e-mail address or URL, required by Wikimedia.", variable=True
    )
    cache: Path | None = _limit(
        None, "SQLite file in which to cache the servers' responses.", named="OUT.cache"
    )
    interval: float = _limit(0.5, "Minimum seconds between requests.", ge=0)
    max_wait: float = _limit(600.0, "Longest pause a server may request, in seconds.", ge=0)
    timeout: float = _limit(60.0, "Request timeout in seconds.", ge=0.1)


class AmbigBioSettings(WikiSettings):
    """Settings for `dfactscore ambigbio build`."""

    first = "out names lang dump names_file pages contact workers"

    out: Path = _output(Path("ambigbio.jsonl"), "Dataset to write (.jsonl).", flags=("--out", "-o"))
    names: str = _input("500", "Number of names, or all.", flags=("--count",))
    draw: Literal["names", "any"] = _input(
        "names", "Draw from human-name disambiguation pages only, or from all disambiguation pages."
    )
    seed: int = _input(1, "Random seed for sampling and resampling.")
    api_url: str | None = _evidence(None, "URL of the wiki's api.php.", named="Wikipedia in --lang")
    dump: Path | None = _evidence(
        None, "Read a dump instead of the live wiki: pages-articles .xml, .xml.bz2 or .xml.gz."
    )
    index: Path | None = _evidence(
        None,
        "Multistream index of the dump.",
        flags=("--dump-index",),
        named="the file beside the dump",
    )
    workers: int = _limit(1, "Worker processes; 0 for one per core; 1 with a language model.", ge=0)
    on: str | None = _limit(
        None,
        "Cluster to run the workers on: ray (at RAY_ADDRESS) or ray://HOST:PORT.",
        named="this machine",
    )
    lang: str = _evidence("en", "Language of the wiki.")
    language_data: Path | None = _evidence(
        None, "JSON file with the rules for --lang (docs/ambigbio.md)."
    )
    names_file: Path | None = _input(None, "Use the names in this .csv, .tsv or .txt file instead.")
    column: str | None = _input(None, "Column of --names-file, by heading or number.")
    pages: Literal["none", "lead", "full"] = _output(
        "lead", "Text to write from each person's page.", flags=("--page-text",)
    )
    pages_out: Path | None = _output(
        None, "File to write the people's pages to.", named="OUT with .pages.jsonl"
    )
    release: Path | None = _output(
        None, "Folder to prepare for upload, with splits, strata, card, license and checksums."
    )
    audit: int | None = _output(
        None, "Number of name pages to draw for manual checking, in OUT.audit.csv.", ge=1
    )
    wikidata: bool = _evidence(
        False, "Ask Wikidata about pages that cannot be decided otherwise.", flags=("--wikidata",)
    )
    humans: Path | None = _evidence(
        None, "File of titles or ids of pages about humans, one per line, instead of Wikidata."
    )
    wikidata_url: str = _evidence(
        "https://www.wikidata.org/w/api.php", "URL of Wikidata's api.php."
    )
    refresh: bool = _limit(
        False, "Delete the cached responses and request them again.", flags=("--refresh",)
    )
    overwrite: bool = _output(
        False, "Replace a file that a different build wrote.", flags=("--overwrite",)
    )


class PopularitySettings(WikiSettings):
    """Settings for `dfactscore ambigbio popularity`."""

    out: Path | None = _output(None, "File to write.", flags=("--out", "-o"), named="FILE itself")
    months: int = _evidence(12, "Months to count.", ge=1)
    end: str | None = _evidence(None, "Last month to count (YYYY-MM).", named="before the snapshot")
    project: str | None = _evidence(None, "Project, such as en.wikipedia.", named="the dataset's")
    pageviews_url: str = _evidence(
        "https://wikimedia.org/api/rest_v1", "Base URL of the pageviews service."
    )


class CheckSettings(Settings):
    """Settings for `dfactscore ambigbio validate`."""

    pages: Path | None = _input(None, "Whole pages of the people (.jsonl).")


class CopySettings(CheckSettings):
    """Settings for `dfactscore ambigbio export`."""

    pages: Path | None = _input(
        None, "Whole pages of the people (.jsonl).", named="FILE.pages.jsonl, if it exists"
    )
    out: Path = _output(..., "Folder (for hf) or file (for csv) to write.", flags=("--out", "-o"))
