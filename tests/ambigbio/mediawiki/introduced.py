# ruff: noqa: E501
"""Name pages of introductions, families and lines without a page, written before the first run.

`define_first` was read while the reader was changed: precision rose from .761 to 1.000, recall from
.729 to 1.000. In the first run of `define_second`, they rose from .760 and .717 to 1.000 and .962;
two lines were removed. In the first run of `define_third`, written after these changes, they were
.923 and .878 (.778 and .854 before all changes), then .952 and .976; three lines were removed. All
names are invented.
"""

from __future__ import annotations

NAMED: dict[str, tuple[str, ...]] = {}
"""What the lines about bearers without a page contain, by the title of the page."""


def _about(bold: str, rest: str, born: int = 1900) -> str:
    return f"'''{bold}''' {rest}\n\n[[Category:{born} births]]"


def define(form, article) -> None:
    """Writes all parts with the two functions of `forms`."""

    def page(title, text, people, *, things="", red="", named="", own=None):
        NAMED[title] = tuple(part.strip() for part in named.split(";") if part.strip())
        form(title, text, people, things=things, red=red)
        for other, wikitext in (own or {}).items():
            article(other, wikitext)

    define_first(page)
    define_second(page)
    define_third(page)


def define_first(page) -> None:
    """Writes a part with the function of `define`."""
    page(
        "Dora Finch",
        "'''Dora Finch''' may refer to:\n* [[Dora Finch (botanist)]] (1850–1911), English botanist\n* [[Xavia Mole]] (1871–1940), novelist who wrote under the name Dora Finch\n* Dora Finch, whose real name was [[Gertrud Ohm]], cabaret singer\n* [[Rosa Kell]], painter, also known by the name of Dora Finch\n* [[Harriet Loam]], who published as Dora Finch\n* [[Bo Lund]], who wrote sketches for Dora Finch\n* [[Lena Moor]], author of a book under the title ''Dora Finch''",
        "Dora Finch (botanist); Xavia Mole; Gertrud Ohm; Rosa Kell; Harriet Loam",
    )
    page(
        "Tex Marlo",
        "'''Tex Marlo''' may refer to:\n* [[Tex Marlo (driver)]] (born 1950), racing driver\n* Tex Marlo, whose real name is [[Julius Bend]], wrestler\n* Tex Marlo (real name: [[Egon Pfahl]]), wrestler\n* [[Leo Vint]], who performs as Tex Marlo\n* [[Ike Sand]], better known by his ring name Tex Marlo\n* [[Ole Bask]], who used the pseudonym Tex Marlo\n* [[Ned Rusk]], whose stage name is Tex Marlo\n* [[Gus Pohl]], wrestling under the name \"Tex Marlo\"\n* [[Rolf Kern]], manager of Tex Marlo\n* [[Una Wolk]], known as the partner of Tex Marlo\n* [[Kai Brod]], who fought Tex Marlo",
        "Tex Marlo (driver); Julius Bend; Egon Pfahl; Leo Vint; Ike Sand; Ole Bask; Ned Rusk; Gus Pohl",
    )
    page(
        "Ada Roe",
        "* [[Ada Roe (nurse)]] (1840–1911), nurse\n* [[Ada Smith (suffragist)]] (1870–1950), later Mrs Roe\n* Ada Roe, née [[Ada Stubb]] (1801–1870), diarist\n* [[Ada Lund]] (Mrs. Roe; 1866–1930), singer\n* [[Ada Marsh]], afterwards Lady Roe, courtier\n* [[Countess of Brent]], née Ada Roe\n* [[Ada Quill]] (married name Roe), tennis player\n* [[Ida Brook]], mother of Ada Roe\n* [[Eva Tann]], later Mrs Roe",
        "Ada Roe (nurse); Ada Smith (suffragist); Ada Stubb; Ada Lund; Ada Marsh; Countess of Brent; Ada Quill",
    )
    page(
        "Al-Mansour",
        "'''Al-Mansour''' may refer to:\n* [[Al-Mansour of Kord]] (died 940), vizier\n* [[Yusuf Harun]] (died 1002), known as \"Mansour\"\n* [[Ilyas Tariq]], general called \"al-Mansour\"\n* [[Hamid Zaki]], who served Mansour",
        "Al-Mansour of Kord; Yusuf Harun; Ilyas Tariq",
    )
    page(
        "Tom Kettle",
        "'''Tom Kettle''' may refer to:\n* [[Tom Kettle (chemist)]] (1820–1899), chemist\n* [[Tom Kettle (rower)]] (born 1970), rower\n* [[Bertie Kettle]] (1880–1950), golfer\n== Family ==\n* [[Una Kettle]] (1825–1901), sister of the chemist\n* [[Tilda Kettle]], poet\n* [[Tilly Kettle]], daughter\n== Associates ==\n* [[Ben Kettle]], business partner\n== Other ==\n* Other members of the Kettle family, including [[Ida Kettle]]\n* Anyone with the surname Kettle, such as [[Max Kettle]]",
        "Tom Kettle (chemist); Tom Kettle (rower); Bertie Kettle",
        own={
            "Bertie Kettle": _about(
                'Thomas Bertram "Tom" Kettle', "(1880–1950) was a golfer.", 1880
            )
        },
    )
    page(
        "Ivo Hart",
        "'''Ivo Hart''' may refer to:\n* [[Ivo Hart (potter)]] (1801–1850), potter\n* [[Ivo Hart (rower)]] (born 1944), rower\n* Ivo Hart (died 1560), English sheriff\n* Ivo Hart, footballer for [[Leeds]]\n* Ivo Hart, a character in ''[[Long Road (novel)|Long Road]]''\n* ''Ivo Hart'', a 1921 film by [[Max Dorn]]\n* Ivo Hart, a paddle steamer built in [[Hull]]\n* [[Ivo Hart (horse)]], a racehorse\n* [[Ivo Hart (miner)]], Welsh miner\n* [[Ivo Hart, Ohio]], a village\n* \"Ivo Hart\", a song by [[The Moths]]\n* Ivo Hart, the protagonist of ''[[Blue Field]]''\n* Ivo Hart House, a listed building in [[Leeds]]\n* Ivo Hart & Sons, a brewery in [[Hull]]",
        "Ivo Hart (potter); Ivo Hart (rower)",
        things="Leeds; Long Road (novel); Hull; The Moths; Blue Field",
        red="Ivo Hart (horse); Ivo Hart (miner); Ivo Hart, Ohio",
        named="English sheriff; footballer; Welsh miner",
    )
    page(
        "Nina Crow",
        "* [[Nina Crow (judge)]] (born 1950), judge\n* [[Nina Bly]], formerly Nina Crow, actress\n* [[Kit Moss]], who was born Nina Crow\n* [[Eva Lind]], who changed her name to Nina Crow\n* [[Asa Hull]] (christened Nina Crow), dancer\n* [[Ana Volt]], whose maiden name was Nina Crow\n* [[Tove Hand]], whose mother was Nina Crow\n* [[Ada Rim]], who married Nina Crow's brother\n* [[Ana Feld]], née Crow",
        "Nina Crow (judge); Nina Bly; Kit Moss; Eva Lind; Asa Hull; Ana Volt",
    )
    page(
        "John Vost",
        "'''John Vost''' may refer to:\n* [[John Vost (MP)]] (1701–1766), English politician\n* [[John Tarn, 1st Baron Vost]] (1850–1911), banker\n* [[John Orde]] (1811–1870), who took the name John Vost\n* [[John Pell]] (died 1650), also John Vost\n* [[Vost baronets]], of which three were called John\n* [[James Vost]], brother of the MP\n* [[Jane Vost]], his widow",
        "John Vost (MP); John Orde; John Pell",
        things="Vost baronets",
    )
    page(
        "Pia Sund",
        "'''Pia Sund''' may refer to:\n==People==\n* [[Pia Sund (skier)]] (born 1980), Norwegian skier\n* [[Pia Sund Olsen]] (born 1966), Danish poet\n* [[Pia-Maria Sund]] (1901–1960), Finnish composer\n* [[P. K. Sund]] (Pia Karin Sund, 1911–1990), chemist\n==Relatives==\n* [[Per Sund]], father of the skier\n* [[Paula Sund]], twin\n* [[Oda Sund]]",
        "Pia Sund (skier); Pia Sund Olsen; Pia-Maria Sund; P. K. Sund",
    )
    page(
        "Clem Rook",
        "'''Clem Rook''' is the name of:\n* [[Clement Rook]] (1880–1950), Canadian bishop\n* [[Clem Rook (bowler)]] (1901–1970)\n* [[Clementine Rook]] (born 1933), nurse, called Clem\n* [[Rook Island]], discovered by Clem Rook",
        "Clement Rook; Clem Rook (bowler); Clementine Rook",
        things="Rook Island",
        own={
            "Clementine Rook": _about('Clementine "Clem" Rook', "(born 1933) is a nurse.", 1933),
            "Clement Rook": _about(
                "Clement Arthur Rook", '(1880–1950), commonly "Clem", was a bishop.', 1880
            ),
        },
    )
    page(
        "Otto Brehm",
        "* [[Otto Brehm (priest)]] (1690–1755)\n* [[Otto Brehm (tenor)]] (born 1961)\n* [[Max Feder]] (1870–1930), German author under the pen name Otto Brehm\n* Otto Brehm, the name by which [[Kurt Saal]] was known in exile\n* Otto Brehm, a cover name of the spy [[Willi Horn]]",
        "Otto Brehm (priest); Otto Brehm (tenor); Max Feder; Kurt Saal; Willi Horn",
    )
    page(
        "May Thorne",
        "* [[May Thorne (actress)]] (1880–1950)\n* [[May Thorne (doctor)]] (1861–1951)\n* May Thorne, later [[May Lister]], novelist\n* May Thorne, now [[May Harder]], gymnast\n* May Thorne (see [[Mabel Thorne]])\n* May Thorne, wife of [[Paul Thorne]]\n* May Thorne, heroine of [[The Hedge]]",
        "May Thorne (actress); May Thorne (doctor); May Lister; May Harder; Mabel Thorne",
        things="The Hedge",
        named="wife of Paul",
    )
    page(
        "Cyrus Bane",
        "* [[Cyrus Bane (outlaw)]] (1860–1890)\n* [[Cyrus Bane (judge)]]\n* Cyrus Bane, in the video game ''[[Dust II]]''\n* [[Cyrus Bane (comics)]], a supervillain\n* Cyrus Bane, fictional detective created by [[Ada Lorne]]\n* Cyrus Bane (c. 1700 – 1760), clockmaker\n* Cyrus Bane (Royal Navy officer), captain of [[HMS Fell]]\n* Cyrus Bane, a hurricane\n* Cyrus Bane v. Iowa, a court case",
        "Cyrus Bane (outlaw); Cyrus Bane (judge)",
        things="Dust II; HMS Fell",
        red="Cyrus Bane (comics)",
        named="clockmaker; Royal Navy",
    )
    page(
        "Lily Ashe",
        "'''Lily Ashe''' may refer to:\n* [[Lily Ashe (swimmer)]] (born 1990), swimmer\n* [[Lilian Ashe]] (1901–1970), politician\n* [[Elizabeth Ashe]] (born 1930), singer known professionally as Lily Ashe\n* [[Lola Ashe]], unrelated dancer\n* [[Lucy Ashe]], sister of the singer",
        "Lily Ashe (swimmer); Lilian Ashe; Elizabeth Ashe",
        own={"Lilian Ashe": _about('Lilian "Lily" Ashe', "(1901–1970) was a politician.", 1900)},
    )
    page(
        "Sam Odell",
        '* [[Sam Odell (pitcher)]] (1890–1960)\n* [[Samuel Odell]] (1790–1860), printer\n* [[Samantha Odell]] (born 1980), judge, nicknamed "Sam"\n* [[Simon Odell]], his cousin\n* [[Sarah Odell]] (born 1950), of the same family',
        "Sam Odell (pitcher); Samuel Odell; Samantha Odell",
        own={
            "Samuel Odell": _about(
                "Samuel Odell", '(1790–1860), called "Sam", was a printer.', 1900
            )
        },
    )
    page(
        "Ruth Carden",
        "'''Ruth Carden''' may refer to:\n* [[Ruth Carden (poet)]] (1911–1990), poet\n* [[Ruth Varley]] (1870–1940), botanist, who became Ruth Carden on her marriage\n* [[Ruth Ames (diver)]], now Ruth Carden\n* [[Ruth Bolt]], who uses the married name Carden\n* [[Lady Hollin]], formerly Miss Ruth Carden\n* [[Carden Prize]], given by Ruth Carden",
        "Ruth Carden (poet); Ruth Varley; Ruth Ames (diver); Ruth Bolt; Lady Hollin",
        things="Carden Prize",
    )
    page(
        "Hal Morrow",
        "* [[Hal Morrow (jockey)]] (1901–1955)\n* [[Henry Morrow]] (1850–1911), surveyor, usually called Hal\n* [[Harold Morrow]] (born 1940), drummer\n* [[Helga Morrow]], harpist",
        "Hal Morrow (jockey); Henry Morrow; Harold Morrow",
        own={"Harold Morrow": _about('Harold "Hal" Morrow', "(born 1940) is a drummer.", 1900)},
    )


