"""A real MediaWiki on loopback, without root and without installing anything.

Debian's packages are downloaded and unpacked in the checkout's cache folder; each wiki is a SQLite
database with its settings, made once per content and copied for use; PHP's own server serves it.

    python tests/ambigbio/mediawiki/wiki.py pages.xml [port]      # serves until Ctrl-C
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ADDRESS = "http://wiki.test"
_EXTENSIONS = ("ctype", "dom", "fileinfo", "iconv", "intl", "mbstring", "pdo", "pdo_sqlite",
               "sqlite3", "phar", "posix", "simplexml", "tokenizer", "xml", "xmlreader",
               "xmlwriter", "apcu")  # fmt: skip
_PHP_PARTS = ("cli", "common", "opcache", "intl", "sqlite3", "mbstring", "xml", "apcu")
_UNUSED = ("VisualEditor", "AbuseFilter", "Math", "SyntaxHighlight_GeSHi", "CodeEditor",
           "MultimediaViewer", "OATHAuth", "ConfirmEdit")  # fmt: skip
_LIBRARIES = ("libargon2-1", "libffi8", "libgcrypt20", "libgpg-error0", "libicu72", "libonig5",
              "libpcre2-8-0", "libsodium23", "libsqlite3-0", "libssl3", "libxml2",
              "libxslt1.1")  # fmt: skip


class Unavailable(Exception):
    """MediaWiki is not available on this machine; the message has the reason."""


def cache_folder() -> Path:
    return HERE.parents[2] / ".cache" / "mediawiki"


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(*command: object, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise Unavailable(f"{' '.join(words)[:80]}: {last[0]}")
    return done.stdout


def _apt_download(names: list[str], folder: Path, state: Path) -> None:
    """Downloads packages; uses new package lists if the system's are missing or old."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _run("apt-get", "download", "-q", *names, cwd=folder)
        return
    except Unavailable:
        pass
    (state / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (state / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    own = ("-o", f"Dir::State::lists={state / 'lists'}", "-o", f"Dir::Cache={state}",
           "-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=")  # fmt: skip
    _run("apt-get", *own, "-q", "update")
    _run("apt-get", *own, "download", "-q", *names, cwd=folder)


def _php_version() -> str:
    match = re.search(r"Depends: php(\d+\.\d+)-cli", _run("apt-cache", "depends", "php-cli"))
    return match[1] if match else "8.2"


def tree() -> Path:
    """Returns the folder of unpacked packages, downloaded on the first call.

    Raises:
        Unavailable: If the packages cannot be downloaded.
    """
    if not sys.platform.startswith("linux"):
        raise Unavailable(f"MediaWiki is unpacked from Debian packages, not on {sys.platform}")
    for tool in ("apt-get", "apt-cache", "dpkg-deb", "tar"):
        if shutil.which(tool) is None:
            raise Unavailable(f"MediaWiki is unpacked from Debian packages: no {tool} here")
    base = cache_folder() / "tree"
    with _locked(cache_folder()):
        if not (base / "ready").exists():
            shutil.rmtree(base, ignore_errors=True)
            _unpack(base)
            (base / "ready").touch()
    return base


def _extract(package: Path, root: Path, *excluded: str) -> None:
    options = [f"--exclude=./{path}" for path in excluded]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as pipe:
        subprocess.run(["tar", "-x", "-C", root, *options], stdin=pipe.stdout, check=True)


def _unpack(base: Path) -> None:
    root, packages = base / "root", base / "packages"
    root.mkdir(parents=True)
    version = _php_version()
    names = ["mediawiki", "mediawiki-classes", *(f"php{version}-{part}" for part in _PHP_PARTS)]
    _apt_download(names, packages, base / "apt")
    unused = (f"usr/share/mediawiki/extensions-core/{name}" for name in _UNUSED)
    excluded = ("usr/share/doc", "usr/share/man", *unused)
    for package in sorted(packages.glob("*.deb")):
        _extract(package, root, *excluded)
    code = root / "usr/share/mediawiki"
    # Debian links to /etc and /var, where nothing is installed
    for name in ("extensions", "config", "images", "LocalSettings.php"):
        (code / name).unlink(missing_ok=True)
    (code / "extensions-core").rename(code / "extensions")
    (code / "images").mkdir()
    shutil.copytree(HERE / "DabProps", code / "extensions" / "DabProps")
    [modules] = (root / "usr/lib/php").glob("20*")
    _php(base, version, modules)
    if _lacking(base, version, modules):
        _apt_download(list(_LIBRARIES), base / "libraries", base / "apt")
        for package in sorted((base / "libraries").glob("*.deb")):
            _extract(package, root, "usr/share")
    shutil.rmtree(packages)
    _run(base / "php", "-v")


def _library_path(root: Path) -> str:
    return ":".join(str(path) for path in (*root.glob("usr/lib/*-gnu*"), *root.glob("lib/*-gnu*")))


def _lacking(base: Path, version: str, modules: Path) -> bool:
    root = base / "root"
    env = {**os.environ, "LD_LIBRARY_PATH": _library_path(root)}
    files = [root / f"usr/bin/php{version}", *modules.glob("*.so")]
    checked = subprocess.run(["ldd", *files], env=env, capture_output=True, text=True, check=False)
    return "not found" in checked.stdout + checked.stderr


def _php(base: Path, version: str, modules: Path) -> None:
    root = base / "root"
    lines = [f"extension={modules / name}.so" for name in _EXTENSIONS
             if (modules / f"{name}.so").exists()]  # fmt: skip
    if (modules / "opcache.so").exists():
        lines.append(f"zend_extension={modules / 'opcache.so'}")
    (base / "tmp").mkdir()
    lines += [
        "memory_limit=512M", "date.timezone=UTC", "log_errors=1", "display_errors=stderr",
        f"error_log={base / 'php-error.log'}", "opcache.enable=1", "opcache.enable_cli=1",
        "opcache.max_accelerated_files=20000", "opcache.memory_consumption=192", "apc.enabled=1",
        "apc.enable_cli=1", f"sys_temp_dir={base / 'tmp'}",
        f"opcache.file_cache={base / 'tmp'}", "opcache.validate_timestamps=0",
    ]  # fmt: skip
    (base / "php.ini").write_text("\n".join(lines) + "\n")
    script = base / "php"
    script.write_text(
        "#!/bin/sh\n"
        f"export PHP_INI_SCAN_DIR= LD_LIBRARY_PATH={root}/usr/lib/$(uname -m)-linux-gnu:"
        f"{root}/lib/$(uname -m)-linux-gnu\n"
        f'exec {root}/usr/bin/php{version} -n -c {base}/php.ini "$@"\n'
    )
    script.chmod(0o755)


_SETTINGS = """<?php
$wgSitename = 'TestWiki';
$wgScriptPath = '/w';
$wgArticlePath = '/wiki/$1';
$wgUsePathInfo = true;
$wgServer = '%(address)s';
$wgLanguageCode = '%(language)s';
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = __DIR__ . '/data';
$wgSecretKey = str_repeat( 'a', 64 );
$wgAuthenticationTokenVersion = '1';
wfLoadExtension( 'ParserFunctions' );
wfLoadExtension( 'Cite' );
wfLoadExtension( 'TextExtracts' );
$wgExtractsExtendOpenSearchXml = false;
wfLoadExtension( 'DabProps' );
$wgMainCacheType = CACHE_ACCEL;
$wgCachePrefix = 'wiki' . crc32( __DIR__ );
$wgParserCacheType = CACHE_DB;
$wgCacheDirectory = __DIR__ . '/l10n';
$wgLocalisationCacheConf['store'] = 'array';
$wgTmpDirectory = __DIR__ . '/l10n';
$wgJobRunRate = 0;
$wgEnableUploads = false;
$wgEnableEmail = false;
$wgPingback = false;
$wgRateLimits = [];
$wgMetaNamespace = 'Project';
// a wiki that is thrown away needs no fsync, which would make the import ten times as long
$server = static fn ( $name ) => [ 'type' => 'sqlite', 'dbname' => $name, 'tablePrefix' => '',
    'dbDirectory' => $wgSQLiteDataDir, 'variables' => [ 'synchronous' => 'OFF' ],
    'trxMode' => 'IMMEDIATE', 'flags' => 0 ];
$wgDBservers = [ $server( 'wiki' ) + [ 'load' => 1 ] ];
$wgObjectCaches[CACHE_DB] = [ 'class' => SqlBagOStuff::class, 'loggroup' => 'SQLBagOStuff',
    'server' => $server( 'wikicache' ) ];
$wgJobTypeConf['default'] = [ 'class' => 'JobQueueDB', 'claimTTL' => 3600,
    'server' => $server( 'wiki_jobqueue' ) ];
// lets maxlag=-1 answer with the real error although there is no replica
$wgJobQueueIncludeInMaxLagFactor = 1;
"""


def maintenance(wiki: Path, script: str, *options: object, stdin: str | None = None) -> str:
    """Runs one of MediaWiki's maintenance scripts on a wiki."""
    base = tree()
    env = {**os.environ, "MW_CONFIG_FILE": str(wiki / "LocalSettings.php"),
           "TMPDIR": str(base / "tmp")}  # fmt: skip
    command = [base / "php", base / f"root/usr/share/mediawiki/maintenance/{script}.php", *options]
    done = subprocess.run(
        [str(word) for word in command], env=env, input=stdin, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raised = [line for line in said if "rror" in line or "xception" in line] or said[-1:]
        raise Unavailable(f"{script}: {' '.join(raised[:2])[:300]}")
    return done.stdout


def make_wiki(xml: str, language: str = "en", *, light: bool = False) -> Path:
    """Makes a wiki with the pages of an export, as a template for copies.

    Args:
        xml: MediaWiki export; its pages are numbered from 2 (1 is the main page).
        language: Language of the wiki.
        light: Whether to index only links on disambiguation pages, as the builder requires; this
            is much faster for a large wiki.
    """
    base = tree()
    parts = (xml, language, _SETTINGS, str(light), (HERE / "wiki.py").read_text())
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    wiki = cache_folder() / "wikis" / key
    with _locked(cache_folder() / "wikis"):
        if (wiki / "ready").exists():
            return wiki
        shutil.rmtree(wiki, ignore_errors=True)
        for name in ("data", "l10n", "install"):
            (wiki / name).mkdir(parents=True)
        script = base / "root/usr/share/mediawiki/maintenance/install.php"
        _run(
            base / "php", script, "--dbtype=sqlite", "--dbname=wiki", f"--dbpath={wiki / 'data'}",
            f"--server={ADDRESS}", "--scriptpath=/w", f"--lang={language}",
            "--pass=loopback-only-Pw1", f"--confpath={wiki / 'install'}", "TestWiki", "Admin",
        )  # fmt: skip
        settings = _SETTINGS % {"address": ADDRESS, "language": language}
        (wiki / "LocalSettings.php").write_text(settings)
        (wiki / "pages.xml").write_text(xml, "utf-8")
        options = ("--no-updates",) if light else ()
        maintenance(
            wiki, "importDump", "--quiet", "--username-prefix=", *options, wiki / "pages.xml"
        )
        if light:
            maintenance(wiki, "refreshLinks", "--namespace=0", "-e", str(_last_name(xml)))
        # the job queue keeps files open: a few jobs in each process, where few may be open
        while "STARTING" in maintenance(wiki, "runJobs", "--maxjobs=100"):
            pass
        maintenance(wiki, "initSiteStats", "--update")
        (wiki / "ready").touch()
    return wiki


def _last_name(xml: str) -> int:
    """Returns the id of the last disambiguation page; they come first in a generated export."""
    last = 1
    for page in xml.split("<page>")[1:]:
        if "{{hndis" in page:
            match = re.search(r"<id>(\d+)</id>", page)
            assert match is not None
            last = max(last, int(match[1]))
    return last


class Server:
    """A wiki that is served on a free port of loopback, with a log and scripted faults.

    Attributes:
        folder: The wiki's own copy.
        root: Address of the server.
        api: Address of its ``api.php``.
    """

    def __init__(self, wiki: Path, folder: Path, port: int = 0) -> None:
        shutil.copytree(wiki, folder, dirs_exist_ok=True)
        self.folder = folder
        self.run = folder / "run"
        self.run.mkdir(exist_ok=True)
        docroot = folder / "docroot"
        docroot.mkdir(exist_ok=True)
        base = tree()
        if not (docroot / "w").exists():
            (docroot / "w").symlink_to(base / "root/usr/share/mediawiki")
        self._log = (folder / "server.log").open("ab")
        for _attempt in range(5):
            self._port = port or _free_port()
            self.root = f"http://127.0.0.1:{self._port}"
            self.api = f"{self.root}/w/api.php"
            self._process = self._start(base, docroot)
            if self._answers():
                return
            self.stop()
        raise Unavailable(
            f"the server does not answer: {(folder / 'server.log').read_text()[-300:]}"
        )

    def _start(self, base: Path, docroot: Path) -> subprocess.Popen[bytes]:
        env = {**os.environ, "MW_CONFIG_FILE": str(self.folder / "LocalSettings.php"),
               "WIKI_RUN": str(self.run), "PHP_CLI_SERVER_WORKERS": "4",
               "TMPDIR": str(base / "tmp")}  # fmt: skip
        # the shell ends the server, and itself, when this process is gone, however it went
        watched = (
            '"$@" & while kill -0 "$0" && kill -0 $!; do sleep 1; done 2>/dev/null; kill -s KILL 0'
        )
        command = ["sh", "-c", watched, os.getpid(), base / "php", "-S",
                   f"127.0.0.1:{self._port}", "-t", docroot, HERE / "router.php"]  # fmt: skip
        return subprocess.Popen(
            [str(word) for word in command], cwd=docroot, env=env, stdout=self._log,
            stderr=self._log, start_new_session=True,
        )  # fmt: skip

    def _answers(self) -> bool:
        for _ in range(200):
            if self._process.poll() is not None:
                return False
            try:
                address = f"{self.api}?action=query&meta=siteinfo&format=json&nolog=1"
                with urllib.request.urlopen(address, timeout=30) as answer:
                    json.load(answer)
                    return True
            except (OSError, ValueError):
                time.sleep(0.05)
        return False

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=30)

    def faults(self, *faults: dict[str, object]) -> None:
        """Scripts the responses to the next requests, in order.

        Each fault has ``status``, and may have ``headers``, ``body``, ``times`` (1), ``after``
        (requests to let pass first) and ``real`` (parameters to add to a request that is then
        really answered).
        """
        (self.run / "faults.json").write_text(json.dumps(list(faults)))

    def clear(self) -> None:
        """Clears the log and the remaining faults."""
        (self.run / "faults.json").unlink(missing_ok=True)
        (self.run / "requests.jsonl").unlink(missing_ok=True)

    def requests(self) -> list[dict[str, object]]:
        """Returns the requests since `clear`, by start, with `end` if they were answered."""
        path = self.run / "requests.jsonl"
        if not path.exists():
            return []
        found: dict[str, dict[str, object]] = {}
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            found.setdefault(record["id"], {}).update(record)
        # a request that was cut off before `clear` may end after it
        begun = (record for record in found.values() if "start" in record)
        return sorted(begun, key=lambda record: record["start"])  # type: ignore[arg-type,return-value]

    def most_at_once(self) -> int:
        """Returns the largest number of simultaneous requests.

        PHP records the end of a request after sending the response, when the next request may have
        arrived; an overlap of up to a tenth of a second is ignored.
        """
        events = []
        for record in self.requests():
            end = max(record["start"], record.get("end", float("inf")) - 0.1)  # type: ignore[type-var,operator]
            events += [(record["start"], 1), (end, -1)]
        now = most = 0
        for _, step in sorted(events, key=lambda e: (e[0], -e[1])):  # type: ignore[index,operator]
            now += step
            most = max(most, now)
        return most

    def pageviews(self, views: dict[str, int]) -> None:
        """Sets the views that the page view service gives, by title with underscores."""
        (self.run / "pageviews.json").write_text(json.dumps(views), "utf-8")

    def wikidata(self, instances: dict[str, str]) -> None:
        """Sets what items are instances of."""
        (self.run / "wikidata.json").write_text(json.dumps(instances), "utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    pages = Path(sys.argv[1]).read_text("utf-8")
    with tempfile.TemporaryDirectory() as place:
        server = Server(make_wiki(pages), Path(place), int((sys.argv[2:] or ["0"])[0]))
        print(server.api, flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            server.stop()
