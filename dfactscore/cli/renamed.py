"""Old spellings of options: each works for one more release, and one line says the new one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

__all__ = ["modern"]

#: In every command that has the new words and not the old one.
_EVERYWHERE: Mapping[str, tuple[str, ...]] = {"--no-dry-run": (), "--force": ("--overwrite",)}
#: In one command, or all of a group.
_OWN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "annotate report": {"--irrelevant drop": ("--irrelevant", "exclude")},
    "ambigbio build": {
        "--index": ("--dump-index",),
        "--names": ("--count",),
        "--pages": ("--page-text",),
        "--source api": (),
        "--source dump": (),
    },
    "compare": {f"--by {rows}": ("--rows", rows) for rows in ("auto", "model", "run")},
    "citations": {"--seed": ("--model-seed",)},
    "factor score": {"--context": ("--before",)},
    "generate": {"--prompts": ("--questions",), "--seed": ("--model-seed",)},
    "index add": {"--passages": ("--no-split",)},
    "index build": {"--passages": ("--no-split",)},
    "index evaluate": {"--template": ("--query-template",)},
    "index search": {"--template": ("--query-template",)},
    "meta": {
        "--csv": ("--format", "csv"),
        "--evidence": ("--stances",),
        "--irrelevant drop": ("--irrelevant", "exclude"),
        "--irrelevant error": ("--irrelevant", "keep"),
        "--json": ("--format", "json"),
    },
    "mixing": {"--top": ("--worst",)},
    "safe": {"--seed": ("--model-seed",)},
    "score": {"--seed": ("--model-seed",)},
}


def modern(
    command: str, args: Sequence[str], known: Collection[str]
) -> tuple[list[str], list[str]]:
    """The words of a command line in today's spelling.

    Args:
        command: The command without the program, such as ``"index build"``.
        args: The words behind it.
        known: Its options.

    Returns:
        The words, and a line for each old spelling among them.

    Example:
        >>> modern("score", ["a.json", "--no-dry-run"], {"--dry-run"})
        (['a.json'], ['--no-dry-run is no longer needed and does nothing'])
        >>> modern("meta data", ["--irrelevant", "drop"], {"--irrelevant"})[0]
        ['--irrelevant', 'exclude']
    """
    old = {  # words, or words with a value
        word: new
        for word, new in {
            **_EVERYWHERE,
            **_OWN.get(command.partition(" ")[0], {}),
            **_OWN.get(command, {}),
        }.items()
        if (word not in known or " " in word) and set(new[:1]) <= set(known)
    }
    found: list[str] = []
    lines: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg == "--":
            return [*found, arg, *rest], lines
        word, equals, value = arg.partition("=")
        both = f"{word} {value if equals else rest[0] if rest else ''}"
        if both in old and not (word == "--by" and Path(both[5:]).exists()):
            found += old[both]
            rest = rest if equals else rest[1:]
            word = both
        elif word in old:
            new = list(old[word])
            found += [f"{new[0]}={value}", *new[1:]] if equals and new else new
        else:
            found.append(arg)
            continue
        said = f"is now {' '.join(old[word])}; the old spelling still works"
        lines.append(f"{word} {said if old[word] else 'is no longer needed and does nothing'}")
    return found, lines
