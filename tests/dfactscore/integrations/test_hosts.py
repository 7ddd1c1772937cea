from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dfactscore
from dfactscore._errors import InputError
from dfactscore.integrations import integration_path

FOLDER = Path(dfactscore.__file__).parent / "integrations"
HOSTS = {
    "inspect": ["_inspect.py"],
    "lm-eval": ["_lm_eval/bios.py", "_lm_eval/dfactscore_bios.yaml"],
    "datasets": ["_run_dataset.py"],
    "pytest": ["../testing/_assertions.py"],
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_short_and_scores_nothing(host):
    text = "".join((FOLDER / name).read_text(encoding="utf-8") for name in HOSTS[host])
    assert len(text.splitlines()) <= 250
    assert not re.search(r"dfactscore\.(scoring|metrics|engines)|fsum", text)


def test_no_host_is_loaded_with_the_package():
    code = (
        "import sys, dfactscore, dfactscore.integrations, dfactscore._readers, dfactscore.testing\n"
        "from dfactscore._cli.app import read_all\n"
        "read_all()\n"
        "hosts = {'inspect_ai', 'lm_eval', 'datasets', 'pytest', 'pyarrow', 'mlflow', 'wandb',\n"
        "         'langchain_core', 'llama_index', 'deepeval'}\n"
        "print(sorted(hosts & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_folder_that_is_not_there_names_the_near_one():
    with pytest.raises(InputError, match=r"no folder for 'lmeval'.*lm-eval"):
        integration_path("lmeval")


@pytest.mark.parametrize("way", ["create_connection", "socket().connect"])
def test_the_commands_of_these_tests_reach_this_machine_only(way, tmp_path):
    code = (
        "import socket\n"
        "listening = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(listening.getsockname()).close()\n"
        f"socket.{way}(('192.0.2.1', 80))"  # an address for documentation (RFC 5737)
    )
    helpers = Path(__file__).resolve().parents[2] / "helpers" / "offline"
    log = tmp_path / "refused.txt"
    env = {**os.environ, "PYTHONPATH": str(helpers), "OFFLINE_LOG": str(log)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert "refused by the test" in done.stderr
    assert "192.0.2.1" in log.read_text(encoding="utf-8")
