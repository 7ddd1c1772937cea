"""How fast a dump is read, with bare bz2, a bare read and iterparse beside it.

    python benchmarks/dump_speed.py --megabytes 200 [--keep FOLDER] [--dump enwiki-….xml.bz2]

Writes an invented dump whose pages have the sizes and the kinds (articles, redirects,
disambiguation pages) of an encyclopedia, and reads it plain, as one bz2 stream and as a
multistream file. Every figure is the median of several rounds in which the compared readings take
turns, so that a noisy machine disturbs them alike; what one process does is counted in its own
CPU time, what two do by the clock. MB are millions of bytes of XML.
"""

from __future__ import annotations

import argparse
import bz2
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import dump_speed  # itself, as other processes find it

from dfactscore.ambigbio.dump import Span, read_site, spans
from dfactscore.ambigbio.languages import language
from dfactscore.ambigbio.multistream import over_parts, scan_part
from dfactscore.workers import open_executor

FULL_XML = 110e9
FULL_BZ2 = 26e9


def write_xml(path: Path, size: int) -> None:
    draw = random.Random(7)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    weights = [12, 9, 8, 8, 7, 7, 6, 6, 6, 4, 4, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]
    words = ["".join(draw.choices(letters, weights, k=draw.randint(2, 11))) for _ in range(60_000)]
    ranks = [1 / (rank + 3) for rank in range(len(words))]

    def sentence() -> str:
        picked = draw.choices(words, ranks, k=draw.randint(8, 30))
        if draw.random() < 0.5:
            picked[3] = f"[[{picked[3].title()} {picked[4]}|{picked[5]}]]"
        if draw.random() < 0.3:
            picked.append(
                f"&lt;ref name=&quot;r{draw.randint(1, 99)}&quot;&gt;{{{{cite web |url=https://"
                f"{picked[0]}.org/{draw.randint(1, 10**6)} |title={picked[1]}}}}}&lt;/ref&gt;"
            )
        return " ".join(picked).capitalize() + "."

    pool = [sentence() for _ in range(40_000)]
    written = 0
    with path.open("w", encoding="utf-8") as out:
        out.write(
            '<mediawiki xml:lang="en"><siteinfo><base>https://en.wikipedia.org/wiki/Main_Page</base>'
            '<namespaces><namespace key="14">Category</namespace></namespaces></siteinfo>\n'
        )
        number = 0
        while written < size:
            number += 1
            title = f"{draw.choice(words).title()} {draw.choice(words).title()} {number}"
            redirect = ""
            kind = draw.random()
            if kind < 0.5:
                target = f"{draw.choice(words).title()} {draw.randint(1, 10**6)}"
                redirect = f'    <redirect title="{target}" />\n'
                text = f"#REDIRECT [[{target}]]\n\n{{{{R from move}}}}"
            elif kind < 0.505:
                lines = "\n".join(
                    f"* [[{title} ({job})]] (born 19{job}0), {draw.choice(words)}"
                    for job in range(5)
                )
                text = f"'''{title}''' may refer to:\n{lines}\n\n{{{{hndis}}}}"
            else:
                length = max(300, int(draw.lognormvariate(8.2, 1.1)))
                parts: list[str] = []
                while length > 0:
                    parts.append(draw.choice(pool))
                    length -= len(parts[-1])
                text = " ".join(parts) + "\n[[Category:1950 births]]"
            page = (
                f"  <page>\n    <title>{title}</title>\n    <ns>0</ns>\n    <id>{number}</id>\n"
                f"{redirect}    <revision>\n      <id>{number + 10**9}</id>\n"
                f"      <parentid>{number + 10**8}</parentid>\n"
                "      <timestamp>2026-01-01T00:00:00Z</timestamp>\n      <contributor>\n"
                f"        <username>User{number % 991}</username>\n"
                f"        <id>{number % 991}</id>\n"
                "      </contributor>\n      <model>wikitext</model>\n"
                "      <format>text/x-wiki</format>\n"
                f'      <text bytes="{len(text)}" xml:space="preserve">{text}</text>\n'
                f"      <sha1>{draw.getrandbits(150):031x}</sha1>\n    </revision>\n  </page>\n"
            )
            out.write(page)
            written += len(page)
        out.write("</mediawiki>\n")


