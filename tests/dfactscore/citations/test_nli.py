"""A tiny T5, built here, goes through the real loading and scoring code."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from dfactscore.retrieval import Passage  # noqa: E402

from dfactscore.citations import Query  # noqa: E402
from dfactscore.citations.nli import Seq2SeqEntailer, true_prompt  # noqa: E402
from dfactscore.errors import InputError  # noqa: E402

TEXT = "premise: hypothesis: Title: Al Bo swam won a race in Lund . He was born"
WORDS = TEXT.split()
QUERIES = [
    Query("Al swam .", (Passage("Al", "Al swam in Lund ."),)),
    Query("He won a race .", (Passage("Al", "Al was born ."), Passage("Bo", "Bo won a race ."))),
    Query("Bo was born in Lund .", (Passage("Bo", "in Lund " * 9),)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = {w: i for i, w in enumerate(["<pad>", "</s>", "<unk>", "0", "1", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    path = tmp_path_factory.mktemp("t5")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(path)
    torch.manual_seed(7)
    config = transformers.T5Config(
        vocab_size=len(vocabulary),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        initializer_factor=20.0,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(path)
    return path


def by_hand(folder, query):
    """One question alone, without batching, padding or the shipped code."""
    model = transformers.T5ForConditionalGeneration.from_pretrained(folder).eval()
    vocabulary = {w: i for i, w in enumerate(["<pad>", "</s>", "<unk>", "0", "1", *WORDS])}
    premise = "\n".join(f"Title: {p.title}\n{p.text}" for p in query.passages)
    words = f"premise: {premise} hypothesis: {query.sentence}".split()
    ids = [vocabulary.get(w, 2) for w in words] + [1]
    with torch.no_grad():
        hidden = model.encoder(torch.tensor([ids])).last_hidden_state
        out = model.decoder(torch.tensor([[0]]), encoder_hidden_states=hidden).last_hidden_state
        scale = model.model_dim**-0.5 if model.config.tie_word_embeddings else 1.0
        zero, one = (float((out[0, 0] * scale) @ model.lm_head.weight[i]) for i in (3, 4))
    return 1 / (1 + 2.718281828459045 ** (zero - one))


def test_equals_a_hand_computation(folder):
    entailer = Seq2SeqEntailer(str(folder), device="cpu", batch_size=2)
    found = entailer.judge(QUERIES)
    expected = [by_hand(folder, q) for q in QUERIES]
    assert [j.probability for j in found] == pytest.approx(expected, abs=2e-6)
    assert [j.entailed for j in found] == [p >= 0.5 for p in expected]
    assert max(expected) - min(expected) > 0.01  # the questions do matter
    assert found == Seq2SeqEntailer(str(folder), device="cpu", batch_size=1).judge(QUERIES)
    assert entailer.judge([]) == []
    assert entailer.truncated == 0
    assert entailer.settings["model"] == str(folder)


def test_long_premise_is_cut_not_the_sentence(folder):
    entailer = Seq2SeqEntailer(str(folder), device="cpu", max_tokens=16)
    ids = entailer._encode(QUERIES[2])
    tail = entailer._ids("hypothesis: Bo was born in Lund .")
    assert len(ids) == 16
    assert ids[-len(tail) :] == tail
    entailer.judge(QUERIES)
    assert entailer.truncated >= 2


def test_prompt():
    assert true_prompt("Al swam.", "He swam.") == "premise: Al swam. hypothesis: He swam."


def test_bad_models(folder, tmp_path):
    with pytest.raises(InputError, match="cannot be loaded"):
        Seq2SeqEntailer(str(tmp_path))
    with pytest.raises(InputError, match="dtype 'float128x'"):
        Seq2SeqEntailer(str(folder), device="cpu", dtype="float128x")
    with pytest.raises(InputError, match="too small"):
        Seq2SeqEntailer(str(folder), batch_size=0)
    entailer = Seq2SeqEntailer(str(folder), device="cpu")
    with pytest.raises(InputError, match="no single token for the answer 'yes'"):
        entailer._answer_id("yes")


def test_biographies_through_the_command(folder, tmp_path, monkeypatch, capsys):
    import json

    from dfactscore.cli.app import main

    bios = tmp_path / "bios.jsonl"
    row = {
        "name": "Al",
        "output": "Al swam in Lund [1]. He won a race [1][2].",
        "passages": [{"title": p.title, "text": p.text} for p in QUERIES[1].passages],
    }
    bios.write_text(json.dumps(row))
    words = ["citations", str(bios), "--entailment", "nli", "--nli-model", str(folder)]
    monkeypatch.setattr("sys.argv", ["dfactscore", *words, "--format", "json", "-q"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert found["entailment"]["model"] == str(folder)
    assert found["n_sentences"] == 2
    queries = [
        Query("Al swam in Lund.", QUERIES[1].passages[:1], "Al"),
        Query("He won a race.", QUERIES[1].passages, "Al"),
    ]
    expected = sum(by_hand(folder, q) >= 0.5 for q in queries) / 2
    assert found["citation_recall"] == expected
