# ruff: noqa: E501
"""Name pages in Italian, Portuguese and Dutch, with their answers; all names are invented.

The first pages of each language were read while its data were written. On the others, written
before, all 29 people were found in the first run, and no one else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class ForeignPage:
    """A name page, its people, its links to things, and parts of the lines about others."""

    title: str
    text: str
    people: tuple[str, ...]
    things: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


MARKS = {"it": "{{Disambigua}}", "pt": "{{Desambig}}", "nl": "{{dp}}"}
NAMESPACES = {"it": "Categoria", "pt": "Categoria", "nl": "Categorie"}
YEARS = {
    "Ettore Vaschi (pittore)": (1801, 1866),
    "Ada Ferrin (scienziata)": (1950, None),
    "Duarte Pimpão (arquiteto)": (1801, 1866),
    "Hidde Vroman (voetballer)": (1980, None),
    "Lies Terborg (zwemster)": (1966, None),
}
_TRADES = ("componist", "schaatser", "arts en ontdekkingsreiziger", "hoogleraar", "zeeofficier")
_TRADES += ("journaliste", "grafisch ontwerper", "wielrenster", "verzetsstrijder", "burgemeester")


def _bio(given: str, surname: str, born: int, died: str = "") -> str:
    place, day = ("Torino", "1º maggio") if died else ("", "")
    return (
        f"{{{{Bio\n|Nome = {given}\n|Cognome = {surname}\n|Sesso = M\n|LuogoNascita = Roma\n"
        f"|GiornoMeseNascita = 3 aprile\n|AnnoNascita = {born}\n|LuogoMorte = {place}\n"
        f"|GiornoMeseMorte = {day}\n|AnnoMorte = {died}\n|Attività = pittore\n"
        "|Nazionalità = italiano\n}}\n\n== Biografia ==\nNacque a Roma.\n\n{{Portale|biografie}}"
    )


def person(code: str, title: str, born: int) -> str:
    """Returns an article about a person, in the form that is usual in the language."""
    name = re.sub(r" \(.*", "", title)
    given, _, surname = name.rpartition(" ")
    if code == "it":
        return _bio(given, surname, born)
    sort = f"{{{{DEFAULTSORT:{surname}, {given}}}}}"
    if code == "pt":
        return (
            f"{{{{Info/Biografia\n|nome = {name}\n|nascimento_data = {{{{dni|3|4|{born}}}}}\n}}}}\n"
            f"'''{name}''' ([[Lisboa]], 3 de abril de {born}) é um político português.\n\n{sort}\n"
            f"[[Categoria:Nascidos em {born}]]\n[[Categoria:Pessoas vivas]]"
        )
    trade, end = _TRADES[born % len(_TRADES)], f" – [[Leuven]], {born + 50}" if born < 1950 else ""
    return (
        f"'''{name}''' ([[Brugge]], 14 september {born}{end}) was een Belgisch {trade}.\n\n{sort}\n"
        f"[[Categorie:Belgisch {trade.split()[-1]}]]\n[[Categorie:Persoon in de Eerste Wereldoorlog]]"
    )


def thing(code: str, title: str) -> str:
    """Returns an article about a thing."""
    return f"'''{title}'''.\n\n[[{NAMESPACES[code]}:Torino]]"


PAGES: dict[str, tuple[ForeignPage, ...]] = {
    "it": (
        ForeignPage(
            "Ettore Vaschi",
            "'''Ettore Vaschi''' può riferirsi a:\n* [[Ettore Vaschi (pittore)]] (1801-1866), pittore italiano\n* [[Ettore Vaschi (calciatore 1911)]], calciatore italiano nato nel 1911\n* [[Ettore Vaschi (vescovo)]] – vescovo cattolico italiano\n* [[Via Ettore Vaschi]], strada di [[Torino]]\n* ''[[Ettore Vaschi (film)|Ettore Vaschi]]'', film del 1962 diretto da [[Aldo Renzi]]\n== Altri progetti ==\n{{interprogetto}}",
            (
                "Ettore Vaschi (pittore)",
                "Ettore Vaschi (calciatore 1911)",
                "Ettore Vaschi (vescovo)",
            ),
            things=("Via Ettore Vaschi", "Torino", "Ettore Vaschi (film)"),
        ),
        ForeignPage(
            "Lina Torelli (disambigua)",
            "* [[Lina Torelli]] – attrice italiana (1920-1999)\n* [[Lina Torelli (nuotatrice)]] – nuotatrice italiana (n. 1966)\n* [[Carla Dini]] – cantante italiana nota con lo pseudonimo di Lina Torelli\n* Lina Torelli, nome d'arte di [[Rosa Banti]], ballerina\n* [[Angela Mori]], al secolo Lina Torelli, religiosa\n* [[Bruno Torelli]], marito di Lina Torelli\n== Pagine correlate ==\n* [[Torelli]]\n* [[Nina Torelli]]",
            (
                "Lina Torelli",
                "Lina Torelli (nuotatrice)",
                "Carla Dini",
                "Rosa Banti",
                "Angela Mori",
            ),
            things=("Torelli",),
        ),
        ForeignPage(
            "Pietro Galvan",
            "{{nota disambigua|il comune|Galvan}}\n'''Pietro Galvan''' è il nome di diverse persone:\n* [[Pietro Galvan (politico)]] (1880-1950) – politico italiano\n* [[Pietro Galvan (ciclista)]] (1911-1990) – ciclista su strada italiano\n* [[Piero Galvan]] (1944) – architetto, conosciuto come Pietro Galvan\n* Pietro Galvan (XVI secolo), notaio\n* Pietro Galvan, personaggio del romanzo ''[[La valle]]''\n=== Voci correlate ===\n* [[Pietro Galvani]]",
            ("Pietro Galvan (politico)", "Pietro Galvan (ciclista)", "Piero Galvan"),
            things=("La valle",),
            named=("notaio",),
        ),
        ForeignPage(
            "Ada Ferrin",
            "* [[Ada Ferrin (scrittrice)]] (Udine, 1901 – Roma, 1988), scrittrice\n* [[Ada Ferrin (scienziata)]], fisica nata a Trieste nel 1950\n* [[Adele Ferrin]], detta Ada (1870-1944), insegnante\n* [[Contessa di Brenta]], nata Ada Ferrin\n* [[Ugo Ferrin]], fratello della scrittrice",
            (
                "Ada Ferrin (scrittrice)",
                "Ada Ferrin (scienziata)",
                "Adele Ferrin",
                "Contessa di Brenta",
            ),
        ),
        ForeignPage(
            "Villa Marina",
            "* [[Villa Marina (Aosta)]], frazione\n* [[Villa Marina (Pisa)]], frazione\n* [[Marina Villa]], cestista",
            (),
            things=("Villa Marina (Aosta)", "Villa Marina (Pisa)"),
        ),
        ForeignPage(
            "Galvan (cognome)",
            "'''Galvan''' è un cognome.\n* [[Ivo Galvan]]\n* [[Ugo Galvan]]\n[[Categoria:Cognomi]]",
            (),
        ),
        ForeignPage(
            "Carlo Bressan",
            "'''Carlo Bressan''' è un nome proprio di persona che può riferirsi ai seguenti personaggi:\n;Sport\n* [[Carlo Bressan (pugile)]] (1905 – 1977), pugile italiano\n* [[Carlo Bressan (allenatore)]] (1950), allenatore di calcio italiano\n;Arte\n* [[Carlo Bressan (incisore)]] (Vicenza, ... – 1690), incisore\n* [[Mario Dolcini]] (1888-1950), scrittore che usò lo pseudonimo Carlo Bressan\n* Carlo Bressan, vero nome di [[Max Tell (attore)]]\n;Altro\n* [[Palazzo Bressan]], edificio di Vicenza voluto da Carlo Bressan\n* [[Premio Carlo Bressan]]\n''Vedi anche'': [[Carlo Bresciani]]",
            (
                "Carlo Bressan (pugile)",
                "Carlo Bressan (allenatore)",
                "Carlo Bressan (incisore)",
                "Mario Dolcini",
                "Max Tell (attore)",
            ),
            things=("Palazzo Bressan", "Premio Carlo Bressan"),
        ),
        ForeignPage(
            "Irene Sartor",
            "* [[Irene Sartor (soprano)]], soprano italiano (Padova 1870 - Milano 1930)\n* [[Irene Sartor (senatrice)]]\n* [[Irene Melchiori]], in seguito Irene Sartor, pittrice\n* [[Irene Sartor Bon]], tennista\n* Irene Sartor, figlia di [[Ennio Sartor]]\n* Irene Sartor, protagonista della serie televisiva ''[[Il lago]]''\n== Note ==\n<references/>\n== Collegamenti esterni ==\n* [[Archivio Sartor]]",
            (
                "Irene Sartor (soprano)",
                "Irene Sartor (senatrice)",
                "Irene Melchiori",
                "Irene Sartor Bon",
            ),
            things=("Il lago", "Archivio Sartor"),
            named=("figlia",),
        ),
        ForeignPage(
            "San Dorico",
            "* [[Dorico di Pavia]], vescovo e santo\n* [[San Dorico martire]]\n* [[San Dorico (Cuneo)]], comune",
            ("Dorico di Pavia", "San Dorico martire"),
            things=("San Dorico (Cuneo)",),
        ),
    ),
    "pt": (
        ForeignPage(
            "Duarte Pimpão",
            "'''Duarte Pimpão''' pode referir-se a:\n* [[Duarte Pimpão (arquiteto)]] (1801–1866), arquiteto português\n* [[Duarte Pimpão (futebolista)]] (n. 1980), futebolista brasileiro\n* [[Duarte Pimpão (bispo)]], bispo de [[Leiria]]\n* [[Rua Duarte Pimpão]], em [[Lisboa]]\n* ''[[Duarte Pimpão (filme)|Duarte Pimpão]]'', filme de 1962 de [[Aldo Reis]]\n== Ver também ==\n* [[Duarte Pimpim]]",
            ("Duarte Pimpão (arquiteto)", "Duarte Pimpão (futebolista)", "Duarte Pimpão (bispo)"),
            things=("Leiria", "Lisboa", "Rua Duarte Pimpão", "Duarte Pimpão (filme)"),
        ),
        ForeignPage(
            "Lídia Tavoras (desambiguação)",
            "'''Lídia Tavoras''' pode ser:\n* [[Lídia Tavoras]], atriz portuguesa nascida em 1920\n* [[Lídia Tavoras (nadadora)]], nadadora brasileira\n* [[Carla Dinis]], cantora conhecida pelo nome artístico Lídia Tavoras\n* Lídia Tavoras, pseudónimo de [[Rosa Bento]], escritora\n* [[Ana Morais]], nascida Lídia Tavoras\n* [[Bruno Tavoras]], marido de Lídia Tavoras\n{{esboço}}",
            (
                "Lídia Tavoras",
                "Lídia Tavoras (nadadora)",
                "Carla Dinis",
                "Rosa Bento",
                "Ana Morais",
            ),
        ),
        ForeignPage(
            "Zeca Marvão",
            "* [[José Marvão]], mais conhecido como Zeca Marvão, cantor\n* [[Zeca Marvão (ciclista)]]\n* [[Zeca Marvão (deputado)]] (1911–1990)\n* Zeca Marvão (século XVI), escrivão\n* Zeca Marvão, personagem da novela ''[[O Vale]]''\n== Referências ==\n* [[Arquivo Marvão]]",
            ("José Marvão", "Zeca Marvão (ciclista)", "Zeca Marvão (deputado)"),
            things=("O Vale", "Arquivo Marvão"),
            named=("escrivão",),
        ),
        ForeignPage(
            "Vila Marina",
            "* [[Vila Marina (Braga)]], freguesia\n* [[Vila Marina (Faro)]], aldeia\n* [[Marina Vila]], cestista",
            (),
            things=("Vila Marina (Braga)", "Vila Marina (Faro)"),
        ),
        ForeignPage(
            "Tomás Brandelho",
            "Existem várias personalidades com o nome '''Tomás Brandelho''':\n=== Esporte ===\n* [[Tomás Brandelho (judoca)]], judoca brasileiro, medalhista em 1984\n* [[Tomás Brandelho (treinador)]] (1950), treinador\n=== Artes ===\n* [[Tomás Brandelho (gravador)]] (c. 1620 – 1690)\n* [[Mário Dulcínio]] (1888–1950), escritor que assinava como Tomás Brandelho\n* Tomás Brandelho, nome verdadeiro de [[Max Telo]]\n=== Outros ===\n* [[Palácio Brandelho]], mandado construir por Tomás Brandelho\n* [[Prêmio Tomás Brandelho]]\n''Não confundir com'' [[Tomás Brandão]]\n=== Ligações externas ===\n* [[Sítio Brandelho]]",
            (
                "Tomás Brandelho (judoca)",
                "Tomás Brandelho (treinador)",
                "Tomás Brandelho (gravador)",
                "Mário Dulcínio",
                "Max Telo",
            ),
            things=("Palácio Brandelho", "Prêmio Tomás Brandelho", "Sítio Brandelho"),
        ),
        ForeignPage(
            "Irene Salgueira",
            "* [[Irene Salgueira (soprano)]], soprano\n* [[Irene Salgueira (senadora)]]\n* [[Irene Melo (pintora)]], depois Irene Salgueira\n* Irene Salgueira, filha de [[Ênio Salgueira]]\n* [[Dona Irene Salgueira]]\n* Irene Salgueira, protagonista da série ''[[O Lago]]''",
            (
                "Irene Salgueira (soprano)",
                "Irene Salgueira (senadora)",
                "Irene Melo (pintora)",
                "Dona Irene Salgueira",
            ),
            things=("O Lago",),
            named=("filha",),
        ),
    ),
    "nl": (
        ForeignPage(
            "Hidde Vroman",
            "'''Hidde Vroman''' kan verwijzen naar:\n* [[Hidde Vroman (schilder)]] (1801-1866), Nederlands kunstschilder\n* [[Hidde Vroman (voetballer)]] (1980), Nederlands voetballer\n* [[Hidde Vroman (bisschop)]], bisschop van [[Roermond]]\n* [[Hidde Vromanstraat]], een straat in [[Utrecht]]\n* ''[[Hidde Vroman (film)|Hidde Vroman]]'', een film uit 1962 van [[Aldo Reens]]\n== Zie ook ==\n* [[Hidde Vroom]]",
            ("Hidde Vroman (schilder)", "Hidde Vroman (voetballer)", "Hidde Vroman (bisschop)"),
            things=("Roermond", "Hidde Vromanstraat", "Utrecht", "Hidde Vroman (film)"),
        ),
        ForeignPage(
            "Lies Terborg (doorverwijspagina)",
            "{{dpintro}}\n* [[Lies Terborg]], Nederlands actrice (1920-1999)\n* [[Lies Terborg (zwemster)]], Belgisch zwemster\n* [[Karla Dien]], zangeres, beter bekend onder de naam Lies Terborg\n* Lies Terborg, pseudoniem van [[Roos Bent]], schrijfster\n* [[Anna Moor]], geboren als Lies Terborg\n* [[Bruno Terborg]], echtgenoot van Lies Terborg",
            ("Lies Terborg", "Lies Terborg (zwemster)", "Karla Dien", "Roos Bent", "Anna Moor"),
        ),
        ForeignPage(
            "Kees Marwold",
            "* [[Cornelis Marwold]], bekend als Kees Marwold, zanger\n* [[Kees Marwold (wielrenner)]]\n* [[Kees Marwold (minister)]] (1911–1990)\n* Kees Marwold (16e eeuw), notaris\n* Kees Marwold, personage uit de roman ''[[Het dal]]''\n== Externe links ==\n* [[Archief Marwold]]",
            ("Cornelis Marwold", "Kees Marwold (wielrenner)", "Kees Marwold (minister)"),
            things=("Het dal", "Archief Marwold"),
            named=("notaris",),
        ),
        ForeignPage(
            "Nieuwe Marina",
            "* [[Nieuwe Marina (Assen)]], buurtschap\n* [[Nieuwe Marina (Goes)]], dorp\n* [[Marina Nieuwe]], basketbalster",
            (),
            things=("Nieuwe Marina (Assen)", "Nieuwe Marina (Goes)"),
        ),
        ForeignPage(
            "Douwe Brinkema",
            "De naam '''Douwe Brinkema''' kan slaan op de volgende personen:\n'''Sport'''\n* [[Douwe Brinkema (judoka)]], judoka, geboren in 1964\n* [[Douwe Brinkema (coach)]] (geb. 1950)\n'''Kunst'''\n* [[Douwe Brinkema (graveur)]] (ca. 1620 – 1690)\n* [[Marius Dol]] (1888-1950), schrijver die publiceerde onder de naam Douwe Brinkema\n* Douwe Brinkema, echte naam van [[Max Tel]]\n'''Overig'''\n* [[Huize Brinkema]], gebouwd door Douwe Brinkema\n* [[Douwe Brinkemaprijs]]\n''Niet te verwarren met'' [[Douwe Brink]]",
            (
                "Douwe Brinkema (judoka)",
                "Douwe Brinkema (coach)",
                "Douwe Brinkema (graveur)",
                "Marius Dol",
                "Max Tel",
            ),
            things=("Huize Brinkema", "Douwe Brinkemaprijs"),
        ),
        ForeignPage(
            "Irene van Salm",
            "* [[Irene van Salm (sopraan)]], sopraan\n* [[Irene van Salm (senator)]]\n* [[Irene Mels]], later Irene van Salm, kunstschilderes\n* Irene van Salm, dochter van [[Ennius van Salm]]\n* [[Prinses Irene van Salm]]\n* Irene van Salm, hoofdpersoon van de serie ''[[Het meer]]''\n== Literatuur ==\n* [[Archief Salm]]",
            (
                "Irene van Salm (sopraan)",
                "Irene van Salm (senator)",
                "Irene Mels",
                "Prinses Irene van Salm",
            ),
            things=("Het meer", "Archief Salm"),
            named=("dochter",),
        ),
    ),
}

ARTICLES = {
    "Ettore Vaschi (pittore)": _bio("Ettore", "Vaschi", 1801, "1866"),
    "Ada Ferrin (scienziata)": "'''Ada Ferrin''' ([[Trieste]], [[3 aprile]] [[1950]]) è una fisica italiana.\n\n{{DEFAULTSORT:Ferrin, Ada}}\n[[Categoria:Fisici italiani]]\n[[Categoria:Nati nel 1950]]",
    "Duarte Pimpão (arquiteto)": "'''Duarte Pimpão''' ([[Braga]], 1 de maio de 1801 – [[Porto]], 1866) foi um arquiteto português.\n\n[[Categoria:Arquitetos de Portugal]]\n[[Categoria:Nascidos em 1801]]\n[[Categoria:Mortos em 1866]]",
    "Hidde Vroman (voetballer)": "{{Infobox voetballer\n| naam = Hidde Vroman\n| geboortedatum = 3 april 1980\n}}\n'''Hidde Vroman''' ([[Assen]], [[3 april]] [[1980]]) is een Nederlands [[voetballer]].\n[[Categorie:Nederlands voetballer]]",
    "Lies Terborg (zwemster)": "'''Lies Terborg''' ([[Gent]], [[3 april]] [[1966]]) is een Belgisch [[zwemster]].\n[[Categorie:Belgisch zwemmer]]\n[[Categorie:Belgisch olympisch deelnemer]]",
}
"""Articles that differ from those of `person`."""
