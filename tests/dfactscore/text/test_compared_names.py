"""Compares names: missing parts do not count, differing parts do."""

from __future__ import annotations

import pytest

from dfactscore import Scorer
from dfactscore._text.names import compare
from dfactscore._text.person_names import read_name
from dfactscore._text.thing_names import compare_names

FACTS = "{0} was born in 1951. {0} is a Danish botanist. {0} moved to Lisbon in 1990."
PAGE = "{0} (born 1951) is a Danish botanist. He moved to Lisbon in 1990."
ONE_PART_MORE = [
    ("Bo Hans Ray", "Bo Ray"), ("Bo H. Ray", "Bo Ray"), ("Ann Marsh Lee", "Ann Lee"),
    ("Juan Ray Morales", "Juan Ray"), ("Oleg Ivanovich Ray", "Oleg Ray"),
    ("Piet van der Ray", "Piet Ray"), ("Bo Ray Jr.", "Bo Ray"), ("Ann Lee-Marsh", "Ann Lee"),
    ("Sir Bo Ray", "Bo Ray"), ("Omar bin Ray", "Omar Ray"), ("Bo Hans Emil Ray", "Bo Ray"),
]  # fmt: skip
SPELLINGS = [
    ("Omar al-Ray", "Al-Ray"), ("Omar ash-Sham", "Ash-Sham"), ('Bo "Red" Ray', "Red Ray"),
    ("Min-seo Ray", "Minseo Ray"), ("Ann Lee\u2011Marsh", "Lee-Marsh"), ("Søren Ray", "Soren Ray"),
    ("Sergei Belsky", "Sergey Belskiy"), ("Oleg Petrov", "Petroff"),
    ("Mohamed Ray", "Muhammad Ray"), ("Robert Ray", "Bob Ray"),
    ("J. P. Ray", "J.P. Ray"), ("Ian MacRay", "Macray"),
]  # fmt: skip

