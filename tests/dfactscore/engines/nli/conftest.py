"""Tiny entailment models in folders, created once."""

from __future__ import annotations

import pytest

LABELS = ["contradiction", "neutral", "entailment"]


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Makes a folder with a model: ``folders("deberta", labels)``, ``folders("t5", name=...)``."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import tiny_models as tiny
    import torch

    made = {}

    def make(kind, labels=tuple(LABELS), *, name="nli", vocabulary="words", longest=64):
        key = (kind, tuple(labels), name, vocabulary, longest)
        if key not in made:
            folder = tmp_path_factory.mktemp("models") / name
            torch.manual_seed(2)
            if kind == "t5":
                tokenizer = tiny.t5_tokenizer(vocabulary)
                model = tiny.t5(tokenizer, initializer_factor=2.0, num_layers=2)
            else:
                tokenizer = tiny.encoder_tokenizer(kind, max_length=longest)
                model = tiny.encoder(kind, tokenizer, labels, longest=longest)
            made[key] = tiny.save(folder, model.eval(), tokenizer)
        return made[key]

    return make


@pytest.fixture(scope="session")
def finder(tmp_path_factory):
    """A RoBERTa trained to detect the word ``Lund`` in the evidence."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import random

    import tiny_models as tiny
    import torch

    draw = random.Random(1)
    tokenizer = tiny.encoder_tokenizer("roberta", max_length=64)
    others = (*tiny.PEOPLE, *tiny.DEEDS, ".", "a", "in", "race")
    texts, labels = [], []
    for i in range(64):
        words = [draw.choice(others) for _ in range(draw.randint(4, 40))]
        if i % 2:
            words[draw.randrange(len(words))] = "Lund"
        texts.append(" ".join(words))
        labels.append(i % 2)
    torch.manual_seed(0)
    model = tiny.encoder(
        "roberta", tokenizer, ["not_entailment", "entailment"], initializer_range=0.1
    )
    facts = [f"{draw.choice(tiny.PEOPLE)} {draw.choice(tiny.DEEDS)} ." for _ in texts]
    inputs = tokenizer(texts, facts, return_tensors="pt", padding=True)
    inputs = {k: inputs[k] for k in ("input_ids", "attention_mask")}
    tiny.train(model, {**inputs, "labels": torch.tensor(labels)}, steps=300, enough=0.01)
    return tiny.save(tmp_path_factory.mktemp("models") / "finder", model, tokenizer)
