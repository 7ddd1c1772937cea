"""Reads files within limits, writes them atomically, locks them, and checks output paths."""

from __future__ import annotations

import atexit
import bz2
import contextlib
import errno
import glob
import gzip
import hashlib
import io
import json
import os
import re
import secrets
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, cast

from dfactscore._errors import InputError, RunError
from dfactscore._util.message_text import near_file
from dfactscore._util.reporting import MakeError

LONGEST_LINE = 64 << 20
_LARGEST, _VARIABLE = 256, "DFACTSCORE_LARGEST_FILE"  # in MiB
_PACKED = 200  # gzip compresses texts to about a twentieth of their size, never to a 200th
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def largest_file() -> int:
    """Returns the maximum size in bytes of a file read at once; a variable can set it."""
    value = os.environ.get(_VARIABLE, "")
    return (int(value) if value.isdecimal() and value.isascii() else _LARGEST) << 20


def too_large(path: object, *, packed: int = 0, error: MakeError) -> Exception:
    """Returns the error for a file that is larger than `largest_file`."""
    most = largest_file() >> 20
    is_packed = f"unpacks to {packed >> 20} MiB, " if packed else ""
    return error(
        f"{path}: {is_packed}larger than the {most} MiB that are held at once; "
        f"{_VARIABLE}={2 * most} reads files of up to {2 * most} MiB"
    )


def check_regular(path: Path, *, error: MakeError) -> None:
    """Rejects folders, devices, sockets and named pipes; pipes created by a shell are allowed."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    kind = _KINDS.get(stat.S_IFMT(mode))
    # For <(command) and |, a command writes to the pipe; opening a named pipe may block forever.
    if kind and not (stat.S_ISFIFO(mode) and path.as_posix().startswith(("/dev/", "/proc/"))):
        raise error(f"{path}: is {kind}, not a file")


def check_zip(file: IO[bytes] | Path, path: Path, *, error: MakeError) -> None:
    """Rejects a zip file that unpacks to more than `largest_file`; ignores files of other types."""
    try:
        with zipfile.ZipFile(file) as opened:
            size = sum(member.file_size for member in opened.infolist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return
    if size > largest_file():
        raise too_large(path, packed=size, error=error)


class Bounded(io.RawIOBase):
    """Reads the bytes of a file; rejects it if a line or the decompressed content is too long."""

    def __init__(self, file: IO[bytes], path: Path, *, error: MakeError) -> None:
        self._file, self._path, self._error = file, path, error
        self._line, self._since, self._total = 1, 0, 0
        packed = path.suffix == ".gz"
        self._most = max(largest_file(), _PACKED * path.stat().st_size) if packed else None

    def readable(self) -> bool:
        """Whether the file is readable; always true."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Reads bytes into a buffer and returns their number."""
        count: int = self._file.readinto(buffer)  # type: ignore[attr-defined]
        block = bytes(buffer[:count])
        self._total += count
        last = block.rfind(b"\n")
        if self._since + (count if last < 0 else block.find(b"\n")) > LONGEST_LINE:
            raise self._error(
                f"{self._path}:{self._line}: longer than {LONGEST_LINE >> 20} MiB; no line of "
                "records or of a table is"
            )
        self._line += block.count(b"\n")
        self._since = self._since + count if last < 0 else count - last - 1
        if self._most is not None and self._total > self._most:
            raise self._error(
                f"{self._path}: unpacks to more than {_PACKED} times its size; unpack it first "
                "(gunzip) if you trust it"
            )
        return count


_SURROGATE = re.compile("[\ud800-\udfff]")
_BLOCK = 1 << 17
_WHOLE = 1 << 24
_LEFTOVER = re.compile(r"\..+\.[0-9a-f]{8}\.tmp", re.DOTALL)


@contextlib.contextmanager
def open_bytes(path: Path, *, error: MakeError) -> Iterator[IO[bytes]]:
    """Opens a file for reading, decompressing it if its name ends in ``.gz`` or ``.bz2``."""
    with _opened(path, error) as file, Bounded(file, path, error=error) as bounded:
        yield io.BufferedReader(bounded, _BLOCK)


_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open}


@contextlib.contextmanager
def _opened(path: Path, error: MakeError) -> Iterator[IO[bytes]]:
    check_regular(path, error=error)
    try:
        with _OPENERS.get(path.suffix, open)(path, "rb") as file:
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
    """Reads a whole file, decompressing it if its name ends in ``.gz`` or ``.bz2``."""
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


# Errors of network drives that do not support locks.
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP})