ONE_BEARER = [
    ("Yusuf al-Tamar", "Yusuf Al Tamar"), ("Yusuf al-Tamar", "Yusuf Tamar"),
    ("Salma el-Badri", "Salma El Badri"), ("Salma el-Badri", "Salma Elbadri"),
    ("Avi Ben-Dor", "Avi Ben Dor"), ("Avi Ben-Dor", "Avi Bendor"),
    ("Fergus MacLarn", "Fergus Maclarn"), ("Fergus MacLarn", "Fergus McLarn"),
    ("Fergus Mac Larn", "Fergus MacLarn"), ("Peggy Stroud", "Margaret Stroud"),
    ("Jim Orrin", "James Orrin"), ("Bill Vance", "William Vance"), ("Jack Hollis", "John Hollis"),
    ("Dick Tarn", "Richard Tarn"), ('Walter "Buck" Orrin', "Buck Orrin"),
    ("Anne-Lise Vik", "Anne Lise Vik"), ("Anne-Lise Vik", "Annelise Vik"),
    ("Rosa Pell-Hart", "Rosa Pell Hart"), ("Rosa Pell-Hart", "Rosa Pell"),
    ("Rosa Pell-Hart", "Rosa Hart"), ("Dmitri Volkov", "Dmitry Volkov"),
    ("Dmitri Volkov", "Dimitri Volkoff"), ("Yuri Zaitsev", "Yury Zaytsev"),
    ("Alexei Gorsky", "Aleksey Gorskiy"), ("Mikhail Tarasov", "Michail Tarasov"),
    ("Nikolai Orlov", "Nikolay Orlov"), ("Tatyana Belova", "Tatiana Belova"),
    ("Muhammad Rafi", "Mohammed Rafi"), ("Hussein Najm", "Husayn Najm"),
    ("Abdullah Karim", "Abdallah Karim"), ("Ivan Sergeyevich Molin", "Ivan Molin"),
    ("Ivan Sergeyevich Molin", "Ivan S. Molin"), ("Ivan Sergeyevich Molin", "I. S. Molin"),
    ("Clara Dunn Vesey", "Clara Vesey"), ("Clara Dunn Vesey", "Clara Dunn"),
    ("Clara Dunn (née Vesey)", "Clara Dunn"), ("Hal Brock Jr.", "Hal Brock, Jr"),
    ("Hal Brock III", "Hal Brock"), ("Hal Brock III", "Hal Brock 3rd"),
    ("T. S. Marlow", "T.S. Marlow"), ("TS Marlow", "T. S. Marlow"),
    ("Theodore S. Marlow", "T. S. Marlow"), ("Thomas Stearn Marlow", "T. S. Marlow"),
    ("Brock, Hal", "Hal Brock"), ("Vesey, Clara Dunn", "Clara Dunn Vesey"),
    ("Ray, Bo, Jr.", "Bo Ray Jr."), ("Zhao Lihua", "Lihua Zhao"), ("Zhao Li-hua", "Zhao Lihua"),
    ("Park Ji-hoon", "Ji-hoon Park"), ("Park Jihoon", "Ji-Hoon Park"),
    ("Tran Van Duc", "Duc Tran"), ("Trần Văn Đức", "Tran Van Duc"),
    ("Ahmad ibn Yahya al-Rumi", "Ahmad ibn Yahya"), ("Ahmad ibn Yahya", "Ahmad bin Yahya"),
    ("Ahmad ibn Yahya", "Ahmed b. Yahya"), ("Luis Ortega Prado", "Luis Ortega"),
    ("Luis Ortega y Prado", "Luis Ortega Prado"),
    ("María José Ortega Prado", "Maria Jose Ortega"), ("Björk Hauksdóttir", "Bjork Hauksdottir"),
    ("Jón Páll Hauksson", "Jon Hauksson"), ("Sigríður Hauksdóttir", "Sigridur Hauksdottir"),
    ("Jürgen Köhler", "Juergen Koehler"), ("Søren Ågård", "Soren Aagaard"),
    ("Seán O'Farr", "Sean O’Farr"), ("Seán O'Farr", "Sean OFarr"),
    ("Ludovic d'Arcel", "Ludovic D’Arcel"), ("Ludovic de la Mothe", "Ludovic Delamothe"),
    ("Piet van den Brink", "Piet Vandenbrink"), ("Dr Ada Holm", "Ada Holm"),
    ("Prof. Sir Ada Holm KBE", "Ada Holm"), ("Karim ad-Dawla", "Karim Addawla"),
    ("Layla as-Sabah", "Layla Sabah"), ("Uri Ben-Haim", "Uri Ben Haim"),
    ("Rory MacTavin", "Rory McTavin"), ("Betty Crane", "Elizabeth Crane"),
    ("Ted Moss", "Edward Moss"), ("Nadia Jean-Pierre", "Nadia Jean Pierre"),
    ("Gennady Sokolov", "Gennadi Sokoloff"), ("Vasily Grechin", "Vasiliy Grechin"),
    ("Evgeny Morin", "Yevgeny Morin"), ("Ahmed Nasr", "Ahmad Nasr"),
    ("Said Hakimi", "Saeed Hakimi"), ("Oleksandr Kova", "Olexandr Kova"),
    ("Lena Viktorovna Brod", "Lena Brod"), ("Mary Ellen Fisk Dorne", "Mary Dorne"),
    ("Carl Otto Brun", "C. O. Brun"), ("Otto Brun IV", "Otto Brun"), ("Brun, Otto", "Otto Brun"),
    ("Chen Meiling", "Mei-ling Chen"), ("Nguyen Thi Lan", "Lan Nguyen"),
    ("Choi Eun-woo", "Eunwoo Choi"), ("Salim ibn Harun al-Basri", "Salim ibn Harun"),
    ("Ana Ruiz Cano", "Ana Ruiz"), ("Guðrún Jónsdóttir", "Gudrun Jonsdottir"),
    ("Günther Schäfer", "Guenther Schaefer"), ("Niamh O'Dare", "Niamh ODare"),
    ("Henk ten Broek", "Henk Tenbroek"), ("Dame Ivy Lark", "Ivy Lark"),
    ("Zoë Hart-Lane", "Zoe Hart Lane"), ("Xu Wenhao", "Wenhao Xu"),
]  # fmt: skip
OTHERS = [
    ("John Paul Dunn", "John Peter Dunn"), ("John P. Dunn", "John K. Dunn"),
    ("Hal Brock Jr.", "Hal Brock Sr."), ("Hal Brock II", "Hal Brock III"),
    ("Pope Aldric V", "Pope Aldric VI"), ("Marie Vesey", "Maria Vesey"),
    ("Paul Vesey", "Paula Vesey"), ("Ann Hollis", "Anna Hollis"), ("Carl Holm", "Karla Holm"),
    ("Ivan Sergeyevich Molin", "Ivan Petrovich Molin"), ("Ahmad ibn Yahya", "Ahmad ibn Musa"),
    ("Luis Ortega Prado", "Luis Ortega Salas"), ("Zhao Lihua", "Zhao Liwei"),
    ("Park Ji-hoon", "Park Ji-won"), ("Jane Marlow", "Jane Barlow"),
    ("Peter Brand", "Peter Brandt"), ("Sam Hart", "Sam Hartley"),
    ("Jon Hauksson", "Jon Hauksdottir"), ("Joan Tarn", "John Tarn"), ("Eric Tarn", "Erica Tarn"),
    ("Lee Grant", "Grant Lee"), ("Martin Stone", "Stone Martin"), ("A. Dunn", "B. Dunn"),
    ("Robert Vance", "Rupert Vance"), ("Daniel Orrin", "Danielle Orrin"),
    ("Clara Dunn Vesey", "Clara Holt Vesey"), ("Nguyen Van Duc", "Tran Van Duc"),
    ("Omar al-Tamar", "Yusuf al-Tamar"), ("Fergus MacLarn", "Fergus MacLaren"),
    ("Helen Price", "Ellen Price"), ("Karim ad-Dawla", "Salim ad-Dawla"),
    ("Rory MacTavin", "Rory MacDavin"), ("Ted Moss", "Fred Moss"),
    ("Carl Otto Brun", "Carl Emil Brun"), ("Otto Brun IV", "Otto Brun III"),
    ("Chen Meiling", "Chen Meihua"), ("Choi Eun-woo", "Choi Eun-ji"),
    ("Ana Ruiz Cano", "Ana Ruiz Vega"), ("Zoë Hart-Lane", "Zoe Hart-Moss"),
    ("Dean Scott", "Scott Dean"), ("Nina Pavlova", "Nina Pavlov"), ("Leon Fisk", "Leona Fisk"),
    ("Ray Kim Dunn", "Ray Tim Dunn"), ("Julia Crane", "Julie Crane"),
    ("Simon Black", "Simon Blake"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), ONE_BEARER)
