import pytest

from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio._languages import Language, language, languages, name_of_title


def test_there_are_seven():
    assert languages() == ("de", "en", "es", "fr", "it", "nl", "pt")


@pytest.mark.parametrize("code", languages())
def test_data_are_whole(code):
    data = language(code)
    assert isinstance(data, Language)
    assert data.code == code
    assert data.name_category
    assert data.dab_templates
    assert data.name_category not in data.refused_categories
    assert not data.dab_templates & data.refused_templates
    assert data.born_category.groups == data.died_category.groups == 2


def test_an_unknown_language_is_named():
    with pytest.raises(
        AmbigBioError, match=r"no language data for 'xx': .* data for de, en, es, fr, it, nl, pt"
    ):
        language("xx")


def test_names_of_titles():
    assert name_of_title("A B (disambiguation)") == "A B"
    assert name_of_title("A B (judges)") == "A B"
    assert name_of_title("A B (Begriffsklärung)") == "A B"


def test_french_and_spanish_forms():
    from dfactscore.ambigbio._entries import read_entries
    from dfactscore.ambigbio._lifespan import cut_lifespan
    from dfactscore.ambigbio._people import person_evidence
    from dfactscore.ambigbio._titles import Site

    site = Site("https://x.wiki/wiki/A", frozenset({"catégorie", "categoría"}))

    def targets(text, code):
        found = read_entries(text, title="Ana Roy", site=site, language=language(code)).entries
        return [entry.target for entry in found if not entry.doubtful]

    french = "* [[Ana Roy (poète)]] (1800-1850)\n** sa fille [[Eva Roy]]\n== Voir aussi ==\n* [[B]]"
    assert targets(french, "fr") == ["Ana Roy (poète)"]
    spanish = "* [[Ana Roy (poeta)]]; véase también [[B]]\n* Ana Roy, seudónimo de [[Eva Roy]]"
    assert targets(spanish, "es") == ["Ana Roy (poeta)", "Eva Roy"]
    assert cut_lifespan("(née en 1950)", language("fr"))[0].born == 1950
    assert cut_lifespan("(nacida en 1950)", language("es"))[0].born == 1950
    assert person_evidence(["Naissance en mars 1950"], "", language("fr")) == "category"
    assert person_evidence(["Nacidos en 1950"], "", language("es")) == "category"
    assert person_evidence(["Película de 1950"], "", language("es")) is None


def test_data_of_ones_own(tmp_path):
    from dfactscore.ambigbio._languages import read_language

    path = tmp_path / "nl.json"
    path.write_text('{"like": "en", "name_category": "Persoonsnamen", "born": ["geboren"]}')
    data = read_language(path, "nl")
    assert (data.code, data.name_category, data.born) == ("nl", "Persoonsnamen", ("geboren",))
    assert data.same_person == language("en").same_person
    path.write_text('{"nl": {"name_category": "A", "dab_templates": ["dp"],'
                    ' "person_categories": ["^mens$"]}}')  # fmt: skip
    assert read_language(path, "nl").dab_templates == {"dp"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not an object"),
        ("{", "not JSON"),
        ('{"like": "xx"}', "'xx' is not one of de, en, es, fr"),
        ('{"like": "en", "hatnote": []}', "no key 'hatnote'; did you mean hatnotes"),
        ('{"like": "en", "born": "x"}', "born: not a list of words"),
        ('{"like": "en", "similar": ["("]}', "similar: not a pattern"),
        ('{"like": "en", "born_category": "a"}', "born_category: 0 groups, two are needed"),
        ('{"name_category": "A"}', "no 'dab_templates'"),
    ],
)
def test_data_that_do_not_fit(tmp_path, text, message):
    from dfactscore.ambigbio._languages import read_language

    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(AmbigBioError, match=message) as caught:
        read_language(path, "nl")
    assert str(path) in str(caught.value)