def define_second(page) -> None:
    """Writes a part with the function of `define`."""
    page(
        "Vera Lome",
        "'''Vera Lome''' may refer to:\n* [[Vera Lome (chemist)]] (1901–1970), Polish chemist\n* [[Greta Stahl]] (1880–1966), Austrian writer who used the name Vera Lome\n* [[Irma Pohl]] (1911–1991), whose pen name was Vera Lome\n* [[Tove Ask]], who wrote crime novels as Vera Lome\n* [[Kari Holt]], known to readers as Vera Lome\n* [[Nils Hamm]], who translated Vera Lome\n* [[Ola Berg]], editor of the works of Vera Lome",
        "Vera Lome (chemist); Greta Stahl; Irma Pohl; Tove Ask; Kari Holt",
    )
    page(
        "Duke Savo",
        "* [[Duke Savo (trumpeter)]] (1920–1981), jazz trumpeter\n* [[Lon Perry]], who boxed under the name Duke Savo\n* [[Alf Renn]] (born 1960), actor credited as Duke Savo\n* Duke Savo, true name [[Piero Lanza]], singer\n* Duke Savo, born [[Ennio Rasi]], dancer\n* Duke Savo, otherwise [[Mick Ray]], bank robber\n* [[Ted Orr]], brother-in-law of Duke Savo\n* [[Sal Nero]], who shot Duke Savo",
        "Duke Savo (trumpeter); Lon Perry; Alf Renn; Piero Lanza; Ennio Rasi; Mick Ray",
    )
    page(
        "Clara Wynd",
        "'''Clara Wynd''' may refer to:\n* [[Clara Wynd (painter)]] (1850–1920)\n* [[Clara Belling]] (1860–1944), subsequently Mrs Wynd, traveler\n* [[Clara Hoy]], wife of Thomas Wynd\n* [[Clara Mott]] (later Lady Wynd), hostess\n* [[Viscountess Orley]] (née Clara Wynd), courtier\n* Clara Wynd, maiden name of [[Clara Ebbing]]\n* Clara Wynd, married name of [[Clara Roth]], skater\n* [[Edith Sole]], née Wynd\n* [[Dora Wynd]], née Clara Wynd",
        "Clara Wynd (painter); Clara Belling; Clara Mott; Viscountess Orley; Clara Ebbing; Clara Roth; Dora Wynd",
    )
    page(
        "Al-Rashif",
        '* [[Al-Rashif (governor)]], governor of Basra\n* [[Umar ibn Malik]], physician known as "Rashif"\n* [[Musa Tahan]], also called Rashif\n* [[Rashif of Tor]] (died 1120), mystic\n* [[Zayd Amin]], rival of Rashif',
        "Al-Rashif (governor); Umar ibn Malik; Musa Tahan; Rashif of Tor",
    )
    page(
        "Fred Lacey",
        "'''Fred Lacey''' may refer to:\n* [[Fred Lacey (cricketer)]] (1880–1951)\n* [[Frederick Lacey]] (1811–1880), architect\n* [[Fred Lacey (bishop)]] (1901–1970)\n* [[Francis Lacey]], uncle of the cricketer\n== Relations ==\n* [[Flora Lacey]] (1801–1870), novelist\n* [[Gwen Lacey]], suffragette\n== People associated ==\n* [[Mark Lacey]], manager\n''Those with the surname include [[Peter Lacey]] and [[Fay Lacey]].''\n* Other Laceys: [[Rex Lacey]]",
        "Fred Lacey (cricketer); Frederick Lacey; Fred Lacey (bishop)",
        own={
            "Frederick Lacey": _about(
                'Frederick "Fred" Lacey', "(1811–1880) was an architect.", 1811
            )
        },
    )
    page(
        "Abel Stroon",
        "* [[Abel Stroon (governor)]] (1750–1811)\n* [[Abel Stroon (tenor)]] (born 1966)\n* Abel Stroon (1800–1866), American whaler\n* Abel Stroon (fl. 1640), mapmaker of [[Delft]]\n* Abel Stroon, a planet in the novel ''[[Far Gates]]''\n* Abel Stroon, a lighthouse tender\n* [[Abel Stroon (album)]], 1999 album\n* [[Abel Stroon (mayor)]], mayor of Leith\n* ''[[Abel Stroon (opera)|Abel Stroon]]'', an opera\n* Abel Stroon, villain in ''[[The Salt Road]]''\n* Abel Stroon Foundation, a charity\n* Abel Stroon Memorial Library, in [[Delft]]\n* Abel Stroon, one of the characters of [[Kit Dolan]]\n* Abel Stroon Bridge, [[Delft]]\n* The Abel Stroon affair, a scandal in [[Delft]]",
        "Abel Stroon (governor); Abel Stroon (tenor)",
        things="Delft; Far Gates; The Salt Road",
        red="Abel Stroon (album); Abel Stroon (mayor); Abel Stroon (opera)",
        named="whaler; mapmaker; mayor of Leith",
    )
    page(
        "Rosa Penn",
        "* [[Rosa Penn (athlete)]] (born 1966), hurdler\n* [[Rosa Penn (nun)]] (died 1660)\n* [[Rosalind Penn]] (1888–1961), illustrator known as Rosa\n* [[Rachel Penn]], sister of the athlete\n* [[Rufus Penn]]\n* [[Roberta Penn]] (born 1970), judge\n* [[R. Penn]], bookseller",
        "Rosa Penn (athlete); Rosa Penn (nun); Rosalind Penn; R. Penn",
        own={
            "Rosalind Penn": _about(
                "Rosalind Penn", "(1888–1961), also '''Rosa Penn''', was an illustrator.", 1888
            )
        },
    )
    page(
        "Karl Dreer",
        "'''Karl Dreer''' may refer to:\n* [[Karl Dreer (botanist)]] (1801–1867)\n* [[Johann Metz]] (1780–1850), Swiss priest, in religion Karl Dreer\n* [[Anton Lutz]], German forger who lived as Karl Dreer\n* [[Emil Zorn]], who went by Karl Dreer\n* [[Felix Raab]], who adopted the surname and became Karl Dreer\n* [[Moritz Hahn]], spy operating under the alias Karl Dreer\n* [[Oskar Thal]], publisher of Karl Dreer\n* [[Dreer & Sohn]], firm founded by Karl Dreer",
        "Karl Dreer (botanist); Johann Metz; Anton Lutz; Emil Zorn; Felix Raab; Moritz Hahn",
        things="Dreer & Sohn",
    )
    page(
        "Nell Brace",
        "* [[Nell Brace (golfer)]] (1899–1970)\n* [[Eleanor Brace]] (born 1951), politician\n* [[Nell Harding]] (1920–1999), who married and became Nell Brace\n* Nell Brace, who later became [[Lady Ormley]]\n* Nell Brace, the original name of [[Suki Vane]]\n* Nell Brace, housekeeper of [[Lord Ormley]]",
        "Nell Brace (golfer); Eleanor Brace; Nell Harding; Lady Ormley; Suki Vane",
        named="housekeeper",
        own={"Eleanor Brace": _about('Eleanor "Nell" Brace', "(born 1951) is a politician.", 1951)},
    )
    page(
        "Gus Tolliver",
        "* [[Gus Tolliver (skier)]] (born 1988)\n* [[Augustus Tolliver]] (1840–1901), senator\n* [[Gustav Tolliver]], engraver\n* [[Grace Tolliver]], wife of the senator\n* [[Gail Tolliver]], actress\n* [[Hugh Tolliver]]",
        "Gus Tolliver (skier); Augustus Tolliver; Gustav Tolliver",
        own={
            "Augustus Tolliver": _about(
                "Augustus Tolliver", '(1840–1901), better known as "Gus", was a senator.', 1840
            ),
            "Gustav Tolliver": _about('Gustav "Gus" Tolliver', "was an engraver.", 1900),
        },
    )
    page(
        "Ines Mora",
        "* [[Ines Mora (swimmer)]] (born 1991)\n* [[Inés Mora Gil]] (born 1960), Spanish judge\n* [[María Inés Mora]], Argentine poet\n* [[Irene Mora]], sculptor\n* [[Mora family]], with Ines Mora\n* [[Isla Mora]], named for Ines Mora",
        "Ines Mora (swimmer); Inés Mora Gil; María Inés Mora",
        things="Mora family; Isla Mora",
    )
    page(
        "Ned Farrow",
        "'''Ned Farrow''' may refer to:\n* [[Ned Farrow (boxer)]] (1890–1950)\n* [[Edward Farrow]] (1855–1926), soldier and writer\n* [[Ned Farrow (Australian footballer)]] (1901–1977)\n* Ned Farrow, alter ego of superhero [[The Gale]]\n* Ned Farrow, pub landlord in the soap opera ''[[Elm Row]]''\n* Ned Farrow, convict and bushranger\n* Ned Farrow (ship), a barque wrecked in 1880\n* Ned Farrow, a racing pigeon\n* [[Nora Farrow]], cousin",
        "Ned Farrow (boxer); Edward Farrow; Ned Farrow (Australian footballer)",
        things="The Gale; Elm Row",
        named="convict",
        own={
            "Edward Farrow": _about(
                'Edward Samuel "Ned" Farrow', "(1855–1926) was a soldier.", 1855
            )
        },
    )


