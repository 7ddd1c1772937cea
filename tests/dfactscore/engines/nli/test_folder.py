"""Folders with a model, and other folders: one line with the remedy."""

from __future__ import annotations

import json
import shutil
import struct

import pytest

from dfactscore._errors import InputError
from dfactscore.engines._nli.loading import open_folder


def weights(shape=(2,), fill=b"\x00"):
    """A handmade safetensors file with one tensor."""
    size = 4 * shape[0]
    header = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}}).encode()
    return struct.pack("<Q", len(header)) + header + fill * size


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / "my-nli"
    folder.mkdir()
    (folder / "config.json").write_text('{"architectures": ["X"]}')
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights())
    return folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty hub cache, without network access."""
    constants = pytest.importorskip("huggingface_hub.constants")
    folder = tmp_path / "hub"
    folder.mkdir()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


def one_line(model):
    with pytest.raises(InputError) as caught:
        open_folder(model)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_folder_is_called_by_its_name_wherever_it_lies(model, tmp_path, monkeypatch):
    found = open_folder(model)
    assert (found.name, found.path) == ("my-nli", model)
    moved = shutil.copytree(model, tmp_path / "elsewhere" / "my-nli")
    assert open_folder(str(moved)).digest == found.digest
    monkeypatch.chdir(model)
    assert open_folder(".").name == "my-nli"


@pytest.mark.parametrize("changed", ["config.json", "tokenizer.json", "model.safetensors"])
def test_the_digest_changes_with_what_decides_an_answer(model, changed):
    before = open_folder(model).digest
    (model / "README.md").write_text("read me")
    assert open_folder(model).digest == before
    if changed == "model.safetensors":
        (model / changed).write_bytes(weights(fill=b"\x01"))
    else:
        (model / changed).write_text('{"more": 1}')
    assert open_folder(model).digest != before


def test_pickled_weights_are_refused_with_the_way_out(model):
    (model / "model.safetensors").rename(model / "pytorch_model.bin")
    assert "pickled (pytorch_model.bin)" in (message := one_line(model))
    assert "docs/nli.md" in message


def test_alignscore_is_refused_with_the_reason(model):
    (model / "model.safetensors").rename(model / "AlignScore-base.ckpt")
    for given in (model, model / "AlignScore-base.ckpt"):
        assert "AlignScore's and other .ckpt checkpoints are pickled" in one_line(given)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model.gguf", "--verifier llm --gguf FILE"),
        ("model.safetensors", "give the folder that contains it"),
    ],
)
def test_files_are_refused(model, name, words):
    (model / name).touch()
    assert words in one_line(model / name)


def test_folders_that_hold_no_model(model, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "no weights as safetensors" in one_line(tmp_path / "empty")
    (model / "config.json").unlink()
    assert "it has no config.json" in one_line(model)
    (model / "adapter_config.json").write_text("{}")
    assert "it is an adapter; merge it" in one_line(model)


def test_damaged_weights_are_seen_before_they_are_loaded(model):
    whole = (model / "model.safetensors").read_bytes()
    (model / "model.safetensors").write_bytes(whole[:-3])
    assert f"has {len(whole) - 3} bytes instead of {len(whole)}" in one_line(model)
    for wrong in (b"", b"abc", b"\xff" * 100, struct.pack("<Q", 2) + b"[]"):
        (model / "model.safetensors").write_bytes(wrong)
        assert "is not a safetensors file" in one_line(model)


def test_a_tokenizer_that_needs_more_packages(model, monkeypatch):
    (model / "tokenizer.json").rename(model / "spiece.model")
    monkeypatch.setattr("dfactscore.engines._nli.loading.find_spec", lambda name: None)
    assert "spiece.model) needs two packages: pip install sentencepiece" in one_line(model)


def test_folders_that_are_not_there(model, cache, tmp_path, monkeypatch):
    message = one_line(model.parent / "my-nly")
    assert message.endswith("no such folder; did you mean my-nli?")
    monkeypatch.chdir(tmp_path.parent)
    message = one_line(f"{tmp_path.name}/my-nly")  # it may have been meant as a hub id, too
    assert message.endswith("; did you mean my-nli?")
    assert "no name; give a folder or a hub id" in one_line(" ")


def test_models_that_are_not_in_the_cache(cache, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "the hub cannot be reached" in one_line("someone/deberta-nli")
    for name in ("models--MoritzLaurer--DeBERTa-v3-base-mnli", "models--lytang--MiniCheck-RoBERTa"):
        (cache / name).mkdir()
    message = one_line("MoritzLaurer/deberta-v3-base-mli")
    assert message.endswith("; did you mean MoritzLaurer/DeBERTa-v3-base-mnli?")
    assert "lytang/MiniCheck-RoBERTa" in one_line("minicheck-roberta")
    assert "not a hub id" in one_line("not valid!")


def test_a_model_in_the_cache_is_found_without_a_network(cache, model):
    home = cache / "models--someone--MiniCheck-x"
    snapshot = home / "snapshots" / ("0" * 40)
    shutil.copytree(model, snapshot)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("0" * 40)
    found = open_folder("someone/MiniCheck-x")
    assert (found.name, found.path) == ("someone/MiniCheck-x", snapshot)
    by_path = open_folder(snapshot)
    assert (by_path.name, by_path.digest) == (found.name, found.digest)
    (snapshot / "model.safetensors").rename(snapshot / "pytorch_model.bin")
    assert "pickled" in one_line("someone/MiniCheck-x")
