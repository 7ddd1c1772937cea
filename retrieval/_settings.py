"""Settings for the commands that build and search indexes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.settings import Settings, panels

if TYPE_CHECKING:
    from dfactscore.retrieval._documents import LatestDate, Passage, Tail
    from dfactscore.retrieval._encoders import Encoder
    from dfactscore.retrieval._readers import OnError


_input, _engine, _model, _limit, _output = panels("Input Engine Model Limits Output")


class _PageSettings(Settings):
    """Settings for reading pages."""

    max_page_bytes: int = _limit(4 * 2**20, "Skip larger pages and list them.", ge=1)


class _DatedSettings(Settings):
    """Settings for the source and date of the pages."""

    source: str = _input("", "Source of the pages; recorded in the index.")
    snapshot: str = _input(
        "", "Date of the texts; recorded in the index.", named="the latest timestamp of a page"
    )


class PagesSettings(_DatedSettings, _PageSettings):
    """Settings for `dfactscore index pages`."""

    out: Path = _output(..., "File to write (.sqlite).", flags=("--out", "-o"))


class InfoSettings(Settings):
    """Settings for `dfactscore index info`."""

    verify: bool = _input(
        False, "Verify the hash of every passage and open every file.", flags=("--verify",)
    )


class AddSettings(_PageSettings):
    """Settings for `dfactscore index add`."""

    ready: bool = _input(
        False, "Treat the records as passages and do not split them.", flags=("--no-split",)
    )
    device: str = _model("auto", "Device: auto, cpu, cuda or mps; separate several with commas.")
    batch_size: int = _model(32, "Texts to encode at a time.", ge=1)
    workers: int = _limit(1, "Worker processes; 0 for one per core; 1 with a language model.", ge=0)
    on: str | None = _limit(
        None,
        "Cluster to run the workers on: ray (at RAY_ADDRESS) or ray://HOST:PORT.",
        named="this machine",
    )

    def are_passages(self, pages: Path) -> bool:
        """Whether the records in a file are already passages, which do not need to be split."""
        return self.ready or pages.name.removesuffix(".gz").endswith(".tsv")

    def read_passages(
        self,
        pages: Path,
        *,
        words: int,
        tail: Tail,
        first: int = 1,
        on_error: OnError,
        dates: LatestDate | None = None,
    ) -> Iterator[Passage]:
        """Reads passages from a file, or reads its pages and splits them into passages."""
        from dfactscore.retrieval._documents import split_pages
        from dfactscore.retrieval._readers import read_pages, read_passages

        if self.are_passages(pages):
            return read_passages(pages, first=first, on_error=on_error)
        stream = read_pages(pages, max_bytes=self.max_page_bytes, on_error=on_error)
        if dates is not None:
            stream = dates.noted(stream)
        return split_pages(stream, words=words, tail=tail, start=first)

    def open_encoder(self, settings: Mapping[str, Any]) -> Encoder:
        """Loads the encoder recorded in a manifest, on one or several devices."""
        from dfactscore.retrieval._encoders import encoder_from_settings

        devices = tuple(self.device.split(",")) if "," in self.device else ()
        device = "auto" if devices else self.device
        return encoder_from_settings(
            settings, device=device, devices=devices, batch_size=self.batch_size
        )


class _ThreadSettings(Settings):
    """Settings that limit the use of the machine's resources."""

    threads: int | None = _limit(
        None, "Number of threads for the search and the encoder.", ge=1, named="all cores"
    )

    def use_threads(self) -> None:
        """Limits the number of threads used by the search and encoding libraries."""
        if self.threads is None:
            return
        for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ[name] = str(self.threads)
        os.environ.setdefault("KMP_BLOCKTIME", "0")  # no busy waiting
        import faiss

        faiss.omp_set_num_threads(self.threads)
        try:
            import torch
        except ImportError:
            return
        torch.set_num_threads(self.threads)


class IndexSettings(_ThreadSettings, _DatedSettings, AddSettings):
    """Settings for `dfactscore index build`."""

    first = "kind words encoder workers snapshot ids"

    out: Path = _output(..., "Index folder; the same command resumes it.", flags=("--out", "-o"))

    kind: Literal["bm25", "dense", "hybrid"] = _engine(
        "bm25", "Support searching by words, by embeddings, or by both."
    )
    words: int = _engine(100, "Number of words per passage.", ge=1)
    tail: Literal["join", "short", "wrap"] = _engine(
        "join",
        "If a page's last passage is short, join it to the previous one (below half length), "
        "leave it, or fill it from the start of the page, as in DPR.",
    )
    encoder: str = _model(
        "gtr-t5-large",
        "Encoder: gtr-t5-base, -large, -xl, -xxl, or a sentence-transformers model, by name "
        "or folder.",
    )
    precision: Literal["fp32", "fp16", "bf16"] = _model(
        "fp32", "Floating-point format of the model."
    )
    factory: str = _model(
        "", "FAISS factory string.", named="the smallest index that reaches --recall"
    )
    recall: float = _model(
        0.95,
        "Share of the true top five that the dense index must find.",
        ge=0,
        le=1,
    )
    vectors: Literal["float32", "float16"] | None = _model(
        None,
        "Floating-point format of the stored embeddings.",
        named="float16, or float32 if the search is exact",
    )
    shard_rows: int = _limit(0, "Maximum vectors per FAISS file; 0 for a single file.", ge=0)
    embeddings: Path | None = _input(None, "Embeddings from another program (.npy); needs --ids.")
    ids: Path | None = _input(None, "Passage ids of --embeddings, one per line.")

    def encoder_named(self) -> dict[str, Any]:
        """Returns the settings of the chosen encoder, in the format used in manifests."""
        kind = "gtr" if self.encoder.startswith("gtr-t5-") else "sentence"
        model = self.encoder.removeprefix("gtr-t5-")
        return {"kind": kind, "model": model, "precision": self.precision}


class _AskSettings(_ThreadSettings):
    """Settings for searching an index."""

    k: int = _engine(5, "Number of passages per query.", flags=("-k",), ge=1)
    method: Literal["auto", "dense", "bm25", "hybrid", "title"] = _engine(
        "auto", "Search method; auto matches the kind of index."
    )
    query_template: str = _engine(
        "Tell me a bio of {name}", "Query template for a name, containing {name}."
    )


class SearchSettings(_AskSettings):
    """Settings for `dfactscore index search`."""

    queries: Path | None = _input(None, "File of queries (.jsonl, or .txt with one name per line).")
    raw: bool = _engine(False, "Use the text itself as the query.", flags=("--raw",))


class EvaluateSettings(_AskSettings):
    """Settings for `dfactscore index evaluate`."""

    qrels: Path | None = _input(None, "Relevance judgments in TREC format (query 0 passage grade).")