def define_third(page) -> None:
    """Writes a part with the function of `define`."""
    page(
        "Robert Aldane",
        "'''Robert Aldane''' may refer to:\n*[[Robert Aldane (MP)]] (1611–1660), English politician\n*[[Bob Aldane]] (born 1946), American football coach\n*[[Bobby Aldane]] (1901–1960), Scottish footballer\n*[[Rob Aldane]], rugby player\n*[[Robbie Aldane]] (born 1985), singer\n*[[Robert H. Aldane]], American judge\n*[[Sir Robert Aldane, 1st Baronet]]\n*[[Roberta Aldane]], tennis player\n*[[Rupert Aldane]], his son",
        "Robert Aldane (MP); Bob Aldane; Bobby Aldane; Rob Aldane; Robbie Aldane; Robert H. Aldane; Sir Robert Aldane, 1st Baronet",
    )
    page(
        "Mary Tolle",
        "'''Mary Tolle''' may refer to:\n* [[Mary Tolle (activist)]] (1866–1940)\n* [[Mary Anne Tolle]] (born 1933), novelist\n* [[Mary Tolle Harding]] (1880–1966), botanist\n* [[Mary Elwin]], birth name Mary Tolle\n* [[Polly Tolle]], dancer, full name Mary\n* Mary, Lady Tolle, also spelled [[Mary Toll]]\n* Sister [[Mary Agnes]], baptismal name Mary Tolle\n* [[Molly Marsh]], formerly married as Mary Tolle\n* [[Jack Tolle]], whose daughter Mary was a painter",
        "Mary Tolle (activist); Mary Anne Tolle; Mary Tolle Harding; Mary Elwin; Polly Tolle; Mary Agnes; Molly Marsh",
    )
    page(
        "Victor Plume",
        "* [[Victor Plume (illustrator)]] (1888–1950), French illustrator\n* Victor Plume, one of the pen names of [[Lise Arden]] (1901–1970)\n* Victor Plume, pseudonym used by the brothers [[Karl Mott]] and [[Emil Mott]]\n* Victor Plume, collective pseudonym for several writers\n* [[Jean Sorel (writer)]], pen-name Victor Plume\n* [[Pia Rell]] writing under the pseudonym of \"Victor Plume\"\n* Victor Plume, critic, a character played by [[Ian Hart (actor)]] in ''[[Last Act]]''\n* Victor Plume Prize, won by [[Ola Dane]]",
        "Victor Plume (illustrator); Lise Arden; Karl Mott; Emil Mott; Jean Sorel (writer); Pia Rell",
        things="Last Act",
    )
    page(
        "Hannah Brill",
        "* [[Hannah Brill (potter)]] (1870–1944)\n* [[Hannah Brill (fencer)]] (born 1990)\n; Family\n* [[Esther Brill]] (1840–1901), mother of the potter\n* [[Henry Brill]], husband\n; Associates\n* [[Harriet Brill]], fellow potter\n* The surname is also borne by [[Hugo Brill]]",
        "Hannah Brill (potter); Hannah Brill (fencer)",
    )
    page(
        "Jack Fallow",
        "* [[Jack Fallow (hurler)]]\n* [[John Fallow (bishop)]] (1790–1850)\n* [[Jackson Fallow]] (born 1999), sprinter\n* [[Jacques Fallow]], trader\n* Jack Fallow, mentioned in [[Dunmore Abbey]]\n* Jack Fallow (1901–1944), pilot\n* Jack Fallow, a tugboat\n* Jack Fallow, British-born Canadian racing cyclist\n* Jack Fallow's Well, a spring in [[Dunmore]]\n* Jack Fallow and the Giants, a folk band\n* [[Jack Fallow (EP)]], a record\n* Jack Fallow, mayor of [[Dunmore]] from 1911 to 1920",
        "Jack Fallow (hurler); John Fallow (bishop); Jackson Fallow",
        things="Dunmore Abbey; Dunmore",
        red="Jack Fallow (EP)",
        named="pilot; cyclist; mayor",
        own={
            "John Fallow (bishop)": _about('John "Jack" Fallow', "(1790–1850) was a bishop.", 1790)
        },
    )
    page(
        "Sofia Renn",
        "'''Sofia Renn''', '''Sophia Renn''' or '''Sofie Renn''' may refer to:\n* [[Sophia Renn (nun)]] (died 1701)\n* [[Sofia Renn (swimmer)]] (born 1988)\n* [[Sofie Renn]], Danish actress\n* [[Sofia Lindqvist]] (née Renn; born 1970), skier\n* [[Sofia Renn-Holt]], chemist\n* [[Susanna Renn]], writer",
        "Sophia Renn (nun); Sofia Renn (swimmer); Sofie Renn; Sofia Lindqvist; Sofia Renn-Holt",
    )
    page(
        "Dutch Colley",
        '* [[Dutch Colley (pitcher)]] (1890–1950), American baseball player\n* [[Harold Colley]] (1911–1980), American boxer, "Dutch"\n* [[Edwin Colley]], also nicknamed "Dutch"\n* [[Dick Colley]], footballer\n* [[Wilhelm Kolle]], outlaw, who called himself Dutch Colley',
        "Dutch Colley (pitcher); Harold Colley; Edwin Colley; Wilhelm Kolle",
    )
    page(
        "Lord Farrant",
        "'''Lord Farrant''' may refer to:\n* [[Hugo Stane, 1st Baron Farrant]] (1801–1866)\n* [[Peter Farrant, Baron Farrant]] (born 1950), British politician\n* [[Baron Farrant]]",
        "Hugo Stane, 1st Baron Farrant; Peter Farrant, Baron Farrant",
        things="Baron Farrant",
    )
    page(
        "Grace Ellery",
        "* [[Grace Ellery (painter)]]\n* [[Grace Ellery (judge)]]\n* [[Grace Moon]], known after her marriage as Grace Ellery\n* [[Countess Orlo]] (Grace Ellery; 1880–1950)\n* [[Olive Ellery]] and her sister Grace\n* Grace Ellery Fund, set up by [[Ann Poll]]",
        "Grace Ellery (painter); Grace Ellery (judge); Grace Moon; Countess Orlo",
    )
