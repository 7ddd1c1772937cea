"""Reads files within limits and writes them atomically."""

from __future__ import annotations

import atexit
import contextlib
import glob
import gzip
import hashlib
import io
import json
import os
import re
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from dfactscore._errors import RunError
from dfactscore._util.callbacks import MakeError
from dfactscore._util.input_limits import Bounded, check_regular, largest_file, too_large
from dfactscore._util.near import near_file

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLOCK = 1 << 17
_WHOLE = 1 << 24
_LEFTOVER = re.compile(r"\..+\.[0-9a-f]{8}\.tmp", re.DOTALL)


@contextlib.contextmanager
def open_bytes(path: Path, *, error: MakeError) -> Iterator[IO[bytes]]:
    """Opens a file to be read from its start; one that ends in ``.gz`` is unpacked.

    It is read in lines or pieces: of more than 64 MiB without an end of line only the first are
    given, and then the error.

    Raises:
        Exception: Made by `error`, if it is not there, is not a file (a device, a named pipe),
            cannot be read to its end, or has a longer line.
    """
    with _opened(path, error) as file, Bounded(file, path, error=error) as bounded:
        yield io.BufferedReader(bounded, _BLOCK)


@contextlib.contextmanager
def _opened(path: Path, error: MakeError) -> Iterator[IO[bytes]]:
    check_regular(path, error=error)
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            yield cast("IO[bytes]", file)
    except FileNotFoundError:
        raise error(f"{path}: no such file{near_file(path)}") from None
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise error(f"{path}: cannot be read ({reason})") from None


_SHIPPED = contextlib.ExitStack()  # what was unpacked, until the process ends
atexit.register(_SHIPPED.close)


def shipped(package: str, name: str) -> Path:
    """A data file of a package; from a package in a zip file, a copy for this process."""
    from importlib.resources import as_file, files

    return _SHIPPED.enter_context(as_file(files(package).joinpath(name)))


def read_bytes(path: Path, *, error: MakeError) -> bytes:
    """A whole file, unpacked if it ends in ``.gz``.

    Raises:
        Exception: Made by `error`, as for `open_bytes`, or if it is larger than 256 MiB (or
            what the variable ``DFACTSCORE_LARGEST_FILE`` says).
    """
    most, blocks, size = largest_file(), [], 0
    with _opened(path, error) as file:
        while block := file.read(min(_WHOLE, most + 1 - size)):
            blocks.append(block)
            size += len(block)
            if size > most or os.fstat(file.fileno()).st_size > most:
                raise too_large(path, error=error)
    return b"".join(blocks)


def digest(path: Path, pattern: str = "*", *, error: MakeError = RunError) -> str:
    """SHA-256 of a file, or of the names and contents of a folder's files.

    Args:
        path: The file or folder.
        pattern: The pattern of the files in a folder.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if one cannot be read.
    """
    total = hashlib.sha256()
    files = sorted(p for p in path.rglob(pattern) if p.is_file()) if path.is_dir() else [path]
    for file in files:
        check_regular(file, error=error)
        total.update(f"{file.relative_to(path)}\0".encode("utf-8", "replace"))
        _add(total, file, error)
    return total.hexdigest()


def sha256(path: Path, *, error: MakeError = RunError) -> str:
    """SHA-256 of a file's content, as ``sha256sum`` gives it.

    Args:
        path: The file.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it cannot be read.
    """
    total = hashlib.sha256()
    _add(total, path, error)
    return total.hexdigest()


def _add(total: hashlib._Hash, file: Path, error: MakeError) -> None:
    try:
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                total.update(block)
    except FileNotFoundError:
        raise error(f"{file}: no such file{near_file(file)}") from None
    except OSError as problem:
        raise error(f"{file}: cannot be read ({problem.strerror or problem})") from None


