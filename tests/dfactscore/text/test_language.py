from __future__ import annotations

import json

import pytest

from dfactscore._text.language import other_language
from dfactscore.examples import example

OTHERS = {
    "German": [
        "Anna Weber (geboren am 3. Mai 1951 in Graz) ist eine österreichische Malerin. Sie "
        "studierte in Wien und lebt seit 1980 in Berlin, wo sie an der Universität der Künste "
        "lehrt.",
        "Karl Braun war ein deutscher Physiker. Er starb 1918 in New York.",
        "Die Schwimmerin gewann bei den Olympischen Spielen eine Silbermedaille für die USA.",
        "- Geboren: 1936\n- Beruf: Schwimmer\n- Er gewann eine Medaille und wurde Trainer.",
        "John Smith wurde in Boston geboren und arbeitete als Trainer der Boston Bruins.",
    ],
    "French": [
        "Marie Dupont, née le 4 juin 1960 à Lyon, est une peintre française. Elle a étudié aux "
        "Beaux-Arts de Paris et vit depuis 1990 à Marseille, où elle enseigne le dessin.",
        "Jean Martin était un nageur. Il est mort en 1970.",
        "Elle remporte une médaille d'argent pour les États-Unis aux Jeux olympiques de 1956.",
        "Dick Hanley fut entraîneur de football américain à l'université Northwestern "
        "de 1927 à 1934.",
    ],
    "Spanish": [
        "Ana García (nacida el 2 de abril de 1955 en Sevilla) es una pintora española. Estudió en "
        "Madrid y desde 1985 vive en Barcelona, donde da clases de dibujo.",
        "Pedro López fue un nadador. Murió en 1970.",
        "Ganó una medalla de plata para los Estados Unidos en los Juegos Olímpicos de 1956.",
    ],
    "Italian": [
        "Anna Rossi (nata a Torino il 3 marzo 1950) è una pittrice italiana. Ha studiato a Roma e "
        "dal 1980 vive a Milano, dove insegna disegno all'accademia.",
        "Marco Bianchi è stato un nuotatore. È morto nel 1970.",
        "Vinse una medaglia d'argento per gli Stati Uniti alle Olimpiadi del 1956.",
    ],
    "Dutch": [
        "Anna de Vries (geboren op 3 mei 1950 in Utrecht) is een Nederlandse schilderes. Zij "
        "studeerde in Amsterdam en woont sinds 1980 in Gent, waar zij les geeft.",
        "Jan Bakker was een zwemmer. Hij overleed in 1970.",
        "Hij won een zilveren medaille voor de Verenigde Staten op de Spelen van 1956.",
    ],
    "Portuguese": [
        "Ana Silva (nascida em 3 de maio de 1950 no Porto) é uma pintora portuguesa. Estudou em "
        "Lisboa e desde 1980 vive em Coimbra, onde ensina desenho.",
        "João Costa foi um nadador. Ele morreu em 1970.",
        "Ganhou uma medalha de prata para os Estados Unidos nos Jogos Olímpicos de 1956.",
    ],
    "Polish": [
        "Anna Nowak (urodzona 3 maja 1950 w Krakowie) jest polską malarką. Studiowała w Warszawie, "
        "a od 1980 roku mieszka w Gdańsku, gdzie uczy rysunku.",
        "Jan Kowalski był pływakiem. Zmarł w 1970 roku.",
        "Zdobył srebrny medal dla Stanów Zjednoczonych na igrzyskach olimpijskich w 1956 roku.",
    ],
}
MORE = {
    "Swedish": "Anna Berg är en svensk målare som föddes i Lund och bor sedan 1980 i Malmö.",
    "Finnish": "Anna Virtanen on suomalainen taidemaalari, joka syntyi Turussa vuonna 1950.",
    "Czech": "Anna Nováková je česká malířka, která se narodila v roce 1950 v Brně.",
    "Hungarian": "Kovács Anna magyar festő, aki 1950-ben született, és Budapesten él.",
    "Romanian": "Ana Popescu este o pictoriță din România, care s-a născut în 1950 la Iași.",
    "Turkish": "Ayşe Yılmaz 1950 yılında doğdu ve İzmir için çok resim yapan bir ressam oldu.",
    "Cyrillic script": "Анна Иванова — русская художница, родилась в 1950 году.",
    "Greek script": "Η Άννα Παπά είναι Ελληνίδα ζωγράφος που γεννήθηκε το 1950.",
    "Arabic script": "آنا خوري رسامة لبنانية ولدت في بيروت عام ١٩٥٠.",
    "Chinese or Japanese script": "安娜·李是一位英国画家，一九五〇年出生于伦敦。",
    "Hangul script": "안나 리는 1950년에 태어난 영국의 화가이다.",
}
ENGLISH = [
    "",
    "Ann Lee.",
    "Ann Lee is a painter.",
    "Painter.",
    "Ann Lee, painter, born 1950",
    "Juan de la Cruz",
    "Juan de la Cruz y Mendoza, Spanish painter, born in Toledo.",
    "Ludwig van Beethoven, Johann Sebastian Bach and Georg Friedrich Händel.",
    "Directed Les Enfants du Paradis, La Belle et la Bête, Le Jour se lève and Il Gattopardo.",
    'He wrote "Der Untergang des Hauses von der Heide" and "La vida es sueño".',
    "Leonardo da Vinci painted La Gioconda; Lorenzo de' Medici wrote Il Corinto.",
    "- Born: 3 May 1950, Graz\n- Occupation: Painter\n- Spouse: Karl von der Heide",
    "**Maria del Carmen de los Santos** (b. 1950): Mexican actress. Films: El Norte, Los "
    "Olvidados.",
    "Played for Real Madrid, Atlético de Madrid, Deportivo de La Coruña and Racing de Santander.",
    "President of the Université de Paris, member of the Académie des sciences, knight of the "
    "Ordre national de la Légion d'honneur",
    "ANN LEE WAS A PAINTER OF LANDSCAPES AND DIED IN LONDON.",
    "1901 1902 1903",
    "Bach Gesellschaft; Die Zeit; Der Spiegel; Das Parlament",
    "U.S. Bank; R.Z. Sheppard; A.D. 590; S.D. Jones",
    "Pompeii is in Italy.",
    "Murder à la Mod is a film.",
    "A neutrino is a fermion.",
    "ann lee is a painter who was born in graz",
]


