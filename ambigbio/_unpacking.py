"""Unpacks parts of a bz2 file independently: by its streams, or by the blocks of one stream.

A file in one stream consists of blocks of up to 900 kB, each of which begins at any bit with the
same 48 bits. With a header before it and an end after it, a block is a stream of its own, so that
several processes can unpack one stream. The checksum of each block is verified, whereas the
checksum of the whole stream is not.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dfactscore.ambigbio._errors import AmbigBioError

_STREAM_MAGIC = re.compile(rb"BZh[1-9]1AY&SY")
_READ = 1 << 20  # bytes read at a time
_BLOCK_MARK = 0x314159265359
_END_MARK = 0x177245385090
_MARK_BITS = 48
_CRC_BITS = 32
_MOST_JOINED = 3  # blocks; the bits of a mark may also occur by chance within a block


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a dump file, made up of the streams, blocks or pages that begin in it."""

    path: Path
    start: int  # position of the first byte
    end: int  # position of the first byte after the part
    by_block: bool = False  # whether the file is a single bz2 stream, which is read by its blocks


def broken(path: Path, error: Exception | str, offset: int) -> AmbigBioError:
    return AmbigBioError(
        f"{path} breaks off or is damaged near byte {offset} ({error}): compare its size and "
        "checksum with the download page, and fetch it again"
    )


def _first_stream(file: IO[bytes], span: Span) -> int | None:
    """Returns the position of the first bz2 stream that begins in a span."""
    file.seek(span.start)
    position, tail = span.start, b""
    while position < span.end + 9:
        block = file.read(_READ)
        if not block:
            return None
        match = _STREAM_MAGIC.search(tail + block)
        if match:
            begin = position - len(tail) + match.start()
            return begin if begin < span.end else None
        tail = (tail + block)[-9:]
        position += len(block)
    return None


def is_multistream(path: Path) -> bool:
    """Whether a bz2 file has several streams, at least in its first 64 MB."""
    with path.open("rb") as file:
        return _first_stream(file, Span(path, 1, min(path.stat().st_size, 64 << 20))) is not None


def bz2_blocks(span: Span) -> Iterator[tuple[bytes, bool]]:
    """Yields unpacked bytes from a position on, each with whether they belong to the span."""
    return _from_blocks(span) if span.by_block else _from_streams(span)


def _from_streams(span: Span) -> Iterator[tuple[bytes, bool]]:
    """Yields blocks from the streams that begin in a span, then from subsequent streams."""
    with span.path.open("rb") as file:
        begin = _first_stream(file, span)
        if begin is None:
            return
        file.seek(begin)
        decoder = bz2.BZ2Decompressor()
        stream_start = begin
        read_to = begin
        data = b""
        while True:
            if decoder.eof:
                data = decoder.unused_data
                stream_start = read_to - len(data)
                decoder = bz2.BZ2Decompressor()
                if not data:
                    data = file.read(_READ)
                    read_to += len(data)
                    if not data:
                        return
            elif decoder.needs_input:
                data = file.read(_READ)
                read_to += len(data)
                if not data:
                    raise broken(span.path, "the last stream has no end", read_to)
            else:
                data = b""
            try:
                out = decoder.decompress(data, 4 * _READ)
            except OSError as error:
                raise broken(span.path, error, stream_start) from error
            if out:
                yield out, stream_start < span.end


def _patterns() -> Iterator[tuple[bytes, int, bytes, bool]]:
    """Yields the whole bytes of a mark at each of eight bit positions, with all of its bytes."""
    for mark, ends in ((_BLOCK_MARK, False), (_END_MARK, True)):
        for shift in range(8):
            whole = (mark << (8 - shift)).to_bytes(7, "big") if shift else mark.to_bytes(6, "big")
            yield whole[1:-1] if shift else whole, shift, whole, ends


_PATTERNS = tuple(_patterns())


def _marks_in(data: bytes) -> list[tuple[int, bool]]:
    """Returns the positions in bits of all marks, each with whether it is the end of a stream."""
    marks: list[tuple[int, bool]] = []
    for inner, shift, whole, ends in _PATTERNS:
        at = data.find(inner, 1 if shift else 0)
        while at >= 0:
            if not shift:
                marks.append((at * 8, ends))
            elif at + len(inner) < len(data):
                first, last = data[at - 1] & (0xFF >> shift), data[at + len(inner)]
                if first == whole[0] and last & (0xFF << (8 - shift) & 0xFF) == whole[-1]:
                    marks.append((at * 8 - 8 + shift, ends))
            at = data.find(inner, at + 1)
    return sorted(marks)


def _marks(file: IO[bytes], start: int) -> Iterator[tuple[int, bool]]:
    """Yields the marks that begin at a byte or after it, as in `_marks_in`."""
    file.seek(start)
    data, at, done = b"", start, -1
    while block := file.read(_READ):
        data += block
        for place, ends in _marks_in(data):
            if at * 8 + place > done:
                done = at * 8 + place
                yield done, ends
        at, data = at + max(len(data) - 7, 0), data[-7:]


def _block(file: IO[bytes], begin: int, end: int) -> bytes:
    """Returns the bits of a block as a stream of its own."""
    file.seek(begin // 8)
    last = -(-end // 8)
    bits = int.from_bytes(file.read(last - begin // 8), "big") >> (last * 8 - end)
    bits &= (1 << (end - begin)) - 1
    crc = bits >> (end - begin - _MARK_BITS - _CRC_BITS) & ((1 << _CRC_BITS) - 1)
    whole = bits << (_MARK_BITS + _CRC_BITS) | _END_MARK << _CRC_BITS | crc
    size = end - begin + _MARK_BITS + _CRC_BITS
    return b"BZh9" + (whole << -size % 8).to_bytes(-(-size // 8), "big")


def _from_blocks(span: Span) -> Iterator[tuple[bytes, bool]]:
    """Unpacks the blocks that begin in a span, then subsequent blocks."""
    begin: int | None = None
    problem: Exception | None = None
    joined = 0
    with span.path.open("rb") as marked, span.path.open("rb") as file:
        for place, ends in _marks(marked, span.start):
            if begin is not None:
                try:
                    out = bz2.decompress(_block(file, begin, place))
                except (OSError, ValueError) as error:
                    problem, joined = problem or error, joined + 1
                    if joined == _MOST_JOINED:
                        break
                    continue
                yield out, begin < span.end * 8
            begin, joined, problem = None if ends else place, 0, None
    if begin is not None:
        raise broken(span.path, problem or "the last stream has no end", begin // 8) from problem