def decode(data: bytes, name: object, *, error: MakeError) -> str:
    """Text in UTF-8, without its byte order mark.

    Args:
        data: The bytes.
        name: Name in messages of the file.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(
            f"{name}:{line}: not UTF-8 (byte {problem.start}); convert it first (iconv -t utf-8)"
        ) from None


def read_text(path: Path, *, error: MakeError) -> str:
    r"""A whole text file in UTF-8, without its byte order mark; every kind of line end is ``\n``.

    Raises:
        Exception: Made by `error`, if it cannot be read to its end or is not UTF-8.
    """
    text = decode(read_bytes(path, error=error), path, error=error)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def dump_json(value: Any, *, indent: int | None = None, keep_surrogates: bool = True) -> str:
    """JSON with the same bytes for the same value.

    Args:
        value: Content to write; NaN and infinities are refused with a `ValueError`.
        indent: Blanks a level; None for one line.
        keep_surrogates: Write halves of surrogate pairs as escapes, not as U+FFFD.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    if not keep_surrogates:
        return _SURROGATE.sub("\ufffd", text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def is_leftover(name: str) -> bool:
    """Whether a file's name is one that a process leaves that is killed within `atomic_write`."""
    return _LEFTOVER.fullmatch(name) is not None


def remove_leftovers(folder: Path) -> None:
    """Removes files that killed processes left in a folder, and below, unless they are in use."""
    for place in folder.rglob(".*.tmp"):
        if is_leftover(place.name):
            with contextlib.suppress(OSError):
                place.unlink()


@contextlib.contextmanager
def atomic_path(path: Path, *, error: MakeError = RunError) -> Iterator[Path]:
    """Gives a path to write to; what is written takes its place when the block ends without error.

    The file is made with the mode that the umask leaves, is on the disk before it gets its name,
    and no two writers share a temporary one. Files of killed writers of it are removed.

    Args:
        path: The final path of the file.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it cannot be written; the old file is untouched.
    """
    # The name is cut: with its ending it must not be longer than the system allows.
    start = f".{path.name[:40]}."
    temporary = path.parent / f"{start}{secrets.token_hex(4)}.tmp"
    held = None
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise error(f"{path}: is not a file, and would be replaced by one")
        for left in path.parent.glob(f"{glob.escape(start)}*.tmp"):
            if is_leftover(left.name) and (found := _held(left)) is not None:
                with contextlib.suppress(OSError):
                    left.unlink()
                os.close(found)
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        held = _held(temporary)
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        raise error(f"{path}: cannot be written ({why(problem)})") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if held is not None:
            os.close(held)


def _held(path: Path) -> int | None:
    """A descriptor that marks a file as in use; None if it has another's mark, or none can be.

    Windows, where files in use have one of the system, cannot remove what it holds open.
    """
    try:
        import fcntl
    except ImportError:
        return None
    found = None
    try:
        found = os.open(path, os.O_RDONLY)
        fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if found is not None:
            os.close(found)
        return None
    return found


@contextlib.contextmanager
def atomic_write(path: Path, *, error: MakeError = RunError) -> Iterator[IO[str]]:
    """Opens a text file that takes its place only when it is complete; see `atomic_path`.

    Line ends are written as they are given, and lone surrogates as escapes.
    """
    with (
        atomic_path(path, error=error) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        yield file


def write_text(path: Path, text: str, *, error: MakeError = RunError) -> None:
    """Writes a text file, whole or not at all; see `atomic_write`."""
    with atomic_write(path, error=error) as file:
        file.write(text)


def why(problem: OSError) -> str:
    """Returns the system's message; numpy's message on a full disk only has the size it wrote."""
    full = "requested and" in str(problem)
    return problem.strerror or ("No space left on device" if full else str(problem))


def make_folder(path: Path, *, error: MakeError = RunError) -> None:
    """Makes a folder that can be written.

    Raises:
        Exception: Made by `error`, if it cannot be.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise error(f"{path}: is a file, not a folder; choose another --out") from None
    except OSError as problem:
        raise error(f"{path}: cannot be written ({problem.strerror or problem})") from None
    if not os.access(path, os.W_OK):
        raise error(f"{path}: cannot be written (permission denied); choose another --out")


def cache_folder() -> Path:
    """Returns the folder of answers that several projects of a user share."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "dfactscore"