class WriteLock:
    """An exclusive lock that the system releases when the process ends.

    The empty lock file is never removed, since removing it could admit two writers. On drives that
    do not support locks, every writer is admitted.
    """

    def __init__(self, path: Path, what: str, *, error: MakeError = RunError) -> None:
        from filelock import FileLock, Timeout

        self._lock = FileLock(path, timeout=0, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            problem = "another process is writing it" if path.exists() else "cannot be written"
            raise error(f"{what}: {problem}") from None
        except OSError as fault:
            if fault.errno not in _NO_LOCKS:
                raise error(f"{what}: cannot be written ({fault.strerror})") from None

    def release(self) -> None:
        """Releases the lock; a second call does nothing."""
        self._lock.release()

    def __enter__(self) -> WriteLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


Kind = Literal[
    "alce", "ambigfactor", "answer_texts", "answers", "audit", "citations", "comparison",
    "correction", "dataset", "dataset_csv", "dataset_log", "dataset_pages", "factor",
    "factor_items", "figure", "graphml", "longfact", "mixing", "report", "spans",
    "study_answers", "study_report",
]  # fmt: skip
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_ITEM = rf'\{{"id": {_TEXT}, "document": {_TEXT}, "prefix": '
# The beginning of each type of file; a file that begins differently is not from this package.
_BEGINNINGS: dict[Kind, str] = {
    "alce": r'\{\s*"args": \{[^{}]*"(?:generator|mode|engine|endpoint)"',
    "spans": rf'\{{"id": {_TEXT}, "name": {_TEXT}, "model": {_TEXT}, "response": ',
    "ambigfactor": rf'{_ITEM}|\{{\s*"command": "factor ambig"',
    "answer_texts": r"run,id,name,model,answer,",
    "answers": r'\{"created": \d+, "endpoint"',
    "audit": r'(?:\xef\xbb\xbf)?"?page"?,"?url"?,"?kind"?,',
    "citations": r'\{(?:"key": "\w*", )?"id": [^\n]*"(?:citation_recall|status)"',
    "comparison": (
        r"\s*(?:run\s+n\s+FS|(?:\*\*[^\n]*\*\*\s+)?\|[^\n]*\| run \| n \|"
        r"|% \\usepackage\{booktabs\}"
        r'|model,n,answered|first,second,measure|\{\s*"confidence")'
    ),
    "correction": r'Corrected by |\*\*Corrected by|run,measure,texts,labels,|\{\s*"runs": \[',
    "dataset": r'\{"format": "ambigbio"',
    "dataset_csv": r"name,entities\r?\n",
    "dataset_log": rf'\{{"title": {_TEXT}, "kept": ',
    "dataset_pages": rf'\{{"title": {_TEXT}, "text": {_TEXT}, "id": "\d+", "url": ',
    "factor": (
        r"run\s+context\s+items|run,context,|first,second,context"
        r'|\{\s*"levels": \['
    ),
    "factor_items": rf'{_ITEM}|\{{\s*"command": "factor build"',
    "figure": r"\x89PNG|%PDF|<\?xml[^>]*>\s*<!DOCTYPE svg|<svg",
    "graphml": r"(?:<\?xml[^>]*>\s*)?<graphml",
    "longfact": (
        rf'\{{"id": "(?:objects|concepts)-[0-9a-f]{{10}}", "prompt": {_TEXT}, "task": '
        r'|\{\s*"source": \{\s*"longfact-'
    ),
    "mixing": (
        r'id,name,(?:model,layout,views,)?n_named|\{\s*"min_foreign"|% \\usepackage\{booktabs\}'
        r"|\| (?:model|number|popularity|layout) \| n \| mixed \|"
    ),
    "report": r"(?s).*D-FActScore report</title>",
    "study_answers": (
        rf'\{{"study": "\w+", "item": |\{{"topic": {_TEXT}, "output": {_TEXT}, "annotations": '
        r'|\[\s*\{\s*"data": \{\s*"item": |<View>\s*<Header value="\$name"/>'
    ),
    "study_report": (
        r"# Annotation report|<!doctype html>[\s\S]*<title>Annotation report"
        r'|\{\s*"study": "\w+",\s*"blind": '
    ),
}
_HEAD_BYTES = 1 << 20  # the first line may contain a whole page


def check_output(
    path: Path | None,
    kind: Kind,
    *,
    inputs: Iterable[Path | str | None] = (),
    force: bool = False,  # whether a file of another type may be replaced, unless it is an input
    named: str = "--out",
    error: MakeError = InputError,
) -> None:
    """Checks, before any work, that a command may write to a file."""
    if path is None:
        return
    if path.name.startswith("-"):
        raise error(f"{named}: needs a file, found the option {path} (a file: ./{path})")
    if path.is_dir():
        raise error(f"{path}: is a folder; {named} names a file")
    folder = path.parent
    if not folder.is_dir():
        raise error(f"{folder}: no such folder; create it first (mkdir -p {folder})")
    if not path.exists():
        if not os.access(folder, os.W_OK):
            raise error(f"{path}: cannot be written (permission denied); choose another {named}")
        return
    known = _is_kind(path, kind)
    refuse_input(path, inputs, folders=not known, named=named, error=error)
    if not (known or force):
        raise error(
            f"{path}: exists, and was not written by this command; choose another {named}, or "
            "give --overwrite to replace it"
        )


def refuse_input(
    path: Path | None,
    inputs: Iterable[Path | str | None],
    *,
    folders: bool = True,
    named: str = "--out",
    error: MakeError = InputError,
) -> None:
    """Refuses to write to an existing file that the command reads."""
    if path is None or not path.exists():
        return
    for place in inputs:
        if place is None or not Path(place).exists():
            continue
        inside = Path(place).is_dir() and path.resolve().is_relative_to(Path(place).resolve())
        if os.path.samefile(path, place) or (folders and inside):
            raise error(f"{path}: is read by this command; choose another {named}")


def _is_kind(path: Path, kind: Kind) -> bool:
    if not path.is_file():  # reading a pipe would block
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    return not head.strip() or re.match(_BEGINNINGS[kind].encode(), head) is not None
