"""Which files of a folder are data, whatever else lies in it."""

from __future__ import annotations

import os

import pytest

from dfactscore._errors import InputError
from dfactscore.meta._load import load_data


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_evidence_that_is_a_link_to_itself(tmp_path):
    (tmp_path / "claims.jsonl").write_text('{"claim": "a", "label": "true"}\n')
    (tmp_path / "stance.jsonl").symlink_to("stance.jsonl")
    with pytest.raises(InputError, match=r"stance\.jsonl"):
        load_data(
            ("factcheck-claims", tmp_path / "claims.jsonl"), evidence=tmp_path / "stance.jsonl"
        )
