"""Old spellings of options: each works for one more release, and one line says the new one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

__all__ = ["modern"]

#: In every command that has the new words and not the old one.
_EVERYWHERE: Mapping[str, tuple[str, ...]] = {"--no-dry-run": ()}
#: In one command.
_OWN: Mapping[str, Mapping[str, tuple[str, ...]]] = {}


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
    """
    old = {
        word: new
        for word, new in {**_EVERYWHERE, **_OWN.get(command, {})}.items()
        if word not in known and set(new[:1]) <= set(known)
    }
    found: list[str] = []
    lines: list[str] = []
    for number, arg in enumerate(args):
        if arg == "--":
            return [*found, *args[number:]], lines
        word, equals, value = arg.partition("=")
        if word not in old:
            found.append(arg)
            continue
        new = list(old[word])
        found += [f"{new[0]}={value}", *new[1:]] if equals and new else new
        said = f"is now {' '.join(new)}" if new else "is no longer needed and does nothing"
        lines.append(f"{word} {said}" + ("; the old spelling still works here" if new else ""))
    return found, lines
