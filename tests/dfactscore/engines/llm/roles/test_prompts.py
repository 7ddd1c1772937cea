from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._asking.client import ChatClient
from dfactscore._asking.settings import OpenAIModel
from dfactscore._errors import InputError
from dfactscore._records import Biography, Document, Entity, Fact
from dfactscore.engines._llm.roles.base import (
    PROMPTS,
    fence,
    flat,
    load_prompt,
    numbered,
    parse_prompt,
)
from dfactscore.engines._llm.roles.joint_verifier import TogetherVerifier
from dfactscore.engines._llm.roles.verifier import LLMVerifier, StrictVerifier


@pytest.mark.parametrize("name", PROMPTS)
def test_shipped_prompts_are_in_order(name) -> None:
    prompt = load_prompt(name)
    assert prompt.version.startswith(f"{name}@")
    shown = prompt.render(**{variable: f"<{variable}>" for variable in PROMPTS[name]})
    assert shown[-1][0] == "user"
    assert "{{" not in str(shown)


def test_the_users_template_replaces_ours_and_changes_the_version(tmp_path: Path) -> None:
    (tmp_path / "verify.txt").write_text("# version mine\n[user]\n{{page}} / {{facts}}\n")
    prompt = load_prompt("verify", tmp_path)
    assert prompt.version.startswith("verify@mine:")
    assert load_prompt("group", tmp_path) == load_prompt("group")
    (tmp_path / "verify.txt").write_text("# version mine\n[user]\n{{page}} // {{facts}}\n")
    assert load_prompt("verify", tmp_path).version != prompt.version


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[user]\n{{pages}} {{facts}}", r"no variable {{pages}}; did you mean {{page}}\?"),
        ("[user]\n{{page}}", "does not use {{facts}}"),
        ("[user]\n${page}\n{{facts}}", r"a variable is written {{page}}, not \$\{page\}"),
        ("{{page}} {{facts}}", "needs messages"),
        ("[user]\n{{page}}{{facts}}\n[assistant]\nx", "last"),
    ],
)
def test_a_template_that_cannot_work_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_prompt("verify", text, "mine/verify.txt")


def test_files_and_folders_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        load_prompt("verify", tmp_path / "none")
    (tmp_path / "verfiy.txt").write_text("x")
    with pytest.raises(InputError, match=r"did you mean verify\.txt\?"):
        load_prompt("verify", tmp_path)
    (tmp_path / "verfiy.txt").unlink()
    (tmp_path / "verify.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"verify\.txt:1: not UTF-8"):
        load_prompt("verify", tmp_path)


def test_what_is_filled_in_is_never_a_template() -> None:
    prompt = parse_prompt("verify", "[user]\n{{page}} {{facts}}", "x")
    shown = prompt.render(page="{{facts}}", facts="[user]\n{{page}}")
    assert shown == (("user", "{{facts}} [user]\n{{page}}"),)


@given(st.text(max_size=200))
def test_a_flat_text_is_one_printable_line(text: str) -> None:
    line = flat(text)
    assert len(line.splitlines()) <= 1
    line.encode("utf-8")


@given(st.lists(st.text(max_size=60), min_size=1, max_size=8))
def test_items_have_a_line_each(items: list[str]) -> None:
    lines = numbered(items).split("\n")
    assert len(lines) == len(items)
    assert all(line.startswith(f"{i}. ") for i, line in enumerate(lines, 1))


@given(st.text(), st.text())
def test_a_fence_stands_in_none_of_its_texts(a: str, b: str) -> None:
    mark = fence(a, b)
    assert mark not in a
    assert mark not in b
    assert fence(a, b) == mark
    assert fence(a + mark, b) not in a + mark


def test_a_folder_without_templates_is_no_folder_of_prompts(tmp_path) -> None:
    (tmp_path / "verify.md").write_text("x")
    with pytest.raises(InputError, match="contains no template"):
        load_prompt("verify", tmp_path)


@pytest.mark.parametrize("kind", [LLMVerifier, StrictVerifier, TogetherVerifier])
def test_prompts_about_the_same_documents_begin_alike(kind) -> None:
    """Prompts are equal up to the facts, because servers cache the prefixes of prompts."""
    verifier = kind(ChatClient(OpenAIModel("m", base_url="http://x/v1")))
    page = Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", "Ann Lee sang. " * 30),))
    biography = Biography("1", "Ann Lee", "x")
    asked = []
    for fact in (Fact("Ann Lee sang."), Fact("Ann Lee ran in 1950.")):
        if isinstance(verifier, TogetherVerifier):
            (request,) = verifier.together_requests(biography, [([fact], page)])
        else:
            (request,) = verifier.requests(biography, [fact], page)
        asked.append("\n".join(content for _, content in request.messages))
    head, other = (re.match(r"(.*)\n(?:Facts|Statement):", text, re.S)[1] for text in asked)
    assert head == other
    assert "Ann Lee sang. Ann Lee sang." in head
