"""The library's logs: lines on the command line, records in Python."""

import json
import logging

import pytest

from dfactscore._cli import app as home
from dfactscore._cli.output import hide_logs, logs_shown
from dfactscore._util.reporting import log_lines
from dfactscore.examples import example

LOGGER = logging.getLogger("dfactscore")
OWN = logging.getLogger("dfactscore.retrieval")


def test_a_command_shows_the_lines_and_leaves_the_loggers_as_they_were(capsys):
    before = LOGGER.level, list(LOGGER.handlers)
    with logs_shown():
        OWN.info(f"{50} % done")
        OWN.warning("slow")
        OWN.debug("no one asks for this")
        log_lines(OWN, ["a line", "warning: a warning"])
    assert (LOGGER.level, LOGGER.handlers) == before
    OWN.info("after")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "50 % done\nwarning: slow\na line\nwarning: a warning\n"


def test_a_quiet_command_shows_none_and_the_next_one_does(capsys):
    with logs_shown():
        hide_logs(quiet=True)
        OWN.warning("nothing")
    with logs_shown():
        hide_logs(quiet=False)
        OWN.warning("something")
    assert capsys.readouterr().err == "warning: something\n"


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.jsonl"
    rows = [{"id": 1, "name": "Dick Hanley", "text": "<think>Who is it?</think>"}, {"name": 3}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_lines_of_a_run_are_records_too(texts, tmp_path, capsys, caplog, monkeypatch):
    pages = example().pages
    words = ["score", str(texts), "--pages", str(pages), "--out", str(tmp_path / "run"), "-q"]
    monkeypatch.setattr("sys.argv", ["dfactscore", *words])
    with pytest.raises(SystemExit):
        home.main()
    lines = capsys.readouterr().err.splitlines()
    found = [record for record in caplog.records if record.name.startswith("dfactscore.")]
    prefix = {logging.INFO: "", logging.WARNING: "warning: "}
    assert lines == [prefix[record.levelno] + record.getMessage() for record in found]
    assert any(line.startswith("warning: 1 of 1 texts are a model's thought") for line in lines)
    assert any(line.startswith("skipped record: ") for line in lines)