def write_bz2(xml: Path, single: Path, multi: Path) -> None:
    with single.open("wb") as out:
        out.write(bz2.compress(xml.read_bytes(), 9))
    data = xml.read_bytes()
    with multi.open("wb") as out:
        start = data.index(b"  <page>")
        out.write(bz2.compress(data[:start]))
        while True:
            end = start
            for _ in range(100):
                found = data.find(b"</page>\n", end)
                if found < 0:
                    break
                end = found + len(b"</page>\n")
            if end == start:
                break
            out.write(bz2.compress(data[start:end]))
            start = end
        out.write(bz2.compress(data[start:]))


def bare_read(path: Path) -> None:
    with path.open("rb") as file:
        while file.read(4 << 20):
            pass


def bare_bz2(path: Path) -> None:
    with bz2.open(path) as file:
        while file.read(4 << 20):
            pass


def iterparse(path: Path) -> None:
    events = ElementTree.iterparse(path, events=("start", "end"))
    _, root = next(events)
    for event, element in events:
        if event == "end" and element.tag.endswith("page"):
            root.clear()


def scan(path: Path, processes: int = 1, parts: int = 1) -> None:
    size = path.stat().st_size
    pieces: list[Span] = spans(path, size // parts + 1)
    work = partial(scan_part, words=language("en"), site=read_site(path))
    with open_executor(processes) as executor:
        for _ in over_parts(work, pieces, executor):
            pass


def timed(span: Span) -> tuple[int, float]:
    start = time.process_time()
    scan_part(span, words=language("en"), site=read_site(span.path))
    return os.getpid(), time.process_time() - start


def busiest(path: Path, processes: int, parts: int) -> float:
    """CPU seconds of the process that works most: the wall time on cores of their own."""
    busy: dict[int, float] = {}
    own = time.process_time()
    pieces = spans(path, path.stat().st_size // parts + 1)
    with open_executor(processes) as executor:
        for _, (pid, seconds) in over_parts(dump_speed.timed, pieces, executor):
            busy[pid] = busy.get(pid, 0.0) + seconds
    own = time.process_time() - own
    return max(own, *busy.values())


def rounds(
    count: int, clock: Callable[[], float] = time.process_time, **work: Callable[[], None]
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in work}
    for number in range(count):
        order = list(work) if number % 2 == 0 else list(reversed(work))
        for name in order:
            start = clock()
            work[name]()
            times[name].append(clock() - start)
    return times


def packed_pieces(plain: Path, folder: Path, count: int) -> tuple[dict[str, list[float]], int]:
    """Bare bz2 and this on dumps of 5 MB, in turns: each pair is measured within a second."""
    size = 5 * 10**6
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    with plain.open("rb") as file:
        head = file.read(1000)
        head = head[: head.index(b"  <page>")]
        for number in range(4):
            file.seek(number * plain.stat().st_size // 4)
            data = file.read(size)
            data = data[data.index(b"  <page>") : data.rindex(b"</page>") + 8]
            piece = folder / f"piece{number}.xml.bz2"
            piece.write_bytes(bz2.compress(head + data + b"</mediawiki>\n"))
            for _ in range(count):
                found = rounds(2, bare=lambda: bare_bz2(piece), ours=lambda: scan(piece))  # noqa: B023
                for name, values in found.items():
                    times[name] += values
    return times, size


def ratio(times: dict[str, list[float]], above: str, below: str) -> float:
    pairs: Iterator[tuple[float, float]] = zip(times[above], times[below], strict=True)
    return statistics.median(a / b for a, b in pairs)


def memory(path: Path) -> float:
    """Peak memory in MB of a process of its own that scans a dump into its cache."""
    code = (
        "import resource, sys, tempfile; from pathlib import Path\n"
        "from dfactscore.ambigbio.dump_source import DumpSource\n"
        "from dfactscore.ambigbio.languages import language\n"
        "with tempfile.TemporaryDirectory() as place:\n"
        "    source = DumpSource(Path(sys.argv[1]), language('en'), cache=Path(place, 'store'))\n"
        "    source.list_names()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="folder for the files; kept and used again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = arguments.keep or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        report(folder, arguments.megabytes * 10**6, arguments.rounds)


def report(folder: Path, size: int, count: int) -> None:
    plain, half = folder / f"{size}.xml", folder / f"{size}-half.xml"
    single, multi = folder / f"{size}.xml.bz2", folder / f"{size}-multistream.xml.bz2"
    if not multi.exists():
        write_xml(plain, size)
        write_xml(half, size // 2)
        write_bz2(plain, single, multi)
    total = plain.stat().st_size
    packed = single.stat().st_size
    print(
        f"{total / 1e6:.0f} MB of XML, bz2 {packed / 1e6:.0f} MB ({total / packed:.2f} : 1); "
        f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {count} rounds, medians"
    )
    times = rounds(
        count, read=lambda: bare_read(plain), ours=lambda: scan(plain),
        iterparse=lambda: iterparse(plain),
    )  # fmt: skip

    def speed(values: list[float]) -> float:
        return total / 1e6 / statistics.median(values)

    plain_speed = speed(times["ours"])
    print("\nplain XML, one process (bar: 35 MB/s)")
    for name, label in (("read", "bare read"), ("iterparse", "iterparse"), ("ours", "this")):
        low, high = total / 1e6 / max(times[name]), total / 1e6 / min(times[name])
        print(f"  {label:12} {speed(times[name]):8.0f} MB/s   ({low:.0f} to {high:.0f})")
    packed_times, piece_size = packed_pieces(plain, folder, count)
    shares = sorted(a / b for a, b in zip(*packed_times.values(), strict=True))
    print("\none bz2 stream, one process (bar: 80 % of bare bz2)")
    for name, label in (("bare", "bare bz2"), ("ours", "this")):
        print(f"  {label:12} {piece_size / 1e6 / statistics.median(packed_times[name]):8.1f} MB/s")
    print(
        f"  share of bare bz2: median {statistics.median(shares):.1%} of {len(shares)} pairs, "
        f"quartiles {shares[len(shares) // 4]:.1%} and {shares[-len(shares) // 4]:.1%}"
    )
    multi_times = rounds(
        count, time.perf_counter, bare=lambda: bare_bz2(multi), one=lambda: scan(multi, 1, 24),
        two=lambda: scan(multi, 2, 24),
    )  # fmt: skip
    gain = ratio(multi_times, "one", "two")
    shares = [busiest(multi, 1, 24) / busiest(multi, 2, 24) for _ in range(count)]
    own = statistics.median(shares)
    print("\nmultistream, 100 pages a stream (bar: two processes 1.7 times as fast as one)")
    print(f"  bare bz2     {speed(multi_times['bare']):8.1f} MB/s")
    print(f"  one process  {speed(multi_times['one']):8.1f} MB/s")
    print(
        f"  two          {speed(multi_times['two']):8.1f} MB/s   {gain:.2f} times one by the clock"
    )
    print(
        f"  two          {own:.2f} times one in CPU time of the busier process "
        f"(load average {os.getloadavg()[0]:.1f}: what the clock gives on idle cores)"
    )
    print("\npeak memory of one process (flat)")
    for path in (half, plain):
        print(f"  {path.stat().st_size / 1e6:6.0f} MB of XML: {memory(path):.0f} MB")
    print(f"  parent here: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")
    alone = rounds(count, one=lambda: scan(multi, 1, 24))
    hours = FULL_XML / 1e6 / speed(alone["one"]) / 3600
    print(
        f"\nfull English dump, about {FULL_XML / 1e9:.0f} GB of XML: one pass {hours:.1f} h with "
        f"one process, {hours / own:.1f} h with two, {FULL_XML / 1e6 / plain_speed / 60:.0f} min "
        "unpacked with one"
    )


if __name__ == "__main__":
    from running import run

    run(main)
