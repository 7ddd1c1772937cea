import pytest

from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio.languages import Language, language, languages


def test_there_are_two():
    assert languages() == ("de", "en")


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
    with pytest.raises(AmbigBioError, match=r"no language data for 'xx': .* data for de, en"):
        language("xx")


def test_names_of_titles():
    assert language("en").name_of("A B (disambiguation)") == "A B"
    assert language("en").name_of("A B (judges)") == "A B"
    assert language("de").name_of("A B (Begriffsklärung)") == "A B"
