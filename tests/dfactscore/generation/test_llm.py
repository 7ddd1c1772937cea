"""Biographies by a real model through a real server; bad answers through a scripted transport."""

from __future__ import annotations

import asyncio
import json

import pytest

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import CallError
from dfactscore._asking.session import LLMSession
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import Rejected, Transport
from dfactscore._errors import InputError
from dfactscore._readers import read_biographies
from dfactscore._readers.shown_text import strip_citations
from dfactscore.generation._config import make_generator, validated
from dfactscore.generation._llm import LLMGenerator
from dfactscore.generation._prompt import Demonstration, load_demonstrations, load_prompt
from dfactscore.generation._request import Request, Trim
from dfactscore.generation._written import write_biographies
from dfactscore.retrieval import Passage

SHOWN = Demonstration("Bo Ek", (Passage("Bo Ek", "Bo Ek is a cook."),), "Bo Ek is a cook [1].")
REQUESTS = [
    Request(
        "1",
        "Ann Lee",
        (
            Passage("Ann Lee (rower)", "Ann Lee (born 1961) is a Canadian rower. She won a medal."),
            Passage("Ann Lee (painter)", "Ann Lee (1870–1941) was a painter from Leeds."),
        ),
    ),
    Request("2", "Al Shaw", (Passage("Al Shaw", "Al Shaw (born 1950) is an English swimmer."),)),
]


@pytest.mark.slow
def test_a_real_model_writes_and_repeats_itself_with_one_seed(smollm2, tmp_path):
    demos = tmp_path / "demos.yaml"
    demos.write_text(
        json.dumps(
            [
                {
                    "name": SHOWN.name,
                    "documents": [{"title": p.title, "text": p.text} for p in SHOWN.documents],
                    "answer": SHOWN.answer,
                }
            ]
        )
    )

    def write(file, **more):
        settings = {"model": "smollm2", "base_url": smollm2, "max_tokens": 40, "concurrency": 1}
        settings |= {"demos": str(demos), "shots": 1, **more}
        session = LLMSession(cache=False)
        generator = make_generator(validated(settings, "test"), session)

        async def work():
            try:
                return await write_biographies(REQUESTS, generator, tmp_path / file)
            finally:
                await session.aclose()

        return tmp_path / file, asyncio.run(work())

    one, written = write("one.jsonl")
    assert sum(written.finish_reasons.values()) == 2
    assert set(written.finish_reasons) <= {"stop", "length", "repetition", "run_on"}
    assert written.usage["prompt_tokens"] > 100
    for biography in read_biographies(one).biographies:
        assert len(biography.text.split()) > 3
        assert biography.model == "smollm2"
    again, _ = write("again.jsonl")
    assert again.read_bytes() == one.read_bytes()
    again.write_bytes(one.read_bytes().splitlines(keepends=True)[1])  # as after a kill
    again, written = write("again.jsonl")
    assert (written.written, written.kept) == (1, 1)
    assert again.read_bytes() == one.read_bytes()
    other, _ = write("other.jsonl", seed=2)
    assert [b.raw for b in read_biographies(other).biographies] != [
        b.raw for b in read_biographies(one).biographies
    ]
    assert "127.0.0.1" in (tmp_path / "one.manifest.json").read_text()


@pytest.mark.slow
def test_a_server_with_a_small_context_gets_shorter_passages(smollm2):
    long = Passage("Ann Lee", " ".join(f"Ann Lee won race {i} in Leeds." for i in range(400)))
    model = OpenAIModel("smollm2", base_url=smollm2, concurrency=1)
    prompt = load_prompt(demonstrations=())
    client = ChatClient(model)
    generator = LLMGenerator(client, prompt, max_tokens=20)

    async def work():
        try:
            return await generator.generate(Request("1", "Ann Lee", (long,)))
        finally:
            await client.aclose()

    found = asyncio.run(work())
    assert found.output
    (trim,) = found.trims
    assert trim.passage == 1
    assert trim.sentences > 100


