"""Decides whether titles bear a name."""

from __future__ import annotations

import numpy as np
import pytest

from dfactscore.linking import LinkingError, bears_name, candidate_mask, plain_name


@pytest.mark.parametrize(
    ("title", "name", "bears"),
    [
        ("Dick Hanley (swimmer)", "Dick Hanley", True),
        ("Alfred William Lawson", "Alfred Lawson", True),
        ("Adrian Perez", "Adrián Pérez", True),
        ("Søren Ørsted", "Soren Orsted", True),
        ("JOHN SMITH", "John Smith", True),
        ("O'Neill, Thomas", "Thomas O'Neill", True),
        ("Glen Brown", "Glenn Brown", False),
        ("John Bruce", "Bruce Johnston", False),
        ("Smith", "John Smith", False),
        ("Anything", "", False),
        ("Jordan (Michael fan club)", "Michael Jordan", False),
        ("李娜", "李娜", True),
        ("नरेन्द्र मोदी", "नरेन्द्र मोदी", True),
        ("मोदी", "मीदी", False),
        ("Sean O\u2019Connor", "Sean O'Connor", True),
        ("Dick_Hanley_(swimmer)", "Dick Hanley", True),
    ],
)
def test_bears_name(title, name, bears):
    assert bears_name(title, name) is bears


@pytest.mark.parametrize(
    ("title", "name", "bears"),
    [
        # Additional words of the title
        ("Robert L. Johnson", "Robert Johnson", True),
        ("Richard Francis Burton", "Richard Burton", True),
        ("Vanessa Estelle Williams", "Vanessa Williams", True),
        ("Robert Johnson Jr.", "Robert Johnson", True),
        ("Sir James O'Connell, 1st Baronet", "James O’Connell", True),
        ("Thomas Seymour, 1st Baron Seymour of Sudeley", "Thomas Seymour", True),
        ("Thomas Seymour, 1st Baron Seymour of Sudeley", "Seymour Thomas", False),
        ('Leon F. "Lee" Ellis', "Leon Ellis", True),
        ("D. Bruce Berry", "Bruce Berry", True),
        ("Juan Sandoval Íñiguez", "Juan Sandoval", True),
        ("Albert II of Belgium", "Albert II", True),
        ("Ceolwulf of Wessex", "Ceolwulf", True),
        ("Albert III", "Albert II", False),
        # The order
        ("Godfrey John", "John Godfrey", False),
        ("Carter Stanley", "Stanley Carter", False),
        ("Rémy Jacques", "Jacques Rémy", False),
        ("Smith, John (painter)", "John Smith", True),
        ("John Smith", "Smith, John", True),
        # Small words
        ("José de Acosta", "José Acosta", True),
        ("Jose Acosta", "José de Acosta", True),
        ("Otto Bismarck", "Otto von Bismarck", True),
        ("Otto von Habsburg", "Otto von Bismarck", False),
        ("Catherine of Bosnia, Countess of Cilli", "Catherine of Cilli", True),
        # Titles and honors of the name
        ("Ann Lee (painter)", "Dr. Ann Lee", True),
        ("Ann Lee", "Professor Ann Lee, PhD", True),
        ("Ann Lee", "Ann Lee, 3rd Countess of Elm", True),
        ("Lee", "Dr. Lee", False),
        ("Dr. Seuss", "Dr. Lee", False),
        # Initials
        ("Albert E. Kahn", "A. E. Kahn", True),
        ("Albert Kahn (architect)", "A. E. Kahn", False),
        ("A. V. Thomas", "A. J. Thomas", False),
        ("Joseph Fielding Smith", "Joseph F. Smith", True),
        ("Joseph Henry Smith", "Joseph F. Smith", False),
        ("J. Smith", "John Smith", True),
        ("J. Smith", "Mary Smith", False),
        ("Mary J. Smith", "John Smith", False),
        ("J. R. Johnson", "Robert Johnson", False),
        # Hyphens, accents, scripts
        ("Jean-Luc Roe", "Jean Luc Roe", True),
        ("Min-seo Park", "Minseo Park", True),
        ("Minseo Park", "Min-seo Park", True),
        ("Łukasz Żak", "Lukasz Zak", True),
        ("李娜 (tennis)", "李娜", True),
        ("李", "李娜", False),
        # Other names
        ("John Smithson", "John Smith", False),
        ("John Smith's Brewery", "John Smith", False),
        ("Bill Smith", "William Smith", False),
        ("Martin Luther King", "Martin Luther King Jr.", False),
    ],
)
def test_titles_that_only_look_or_do_not_look_like_the_name(title, name, bears):
    assert bears_name(title, name) is bears


def test_plain_name():
    assert plain_name("Dick Hanley (swimmer)") == "Dick Hanley"
    assert plain_name("(unknown)") == "(unknown)"


def test_candidates():
    titles = [("Ann Lee (painter)",), ("Leeds",), ("Annie", "Ann Lee (singer)")]
    mask = candidate_mask(titles, "Ann Lee", mode="named")
    assert mask.tolist() == [True, False, True]
    assert candidate_mask(titles, "Ann Lee").all()
    listed = candidate_mask(titles, "Ann Lee", mode="dataset", dataset=["Ann Lee (singer)"])
    assert listed.tolist() == [False, False, True]
    assert candidate_mask([], "Ann Lee", mode="named").dtype == np.bool_
    with pytest.raises(LinkingError, match="lists no entity for 'Ann Lee'"):
        candidate_mask(titles, "Ann Lee", mode="dataset")
    with pytest.raises(LinkingError, match="unknown candidates 'all'"):
        candidate_mask(titles, "Ann Lee", mode="all")


def test_the_name_must_be_there_word_by_word():
    assert bears_name("José M. Pérez", "Jose Perez (disambiguation)")
    assert not bears_name("John Smithson", "John Smith")
    assert not bears_name("Painter (John Smith)", "John Smith")
    assert not bears_name("Anything", "()")
