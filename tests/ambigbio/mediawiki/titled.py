# ruff: noqa: E501
"""Name pages of eighty kinds in two halves, written with their answers before the first run.

Pages named by a rank or by one word, spellings on a page, names in other scripts and nicknames,
links to things, brothers. All names are invented. In the first run, the first half gave a precision
of .850 and a recall of .486. After changes of the reader, the second half gave 1.000 and .981 in its
first run. Two doubtful answers of the first half were changed.
"""

from __future__ import annotations


def _about(bold: str, rest: str, *categories: str) -> str:
    marks = "".join(f"\n[[Category:{name}]]" for name in categories or ("1900 births",))
    return f"'''{bold}''' {rest}\n{marks}"


def _case(bold: str, year: int) -> str:
    """Adds an article about a crime, with the victim's category."""
    return _about(bold, f"was found dead in {year}.", f"{year} deaths", "Murder in England")


def define(form, article) -> None:
    """Writes both halves with the two functions of `forms`."""
    define_first(form, article)
    define_second(form, article)


def define_first(form, article) -> None:
    """Writes the first half with the two functions of `forms`."""

    def page(title, text, people, *, things="", own=None, name=""):
        form(title, text, people, things=things, name=name)
        for other, wikitext in (own or {}).items():
            article(other, wikitext)

    page(
        "Saint Beldra",
        "* Saint [[Beldra of Leeds]] (died 690), abbess\n* [[Beldra of Mercer]] (died 720), nun\n* Saint [[Beldra the Younger]], martyr",
        "Beldra of Leeds; Beldra of Mercer; Beldra the Younger",
        own={
            "Beldra of Leeds": _about(
                "Saint Beldra of Leeds", "(died 690) was an abbess.", "690 deaths"
            )
        },
    )
    page(
        "Pope Alarix",
        "* [[Pope Alarix I]] (died 402)\n* [[Alarix II|Pope Alarix II]] (died 610)\n* [[Alarix of Tor|Pope Alarix III]], from [[Tor]]",
        "Pope Alarix I; Alarix II; Alarix of Tor",
        things="Tor",
    )
    page(
        "Prince Karlo",
        "* [[Karlo of Bavaro]], prince of Bavaro\n* [[Prince Karlo of Savo]] (1801–1850)\n* [[Karlo, Prince of Orlen]] (1900–1970)",
        "Karlo of Bavaro; Prince Karlo of Savo; Karlo, Prince of Orlen",
    )
    page(
        "King Aldrik",
        "* [[Aldrik I of Mercia]], king of Mercia\n* [[Aldrik II]] (died 802), who succeeded [[Offric of Mercia]]\n* King [[Aldrik of Brenn]]",
        "Aldrik I of Mercia; Aldrik II; Aldrik of Brenn",
    )
    page(
        "Princess Ilvara",
        "* [[Ilvara of Denmar]] (1500–1550), daughter of [[Hans of Denmar]]\n* [[Ilvara, Countess of Holm]] (1611–1660)\n* [[Princess Ilvara of Thorn]]",
        "Ilvara of Denmar; Ilvara, Countess of Holm; Princess Ilvara of Thorn",
    )
    page(
        "Patriarch Zosimon",
        "* [[Patriarch Zosimon I of Constantin]]\n* [[Zosimon II of Alexandra]], patriarch\n* Patriarch [[Zosimon of Kiel]] (1700–1760)",
        "Patriarch Zosimon I of Constantin; Zosimon II of Alexandra; Zosimon of Kiel",
    )
    page(
        "Theod (disambiguation)",
        "'''Theod''' may refer to:\n* Bishop [[Theod of Constantin]]\n* Hungarian king [[Theod II of Hungar]]\n* [[Theod (painter)]]\n* [[Theod (crater)]]\n* [[Theod, Ohio]]",
        "Theod of Constantin; Theod II of Hungar; Theod (painter)",
        things="Theod (crater); Theod, Ohio",
    )
    page(
        "Queen Maruva",
        "* [[Maruva of Aksu]] (died 330), queen\n* [[Maruva the Great]]\n* ''[[Queen Maruva (ship)]]''",
        "Maruva of Aksu; Maruva the Great",
        things="Queen Maruva (ship)",
    )
    page(
        "Duke Ottern",
        "* [[Ottern, Duke of Saxe]]\n* [[Ottern II, Duke of Brab]]\n* Duke [[Ottern the Bold]]",
        "Ottern, Duke of Saxe; Ottern II, Duke of Brab; Ottern the Bold",
    )
    page(
        "Emperor Tamuro",
        "* [[Tamuro of Yamat]] (died 650), 30th emperor\n* [[Tamuro II]]\n* [[Tamuro dynasty]]",
        "Tamuro of Yamat; Tamuro II",
        things="Tamuro dynasty",
    )
    page(
        "Sister Agneta",
        "* [[Agneta Holm]] (1900–1980), Swedish nun\n* [[Sister Agneta of the Cross]] (1800–1870)\n* [[Agneta of Vadst]], abbess",
        "Agneta Holm; Sister Agneta of the Cross; Agneta of Vadst",
        own={
            "Agneta Holm": _about(
                "Agneta Holm", "(1900–1980), also known as '''Sister Agneta''', was a nun."
            )
        },
    )
    page(
        "Caliph Harunid",
        "* [[Harunid I]] (died 801)\n* Caliph [[Harunid al-Mansir]] (died 850)\n* [[Harunid Palace]]",
        "Harunid I; Harunid al-Mansir",
        things="Harunid Palace",
    )
    page(
        "Yaromir",
        "'''Yaromir''' may refer to:\n* Grand Prince [[Yaromir of Kivan]]\n* Czech duke [[Yaromir, Duke of Boh]]\n* [[Yaromir Novak]], footballer",
        "Yaromir of Kivan; Yaromir, Duke of Boh; Yaromir Novak",
    )
    page(
        "Abbot Guthlan",
        "* Abbot [[Guthlan of Croy]] (died 714)\n* [[Guthlan II]] (died 760), abbot of Croy\n* his pupil [[Bede of Croy]]",
        "Guthlan of Croy; Guthlan II",
    )

    page(
        "Al-Mantur",
        "'''Al-Mantur''' or '''Almantor''' may refer to:\n* [[Almantor of Cordob]] (938–1002)\n* [[Al-Mantur II]]\n* [[Almantor (vizier)]]",
        "Almantor of Cordob; Al-Mantur II; Almantor (vizier)",
    )
    page(
        "Joseph Ham",
        "* [[Joseph Ham (farmer)]]\n* [[Joseph Ham (priest)]]\n== Joseph Hamm ==\n* [[Joseph Hamm (footballer)]] (born 1950)\n* Professor [[Joseph Hamm (chemist)]]\n== See also ==\n* [[Josef Hame]]",
        "Joseph Ham (farmer); Joseph Ham (priest); Joseph Hamm (footballer); Joseph Hamm (chemist)",
    )
    page(
        "Mohammed Aliov",
        "* [[Mohammed Aliov (judge)]]\n* [[Magomed Aliev (wrestler)]] (born 1980)\n* [[Magomed Aliev (boxer)]]",
        "Mohammed Aliov (judge); Magomed Aliev (wrestler); Magomed Aliev (boxer)",
        own={"Magomed Aliev": "#REDIRECT [[Mohammed Aliov]]"},
    )
    page(
        "Ivan Petrev",
        "'''Ivan Petrev''' or '''Ivans Petrevs''' may refer to:\n* [[Ivan Petrev (singer)]]\n* [[Ivans Petrevs (pilot)]]\n* Latvian rower [[Ivans Petrevs (rower)]]",
        "Ivan Petrev (singer); Ivans Petrevs (pilot); Ivans Petrevs (rower)",
    )
    page(
        "Yekaterina Zorina",
        "'''Yekaterina Zorina''' (also spelled '''Ekaterina Zorina''' and '''Katerina Zoryna''') is the name of:\n* [[Ekaterina Zorina (runner)]]\n* [[Katerina Zoryna (poet)]]\n* [[Yekaterina Zorina (judge)]]",
        "Ekaterina Zorina (runner); Katerina Zoryna (poet); Yekaterina Zorina (judge)",
    )
    page(
        "Jon Lundar",
        "== Jon Lundar ==\n* [[Jon Lundar (smith)]]\n* [[Jon Lundar (miller)]]\n== Jón Lundur ==\n* [[Jón Lundur (poet)]]\n* The priest [[Jón Lundur (priest)]]",
        "Jon Lundar (smith); Jon Lundar (miller); Jón Lundur (poet); Jón Lundur (priest)",
    )
    page(
        "Catherine Boyl",
        "* [[Catherine Boyl (nun)]]\n* [[Catherine Boyl (queen's maid)]]\n'''Cathrin Boyle'''\n* [[Cathrin Boyle (nurse)]]",
        "Catherine Boyl (nun); Catherine Boyl (queen's maid); Cathrin Boyle (nurse)",
    )
    page(
        "Ian Macdonel",
        "* [[Ian Macdonel (laird)]]\n* [[Ian McDonel (piper)]]\n* Piper [[Iain MacDonnel]]",
        "Ian Macdonel (laird); Ian McDonel (piper); Iain MacDonnel",
        own={
            "Ian McDonel": "#REDIRECT [[Ian Macdonel]]",
            "Iain MacDonnel": _about(
                "Iain MacDonnel", "or '''Ian Macdonel''' (born 1900) was a piper."
            ),
        },
    )

    page(
        "Kim Ha-eun",
        "'''Kim Ha-eun''' ({{Korean|hangul=김하은}}) may refer to:\n* [[Harin (singer)]] (born 1995), South Korean singer\n* [[Kim Ha-eun (actress)]]\n* [[Mina Park]], her sister",
        "Harin (singer); Kim Ha-eun (actress)",
        own={
            "Harin (singer)": _about(
                "Harin", "({{Korean|hangul=김하은}}; born 1995) is a singer.", "1995 births"
            )
        },
    )
    page(
        "Wang Feiya",
        "'''Wang Feiya''' ({{zh|c=王菲雅}}) may refer to:\n* [[Faye Wang (singer)]] (born 1969)\n* [[Wang Feiya (fencer)]]\n* her manager [[Mei Wang (manager)]]",
        "Faye Wang (singer); Wang Feiya (fencer)",
        own={
            "Faye Wang (singer)": _about(
                "Faye Wang", "({{zh|t=王菲雅|p=Wáng Fēiyǎ}}; born 1969) is a singer.", "1969 births"
            )
        },
    )
    page(
        "Dutch Kellar",
        '* [[Harold Kellar]] (1890–1950), pitcher nicknamed "Dutch"\n* [[Dutch Kellar (actor)]]\n* his brother [[Fred Kellar]]',
        "Harold Kellar; Dutch Kellar (actor)",
    )
    page(
        "Red Barlaw",
        '* [[Ernest Barlaw]] (1880–1940), footballer known as "Red"\n* [[Red Barlaw (racer)]]',
        "Ernest Barlaw; Red Barlaw (racer)",
    )
    page(
        "Tiny Wilks",
        "* [[Tiny Wilks (singer)]]\n* Tiny, the nickname given to [[George Wilks (boxer)]]\n* [[Tiny Wilks (dancer)]], taught by [[Ora Dunn]]",
        "Tiny Wilks (singer); George Wilks (boxer); Tiny Wilks (dancer)",
    )
    page(
        "Li Shanmu",
        "'''Li Shanmu''' (李山木) may refer to:\n* [[Lisa Leeham]] (李山木; born 1950), designer\n* [[Li Shanmu (monk)]]",
        "Lisa Leeham; Li Shanmu (monk)",
    )
    page(
        "Babe Harlan",
        '* [[Mildred Harlan]] ("Babe", 1911–1956), golfer\n* [[Babe Harlan (boxer)]]\n* [[John Harlan]], his father',
        "Mildred Harlan; Babe Harlan (boxer)",
    )
    page(
        "Sato Kenjiro",
        "'''Sato Kenjiro''' may refer to:\n* [[Ken Satoh]] (佐藤健二郎, born 1970), golfer\n* [[Sato Kenjiro (poet)]] (佐藤健次郎)",
        "Ken Satoh; Sato Kenjiro (poet)",
        own={
            "Ken Satoh": _about(
                "Ken Satoh",
                "({{nihongo|Satō Kenjirō|佐藤健二郎}}; born 1970) is a golfer.",
                "1970 births",
            )
        },
    )

    page(
        "Emma Brill",
        "* [[Emma Brill (singer)]]\n* [[Emma Brill (judge)]]\n* [[Murder of Emma Brill]] (2004)",
        "Emma Brill (singer); Emma Brill (judge)",
        own={"Murder of Emma Brill": _case("Emma Brill", 2004)},
    )
    page(
        "Thomas Vey",
        "* [[Thomas Vey (bishop)]]\n* [[Thomas Vey (baker)]]\n* [[Assassination of Thomas Vey]]\n* [[Thomas Vey murder case]]",
        "Thomas Vey (bishop); Thomas Vey (baker)",
        own={
            "Assassination of Thomas Vey": _case("Thomas Vey", 1868),
            "Thomas Vey murder case": _case("Thomas Vey", 1980),
        },
    )
    page(
        "Robert Tarn",
        "{{Redirect-multi|2|Bob Tarn|Rob Tarn|the actor|[[Robert Tarn (actor)]]}}\n* [[Robert Tarn (bishop)]]\n* [[Robert Tarn (baker)]]",
        "Robert Tarn (bishop); Robert Tarn (baker)",
    )
    page(
        "Mark Corley",
        "* [[Mark Corley (bishop)]]\n* [[Mark Corley (baker)]]\n* Others with the surname, such as [[Mary Corley]]",
        "Mark Corley (bishop); Mark Corley (baker)",
    )
    page(
        "Paul Dray",
        "* [[Paul Dray (bishop)]]\n* <s>[[Paul Dray (removed)]]</s>\n* [[Paul Dray (baker)]]\n* <del>[[Paul Dray (ghost)]] (1900–1950)</del>",
        "Paul Dray (bishop); Paul Dray (baker)",
    )
    page(
        "Orla Fynn",
        "* [[Orla Fynn (bishop)]]\n* [[Orla Fynn (baker)]]\n* [[Orla (given name)]], for others",
        "Orla Fynn (bishop); Orla Fynn (baker)",
        own={
            "Orla (given name)": _about("Orla", "is a given name.", "Living people", "Given names")
        },
    )
    page(
        "Sean Brack",
        "* [[Sean Brack (bishop)]]\n* [[Sean Brack (baker)]]\n* [[Killing of Sean Brack]]\n* [[Disappearance of Sean Brack]] (1999)",
        "Sean Brack (bishop); Sean Brack (baker)",
        own={
            "Killing of Sean Brack": _case("Sean Brack", 1990),
            "Disappearance of Sean Brack": _case("Sean Brack", 1999),
        },
    )

    page(
        "Harrick brothers",
        "'''Harrick brothers''' may refer to:\n* [[Jim Harrick]] and [[Tom Harrick]], outlaws\n* [[Karl Harrick]], painter, brother of the poet [[Otto Harrick]]\n* [[Harrick Brothers Company]]",
        "Jim Harrick; Tom Harrick; Karl Harrick; Otto Harrick",
        things="Harrick Brothers Company",
    )
    page(
        "Kovalo sisters",
        "* The actresses [[Ana Kovalo]] and [[Eva Kovalo]]\n* [[Ida Kovalo]], chess player, taught by [[Max Ferro]]",
        "Ana Kovalo; Eva Kovalo; Ida Kovalo",
    )
    page(
        "Ivy Braye",
        "* [[Ivy Braye (A)]]\n'''See also'''\n* [[Ivy Bray]]\n----\n* [[Ivy Braye (B)]]\n* [[Ivy Braye (C)]]",
        "Ivy Braye (A); Ivy Braye (B); Ivy Braye (C)",
    )


