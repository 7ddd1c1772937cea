"""The functions used by `dfactscore factor build`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._util.callbacks import Progress
from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore._util.outputs import check_output
from dfactscore.factor._build.building import Built, build_factor
from dfactscore.factor._build.contradicting import ContradictionModel
from dfactscore.factor._build.model_maker import ModelMaker
from dfactscore.factor._factor_items import item_record
from dfactscore.factor._pages import all_pages
from dfactscore.factor._settings import BuildSettings

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


async def build_items(
    settings: BuildSettings,
    session: LLMSession | None,  # command's cache and budget, used if a language model is called
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Built:
    """Builds a file of items, and writes counts and the stages' journals next to it."""
    if settings.pages is None:
        raise InputError("factor build: name the pages")
    if settings.out is None or settings.out.suffix != ".jsonl":
        raise InputError("factor build: give --out FILE (.jsonl)")
    out = settings.out
    make_folder(out.parent)
    for file in (out, _manifest(out)):
        check_output(file, "factor_items", inputs=[settings.pages], force=overwrite)
    kinds = settings.kinds
    more: dict[str, Any] = {}
    if settings.nli is not None:
        more["nli"] = ContradictionModel(settings.nli)
    if settings.fluency is not None:
        from dfactscore.likelihood import TransformersModel

        more["fluency"] = TransformersModel(
            settings.fluency, cache=None if session is None else session.cache
        )
    if settings.engine == "llm":
        if session is None:
            raise InputError("factor build: --engine llm needs a session")
        client = session.client(settings.model_for("builder", instead=", or --engine builtin"))
        more["maker"] = ModelMaker(client, kinds)
    built = await build_factor(
        all_pages(settings.pages),
        settings=settings,
        stages=out.with_suffix(".stages"),
        progress=progress,
        **more,
    )
    _write(built, out)
    return built


def _manifest(out: Path) -> Path:
    return out.with_suffix(".manifest.json")


def _write(built: Built, out: Path) -> None:
    kinds = Counter(one.type for item in built.items for one in item.contradictions)
    about = {"command": "factor build", **built.about, "types": dict(sorted(kinds.items()))}
    write_jsonl(out, map(item_record, built.items))
    write_json(_manifest(out), about)
