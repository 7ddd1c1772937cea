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
    """Opens a file for reading, decompressing it if its name ends in ``.gz``."""
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


_SHIPPED = contextlib.ExitStack()  # files extracted for this process
atexit.register(_SHIPPED.close)


def shipped(package: str, name: str) -> Path:
    """Returns the path of a package's data file, extracting the file if the package is zipped."""
    from importlib.resources import as_file, files

    return _SHIPPED.enter_context(as_file(files(package).joinpath(name)))


def read_bytes(path: Path, *, error: MakeError) -> bytes:
    """Reads a whole file, decompressing it if its name ends in ``.gz``."""
    most, blocks, size = largest_file(), [], 0
    with _opened(path, error) as file:
        while block := file.read(min(_WHOLE, most + 1 - size)):
            blocks.append(block)
            size += len(block)
            if size > most or os.fstat(file.fileno()).st_size > most:
                raise too_large(path, error=error)
    return b"".join(blocks)


def digest(path: Path, pattern: str = "*", *, error: MakeError = RunError) -> str:
    """Returns the SHA-256 of a file, or of the names and contents of all files in a folder."""
    total = hashlib.sha256()
    files = sorted(p for p in path.rglob(pattern) if p.is_file()) if path.is_dir() else [path]
    for file in files:
        check_regular(file, error=error)
        total.update(f"{file.relative_to(path)}\0".encode("utf-8", "replace"))
        _add(total, file, error)
    return total.hexdigest()


def sha256(path: Path, *, error: MakeError = RunError) -> str:
    """Returns the SHA-256 of a file's content, as ``sha256sum`` prints it."""
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
    """Decodes UTF-8 and removes the byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(
            f"{name}:{line}: not UTF-8 (byte {problem.start}); convert it first (iconv -t utf-8)"
        ) from None


def read_text(path: Path, *, error: MakeError) -> str:
    r"""Reads a UTF-8 text file without its byte order mark; all line endings become ``\n``."""
    text = decode(read_bytes(path, error=error), path, error=error)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def dump_json(value: Any, *, indent: int | None = None, keep_surrogates: bool = True) -> str:
    """Formats a value as JSON; equal values yield identical bytes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    if not keep_surrogates:
        return _SURROGATE.sub("\ufffd", text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def is_leftover(name: str) -> bool:
    """Whether a name is that of a temporary file that `atomic_path` left in a killed process."""
    return _LEFTOVER.fullmatch(name) is not None


def remove_leftovers(folder: Path) -> None:
    """Removes the temporary files that killed processes left in a folder and its subfolders."""
    for place in folder.rglob(".*.tmp"):
        if is_leftover(place.name):
            with contextlib.suppress(OSError):
                place.unlink()


@contextlib.contextmanager
def atomic_path(path: Path, *, error: MakeError = RunError, synced: bool = True) -> Iterator[Path]:
    """Yields a temporary path; its file replaces the final one if the block ends without an error.

    Each writer has its own temporary file, created with the mode that the umask allows and synced
    to disk before it is renamed. Temporary files of killed writers are removed.
    """
    # Truncated, as systems limit the length of file names.
    start = f".{path.name[:40]}."
    temporary = path.parent / f"{start}{secrets.token_hex(4)}.tmp"
    lock = None
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise error(f"{path}: is not a file, and would be replaced by one")
        for leftover in path.parent.glob(f"{glob.escape(start)}*.tmp"):
            if is_leftover(leftover.name) and (unused := _locked(leftover)) is not None:
                with contextlib.suppress(OSError):
                    leftover.unlink()
                os.close(unused)
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        lock = _locked(temporary)
        yield temporary
        if synced:
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        raise error(f"{path}: cannot be written ({why(problem)})") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if lock is not None:
            os.close(lock)


def _locked(path: Path) -> int | None:
    """Locks a file and returns its descriptor, or None if another process has the lock.

    Also returns None on Windows, where open files cannot be removed anyway.
    """
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = None
    try:
        descriptor = os.open(path, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if descriptor is not None:
            os.close(descriptor)
        return None
    return descriptor


@contextlib.contextmanager
def atomic_write(
    path: Path, *, error: MakeError = RunError, synced: bool = True
) -> Iterator[IO[str]]:
    """Opens a text file that replaces the old one when it is complete; see `atomic_path`.

    Line endings are not translated; lone surrogates are written as escapes.
    """
    with (
        atomic_path(path, error=error, synced=synced) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        yield file


def write_text(path: Path, text: str, *, error: MakeError = RunError) -> None:
    """Writes a text file atomically; see `atomic_write`."""
    with atomic_write(path, error=error) as file:
        file.write(text)


def why(problem: OSError) -> str:
    """Returns the system's message for an error, even if the disk is full, which numpy hides."""
    full = "requested and" in str(problem)
    return problem.strerror or ("No space left on device" if full else str(problem))


def make_folder(path: Path, *, error: MakeError = RunError) -> None:
    """Creates a folder if it does not exist and checks that it is writable."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise error(f"{path}: is a file, not a folder; choose another --out") from None
    except OSError as problem:
        raise error(f"{path}: cannot be written ({problem.strerror or problem})") from None
    if not os.access(path, os.W_OK):
        raise error(f"{path}: cannot be written (permission denied); choose another --out")


def cache_folder() -> Path:
    """Returns the user's folder for cached answers, which all projects share."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "dfactscore"
