from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dfactscore

FOLDER = Path(dfactscore.__file__).parent / "integrations"
HOSTS = ["inspect.py"]


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_is_short_and_scores_nothing(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 80
    assert not re.search(r"dfactscore\.(scoring|linking|metrics|engines)|fsum|support", text)


def test_no_host_is_loaded_with_the_package():
    code = (
        "import sys, dfactscore, dfactscore.cli.app, dfactscore.integrations, dfactscore.readers\n"
        "hosts = {'inspect_ai', 'lm_eval', 'datasets', 'pytest', 'pyarrow', 'mlflow', 'wandb',\n"
        "         'langchain_core', 'llama_index', 'deepeval'}\n"
        "print(sorted(hosts & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