class Scripted(Transport):
    """A server that answers what it is given, and keeps what it was asked."""

    endpoint = "http://scripted/v1"

    def __init__(self, *answers, context=None):
        self.answers = list(answers)
        self.context = context
        self.asked = []

    async def send(self, body):
        text = "".join(m["content"] for m in body["messages"])
        if "search results" not in text:  # what the client asks to learn what it talks to
            return reply("true")
        if self.context is not None and len(text) > self.context:
            raise Rejected("this model's maximum context length is 100 tokens")
        self.asked.append(body)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def reply(text, finish="stop", refusal=None):
    return {
        "choices": [
            {"finish_reason": finish, "message": {"content": text, "refusal": refusal}},
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }


def generate(transport, request=REQUESTS[0], **options):
    model = OpenAIModel("m", base_url="http://scripted/v1", retries=0, structured="text")
    prompt = options.pop("prompt", None) or load_prompt(demonstrations=(SHOWN,))
    generator = LLMGenerator(ChatClient(model, transport=transport), prompt, **options)
    return asyncio.run(generator.generate(request))


@pytest.mark.parametrize(
    ("answer", "output", "reason"),
    [
        (reply("Ann Lee rows [1]."), "Ann Lee rows [1].", "stop"),
        (reply("**Biography:** Ann Lee rows [1]. "), "Ann Lee rows [1].", "stop"),
        (reply("<think>Who?</think>\nAnn rows [1]."), "Ann rows [1].", "stop"),
        (reply("Who?\n</think>\n\nAnn rows [1]."), "Ann rows [1].", "stop"),
        (reply("Ann Lee rows and", "length"), "Ann Lee rows and", "length"),
        (
            reply("Ann rows. " + "She won gold [1]. " * 9),
            "Ann rows. She won gold [1].",
            "repetition",
        ),
        (reply("Ann rows [1].\n\nName of the person: Bo"), "Ann rows [1].", "run_on"),
        (reply(""), "", "empty"),
        (reply(None), "", "empty"),
        (reply("", refusal="I will not."), "", "refused"),
        (reply("", "content_filter"), "", "refused"),
        (Rejected("the server failed"), "", "error"),
    ],
)
def test_finish_reasons(answer, output, reason):
    found = generate(Scripted(answer))
    assert (found.output, found.finish_reason) == (output, reason)
    assert bool(found.uncut) == (reason in ("repetition", "run_on"))
    assert bool(found.note) == (reason in ("empty", "refused", "error"))


@pytest.mark.parametrize(
    ("cited", "numbers"),
    [
        ("[0]", (0,)),
        ("[9]", (9,)),
        ("[1-3]", (1, 2, 3)),
        ("[1, 2]", (1, 2)),
        ("(1)", (1,)),
    ],
)
def test_any_citation_is_kept_as_written(cited, numbers):
    found = generate(Scripted(reply(f"Ann rows {cited}.")))
    assert found.output == f"Ann rows {cited}."
    assert [c.numbers for c in strip_citations(found.output)[1]] == [numbers]


def test_tokens_that_ran_out_in_a_thought():
    found = generate(Scripted(reply("<think>Which Ann Lee is it", "length")))
    assert (found.output, found.finish_reason) == ("", "error")
    assert found.note == "the model thought and wrote nothing else; raise --max-tokens"


def test_what_the_model_is_asked():
    transport = Scripted(reply("Ann rows [1]."))
    generate(transport, max_tokens=77)
    (body,) = transport.asked
    assert body["max_tokens"] == 77
    (message,) = body["messages"]
    assert "Document [2] (Title: Ann Lee (painter))" in message["content"]
    assert message["content"].endswith("Name of the person: Ann Lee\n\nBiography:")


def test_known_context_is_kept_to():
    long = Passage("Ann Lee", "Ann Lee won a race in Leeds. " * 200)
    transport = Scripted(reply("Ann won [1]."))
    found = generate(transport, Request("1", "Ann Lee", (long,)), context=900, max_tokens=100)
    assert found.trims[0].sentences > 100
    sent = transport.asked[0]["messages"][0]["content"]
    assert len(sent.encode()) / 3 < 800
    with pytest.raises(InputError, match="use fewer --shots"):
        generate(
            transport,
            context=256,
            prompt=load_prompt(demonstrations=load_demonstrations("ambiguous")),
        )


@pytest.mark.parametrize(
    ("context", "trim"), [(900, Trim(1, 5, dropped=True)), (None, Trim(1, 4, dropped=False))]
)
def test_a_passage_of_one_endless_sentence(context, trim):
    """It is read in parts and left out if none fits; the model is not asked about nothing."""
    endless = Passage("Ann Lee", "Ann Lee rowed " + "and rowed " * 700 + ".")
    short = Passage("Ann Lee (poet)", "Ann Lee was a poet.")
    transport = Scripted(reply("Ann was a poet [2]."), context=4000)
    found = generate(transport, Request("1", "Ann Lee", (endless, short)), context=context)
    assert found.output == "Ann was a poet [2]."
    assert found.trims == (trim,)
    if trim.dropped:
        alone = Request("1", "Ann Lee", (endless,))
        found = generate(Scripted(context=4000), alone, context=context)
        assert (found.finish_reason, found.trims) == ("error", (trim,))
        assert "context" in found.note


def test_one_name_that_does_not_fit_does_not_stop_the_others():
    long = Passage("Ann Lee " * 900, "Ann Lee is a rower.")
    found = generate(Scripted(), Request("1", "Ann Lee", (long,)), context=900)
    assert found.finish_reason == "error"
    assert "the prompt without passages takes about" in found.note


def test_context_that_only_the_server_knows():
    long = Passage("Ann Lee", "Ann Lee won a race in Leeds. " * 200)
    transport = Scripted(reply("Ann won [1]."), context=3000)
    found = generate(transport, Request("1", "Ann Lee", (long,)))
    assert found.finish_reason == "stop"
    assert found.trims[0].sentences > 50
    hopeless = generate(Scripted(context=10), Request("1", "Ann Lee", (long,)))
    assert hopeless.finish_reason == "error"
    assert "context length" in hopeless.note


def test_no_passages_asks_nobody():
    found = generate(Scripted(), Request("1", "Ann Lee", ()))
    assert (found.finish_reason, found.note) == ("no_passages", "no passages for 'Ann Lee'")


def test_settings_tell_prompts_apart():
    model = OpenAIModel("m", base_url="http://scripted/v1")

    def settings(**options):
        return LLMGenerator(ChatClient(model), load_prompt(**options)).settings

    assert settings() == settings()
    assert settings() != settings(instruction="careful")
    assert settings() != settings(demonstrations=(SHOWN,))
    assert settings() != settings(layout="turns")
    assert settings()["model"] == "m"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"model": "m", "temprature": 1}, "no setting 'temprature'; did you mean temperature or"),
        ({"model": "m", "mode": "mixing"}, "mode is for generator extractive, and this one is llm"),
        ({"generator": "extractive", "demos": "none"}, "demos is for generator llm"),
        ({"model": "m", "top_p": 2}, "test: top_p: expected less than or equal to 1, found 2"),
        ({}, "give --model NAME"),
        ({"model": "m", "gguf": "x.gguf"}, "test: model and test: gguf exclude each other"),
        ({"gguf": "x.gguf"}, "no such GGUF file"),
    ],
)
def test_bad_settings(values, words):
    with pytest.raises(InputError) as error:
        make_generator(validated(values, "test"))
    assert words in str(error.value)