def define_second(form, article) -> None:
    """Writes the second half with the two functions of `forms`."""

    def page(title, text, people, *, things="", own=None, name=""):
        form(title, text, people, things=things, name=name)
        for other, wikitext in (own or {}).items():
            article(other, wikitext)

    page(
        "Saint Wulfen",
        "'''Saint Wulfen''' may refer to:\n* [[Wulfen of Dol]], Breton hermit\n* Saint [[Wulfen the Confessor]] (died 611)\n* [[Wulfen (bishop of Worms)]]",
        "Wulfen of Dol; Wulfen the Confessor; Wulfen (bishop of Worms)",
    )
    page(
        "Pope Lucano",
        "* [[Lucano I|Pope St. Lucano I]] (died 255)\n* [[Pope Lucano II]] (died 1145)\n* [[Pope Lucano III (Coptic)]]\n* [[Lucano Palace]]",
        "Lucano I; Pope Lucano II; Pope Lucano III (Coptic)",
        things="Lucano Palace",
    )
    page(
        "Prince Edmar",
        "* [[Edmar, Duke of Kentor]] (1902–1942), prince of Britan\n* [[Prince Edmar, Count of Weser]]\n* [[Edmar of Scotla]], son of [[Malcom III of Scotla]]",
        "Edmar, Duke of Kentor; Prince Edmar, Count of Weser; Edmar of Scotla",
    )
    page(
        "King Ruderic",
        "* [[Ruderic of the Visigots]] (died 711), king\n* [[Ruderic I]]\n* [[Ruderic II of Leona]], last king of Leona\n* the sword of [[Pelag of Astur]]",
        "Ruderic of the Visigots; Ruderic I; Ruderic II of Leona",
    )
    page(
        "Princess Zofilia",
        "* [[Zofilia of Prussi]] (1870–1932), queen of Greec\n* [[Zofilia Albertina, Abbess of Quedlin]]\n* [[Princess Zofilia (ferry)]]",
        "Zofilia of Prussi; Zofilia Albertina, Abbess of Quedlin",
        things="Princess Zofilia (ferry)",
    )
    page(
        "Patriarch Mennas",
        "* [[Mennas of Constantin]] (died 552)\n* Patriarch [[Mennas II]]\n* [[Patriarch Mennas (Bulgaria)]]",
        "Mennas of Constantin; Mennas II; Patriarch Mennas (Bulgaria)",
    )
    page(
        "Berengard",
        "'''Berengard''' may refer to:\n* Count [[Berengard of Sulz]]\n* Italian king [[Berengard II of Ital]]\n* [[Berengard the Wise]], count of [[Barcel]]\n* [[Berengard (horse)]]",
        "Berengard of Sulz; Berengard II of Ital; Berengard the Wise",
        things="Barcel; Berengard (horse)",
    )
    page(
        "Queen Tamarid",
        "* [[Tamarid of Georgi]] (1160–1213)\n* Queen [[Tamarid II]]\n* [[Queen Tamarid Avenue]]",
        "Tamarid of Georgi; Tamarid II",
        things="Queen Tamarid Avenue",
    )
    page(
        "Archduke Leofric",
        "* [[Archduke Leofric of Tusc]]\n* [[Leofric Salvador of Tusc]], general\n* [[Leofric V, Archduke of Furth]]",
        "Archduke Leofric of Tusc; Leofric Salvador of Tusc; Leofric V, Archduke of Furth",
        own={
            "Leofric Salvador of Tusc": _about(
                "Archduke Leofric Salvador of Tusc", "(1863–1931) was a general."
            )
        },
    )
    page(
        "Sultan Bayezit",
        "* [[Bayezit I]] (died 1403)\n* [[Bayezit II]] (died 1512), who built the [[Bayezit Mosque]]\n* Sultan [[Bayezit Osman]]",
        "Bayezit I; Bayezit II; Bayezit Osman",
        things="Bayezit Mosque",
        own={"Bayezit Osman": _about("Sultan Bayezit Osman", "(1924–2017) was head of a dynasty.")},
    )
    page(
        "Father Damiano",
        "* [[Damiano of Molok]] (1840–1889), priest\n* [[Father Damiano (film)]]\n* Father [[Damiano Parke]] (born 1950)",
        "Damiano of Molok; Damiano Parke",
        things="Father Damiano (film)",
        own={
            "Damiano Parke": _about(
                "Damiano Parke",
                "(born 1950), called '''Father Damiano''', is a priest.",
                "1950 births",
            )
        },
    )
    page(
        "Tsar Borisko",
        "* [[Borisko I of Bulgar]]\n* [[Borisko Godun]] (1551–1605), tsar\n* [[Borisko III of Bulgar]] (1894–1943)",
        "Borisko I of Bulgar; Borisko Godun; Borisko III of Bulgar",
        own={"Borisko Godun": _about("Tsar Borisko Godun", "(1551–1605) ruled.", "1551 births")},
    )
    page(
        "Eadwald",
        "'''Eadwald''' may refer to:\n* Saint [[Eadwald of Cern]]\n* East Anglian king [[Eadwald of Anglia]]\n* [[Eadwald (moneyer)]]\n* his father [[Offan of Anglia]]",
        "Eadwald of Cern; Eadwald of Anglia; Eadwald (moneyer)",
    )
    page(
        "Bishop Ansgard",
        "* [[Ansgard of Hamb]] (801–865), archbishop\n* Bishop [[Ansgard Nielsen]] (1900–1980)\n* [[Bishop Ansgard School]]",
        "Ansgard of Hamb; Ansgard Nielsen",
        things="Bishop Ansgard School",
        own={
            "Ansgard Nielsen": _about("Bishop Ansgard Nielsen", "(1900–1980) was a Danish bishop.")
        },
    )

    page(
        "Ibn Zuhar",
        "'''Ibn Zuhar''', '''Ibn Zohr''' or '''Avenzoar''' may refer to:\n* [[Avenzoar (physician)]]\n* [[Ibn Zohr (poet)]]\n* [[Ibn Zuhar the Elder]]",
        "Avenzoar (physician); Ibn Zohr (poet); Ibn Zuhar the Elder",
    )
    page(
        "Frederik Mulle",
        "* [[Frederik Mulle (pastor)]]\n* [[Frederik Mulle (sailor)]]\n=== Friedrich Mülle ===\n* [[Friedrich Mülle (pilot)]]\n* Swiss painter [[Friedrich Mülle (painter)]]\n=== Fredric Muller ===\n* [[Fredric Muller (judge)]]",
        "Frederik Mulle (pastor); Frederik Mulle (sailor); Friedrich Mülle (pilot); Friedrich Mülle (painter); Fredric Muller (judge)",
    )
    page(
        "Husein Karimov",
        "* [[Husein Karimov (general)]]\n* [[Gusein Kerimov (poet)]]\n* Azeri weightlifter [[Gusein Kerimov (weightlifter)]]",
        "Husein Karimov (general); Gusein Kerimov (poet); Gusein Kerimov (weightlifter)",
        own={"Gusein Kerimov": "#REDIRECT [[Husein Karimov]]"},
    )
    page(
        "Peteris Kalns",
        "'''Peteris Kalns''' or '''Pyotr Kaln''' may refer to:\n* [[Peteris Kalns (bishop)]]\n* [[Pyotr Kaln (colonel)]]",
        "Peteris Kalns (bishop); Pyotr Kaln (colonel)",
    )
    page(
        "Aleksey Gromo",
        "'''Aleksey Gromo''', also transliterated as '''Alexei Gromow''', may refer to:\n* [[Alexei Gromow (pianist)]]\n* [[Aleksey Gromo (miner)]]\n* not [[Andrei Gromow]]",
        "Alexei Gromow (pianist); Aleksey Gromo (miner)",
    )
    page(
        "Stephen Pyke",
        "== Stephen ==\n* [[Stephen Pyke (actor)]]\n== Steven Pike ==\n* [[Steven Pike (rower)]]\n* [[Steven Pike (thief)]]\n== Places ==\n* [[Pike's Peak]]",
        "Stephen Pyke (actor); Steven Pike (rower); Steven Pike (thief)",
        things="Pike's Peak",
    )
    page(
        "Elisabet Lind",
        "* [[Elisabet Lind (nun)]]\n* [[Elisabet Lind (dancer)]]\n;Elizabeth Lindt\n* [[Elizabeth Lindt (judge)]]\n* Violinist [[Elizabeth Lindt (violinist)]]",
        "Elisabet Lind (nun); Elisabet Lind (dancer); Elizabeth Lindt (judge); Elizabeth Lindt (violinist)",
    )
    page(
        "Owain Llwyde",
        "* [[Owain Llwyde (bard)]]\n* [[Owen Lloyde (bishop)]]\n* Printer [[Owen Lloyde (printer)]]",
        "Owain Llwyde (bard); Owen Lloyde (bishop); Owen Lloyde (printer)",
        own={"Owen Lloyde": "#REDIRECT [[Owain Llwyde]]"},
    )

    page(
        "Lee Seo-yun",
        "'''Lee Seo-yun''' ({{Korean|hangul=이서윤}}) may refer to:\n* [[Yuna (rapper)]], member of [[Starlight (band)]]\n* [[Lee Seo-yun (archer)]]",
        "Yuna (rapper); Lee Seo-yun (archer)",
        things="Starlight (band)",
        own={
            "Yuna (rapper)": _about(
                "Yuna",
                "({{Korean|hangul=이서윤|rr=I Seoyun}}; born 2001) is a rapper.",
                "2001 births",
            )
        },
    )
    page(
        "Chen Meilan",
        "'''Chen Meilan''' may refer to:\n* [[May Chan (designer)]] (born 1960)\n* [[Chen Meilan (writer)]]\n* [[Ho Ling (poet)]], a friend",
        "May Chan (designer); Chen Meilan (writer)",
        own={
            "May Chan (designer)": _about(
                "May Chan",
                "({{zh|c=陳美蘭|p=Chén Měilán|j=Can4}}; born 1960) is a designer.",
                "1960 births",
            )
        },
    )
    page(
        "Lefty Grohm",
        '* [[Robert Grohm (pitcher)]] (1900–1975), pitcher nicknamed "Lefty"\n* [[Lefty Grohm (gangster)]]\n* [[Hans Grohm]], his lawyer',
        "Robert Grohm (pitcher); Lefty Grohm (gangster)",
    )
    page(
        "Buck Tollan",
        '* [[Charles Tollan]] (1870–1930), cowboy, called "Buck"\n* [[Buck Tollan (actor)]]\n* [[Charles Buck]], his deputy',
        "Charles Tollan; Buck Tollan (actor)",
    )
    page(
        "Moose Garran",
        '* [[Moose Garran (wrestler)]]\n* "Moose" is the nickname given to [[Edward Garran (bouncer)]]\n* [[Moose Garran (pilot)]], pupil of [[Ora Dunne]]',
        "Moose Garran (wrestler); Edward Garran (bouncer); Moose Garran (pilot)",
    )
    page(
        "Zhao Linfu",
        "'''Zhao Linfu''' (赵林甫) may refer to:\n* [[Lin Chao]] (赵林甫; 1930–2001), physicist\n* [[Zhao Linfu (general)]]\n* [[Wu Gang (physicist)]] (吴刚)",
        "Lin Chao; Zhao Linfu (general)",
    )
    page(
        "Pinky Voll",
        '* [[Agatha Voll]], known as "Pinky" (1920–1999), jazz singer\n* [[Pinky Voll (clown)]]',
        "Agatha Voll; Pinky Voll (clown)",
    )
    page(
        "Tanaka Shoji",
        "'''Tanaka Shoji''' (田中正二) may refer to:\n* [[Shoji Tanaka (runner)]]\n* [[George Tanaker]] (born 1950), senator\n* [[Tanaka Shoji (monk)]]",
        "Shoji Tanaka (runner); George Tanaker; Tanaka Shoji (monk)",
        own={
            "George Tanaker": _about(
                "George Tanaker",
                "({{nihongo|George Tanaker|田中正二}}; born 1950) is a senator.",
                "1950 births",
            )
        },
    )

    page(
        "Lena Frost",
        "* [[Lena Frost (singer)]]\n* [[Lena Frost (judge)]]\n* [[Death of Lena Frost]] (2011)",
        "Lena Frost (singer); Lena Frost (judge)",
        own={"Death of Lena Frost": _case("Lena Frost", 2011)},
    )
    page(
        "Walter Brode",
        "* [[Walter Brode (bishop)]]\n* [[Walter Brode (baker)]]\n* [[Kidnapping of Walter Brode]]\n* [[Walter Brode killing]]\n* [[Trial of Walter Brode]]",
        "Walter Brode (bishop); Walter Brode (baker)",
        own={
            "Kidnapping of Walter Brode": _case("Walter Brode", 1971),
            "Walter Brode killing": _case("Walter Brode", 1972),
            "Trial of Walter Brode": _case("Walter Brode", 1973),
        },
    )
    page(
        "Susan Merle",
        "{{Redirect|Sue Merle|the athlete|Susan Merle (athlete)|and|[[Suzan Merle]]}}\n{{For|the ship|[[Susan Merle (ship)]]}}\n* [[Susan Merle (bishop)]]\n* [[Susan Merle (baker)]]",
        "Susan Merle (bishop); Susan Merle (baker)",
    )
    page(
        "Derek Ashe",
        "* [[Derek Ashe (bishop)]]\n* [[Derek Ashe (baker)]]\n* Other people with the surname Ashe, including [[Dora Ashe]]",
        "Derek Ashe (bishop); Derek Ashe (baker)",
    )
    page(
        "Nora Pell",
        "* [[Nora Pell (bishop)]]\n* <strike>[[Nora Pell (hoax)]] (1800–1850), explorer</strike>\n* [[Nora Pell (baker)]]",
        "Nora Pell (bishop); Nora Pell (baker)",
    )
    page(
        "Fergus Dow",
        "* [[Fergus Dow (bishop)]]\n* [[Fergus Dow (baker)]]\n* [[Fergus (name)]]\n* [[Dow (surname)]]",
        "Fergus Dow (bishop); Fergus Dow (baker)",
        own={
            "Fergus (name)": _about("Fergus", "is a name.", "Living people", "Given names"),
            "Dow (surname)": _about("Dow", "is a surname.", "Living people", "Surnames"),
        },
    )
    page(
        "Carla Hume",
        "* [[Carla Hume (bishop)]]\n* [[Carla Hume (baker)]]\n* [[Shooting of Carla Hume]]\n* [[Carla Hume case]] (1985)",
        "Carla Hume (bishop); Carla Hume (baker)",
        own={
            "Shooting of Carla Hume": _case("Carla Hume", 1984),
            "Carla Hume case": _case("Carla Hume", 1985),
        },
    )

    page(
        "Montal brothers",
        "The '''Montal brothers''' may be:\n* [[Etien Montal]] and [[Josef Montal]], balloonists\n* [[Pierre Montal]] (1900–1950) and his brother [[Paul Montal]]\n* [[Montal (company)]]",
        "Etien Montal; Josef Montal; Pierre Montal; Paul Montal",
        things="Montal (company)",
    )
    page(
        "Dolmar Sisters",
        "* [[Rosa Dolmar]] and [[Jenny Dolmar]], dancers\n* [[Edith Dolmar]], whose pupil was [[Una Karst]]",
        "Rosa Dolmar; Jenny Dolmar; Edith Dolmar",
    )
    page(
        "Ray Dunnet",
        "* [[Ray Dunnet (A)]]\n;See also\n* [[Ray Dunn (X)]]\n-----\n* [[Ray Dunnet (B)]]\n* [[Ray Dunnet (C)]]",
        "Ray Dunnet (A); Ray Dunnet (B); Ray Dunnet (C)",
    )
