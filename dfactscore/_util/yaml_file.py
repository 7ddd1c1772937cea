"""Reads settings from YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dfactscore._util.callbacks import MakeError
from dfactscore._util.files import decode, open_bytes

# Limits the values repeated by aliases: a few lines can expand to millions of values.
_MOST = 10_000
_LARGEST = 2**18
_DEEPEST = 100
_LONGEST_NUMBER = 300  # characters; Python does not write whole numbers of more than 4,300 digits
_TAG = "tag:yaml.org,2002:"
_TRUTH, _TEXT = f"{_TAG}bool", f"{_TAG}str"
_PLAIN = {
    f"{_TAG}{kind}" for kind in ("null", "bool", "str", "int", "float", "seq", "map", "merge")
}


def read_yaml(path: Path, *, error: MakeError) -> Any:
    """Reads a YAML file; see `parse_yaml`."""
    with open_bytes(path, error=error) as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise _too_large(path, error)
    return parse_yaml(decode(data, path, error=error), path, error=error)


def parse_yaml(text: str, name: object, *, error: MakeError) -> Any:
    """Reads a YAML document that contains only plain data."""
    import yaml

    if len(text) > _LARGEST:
        raise _too_large(name, error)
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, name, error)
        return loader.construct_document(node)
    except yaml.reader.ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        raise error(f"{name}:{line}: not valid YAML ({problem.reason})") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark else str(name)
        reason = getattr(problem, "problem", None) or " ".join(str(problem).split())
        raise error(f"{where}: not valid YAML ({reason})") from None
    except RecursionError:
        raise error(f"{name}: nested more than {_DEEPEST} levels deep") from None
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        # The constructors for dates, numbers and booleans do not check the text.
        raise error(f"{name}: not valid YAML (a value is not of its type: {problem})") from None


def _too_large(name: object, error: MakeError) -> Exception:
    return error(f"{name}: larger than {_LARGEST // 2**10} KiB; files of settings are small")


def _check(root: Any, name: object, error: MakeError) -> None:
    """Checks all nodes; the nodes of an alias count each time it is used."""
    waiting = [(root, 0)]
    count = 0
    while waiting:
        node, depth = waiting.pop()
        count += 1
        where = f"{name}:{node.start_mark.line + 1}"
        if depth > _DEEPEST:
            raise error(f"{where}: nested more than {_DEEPEST} levels deep")
        if count > _MOST:
            raise error(f"{where}: aliases make more than {_MOST:,} values of this file")
        _check_value(node, where, error)
        if node.id == "sequence":
            waiting += [(item, depth + 1) for item in node.value]
        elif node.id == "mapping":
            seen = set()
            for key, value in node.value:
                if (
                    key.id == "scalar"
                    and key.value in seen
                    and key.tag != "tag:yaml.org,2002:merge"
                ):
                    line = key.start_mark.line + 1
                    raise error(f"{name}:{line}: the key {key.value!r:.60} is repeated")
                if key.tag == _TRUTH:
                    key.tag = _TEXT  # an "on" or "no" key is a word
                seen.add(key.value if key.id == "scalar" else id(key))
                waiting += [(key, depth + 1), (value, depth + 1)]


def _check_value(node: Any, where: str, error: MakeError) -> None:
    """Rejects values that JSON cannot represent; dates and base-60 numbers are read as text."""
    kind = node.tag.removeprefix(_TAG)
    if kind == "timestamp" or (kind in ("int", "float") and ":" in node.value):
        node.tag = _TEXT
    elif kind in ("int", "float") and len(node.value) > _LONGEST_NUMBER:
        raise error(f"{where}: a number of {len(node.value):,} characters; no setting is so large")
    elif kind == "float" and node.value.lower().lstrip("+-") in (".inf", ".nan"):
        raise error(f"{where}: {node.value} is not a finite number")
    elif node.tag not in _PLAIN:
        raise error(f"{where}: {node.tag!r:.60}: only texts, numbers, lists and mappings are read")