def test_settings_of_a_file(tmp_path):
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    config = validated({"gguf": str(tmp_path / "model.gguf"), "context": 512, "seed": None}, "test")
    assert config.at_once == 1
    model = config.chat_model()
    assert (model.context, model.parameters, model.seed) == (512, {"top_p": 0.95}, None)
    assert validated({"model": "m"}, "test").chat_model().temperature == 1.0


def test_a_model_in_this_process_counts_with_its_own_tokenizer():
    """The estimate would leave sentences out that fit."""
    import asyncio

    from dfactscore._asking.settings import GGUFModel
    from dfactscore.generation._request import Request

    class Words:
        asked = 0

        async def post(self, route, body):
            assert route == "//tokenize"
            self.asked += 1
            return {"tokens": body["content"].split()}

    class Client:
        model = GGUFModel.__new__(GGUFModel)
        transport = Words()
        settings = {}

    generator = LLMGenerator(Client(), load_prompt(), max_tokens=50, context=400)
    shown = []

    async def ask(name, passages, trims):
        shown.append(passages)
        raise CallError("stop")

    generator._ask = ask
    long = tuple(Passage(f"T{n}", "She swam for many a year in Leeds. " * 4) for n in range(5))
    result = asyncio.run(generator.generate(Request("a", "Ann Lee", long)))
    assert result.note == "stop"
    words = sum(len(p.text.split()) for p in shown[0])
    assert words > 0
    assert Client.transport.asked > 0
    frame = sum(len(t.split()) for _, t in generator.prompt.messages("Ann Lee", long))
    if frame + 8 <= 350:
        assert result.trims == ()  # by words all of it fits, by the estimate it does not
