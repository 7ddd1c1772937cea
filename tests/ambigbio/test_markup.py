import pytest

from dfactscore.ambigbio._markup import (
    categories_of,
    cut_balanced,
    cut_hidden,
    headings_of,
    template_names,
    templates_of,
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a<!-- b -->c", "ac"),
        ("a<!-- b", "a"),
        ("a<ref>b</ref>c<ref name=x/>d", "acd"),
        ("a<ref>b", "a<ref>b"),
        ("a<ref name=x />b<ref>c</ref>d<ref name=x/>e<ref/>f", "abdef"),
        ("a<nowiki>[[b]]<!--</nowiki>c", "ac"),
        ("a<NoWiki>b</nOwIkI >c", "ac"),
        ("a<references />b", "a<references />b"),
        ("İ<ref>b</REF>c", "İ<ref>b</REF>c"),
    ],
)
def test_hidden(text, kept):
    assert cut_hidden(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a{{b}}c", "ac"),
        ("a{{b{{c}}d}}e", "ae"),
        ("a{{b", "a{{b"),
        ("a}}b{{c}}", "a}}b"),
        ("{{a {{b}} c", "{{a  c"),
        ("{{a}}{{b}}x{{c{{d}}}}", "x"),
    ],
)
def test_balanced(text, kept):
    assert cut_balanced(text, "{{", "}}") == kept


def test_templates():
    text = "{{ Hndis | Lee, Ann }}{{a|{{Short_description|x}}}}{{Template:b}}"
    assert template_names(text) == {"hndis", "a", "short description", "b"}
    assert list(templates_of(text)) == [
        ("hndis", ("Lee, Ann",)),
        ("short description", ("x",)),
        ("b", ()),
    ]


def test_categories():
    names = frozenset({"category", "kategorie"})
    text = "[[Category:1950_births|x]] [[ kategorie : living people]] [[:Category:A]] [[Categor:B]]"
    assert categories_of(text, names) == ("1950 births", "Living people")


def test_headings():
    text = "a\n== B ==\n=C=\r\n===  D==\n=\n==\n===\n======= E =======\n =F="
    found = [(heading.level, heading.text) for heading in headings_of(text)]
    assert found == [(2, "B"), (1, "C"), (2, "=  D"), (1, "="), (6, "= E =")]
    first = next(headings_of(text))
    assert text[first.start : first.end] == "== B =="