@pytest.mark.parametrize(
    ("language", "text"), [(name, text) for name, texts in OTHERS.items() for text in texts]
)
def test_other_languages(language, text):
    assert other_language(text) == language
    assert other_language(text.replace(". ", ".\n")) == language


@pytest.mark.parametrize(("language", "text"), MORE.items())
def test_more_languages(language, text):
    assert other_language(text) == language


@pytest.mark.parametrize("text", ENGLISH)
def test_english_names_lists_and_titles_are_no_other_language(text):
    assert other_language(text) is None


def test_a_quotation_changes_nothing():
    german = OTHERS["German"][2]
    english = "Anna Weber is an Austrian painter who has lived in Berlin since she left Graz. "
    assert other_language(english * 2 + f'She said: "{german}"') is None
    assert other_language(german * 3 + ' Sie sagte: "I am a painter of the sea and the sky."') == (
        "German"
    )


@pytest.mark.parametrize("kind", ["people", "ships"])
def test_no_false_alarm_on_the_shipped_examples(kind):
    for file in (example(kind).biographies, example(kind).pages):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert other_language(json.loads(line)["text"]) is None


@pytest.mark.data
def test_no_false_alarm_on_real_texts(data):
    texts = [json.loads(line)["text"] for line in (data / "dfactscore/passages.jsonl").open()]
    for name in ("alce_tulu", "alce_llama13b-careful"):
        rows = json.loads((data / f"dfactscore/{name}.json").read_text())["data"]
        texts += [row["output"] for row in rows]
    for name in ("ChatGPT", "InstructGPT"):
        lines = (data / f"factscore_labels/{name}.jsonl").open()
        texts += [json.loads(line)["output"] for line in lines]
    assert len(texts) > 1_500
    assert [text for text in texts if other_language(text)] == []
