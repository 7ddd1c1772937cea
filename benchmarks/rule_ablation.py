"""Removes conditions of the grouper at random: which removals no golden text notices.

    python benchmarks/rule_ablation.py [--data DIR] [--conditions 200] [--seed 0]

A condition is a cue that a rule needs or must not see, or an operand of "and" or "or" in the code
that finds cues and relations. Each is removed alone; the golden readings of the tests
(`golden_readings.jsonl`) and the labelled real paragraphs are read again. A removal survives
where every golden reading stays as it is; it matters where a real paragraph changes.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import importlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from grouping_labels import load

from dfactscore.engines.builtin.group import paragraph as reader
from dfactscore.engines.builtin.group.rules import RULES, Rule

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/dfactscore/engines/builtin/group/golden_readings.jsonl"
PACKAGE = "dfactscore.engines.builtin.group"
MODULES = ("cast", "subjects", "wordings", "paragraph", "same_name")
Reading = tuple[tuple[int, int, int], ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--conditions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="name the survivors that matter")
    options = parser.parse_args()
    rows = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    golden = [(row["text"], row["name"]) for row in rows]
    texts = load("dev", options.data)[0]
    real = [(text.text, text.name) for text in texts if text.source == "shared"]
    conditions = [*_of_rules(), *_of_code()]
    drawn = random.Random(options.seed).sample(conditions, min(options.conditions, len(conditions)))
    before = _readings(golden), _readings(real)
    survived = mattered = 0
    for condition in drawn:
        noticed, changed = _without(condition, golden, real, before)
        survived += not noticed
        mattered += not noticed and changed > 0
        if options.show and not noticed and changed:
            print(f"  {condition[0]}: {condition[2]} changes {changed} real paragraphs")
    print(
        f"{len(drawn)} of {len(conditions)} conditions removed, each alone: {survived} survive "
        f"the {len(golden)} golden readings; {mattered} of them change one of {len(real)} real "
        "paragraphs"
    )


Condition = tuple[str, Any, str]


def _of_rules() -> Iterator[Condition]:
    for rule in RULES:
        for side in ("needs", "lacks"):
            for cue in sorted(getattr(rule, side)):
                yield rule.id, (side, cue), f"{side} {cue!r}"


def _of_code() -> Iterator[Condition]:
    for name in MODULES:
        module = importlib.import_module(f"{PACKAGE}.{name}")
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        number = 0
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.BoolOp):
                for operand in range(len(node.values)):
                    said = ast.unparse(node.values[operand])
                    yield f"{name}.py:{node.lineno}", (module, source, number, operand), said
                number += 1


def _without(
    condition: Condition,
    golden: list[tuple[str, str]],
    real: list[tuple[str, str]],
    before: tuple[list[Reading | None], list[Reading | None]],
) -> tuple[bool, int]:
    """Whether a golden reading changes without a condition, and how many real ones do."""
    where, what, _ = condition
    if isinstance(what[0], str):
        side, cue = what
        rules = tuple(
            dataclasses.replace(r, **{side: getattr(r, side) - {cue}}) if r.id == where else r
            for r in RULES
        )
        return _compare(golden, real, before, rules)
    module, source, number, operand = what
    kept = dict(vars(module))
    others = {other: dict(vars(importlib.import_module(f"{PACKAGE}.{other}"))) for other in MODULES}
    tree = ast.parse(source)
    node = [n for n in ast.walk(tree) if isinstance(n, ast.BoolOp)][number]
    node.values.pop(operand)
    if len(node.values) == 1:  # "a and a" holds where a does
        node.values.append(node.values[0])
    exec(compile(tree, str(module.__file__), "exec"), vars(module))
    methods = _share(module, kept)
    try:
        return _compare(golden, real, before, RULES)
    finally:
        for owner, own in methods.items():
            for name, method in own.items():
                setattr(owner, name, method)
        for other, names in others.items():
            vars(importlib.import_module(f"{PACKAGE}.{other}")).update(names)


def _share(module: ModuleType, before: dict[str, Any]) -> dict[type, dict[str, Any]]:
    """Gives the changed functions to the modules that have imported them.

    Types stay and get the changed methods; the methods that they had are returned.
    """
    methods: dict[type, dict[str, Any]] = {}
    for name, value in before.items():
        if isinstance(value, type):
            if value.__module__ == module.__name__:
                changed = vars(vars(module)[name])
                own = {k: m for k, m in vars(value).items() if isinstance(m, FunctionType)}
                methods[value] = own
                for k in own:
                    setattr(value, k, changed[k])
            setattr(module, name, value)
    for other in MODULES:
        names = vars(importlib.import_module(f"{PACKAGE}.{other}"))
        for name, value in before.items():
            if callable(value) and names.get(name) is value:
                names[name] = vars(module)[name]
    return methods


def _compare(
    golden: list[tuple[str, str]],
    real: list[tuple[str, str]],
    before: tuple[list[Reading | None], list[Reading | None]],
    rules: tuple[Rule, ...],
) -> tuple[bool, int]:
    if any(_reading(*g, rules) != b for g, b in zip(golden, before[0], strict=True)):
        return True, 0
    return False, sum(_reading(*r, rules) != b for r, b in zip(real, before[1], strict=True))


def _readings(texts: list[tuple[str, str]]) -> list[Reading | None]:
    return [_reading(text, name, RULES) for text, name in texts]


def _reading(text: str, name: str, rules: tuple[Rule, ...]) -> Reading | None:
    reader.read_paragraph.cache_clear()
    try:
        return reader.read_paragraph(text, name, rules).spans
    except Exception:  # a removal may break the code: that is noticed, too
        return None


if __name__ == "__main__":
    from running import run

    run(main)
