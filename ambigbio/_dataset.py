"""Reads and writes the dataset as JSONL: a header line, then one line per name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.jsonl import read_jsonl
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._files import write_records
from dfactscore.ambigbio._records import SCHEMA_VERSION, AmbigBio, AmbiguousName, Header

if TYPE_CHECKING:
    from pydantic import TypeAdapter


FORMAT = "ambigbio"


def save(dataset: AmbigBio, path: Path | str) -> None:
    """Writes a dataset atomically."""
    head = {"format": FORMAT, "schema_version": SCHEMA_VERSION, **asdict(dataset.header)}
    write_records(Path(path), chain([head], dataset.names))


def _parse(adapter: TypeAdapter[Any], record: Any, where: str) -> Any:
    from pydantic import ValidationError

    try:
        return adapter.validate_json(json.dumps(record), strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "the line"
        value = repr(first["input"])[:80]
        raise AmbigBioError(
            f"{where}, {field}: {first['msg'].lower()}, not {value}: restore the line or build "
            "the file again"
        ) from error


def _load_split(path: Path, records: Sequence[tuple[str, Any]]) -> AmbigBio:
    """Reads a split of a release, and the header of the complete dataset in the same folder."""
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(AmbiguousName)
    names = []
    for where, record in records:
        if isinstance(record, dict):
            record.pop("strata", None)
        names.append(_parse(adapter, record, where))
    whole = path.with_name("ambigbio.jsonl")
    if not whole.is_file():
        raise AmbigBioError(
            f"{path} is a part of a release, whose header is in {whole.name}: put that file "
            "beside it"
        )
    header = replace(
        load(whole).header, n_names=len(names), n_people=sum(len(name.people) for name in names)
    )
    return AmbigBio(header, tuple(names))


def load(path: Path | str) -> AmbigBio:
    """Reads a dataset."""
    from pydantic import TypeAdapter

    path = Path(path)
    records = list(read_jsonl(path, error=AmbigBioError))
    head = records[0][1] if records else None
    if isinstance(head, dict) and {"name", "people", "strata"} <= head.keys():
        return _load_split(path, records)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise AmbigBioError(
            f'{path} is not an AmbigBio file: its first line lacks \'"format": "{FORMAT}"\'; '
            "a list of names is read with: dfactscore ambigbio build --names-file"
        )
    version = head.get("schema_version")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise AmbigBioError(
            f"{records[0][0]}, schema_version: {version!r} is newer than {SCHEMA_VERSION}, which "
            "this version reads: install a newer dfactscore"
        )
    fields = {key: value for key, value in head.items() if key not in ("format", "schema_version")}
    header = _parse(TypeAdapter(Header), fields, records[0][0])
    adapter: TypeAdapter[Any] = TypeAdapter(AmbiguousName)
    names = tuple(_parse(adapter, record, where) for where, record in records[1:])
    return AmbigBio(header, names)
