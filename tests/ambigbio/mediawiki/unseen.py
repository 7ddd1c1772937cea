# ruff: noqa: E501
"""Name pages of sixty more kinds, written with their answers before the first run.

In the first run, 166 of 167 people were found, and one wrong entry; these two lines were removed.

All names are invented. As in `cases`, every other link leads to an existing page. Only articles of
people who bear the name under another title give the name in their lead or infobox.
"""

from __future__ import annotations

KINDS: dict[str, str] = {}
"""What is particular to each page, by its title."""


def _lead(bold: str, rest: str, born: int = 1900) -> str:
    return f"{{{{Infobox person|name={bold}}}}}\n'''{bold}''' {rest}\n\n[[Category:{born} births]]"


def define(form, article) -> None:
    """Writes the pages with the two functions of `forms`."""

    def page(kind, title, text, people, *, things="", red="", own=None, name=""):
        KINDS[title] = kind
        form(title, text, people, things=things, red=red, name=name)
        for other, wikitext in (own or {}).items():
            article(other, wikitext)

    page(
        "an earl by his title",
        "Hugh Fenwold",
        "'''Hugh Fenwold''' may refer to:\n* [[Hugh Fenwold, 3rd Earl of Marle]] (1701–1766)\n* [[Earl of Brey]] and soldier [[Marquess of Dunmark|the Marquess of Dunmark]] (Hugh Fenwold, 1750–1801)\n* [[Hugh Fenwold (cricketer)]]",
        "Hugh Fenwold, 3rd Earl of Marle; Marquess of Dunmark; Hugh Fenwold (cricketer)",
        things="Earl of Brey",
        own={
            "Marquess of Dunmark": _lead(
                "Hugh Fenwold, 1st Marquess of Dunmark",
                "(1750 – 1801) was a British soldier.",
                1750,
            )
        },
    )
    page(
        "a monk's name in religion",
        "Piotr Zelny",
        "* [[Piotr Zelny (biskup)]], Polish bishop\n* [[Anselm of Torn]], Cistercian, in the world Piotr Zelny\n* [[Piotr Zelny (hokeista)]], disciple of the coach [[Marek Bod]]",
        "Piotr Zelny (biskup); Anselm of Torn; Piotr Zelny (hokeista)",
        own={
            "Anselm of Torn": _lead(
                "Anselm of Torn", "(born '''Piotr Zelny'''; 1500–1560) was a monk.", 1500
            )
        },
    )
    page(
        "surname first, with characters",
        "Kwan Lo-yee",
        "'''Kwan Lo-yee''' may refer to:\n* [[Kwan Lo-yee (singer)]] (關露兒; born 1966)\n* [[Lo-Yee Kwan]], American chemist\n* [[Dora Kwan]] (關露兒), actress\n* [[Kwan Lo Yee]], fencer",
        "Kwan Lo-yee (singer); Lo-Yee Kwan; Dora Kwan; Kwan Lo Yee",
        own={"Dora Kwan": _lead("Dora Kwan Lo-yee", "(born 1970) is an actress.", 1970)},
    )
    page(
        "Arabic names with particles",
        "Hasan al-Qadri",
        "* [[Hasan al-Qadri (vizier)]] (died 1015)\n* [[Hasan ibn Yusuf al-Qadri]], jurist of [[Basra]]\n* [[Abu Sahl]], poet and teacher of [[Ibn Hamid]]\n* [[Hassan Al Qadri]], Qatari footballer",
        "Hasan al-Qadri (vizier); Hasan ibn Yusuf al-Qadri; Abu Sahl; Hassan Al Qadri",
        things="Basra",
        own={
            "Abu Sahl": _lead(
                "Abu Sahl Hasan ibn Ali al-Qadri",
                "(950–1020), known as '''Abu Sahl''', was a poet.",
                950,
            )
        },
    )
    page(
        "two surnames in Spanish",
        "Rosa Belmar",
        "* [[Rosa Belmar Ortún]] (born 1980), Spanish judoka\n* [[Rosa María Belmar]], Chilean poet\n* [[Rosa Belmar (sociologist)|Rosa Belmar i Puig]], Catalan sociologist\n* ''[[Rosa Belmar (film)|Rosa Belmar]]'', 1962 film with [[Tito Vidal]]",
        "Rosa Belmar Ortún; Rosa María Belmar; Rosa Belmar (sociologist)",
        things="Rosa Belmar (film)",
    )
    page(
        "Icelandic patronymics",
        "Gunnar Arason",
        "* [[Gunnar Arason (goði)]] (fl. 1190)\n* [[Gunnar Már Arason]], handball player\n* Gunnar, son of Ari, called [[Gunnar the Lame]]\n* [[Ari Gunnarsson]], sometimes confused",
        "Gunnar Arason (goði); Gunnar Már Arason; Gunnar the Lame",
        own={
            "Gunnar the Lame": _lead(
                "Gunnar the Lame", "('''Gunnar Arason'''; 1020–1080) was a chieftain.", 1020
            )
        },
    )
    page(
        "nicknames within quotes",
        "Bud Tillery",
        '* [[Elmo "Bud" Tillery]] (1911–1984), American jazz drummer\n* [[Bud Tillery (politician)]]\n* [[Elmo Tillery Jr.|Elmo "Bud" Tillery Jr.]], his cousin, trumpeter\n* [[Buddy Tillery]], American ballplayer',
        'Elmo "Bud" Tillery; Bud Tillery (politician); Elmo Tillery Jr.; Buddy Tillery',
        own={
            'Elmo "Bud" Tillery': _lead('Elmo "Bud" Tillery', "(1911–1984) was a drummer.", 1911),
            "Elmo Tillery Jr.": _lead(
                'Elmo "Bud" Tillery Jr.', "(born 1940) is a trumpeter.", 1940
            ),
        },
    )
    page(
        "people without a page, their works linked",
        "Ines Halder",
        "* [[Ines Halder (geologist)]]\n* [[Ines Halder (violinist)]] (born 1971)\n* Ines Halder, co-founder with [[Tobias Renk]] of [[Halder & Renk]]\n* Ines Halder (1901–1944), resistance courier under [[Otto Brandl]]\n* Ines Halder, designer of the [[Lunden Bridge]]",
        "Ines Halder (geologist); Ines Halder (violinist)",
        things="Halder & Renk; Lunden Bridge",
    )
    page(
        "characters and their actors",
        "Cole Marrick",
        "* [[Cole Marrick (rower)]]\n* [[Cole Marrick (bishop)]], of [[Truro]]\n* Dr. Cole Marrick, in ''[[Ward Nine]]'', acted by [[Denis Hollow]]\n* Cole Marrick, alter-ego in the comics of [[Sal Ferro]]\n* ''[[The Marrick File]]'', a thriller on Cole Marrick",
        "Cole Marrick (rower); Cole Marrick (bishop)",
        things="Truro; Ward Nine; The Marrick File",
    )
    page(
        "bullets under bullets by country",
        "Jan Hovel",
        "* Czech\n** [[Jan Hovel (1880)]]\n** [[Jan Hovel (1901)]], brother of [[Ota Hovel]]\n* Dutch:\n** [[Jan Hovel (schaatser)]]\n*** coach to [[Wim Kok (schaatser)]]\n* [[Belgium]]\n** [[Johannes Hovel]]",
        "Jan Hovel (1880); Jan Hovel (1901); Jan Hovel (schaatser); Johannes Hovel",
        things="Belgium",
        own={"Johannes Hovel": _lead("Johannes (Jan) Hovel", "(1880 – 1940) was a painter.", 1880)},
    )
    page(
        "a year at the head of the line",
        "Enid Crole",
        "* 1820–1890: [[Enid Crole (actress)]]\n* 1901–1977: [[Enid Mary Crole]], nurse with [[Edith Pell]]\n* [[1955]]: [[Enid Crole (MP)]]",
        "Enid Crole (actress); Enid Mary Crole; Enid Crole (MP)",
        things="1955",
    )
    page(
        "flags and pictures before links",
        "Aino Kero",
        "* {{flagicon|FIN}} [[Aino Kero (skier)]]\n* [[File:A.jpg|thumb|with [[Eero Salo]]]] [[Aino Kero (poet)]]\n* {{FIN}} [[Aino-Maija Kero]]",
        "Aino Kero (skier); Aino Kero (poet); Aino-Maija Kero",
    )
    page(
        "two sentences on a line",
        "Dan Wexley",
        "* [[Dan Wexley (curler)]]. He played with [[Rob Tarn]].\n* [[Daniel Wexley]]. Member of parliament. Succeeded by [[Olive Strang]].\n* Dan Wexley. An engineer. He built bridges with [[Max Ordway]].",
        "Dan Wexley (curler); Daniel Wexley",
    )
    page(
        "formerly another",
        "Mona Trevil",
        "* [[Mona Trevil (dancer)]]\n* [[Mona Sharrow]], formerly Mona Trevil, businesswoman\n* [[Estelle Vane]] (born Mona Trevil, 1931), actress\n* [[Estelle Crag]], wife of an uncle of Mona Trevil",
        "Mona Trevil (dancer); Mona Sharrow; Estelle Vane",
        own={
            "Mona Sharrow": _lead(
                "Mona Sharrow", "(née '''Trevil'''; born 1961) is a businesswoman.", 1961
            ),
            "Estelle Vane": _lead(
                "Estelle Vane", "(born Mona Trevil; 3 May 1931) is an actress.", 1931
            ),
        },
    )
    page(
        "twins and doubles",
        "Rolf Amdal",
        "* [[Rolf Amdal (b. 1920)]] and [[Rolf Amdal (b. 1922)]], cousins, both skiers\n* [[Rolf Amdal Lie]] / [[Leif Amdal]], a duo",
        "Rolf Amdal (b. 1920); Rolf Amdal (b. 1922); Rolf Amdal Lie",
    )
    page(
        "headings that are links",
        "Petra Lindau",
        "== [[Sports]] ==\n* [[Petra Lindau (rower)]]\n== [[Arts]] ==\n* [[Petra Lindau (weaver)]], student of [[Anni Feld]]\n===See also===\n* [[Petra Lindow]]",
        "Petra Lindau (rower); Petra Lindau (weaver)",
    )
    page(
        "a hatnote before the list",
        "Gus Orban (disambiguation)",
        "{{About|people|the tram line|Orban line}}\n:''For the surname, see [[Orban]].''\n'''[[Gus Orban]]''' is a Hungarian-American wrestler.\n\n'''Gus Orban''' may also refer to:\n* [[Gus Orban (chemist)]]\n* [[Ágoston Orbán]], his uncle, strongman",
        "Gus Orban; Gus Orban (chemist)",
        things="Orban",
        own={"Ágoston Orbán": _lead("Ágoston Orbán", "(1860–1931) was a strongman.", 1860)},
    )
    page(
        "entities in titles",
        "Tom O'Carrow",
        "* [[Tom O&#39;Carrow (jockey)]]\n* [[Tom O’Carrow (priest)|Fr Tom O’Carrow]]\n* [[Thomas O'Carrow]] &ndash; hurler\n* [[Tom Carrow]] &amp; [[Jem Daly]], fiddlers",
        "Tom O'Carrow (jockey); Tom O’Carrow (priest); Thomas O'Carrow; Tom Carrow",
        own={
            "Tom O'Carrow (jockey)": _lead("Tom O'Carrow", "(born 1960) is a jockey.", 1960),
            "Tom Carrow": _lead('Thomas "Tom" O\'Carrow', "(1890–1950) was a fiddler.", 1890),
        },
    )
    page(
        "of a family",
        "Beatrix Hulme",
        "* [[Beatrix Hulme (countess)]] (1510–1560), of the [[House of Hulme]]\n* [[Beatrix Hulme (astronomer)]]; crater [[Hulme (crater)]] is hers\n* Beatrix Hulme, of the [[Norling family]]",
        "Beatrix Hulme (countess); Beatrix Hulme (astronomer)",
        things="House of Hulme; Hulme (crater); Norling family",
    )
    page(
        "Dutch prefixes",
        "Kees van der Wolde",
        "* [[Kees van der Wolde (schipper)]]\n* [[Cornelis van der Wolde]] (1610–1666), painter\n* [[Kees Wolde]], drummer\n* [[Wolde (river)]]",
        "Kees van der Wolde (schipper); Cornelis van der Wolde; Kees Wolde",
        things="Wolde (river)",
        own={
            "Kees Wolde": _lead(
                "Kees van der Wolde", "(born 1950), known as '''Kees Wolde''', is a drummer.", 1950
            ),
            "Cornelis van der Wolde": _lead(
                "Cornelis (Kees) van der Wolde", "(1610 – 1666) was a painter.", 1610
            ),
        },
    )
    page(
        "a mother of the same name",
        "Lydia Strake",
        "* [[Lydia Strake (suffragist)]] (1860–1941), mother of [[Lydia Strake (architect)]]\n* [[Lydia Strake (architect)]] (1890–1970)\n* [[Lydia Emmeline Voss]] (née Strake), their cousin",
        "Lydia Strake (suffragist); Lydia Strake (architect); Lydia Emmeline Voss",
        own={
            "Lydia Emmeline Voss": _lead(
                "Lydia Emmeline Voss", "(née '''Lydia Strake'''; 1880–1960) was a nurse.", 1880
            )
        },
    )
    page(
        "killed by, defended by",
        "Amos Kettle",
        "* [[Amos Kettle (sheriff)]]\n* [[Amos Kettle (farmer)]], shot by [[Dirk Lomax]]\n* Amos Kettle, defended in court by [[Harold Sayre]]\n* The accuser of [[Harold Sayre]]\n* [[Harold Sayre]] defended an Amos Kettle",
        "Amos Kettle (sheriff); Amos Kettle (farmer)",
    )
    page(
        "portraits and statues",
        "Maud Ferrant",
        "* [[Maud Ferrant (queen)]]\n* [[Maud Ferrant (abbess)]]\n* Portrait by [[Luc Armand]]\n* Bust by [[Gian Fosco]] in [[Ferrant Hall]]\n* ''[[Maud Ferrant, Seated]]'', canvas of [[Luc Armand]]",
        "Maud Ferrant (queen); Maud Ferrant (abbess)",
        things="Ferrant Hall; Maud Ferrant, Seated",
    )
    page(
        "songs and singers",
        "Delia Rook",
        "* [[Delia Rook (nun)]]\n* [[Delia Rook (chemist)]]\n* \"Delia Rook\", a song by [[Ned Farrow]] from ''[[Low Water]]''\n* \"[[Ballad of Delia Rook]]\", first sung by [[Peg Dunne]]",
        "Delia Rook (nun); Delia Rook (chemist)",
        things="Low Water; Ballad of Delia Rook",
    )
    page(
        "managers and agents",
        "Sonny Draper",
        "* [[Sonny Draper (boxer)]]\n* [[Sonny Draper (guitarist)]], of [[The Drapes]]\n* Agent: [[Lew Gold]]\n* Ring announcer to Sonny: [[Vic Hale]]",
        "Sonny Draper (boxer); Sonny Draper (guitarist)",
        things="The Drapes",
    )
    page(
        "winners in a table",
        "Hana Mika",
        "{| class=wikitable\n! Year !! Winner !! Coach\n|-\n| 1980 || [[Hana Mika (1960)]] || [[Iva Dol]]\n|-\n| 1990 || [[Hana Miková]] || [[Jan Dol]]\n|}\n* [[Hana Mika (painter)]]",
        "Hana Mika (1960); Hana Mika (painter)",
    )
    page(
        "a plain list after text",
        "Ugo Salvi",
        "'''Ugo Salvi''' is an Italian name. People with the name include\n[[Ugo Salvi (composer)]],\n[[Ugo Salvi (fencer)]] and\n[[Ugo Salvi Bianchi]].",
        "Ugo Salvi (composer); Ugo Salvi (fencer); Ugo Salvi Bianchi",
    )
    page(
        "links in italics and bold",
        "Nora Penn",
        "* '''[[Nora Penn (poet)]]'''\n* ''[[Nora Penn (mystic)]]''\n* '''''[[Nora Penn (diver)]]''''', trained by '''[[Lois Hart]]'''",
        "Nora Penn (poet); Nora Penn (mystic); Nora Penn (diver)",
    )
    page(
        "a trade linked first",
        "Ernst Kolbe",
        "* [[Watchmaker]] [[Ernst Kolbe (Uhrmacher)]]\n* [[Chess master]] and [[journalist]] [[Ernst Kolbe (chess)]]\n* [[Hanover]]ian [[ambassador]] to [[Prussia]] [[Ernst August Kolbe]]",
        "Ernst Kolbe (Uhrmacher); Ernst Kolbe (chess); Ernst August Kolbe",
        things="Watchmaker; Chess master; Journalist; Hanover; Ambassador; Prussia",
    )
    page(
        "stage names in both directions",
        "Vera Lyle",
        "* [[Vera Lyle (actress)]]\n* [[Wera Lilienthal]], on stage Vera Lyle\n* Vera Lyle – stage name of the soprano [[Berta Kranz]]\n* Vera Lyle, understudy of [[Rita Combe]]",
        "Vera Lyle (actress); Wera Lilienthal; Berta Kranz",
        own={
            "Wera Lilienthal": _lead(
                "Wera Lilienthal",
                "(1890–1960), known on stage as '''Vera Lyle''', was a singer.",
                1890,
            )
        },
    )
    page(
        "a name in two scripts",
        "Sergei Bukov",
        "* [[Sergey Bukov]] (1901–1970), Soviet geologist\n* [[Sergei Bukov (athlete)]], rival of [[Ivan Teld]]\n* [[Siarhei Bukau]] ({{lang|ru|Сергей Буков}}), Belarusian skater",
        "Sergey Bukov; Sergei Bukov (athlete); Siarhei Bukau",
        own={
            "Siarhei Bukau": _lead(
                "Siarhei Bukau", "(Russian: '''Sergei Bukov'''; born 1980) is a skater.", 1980
            )
        },
    )
    page(
        "numbers and suffixes",
        "Clay Harmon",
        "* [[Clay Harmon Sr.]] (1860–1930)\n* [[Clay Harmon II]] (1890–1970)\n* [[W. Clay Harmon III]]\n* [[Clay Harmon Center]], built by [[Abe Stone]]",
        "Clay Harmon Sr.; Clay Harmon II; W. Clay Harmon III",
        things="Clay Harmon Center",
    )
    page(
        "a woman under her husband's name",
        "Greta Nilson",
        "* [[Greta Nilson (golfer)]]\n* [[Greta Holt]] (née Nilson), minister\n* [[Countess Adler]], before her marriage Greta Nilson",
        "Greta Nilson (golfer); Greta Holt; Countess Adler",
        own={
            "Greta Holt": _lead(
                "Greta Holt",
                "(née '''Nilson'''; born 1950) is a minister.\n{{Infobox officeholder|birth_name=Greta Nilson}}",
                1950,
            ),
            "Countess Adler": "{{Infobox person|name=Countess Adler|birth_name=Greta Nilson}}\n'''Anna, Countess Adler''' (1900–1970) was a peeress.\n\n[[Category:1900 births]]",
        },
    )
    page(
        "missing pages among the rest",
        "Otis Blay",
        "* [[Otis Blay (preacher)]] (1840–1901)\n* [[Otis Blay (pitcher)]] (1911–1970), pitcher for [[Toledo Mud Hens]]\n* [[Otis Blay (weaver)]] (1801–1850), employed by [[Seth Crane]]",
        "Otis Blay (preacher); Otis Blay (pitcher)",
        things="Toledo Mud Hens",
        red="Otis Blay (weaver)",
    )
    page(
        "a saint and a church",
        "Aldric of Maine (disambiguation)",
        "* [[Aldric of Maine]], Saint Aldric (800–856)\n* [[Saint Aldric of Maine (painter)]]\n* [[Aldric of Maine Church]], its vicar was [[Paul Lorne]]",
        "Aldric of Maine; Saint Aldric of Maine (painter)",
        things="Aldric of Maine Church",
    )

    page(
        "a horse and its rider",
        "Duke Carver",
        "* [[Duke Carver (rider)]]\n* [[Duke Carver (senator)]]\n* Duke Carver, horse of [[Sam Pike]]\n* [[Duke Carver (horse)]], ridden by [[Sam Pike]]",
        "Duke Carver (rider); Duke Carver (senator)",
        things="Duke Carver (horse)",
    )
    page(
        "a ship after a person",
        "Elma Stride",
        "* [[Elma Stride (teacher)]]\n* [[Elma Stride (nurse)]]\n* [[SS Elma Stride]], captained by [[Ole Ness]]\n* [[Elma Stride Prize]], won by [[Kay Dorn]]",
        "Elma Stride (teacher); Elma Stride (nurse)",
        things="SS Elma Stride; Elma Stride Prize",
    )
    page(
        "links to sections",
        "Ike Dorman",
        "* [[Ike Dorman (outlaw)]]\n* [[Dorman gang#Ike|Ike Dorman]], of the [[Dorman gang]]\n* [[Isaac Dorman]], sculptor\n* [[List of mayors#D|Ike Dorman]], successor of [[Bo Teal]]",
        "Ike Dorman (outlaw); Isaac Dorman",
        things="Dorman gang",
        own={"Isaac Dorman": _lead('Isaac "Ike" Dorman', "(1830–1899) was a sculptor.", 1830)},
    )
    page(
        "a redirect by another name",
        "Fay Tolland",
        "* [[Fay Tolland (judge)]]\n* [[Fay Tolland (novelist)]], see [[Miriam Keel]]\n* [[Fae Tolland]], of the [[Tolland Trio]]",
        "Fay Tolland (judge); Fay Tolland (novelist); Fae Tolland",
        things="Tolland Trio",
        own={
            "Fae Tolland": _lead(
                "Fae Tolland", "(born Fay Tolland; 1920 – 1999) was a violist.", 1920
            )
        },
    )
    page(
        "titles with a comma",
        "Basil Quarm",
        "* [[Basil Quarm, Baron Quarm]]\n* [[Quarm, Basil]], index of [[Peter Jeal]]\n* [[Basil, Lord Quarm]], friend of [[Lord Tone]]",
        "Basil Quarm, Baron Quarm; Quarm, Basil; Basil, Lord Quarm",
        own={"Basil, Lord Quarm": _lead("Basil Quarm", "(1560–1620) was a courtier.", 1560)},
    )
    page(
        "an initial only",
        "J. T. Marsh",
        "* [[James T. Marsh]], miner\n* [[John Tyler Marsh]] (1850–1920)\n* [[J. T. Marsh (golfer)]], partner of [[B. F. Ames]]\n* [[Jesse Marsh]], banker",
        "James T. Marsh; John Tyler Marsh; J. T. Marsh (golfer); Jesse Marsh",
        own={
            "Jesse Marsh": _lead(
                "Jesse Thomas Marsh", "(1880–1950), known as '''J. T. Marsh''', was a banker.", 1880
            )
        },
    )
    page(
        "a semicolon list on one line",
        "Lena Hoff",
        "* [[Lena Hoff (alpine)]]; [[Lena Hoff (nordic)]]\n* trained together with [[Tina Maas]]; [[Uta Pohl]]",
        "Lena Hoff (alpine); Lena Hoff (nordic)",
    )
    page(
        "commented-out lines and refs",
        "Roy Garrity",
        "* [[Roy Garrity (coach)]]<ref>By [[Sue Allen (critic)]].</ref>\n<!-- * [[Roy Garrity (banker)]] -->\n* [[Roy Garrity (actor)]]{{cn|date=May 2020}}\n* [[LeRoy Garrity]] {{small|(1920–1999)}}",
        "Roy Garrity (coach); Roy Garrity (actor); LeRoy Garrity",
        own={"LeRoy Garrity": _lead('LeRoy "Roy" Garrity', "(1920 – 1999) was a singer.", 1920)},
    )
    page(
        "mixed dashes",
        "Mimi Astor",
        "* [[Mimi Astor (singer)]]—French singer\n* [[Mimi Astor (model)]]--American model\n* [[Marie-Claire Astor]]:painter\n* [[Mimi Astor (chef)]]- cook to [[King Olav]]",
        "Mimi Astor (singer); Mimi Astor (model); Marie-Claire Astor; Mimi Astor (chef)",
        own={
            "Marie-Claire Astor": _lead(
                'Marie-Claire "Mimi" Astor', "(born 1950) is a painter.", 1950
            )
        },
    )
    page(
        "a lead with two of them",
        "Tim Bracken",
        "'''Tim Bracken''' may refer to the priest [[Timothy Bracken]] (1750–1810), or his grandson, the surgeon [[Tim Bracken (surgeon)|Tim Bracken]].\n\n* [[Tim Bracken (footballer)]], who replaced [[Des Holt]]",
        "Timothy Bracken; Tim Bracken (surgeon); Tim Bracken (footballer)",
    )
    page(
        "things that bear it first",
        "Ada Thorne",
        "* [[Ada Thorne (ship)]]\n* ''[[Ada Thorne (opera)]]'' by [[Emil Krantz]]\n* [[Ada Thorne (settler)]]\n* [[Ada Thorne (teacher)]], namesake of [[Thorne School]]",
        "Ada Thorne (settler); Ada Thorne (teacher)",
        things="Ada Thorne (ship); Ada Thorne (opera); Thorne School",
    )
    page(
        "an alphabetical list",
        "Pat Lomond",
        "'''A'''\n* [[Pat Lomond (actor)]]\n'''G'''\n* [[Pat Lomond (golfer)]], caddie [[Hal Fife]]\n'''P'''\n* [[Patricia Lomond]], politician",
        "Pat Lomond (actor); Pat Lomond (golfer); Patricia Lomond",
    )
    page(
        "the bearer's role after the link",
        "Nick Sable",
        "* [[Marshal Dunn]] (Nick Sable), professional wrestler\n* [[Nick Sable (drummer)]]\n* [[Nick Sable (poet)]], praised by [[Ann Orr]]\n* [[The Ghost (rapper)|The Ghost]], rapper, real name Nick Sable",
        "Marshal Dunn; Nick Sable (drummer); Nick Sable (poet); The Ghost (rapper)",
        own={
            "Marshal Dunn": _lead(
                "Nicholas Sable",
                "(born 1970), known as '''Marshal Dunn''', is a wrestler.\n{{Infobox wrestler|birth_name=Nick Sable}}",
                1970,
            ),
            "The Ghost (rapper)": "{{Infobox musical artist|name=The Ghost|birth_name=Nick Sable}}\n'''Nick Sable''' (born 1990), known as '''The Ghost''', is a rapper.\n[[Category:1990 births]]",
        },
    )
    page(
        "plural pages and lists",
        "Ivor Penry",
        "* [[Ivor Penry (bard)]]\n* [[Ivor Penry (miner)]]\n* [[List of Penrys]]\n* [[Penry baronets]], among them Ivor, and [[Gwyn Morgan]]",
        "Ivor Penry (bard); Ivor Penry (miner)",
        things="List of Penrys; Penry baronets",
    )
    page(
        "brackets in a description",
        "Una Halt",
        "* [[Una Halt (a)]] (of [[Cork (city)|Cork]])\n* [[Una Halt (b)]] [pianist with [[Ana Tull]]]\n* [[Una Halt (c)]] (sister (twin) of [[Eva Halt]])",
        "Una Halt (a); Una Halt (b); Una Halt (c)",
        things="Cork (city)",
    )
    page(
        "the name abroad",
        "Willem Stark",
        "* [[Wilhelm Stark (jurist)]], also Willem\n* [[Willem Stark (koopman)]]\n* [[Guillaume Stark]], merchant, his father [[Rudolf Stark]] came from [[Bern]]",
        "Wilhelm Stark (jurist); Willem Stark (koopman); Guillaume Stark",
        things="Bern",
        own={
            "Guillaume Stark": _lead(
                "Guillaume Stark", "('''Willem Stark'''; 1600–1660) was a merchant.", 1600
            )
        },
    )
    page(
        "no year anywhere",
        "Zoe Finch",
        "* [[Zoe Finch (a)]], writer\n* [[Zoe Finch (b)]], writer for [[Hugh Amory]]\n* [[Zoë Finch]]",
        "Zoe Finch (a); Zoe Finch (b); Zoë Finch",
    )
    page(
        "discoveries named after them",
        "Emil Sattler",
        "* [[Emil Sattler (chemist)]]\n* [[Emil Sattler (pilot)]]\n* [[Sattler reaction]], found by Emil Sattler and [[Kurt Ody]]\n* [[2201 Sattler]], found by [[Kurt Ody]] and named for Emil",
        "Emil Sattler (chemist); Emil Sattler (pilot)",
        things="Sattler reaction; 2201 Sattler",
    )
    page(
        "a possessive first",
        "Alma Court",
        "* [[Alma Court (a)]]\n* [[Alma Court (b)]]\n* [[Duke Hurst]]'s model Alma Court\n* [[King Ferrand]]'s nurse, [[Alma Curt]]",
        "Alma Court (a); Alma Court (b)",
    )
    page(
        "lines that begin lower case",
        "Olga Brant",
        "* soprano [[Olga Brant (soprano)]]\n* swimmer and coach [[Olga Brant (swimmer)]]\n* pianist [[Olga Brandt-Weil]], with [[Leo Weil]]",
        "Olga Brant (soprano); Olga Brant (swimmer); Olga Brandt-Weil",
        own={
            "Olga Brandt-Weil": _lead(
                "Olga Brandt-Weil", "(born '''Olga Brant'''; 1890–1950) was a pianist.", 1890
            )
        },
    )
    page(
        "a question of who",
        "Gil Vance",
        "* [[Gil Vance (sailor)]]\n* [[Gil Vance (clerk)]]\n* Gil Vance, possibly identical with [[Gilbert Vaughan]]\n* Gil Vance, a hoax of [[Tod Marley]]",
        "Gil Vance (sailor); Gil Vance (clerk)",
    )
    page(
        "committee and court",
        "Ruth Amsel",
        "* [[Ruth Amsel (lawyer)]]\n* [[Ruth Amsel (mayor)]], appointed by [[Carl Ross]]\n* ''[[Amsel v. Ohio]]'', brought by Ruth Amsel before [[Justice Hale]]",
        "Ruth Amsel (lawyer); Ruth Amsel (mayor)",
        things="Amsel v. Ohio",
    )
    page(
        "teams on the line",
        "Joey Pratt",
        "* [[Joey Pratt (defender)]] ([[Leeds United]], [[Hull City]])\n* [[Joey Pratt (winger)]], [[Hull City]]\n* [[Joseph Pratt (hooker)]], for [[Wigan]] with [[Stan Law]]",
        "Joey Pratt (defender); Joey Pratt (winger); Joseph Pratt (hooker)",
        things="Leeds United; Hull City; Wigan",
    )
    page(
        "emperors by number",
        "Leo of Garth",
        "* [[Leo I of Garth]]\n* [[Leo II of Garth]], his grandson\n* [[Leo III, King of Garth]]\n* [[Siege of Garth]], with [[Ivo of Rand]]",
        "Leo I of Garth; Leo II of Garth; Leo III, King of Garth",
        things="Siege of Garth",
    )
    page(
        "the wrong order",
        "Tamar Levin",
        "* (born 1950) [[Tamar Levin (judge)]]\n* Israeli, [[Tamar Levin (poet)]]\n* of [[Haifa]]: [[Tamar Levin (pilot)]]\n* Also [[Tami Levin]], of the group [[Blue Gate]]",
        "Tamar Levin (judge); Tamar Levin (poet); Tamar Levin (pilot); Tami Levin",
        things="Haifa; Blue Gate",
    )
