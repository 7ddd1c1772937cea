"""Small models of the real classes with artificial vocabularies, for tests without a network."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

PEOPLE = ("Al", "Bo", "Cy", "Di")
DEEDS = ("swam", "sang", "rode", "wrote", "taught", "died")
MORE = ("premise:", "hypothesis:", "Title:", "predict:", ".", "won", "a", "race", "in", "Lund")
WORDS = (*MORE, *PEOPLE, *DEEDS)
SPECIAL = ("<pad>", "</s>", "<unk>")
#: Forms of the answers 0 and 1 in a vocabulary: as in T5, as words, or both after a mark.
ANSWERS = {"t5": ("▁", "0", "▁1"), "words": ("0", "1"), "split": ("▁", "0", "1")}

#: Training text of the tokenizer of `llama`.
CORPUS = [
    "Ida Moor was born in Oslo in 1950 and died in Rome in 1999.",
    "He was the first of the kings of Denmark, and the last of the old kings.",
    "Zoë wrote “a book” about the sea — and ate soup. 😀",
]


def t5_tokenizer(vocabulary, words=WORDS):
    """Builds a tokenizer with one of the vocabularies of `ANSWERS`."""
    answers = ANSWERS[vocabulary]
    if vocabulary == "words":
        known = {w: i for i, w in enumerate((*SPECIAL, *answers, *words))}
        tokenizer = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    else:
        pieces = (*SPECIAL, *answers, *(f"▁{word}" for word in words))
        tokenizer = Tokenizer(models.Unigram([(p, -0.01 * i) for i, p in enumerate(pieces)], 2))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def t5(tokenizer, **more):
    """Builds a T5 with random weights."""
    settings = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2} | more
    config = transformers.T5Config(
        vocab_size=len(tokenizer),
        dropout_rate=0.0,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
        **settings,
    )
    return transformers.T5ForConditionalGeneration(config)


def encoder_tokenizer(kind, words=WORDS, *, max_length=None):
    """Builds a tokenizer like BERT's and DeBERTa's ([CLS] A [SEP] B [SEP]) or RoBERTa's."""
    if kind in ("bert", "deberta"):
        special = {"pad_token": "[PAD]", "bos_token": "[CLS]", "eos_token": "[SEP]",
                   "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}  # fmt: skip
        marks = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
        templates = ("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1")
    else:
        special = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>",
                   "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>"}  # fmt: skip
        marks = ("<s>", "<pad>", "</s>", "<unk>")
        templates = ("<s> $A </s>", "<s> $A </s> </s> $B </s>")
    known = {w: i for i, w in enumerate((*marks, *words))}
    tokenizer = Tokenizer(models.WordLevel(known, unk_token=special["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=templates[0],
        pair=templates[1],
        special_tokens=[(mark, known[mark]) for mark in marks],
    )
    more = {} if max_length is None else {"model_max_length": max_length}
    if kind == "bert":
        more["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special, **more)


def encoder(kind, tokenizer, labels, *, longest=64, **more):
    """Builds a classifier with random weights, large enough for different outputs."""
    common = {
        "vocab_size": len(tokenizer), "hidden_size": 16, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 32, "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0, "initializer_range": 0.6,
        "pad_token_id": tokenizer.pad_token_id, "id2label": dict(enumerate(labels)),
        "label2id": {label: i for i, label in enumerate(labels)}, **more,
    }  # fmt: skip
    if kind == "deberta":
        config = transformers.DebertaV2Config(
            **common, max_position_embeddings=longest, relative_attention=True,
            position_buckets=8, pos_att_type=["p2c", "c2p"], position_biased_input=False,
            type_vocab_size=0, pooler_dropout=0.0,
        )  # fmt: skip
        return transformers.DebertaV2ForSequenceClassification(config)
    if kind == "bert":
        config = transformers.BertConfig(**common, max_position_embeddings=longest)
        return transformers.BertForSequenceClassification(config)
    config = transformers.RobertaConfig(
        **common, max_position_embeddings=longest + 2, type_vocab_size=1
    )
    return transformers.RobertaForSequenceClassification(config)


def train(model, inputs, *, steps=150, enough=0.02):
    """Trains until the loss is small, or for a number of steps."""
    torch.manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(steps):
        loss = model(**inputs).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if float(loss.detach()) < enough:
            break
    return model.eval()


def train_t5(model, tokenizer, questions, answers, *, steps=150):
    """Trains a T5 to write the answers."""
    asked = tokenizer(questions, return_tensors="pt", padding=True)
    labels = tokenizer(answers, return_tensors="pt", padding=True)
    wanted = labels.input_ids.masked_fill(labels.attention_mask == 0, -100)
    inputs = {"input_ids": asked.input_ids, "attention_mask": asked.attention_mask}
    return train(model, {**inputs, "labels": wanted}, steps=steps)


def save(folder: Path, model, tokenizer) -> Path:
    """Saves model and tokenizer as a folder for `from_pretrained`."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def llama(folder: Path, *, adds_bos: bool = False, longest: int = 128) -> Path:
    """Builds a random Llama with a byte-level tokenizer trained on three sentences."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=["<s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    if adds_bos:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", 0)]
        )
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>")
    torch.manual_seed(3)
    config = transformers.LlamaConfig(
        vocab_size=len(fast), hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=longest,
        initializer_range=0.5, bos_token_id=0,
    )  # fmt: skip
    return save(folder, transformers.LlamaForCausalLM(config), fast)
