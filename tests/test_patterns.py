"""No pattern of the packages takes more time than its input grows.

The test compares the processor time of this thread for an input with that for four times the input:
the ratio is 4 for a linear pattern, and 16 for a quadratic one.
"""

import ast
import importlib
import re
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
USES = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
RUNS = (
    *(" ", "\n", "1", "A", "a", ".", "(", ")", "[", "]", "{", "<", '"', "'", "-", "*", "_", "|"),
    *("=", ":", "/", "#", " \n", "a\n", "1,", "12 ", "1900 ", ", ", "A. ", "Ann ", "word "),
    *("of the ", "Ann and ", "was born in ", "[1]", "<a>", "<!--", "{{a|", "[[a"),
)
SHORT, LONG = 2000, 8000
LEAST = 0.004  # seconds; a pattern that takes less for 8,000 characters is not quadratic
MOST = 8.0


def modules():
    """Yields the modules of all packages, with their sources."""
    for folder in ("dfactscore", "linking", "retrieval", "ambigbio"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if parts[-1] == "__main__":
                continue
            name = ".".join(parts if folder == "dfactscore" else ("dfactscore", *parts))
            try:
                yield importlib.import_module(name.removesuffix(".__init__")), path
            except ImportError:
                continue  # needs an optional package


def compiled(value):
    """Yields the patterns in a value, also within tuples and dicts."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for part in (*value, *value.values()):
            yield from compiled(part)
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from compiled(part)


def written(node, names):
    """Returns a pattern in the source of a function; values known at run time become names."""
    if isinstance(node, ast.JoinedStr):
        return "".join(written(part, names) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return written(node.value, names)
    value = node.value if isinstance(node, ast.Constant) else None
    value = names.get(node.id) if isinstance(node, ast.Name) else value
    return value if isinstance(value, str) else "Ann"


def patterns():
    """Yields each pattern with its place and its uses in all modules that import it."""
    found: dict[re.Pattern, tuple[str, set[str]]] = {}
    for module, path in modules():
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        uses: dict[str, set[str]] = {}
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses.setdefault(node.value.id, set()).add(node.attr)
        for node in nodes:  # "for pattern in _PATTERNS: pattern.match(...)"
            if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name):
                target = getattr(node.target, "id", "")
                uses.setdefault(node.iter.id, set()).update(uses.get(target, ()))
        for name, value in vars(module).items():
            for pattern in compiled(value):
                used = found.setdefault(pattern, (f"{module.__name__}.{name}", set()))[1]
                used |= uses.get(name, set()) & {*USES}
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                use, of = node.func.attr, getattr(node.func.value, "id", "")
                if (
                    of == "re"
                    and use in USES
                    and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
                ):
                    pattern = re.compile(written(node.args[0], vars(module)))
                    found.setdefault(pattern, (f"{module.__name__}:{node.lineno}", set()))[1].add(
                        use
                    )
    return found


def seconds(pattern, use, text):
    """Returns the processor time of one use: the least of three, if long enough."""
    text = text.encode() if isinstance(pattern.pattern, bytes) else text
    least = float("inf")
    for _ in range(3):
        begun = time.thread_time()
        if use in ("match", "fullmatch"):
            getattr(pattern, use)(text)
        else:
            for _ in pattern.finditer(text):
                pass
        least = min(least, time.thread_time() - begun)
        if least < LEAST:
            break
    return least


def grows_too_fast(pattern, use, unit):
    """Whether four times the input takes more than twice four times the time."""
    text = unit * LONG
    # A cubic pattern shows earlier, and would need minutes for the long input.
    for size in (SHORT // 4, SHORT, LONG):
        longer = seconds(pattern, use, text[:size])
        if longer > 20 * LEAST or (longer > LEAST and size == LONG):
            return longer / seconds(pattern, use, text[: size // 4]) > MOST
    return False


def test_work_grows_as_the_input_does():
    found = patterns()
    fast = []
    for pattern, (where, used) in found.items():
        for use in {u if u in ("match", "fullmatch") else "search" for u in used or ("search",)}:
            units = [unit for unit in RUNS if grows_too_fast(pattern, use, unit)]
            fast += [f"{where} {use} {units}"] if units else []
    assert len(found) > 400
    assert not fast, "\n".join(fast)


@pytest.mark.parametrize(
    ("pattern", "use", "unit", "fast"),
    [
        (r"\s+x", "search", " ", True),
        (r"(?<!\s)\s+x", "search", " ", False),
        (r"\s+x", "match", " ", False),
        (r"\s*\s*x", "match", " ", True),
    ],
)
def test_what_grows_is_seen(pattern, use, unit, fast):
    assert grows_too_fast(re.compile(pattern), use, unit) is fast