def test_spellings_do_not_tell_bearers_apart(name, other):
    assert compare(read_name(name), read_name(other))[0] != "other"
    assert compare(read_name(other), read_name(name))[0] != "other"


@pytest.mark.parametrize(("name", "other"), OTHERS)
def test_names_that_only_look_alike_are_of_others(name, other):
    assert compare(read_name(name), read_name(other))[0] == "other"
    assert compare(read_name(other), read_name(name))[0] == "other"


@pytest.mark.parametrize(("name", "other"), ONE_PART_MORE)
def test_a_missing_part_does_not_count(name, other):
    assert compare(read_name(name), read_name(other))[0] != "other"
    assert compare(read_name(other), read_name(name))[0] != "other"


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("Bo Hans Ray", "Bo Emil Ray", "other given name"),
        ("Bo H. Ray", "Bo E. Ray", "other given name"),
        ("Oleg Ivanovich Ray", "Oleg Petrovich Ray", "other given name"),
        ("Bo Ray Jr.", "Bo Ray Sr.", "other suffix"),
        ("Bo Ray", "Bo Marsh", "other surname"),
        ("Marie Ray", "Maria Ray", "other given name"),
        ("Jane Marina", "Jane Moreno", "other surname"),
    ],
)
def test_a_differing_part_counts(name, other, why):
    assert compare(read_name(name), read_name(other)) == ("other", why)


