"""Small models of the real classes with made vocabularies, for tests without a network."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

PEOPLE = ("Al", "Bo", "Cy", "Di")
DEEDS = ("swam", "sang", "rode", "wrote", "taught", "died")
MORE = ("premise:", "hypothesis:", "Title:", ".", "won", "a", "race", "in", "Lund")
WORDS = (*MORE, *PEOPLE, *DEEDS)
SPECIAL = ("<pad>", "</s>", "<unk>")
#: How a vocabulary writes the answers 0 and 1: as T5's does, as words, both behind a mark.
ANSWERS = {"t5": ("▁", "0", "▁1"), "words": ("0", "1"), "split": ("▁", "0", "1")}


def t5_tokenizer(vocabulary, words=WORDS):
    """A tokenizer with one of the vocabularies of `ANSWERS`."""
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
    """A T5 with random weights."""
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


def train_t5(model, tokenizer, questions, answers, *, steps=150):
    """Trains until the answers are written rightly, or for so many steps."""
    torch.manual_seed(0)
    asked = tokenizer(questions, return_tensors="pt", padding=True)
    labels = tokenizer(answers, return_tensors="pt", padding=True)
    wanted = labels.input_ids.masked_fill(labels.attention_mask == 0, -100)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(steps):
        loss = model(
            input_ids=asked.input_ids, attention_mask=asked.attention_mask, labels=wanted
        ).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if float(loss.detach()) < 0.02:
            break
    model.eval()


def save(folder: Path, model, tokenizer) -> Path:
    """Writes both as a folder that `from_pretrained` reads."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