def test_a_page_that_lacks_a_part_of_the_name_supports_its_facts():
    records = [
        {
            "name": name,
            "text": FACTS.format(name),
            "passages": [{"title": title, "text": PAGE.format(title)}],
        }
        for name, title in [*ONE_PART_MORE, ("Bo Hans Ray", "Bo Emil Ray")]
    ]
    *fitting, contradicting = Scorer(counts="verdicts").score_many(records)
    assert [result.fs for result in fitting] == [1.0] * len(ONE_PART_MORE)
    assert contradicting.fs == 0
    for fact in contradicting.facts:
        assert (fact.why_not, fact.conflict) == ("contradicted", "Bo Emil Ray")


def test_two_spellings_of_a_name_are_one_person():
    records = [
        {
            "name": name,
            "text": f"{name} was a botanist. {again} moved to Lisbon. He died in 1990.",
            "passages": [
                {
                    "title": name,
                    "text": f"{name} was a botanist. He moved to Lisbon. He died in 1990.",
                }
            ],
        }
        for name, again in SPELLINGS
    ]
    results = Scorer(counts="verdicts").score_many(records)
    several = [r.name for r in results if r.record.scores.n_bio != 1]
    assert not several


ONE_THING = [
    ("The Larkspur Hotel", "Larkspur Hotel, The"), ("Springvale", "Springvale, Ohio"),
    ("Springvale, OH", "Springvale, Clark County, Ohio"), ("Mt. Tolva", "Mount Tolva"),
    ("St Odrans Church", "Saint Odran's Church"), ("Harrow II", "Harrow 2"),
    ("HMS Bramble (1886)", "Bramble (1886 ship)"), ("Pell & Sons Ltd", "Pell and Sons"),
    ("Nimbra, Inc.", "Nimbra Incorporated"), ("Quillo.com", "Quillo"), ("MS-7", "MS7"),
    ("The Brass Lantern (1918 film)", "Brass Lantern (movie)"), ("Route 9", "Highway 9"),
    ("I-40", "Interstate 40"), ("Class 08", "British Rail Class 8"), ("River Tolva", "Tolva River"),
    ("University of Haldane", "Haldane University"), ("3rd Lancers", "Third Lancers"),
    ("World Cup 1998", "1998 World Cup"), ("Haldane Centre", "Haldane Center"),
    ("Varn, Lower Saxony, US", "Varn (Lower Saxony)"), ("Will Church", "William Church"),
]  # fmt: skip
OTHER_THINGS = [
    ("Springvale, Ohio", "Springvale, Iowa", "place"), ("Route 9", "Route 11", "number"),
    ("Elm, Lake County, Ohio", "Elm, Clark County, Ohio", "place"), ("MS-7", "MK-7", "name"),
    ("The Brass Lantern (1918 film)", "The Brass Lantern (1935 film)", "year"),
    ("Brass Lantern (novel)", "Brass Lantern (film)", "kind"), ("USS Elm", "HMS Elm", "ship"),
    ("Harrow II", "Harrow 3", "number"), ("Larkspur Hotel", "Larkspur Castle", "kind"),
    ("Tolva River", "Lake Tolva", "kind"), ("Hart & Quill", "Hart & Pell", "name"),
    ("Glass Ministry (band)", "Glass Ministry (album)", "kind"),
    ("Haldane United", "Haldane City", "name"), ("Bank of Haldane", "Bank of Orsk", "name"),
    ("Albert II of Varn", "Albert II of Orsk", "place"), ("Kaspar & Co.", "Kaspar & Sons", "name"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), [*ONE_THING, *ONE_BEARER])
def test_names_of_things_miss_parts_and_shorten_words(name, other):
    assert compare_names(name, other)[0] != "other"
    assert compare_names(other, name)[0] != "other"


@pytest.mark.parametrize(("name", "other", "part"), OTHER_THINGS)
def test_names_of_things_differ_in_a_part(name, other, part):
    assert compare_names(name, other) == ("other", f"other {part}")
    assert compare_names(other, name) == ("other", f"other {part}")


@pytest.mark.parametrize(("name", "other"), OTHERS)
def test_names_of_people_are_compared_as_those_of_people(name, other):
    assert compare_names(name, other)[0] == "other"
