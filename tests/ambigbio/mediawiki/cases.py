# ruff: noqa: E501
"""Difficult sources for builders, several of each kind; all names are invented.

The kinds are numbered as in `KINDS`. As in `forms`, each page's other links lead to existing pages,
so that wrong entries are counted.
"""

from __future__ import annotations

KINDS = {
    1: "the primary topic anywhere in the lead",
    2: "a rank, sport or place linked before the person",
    3: "several bearers on a line",
    4: "relatives, pupils and colleagues",
    5: "another name of one person",
    6: "templates around a list",
    7: "brackets and colons in links",
    8: "similar names under every form of See also",
    9: "things that lasted from one year to another",
    10: "people without a category of birth or death",
    12: "references and further reading",
    13: "lists without bullets, tables, transclusion",
    14: "templates under other names",
    15: "a page whose own title has a bracket",
    16: "lines that lead to others than who bears the name",
}


def define(form, article) -> None:
    """Writes the cases with the two functions of `forms`."""
    # 1
    form(
        "Ruth Hale (disambiguation)",
        """
'''Ruth Hale''' most often refers to [[Ruth Hale]] (1886–1934), American journalist.

It may also refer to:
* [[Ruth Hale (playwright)]] (1908–2003), American playwright
""",
        "Ruth Hale; Ruth Hale (playwright)",
    )
    form(
        "John Tarrant (disambiguation)",
        """
Sir '''[[John Tarrant]]''' was an English judge and a friend of [[Basil Orde]].

'''John Tarrant''' may also be:
* [[John Tarrant (runner)]] (1932–1975)
""",
        "John Tarrant; John Tarrant (runner)",
    )
    form(
        "Noah Brisk",
        "'''Noah Brisk''' may refer to [[Noah Brisk (judge)]], [[Noah Brisk (poet)]] (1801–1850) or [[Noah Brisk (sailor)|the sailor]].",
        "Noah Brisk (judge); Noah Brisk (poet); Noah Brisk (sailor)",
    )
    form(
        "Abel Tring (disambiguation)",
        """
The best known '''Abel Tring''' is the English explorer [[Abel Tring]], who sailed with [[Basil Orde]].
* [[Abel Tring (bishop)]]
""",
        "Abel Tring; Abel Tring (bishop)",
    )
    form(
        "Bill Oram",
        "'''Bill Oram''' may refer to [[William Oram (potter)]] or to [[William Oram (judge)]].",
        "William Oram (potter); William Oram (judge)",
    )
    form(
        "Ida Corm (disambiguation)",
        """
The name '''Ida Corm''', in ''Leeds'', usually denotes [[Ida Corm|the actress Ida Corm]] (born 1950).

Others of the name are
* [[Ida Corm (nun)]]
""",
        "Ida Corm; Ida Corm (nun)",
    )
    # 2
    form(
        "James Orme",
        """
* [[Admiral (Royal Navy)|Admiral]] [[James Orme (admiral)]] (1750–1820)
* [[Rugby union]] player [[James Orme (rugby union)]]
* [[Jim Orme]], painter
""",
        "James Orme (admiral); James Orme (rugby union); Jim Orme",
        things="Admiral (Royal Navy); Rugby union",
    )
    form(
        "Colin Marl",
        """
'''Colin Marl''' may refer to:
* [[Archdeacon of York]] [[Colin Marl (priest)]]
* [[Lieutenant general (Canada)|Lt. Gen.]] [[Colin Marl (general)]] (1890–1960), of the [[Canadian Army]]
* American [[Nordic combined]] skier [[Colin Marl (skier)]]
* [[List of mayors of York|Mayor]] [[Col Marl]] (1850–1920)
* The [[Leeds]]-born [[mime artist]] [[Colin X. Marl]]
* [[Chess]] [[Grandmaster (chess)|grandmaster]] [[Colin Marl (chess)|C. Marl]]
""",
        "Colin Marl (priest); Colin Marl (general); Colin Marl (skier); Col Marl; Colin X. Marl; Colin Marl (chess)",
        things="Archdeacon of York; Lieutenant general (Canada); Canadian Army; Nordic combined; List of mayors of York; Leeds; mime artist; Chess; Grandmaster (chess)",
    )
    # 3
    form(
        "John Roe",
        """
* [[John Roe (elder)]] (1800–1850) and his son [[John Roe (younger)]] (1830–1900)
* [[John Roe (poet)]]<br>[[John Roe (cook)]]
""",
        "John Roe (elder); John Roe (younger); John Roe (poet); John Roe (cook)",
    )
    form(
        "Ned Shaw",
        """
* [[Ned Shaw (baker)]] and [[Ned Shaw (brewer)]], twins, sons of [[Oliver Shaw]]
* [[Ned Shaw (miner)]] (1800–1850); also his grandson [[Ned Shaw (drover)]] (1860–1910)
* [[Ned Shaw (fiddler)]]<br/>[[Ned Shaw (piper)]] (1700–1760)<br />[[Ned Shaw (drummer)]]; he taught [[Oliver Shaw]]
""",
        "Ned Shaw (baker); Ned Shaw (brewer); Ned Shaw (miner); Ned Shaw (drover); Ned Shaw (fiddler); Ned Shaw (piper); Ned Shaw (drummer)",
    )
    # 4
    form(
        "Ann Leck",
        """
* [[Ann Leck (a)]] (1800–1850)
** her husband [[Carl Sommer]]
* His pupil [[Hans Herbst]]
* Daughter of [[Bob Leck]], [[Ann Leck (b)]]
* Widow of [[Tobias Grand]]
* Their tutor, [[Hans Herbst]]
* Ann Leck (1600–1640), who married [[Tobias Grand]]
* stepmother of the painter [[Carl Sommer]]
* [[Mother Goose Inn]]
* [[Bob Leck]], whose sister Ann was a judge
* Her collaborator and friend [[Jo Penn]] (born 1950)
* Sister-in-law to [[Jo Penn]]
""",
        "Ann Leck (a); Ann Leck (b)",
        things="Mother Goose Inn",
    )
    # 5
    form(
        "Rex Dawson",
        """
* Rex Dawson (cricketer), see [[Reginald Dawson]]
* Rex Dawson, professional name of [[Aldo Nero]]
* Rex Dawson, full name of [[Rexy]], a singer
* Rex Dawson, a name used by [[Karl Holm]]
* Rex Dawson, the assumed name of the spy [[Ivo Brandt]]
* Rex Dawson – stage name used by the dancer [[Piet Vos]]
* Rex Dawson (wrestler) is the ring name of [[Otis Buck]] (born 1980)
* Rex Dawson, original name of [[Lars Ek]]
* ''Rex Dawson'', joint pseudonym of [[Eve Dorn]] and her brother [[Max Dorn]]
* Rex Dawson, as a writer better known as [[Guy Strand]]
* Rex Dawson, brother of [[Aldo Blanco]]
* Rex Dawson, a character of [[Winter Tales]]
""",
        "Reginald Dawson; Aldo Nero; Rexy; Karl Holm; Ivo Brandt; Piet Vos; Otis Buck; Lars Ek; Eve Dorn; Guy Strand",
        things="Winter Tales",
    )
    # 6
    form(
        "Lea Frome",
        """
{{columns-list|colwidth=30em|
* [[Lea Frome (a)]]
* [[Lea Frome (b)|Lea]] (1800–1850)
}}
{{plainlist|
* [[Lea Frome (c)]]
}}
{{div col}}
* [[Lea Frome (d)]]
{{div col end}}
{{unbulleted list|[[Lea Frome (e)]]|[[Lea Frome (f)]], judge}}
{{Some other list|title=People|1=
* [[Lea Frome (g)]]
* {{nowrap|[[Lea Frome (h)]] (born 1950)}}
}}
{{columns-list|{{plainlist|
* [[Lea Frome (i)]]
}}}}
""",
        "Lea Frome (a); Lea Frome (b); Lea Frome (c); Lea Frome (d); Lea Frome (e); Lea Frome (f); Lea Frome (g); Lea Frome (h); Lea Frome (i)",
    )
    # 7
    form(
        "Sam Gale",
        """
* [[Sam Gale (umpire)|Sam [Samuel] Gale]], umpire
* [[:Sam Gale (fencer)|Sam Gale]]
* [[ Sam_Gale_(cook) |''Sam'' "Sammy" Gale [d. 1900]]]
* [[Sam Gale (vicar)|Sam <small>Gale</small>]]
* [[:fr:Sam Gale (peintre)|Sam Gale]]
* [http://example.org Sam Gale], a site of [[Sam Gale (vicar)|the vicar]]
""",
        "Sam Gale (umpire); Sam Gale (fencer); Sam Gale (cook); Sam Gale (vicar)",
    )
    # 8
    for number, (before, after) in enumerate([
        ("'''See also:'''\n* ", ""), ("See also:\n* ", ""), ("''See also:''\n\n* ", ""), ("* See also ", ""),
        ("== People with similar names ==\n* ", ""), ("<b>See also</b>\n* ", ""), ("===See Also===\n*", ""),
        ("See also ", " and others."), ("* ''See also'': ", ""), ("* See also:\n** ", ""), ("== Similar spellings ==\n* ", ""),
        ("'''''Not to be confused with''''': ", ""), ("== Also see ==\n# ", ""), (";See also:\n:", ""), ("'''See also'''\n: ", ""),
        ("* [[Una Bray 0 (c)]], see also ", ""), ("== Similarly named people ==\n* ", ""), ("(See also ", ")"),
        ("* (see also ", ")"), ("==See also==\n===People===\n*", ""), ("{{see also|Una Bry}}\n* Not to be confused with ", ""),
    ]):  # fmt: skip
        extra = f"; Una Bray {number} (c)" if "(c)" in before else ""
        form(
            f"Una Bray {number}",
            f"""
'''Una Bray {number}''' may refer to:
* [[Una Bray {number} (a)]] (1800–1850)
* [[Una Bray {number} (b)]]

{before.replace("Una Bray 0", f"Una Bray {number}")}[[Una Bray {number} (similar)|Una Brey]]{after}
""",
            f"Una Bray {number} (a); Una Bray {number} (b){extra}",
        )
    # 9
    form(
        "Grey Alder",
        """
* [[Grey Alder (judge)]] (1900–1950)
* [[Grey Alder (poet)]]
* [[Grey Alder (tugboat)]]
* [[Grey Alder (bear)]]
* [[Grey Alder (podcast)]]
* [[Grey Alder (stadium)]]
* [[Grey Alder (racehorse)]]
* [[Grey Alder (locomotive)]]
* [[Grey Alder (duo)]]
* [[Grey Alder (hero)]]
* [[Grey Alder (hurricane)]]
* [[Grey Alder (parrot)]]
""",
        "Grey Alder (judge); Grey Alder (poet)",
        own=True,
    )
    article("Grey Alder (judge)", "A judge.\n[[Category:1900 births]]")
    article("Grey Alder (poet)", "{{Short description|Welsh poet (1850–1900)}}\nA poet.")
    article(
        "Grey Alder (tugboat)",
        "{{Short description|American tugboat (1910–1950)}}\n'''Grey Alder''' (1910–1950) was an American tugboat.\n[[Category:1910 ships]]",
    )
    article(
        "Grey Alder (bear)",
        "{{Short description|Grizzly bear (1995–2020)}}\n'''Grey Alder''' (1995–2020) was a bear of [[Perth]].\n{{DEFAULTSORT:Alder, Grey}}\n[[Category:Individual bears]]",
    )
    article(
        "Grey Alder (podcast)",
        "{{Short description|True crime podcast (2015–2019)}}\nA podcast.\n[[Category:2015 podcast debuts]]",
    )
    article(
        "Grey Alder (stadium)",
        "{{Short description|Stadium in Leeds (1950–2001)}}\nA ground.\n[[Category:1950 establishments in England]]",
    )
    article(
        "Grey Alder (racehorse)",
        "{{Short description|British racehorse (born 1990)}}\nA horse.\n[[Category:1990 racehorse births]]",
    )
    article("Grey Alder (locomotive)", "{{Short description|Locomotive (1880–1930)}}\nIt ran.")
    article(
        "Grey Alder (duo)",
        "{{Short description|Singing duo (1990–2001)}}\n'''Grey Alder''' (1990–2001) were singers.\n[[Category:English musical duos]]",
    )
    article(
        "Grey Alder (hero)",
        "{{Short description|Fictional English sheriff}}\n{{Infobox character}}\nA hero.\n[[Category:Fictional English people]]",
    )
    article(
        "Grey Alder (hurricane)",
        "{{Short description|Atlantic storm (1–9 May 1990)}}\nIt blew.\n[[Category:1990 Atlantic hurricane season]]",
    )
    article(
        "Grey Alder (parrot)",
        "{{Short description|African parrot (1970–2007)}}\nIt spoke.\n{{DEFAULTSORT:Alder, Grey}}",
    )
    # 10
    form(
        "Hew Dane",
        "\n".join(f"* [[Hew Dane ({letter})]]" for letter in "abcdefghijkl"),
        "Hew Dane (a); Hew Dane (b); Hew Dane (c); Hew Dane (d); Hew Dane (e); Hew Dane (f); Hew Dane (g); Hew Dane (h); Hew Dane (i); Hew Dane (j)",
        own=True,
    )
    article(
        "Hew Dane (a)",
        "{{Infobox person|name=Hew Dane}}\n'''Hew Dane''' (1520–1580) was an English politician.",
    )
    article(
        "Hew Dane (b)",
        "{{Short description|13th-century English sheriff}}\n'''Hew Dane''' held Leeds.",
    )
    article("Hew Dane (c)", "'''Hew Dane''' was hanged.\n[[Category:Executed English people]]")
    article("Hew Dane (d)", "'''Hew Dane''' (c. 1401 – 1460) was a Scottish [[goldsmith]].")
    article("Hew Dane (e)", "{{Infobox football biography\n| name = Hew\n}}\nHew played.")
    article(
        "Hew Dane (f)",
        "'''Hew Dane''' (''fl.'' 1300) was a rebel.\n[[Category:14th-century Scottish people]]",
    )
    article("Hew Dane (g)", "'''Hew''' (died 1390), lord.\n{{DEFAULTSORT:Dane, Hew}}")
    article("Hew Dane (h)", "He taught.\n[[Category:Alumni of Trinity College, Dublin]]")
    article(
        "Hew Dane (i)", "{{Short description|Manx architect}}\n'''Hew Dane''' (born 1950) builds."
    )
    article("Hew Dane (j)", "{{Infobox officeholder | name = Hew }}\nHe ruled.")
    article(
        "Hew Dane (k)",
        "'''Hew Dane''' (1910–1950) was a mill.\n[[Category:Mills named after people]]",
    )
    article(
        "Hew Dane (l)",
        "'''Hew Dane''' is a play about an English king.\n{{DEFAULTSORT:Hew Dane}}\n[[Category:Plays about English people]]",
    )
    # 12
    form(
        "Clara Webb",
        """
* [[Clara Webb (nurse)]]
* [[Clara Webb (singer)]]
== References ==
* [[Clara Weber]], ''Lives''
=== Further reading ===
* [[Clara Webb (critic)]]
""",
        "Clara Webb (nurse); Clara Webb (singer)",
    )
    form(
        "Carl Webb",
        "* [[Carl Webb (a)]]\n* [[Carl Webb (b)]]\n'''References'''\n* [[Egon Weber]]",
        "Carl Webb (a); Carl Webb (b)",
    )
    form(
        "Cora Webb",
        "* [[Cora Webb (a)]]\n* [[Cora Webb (b)]]\n;Sources:\n* [[Egon Weber]]",
        "Cora Webb (a); Cora Webb (b)",
    )
    form(
        "Cyril Webb",
        "* [[Cyril Webb (a)]]\n* [[Cyril Webb (b)]]\n==Bibliography==\n* [[Egon Weber]]\n==Notes==\n# [[Egon Weber]]",
        "Cyril Webb (a); Cyril Webb (b)",
    )
    # 13
    form(
        "Ola Rem",
        """
'''Ola Rem''' may be:
: [[Ola Rem (a)]] (1800–1850)
:: [[Ola Rem (b)]]
{| class="wikitable"
| [[Ola Rem (c)]] || 1850 || [[Oslo]]
|-
| [[Ola Rem (d)]]
|}
{{List of Rems}}
""",
        "Ola Rem (a); Ola Rem (b); Ola Rem (c); Ola Rem (d)",
        things="Oslo",
    )
    form(
        "Ivo Crane",
        "* [[Ivo Crane (a)]]\n{{List of Cranes}}\n{{:Cranes of Leeds}}",
        "Ivo Crane (a); Ivo Crane (b); Ivo Crane (c); Ivo Crane (e)",
    )
    for letter in "bcde":
        article(f"Ivo Crane ({letter})", "A person.\n\n[[Category:1800 births]]")
    article("Cranes of Leeds", "'''Cranes''' of Leeds:\n* [[Ivo Crane (e)]]")
    # 14
    for number, template in enumerate(
        [
            "Hnd",
            "Personal name disambiguation",
            "dis|hn",
            "Template:Hndis",
            "template:hnd|Low, Ada",
            "Namen",
        ]
    ):
        form(
            f"Ada Low {number}",
            f"* [[Ada Low {number} (a)]]\n* [[Ada Low {number} (b)]]\n\n{{{{{template}}}}}",
            f"Ada Low {number} (a); Ada Low {number} (b)",
            template="",
        )
    form(
        "Ada Born",
        "* [[Ada Born (a)]]\n* [[Ada Born (b)]]\n* [[Ada Born (c)]]\n* [[Ada Born (d)]]",
        "Ada Born (a); Ada Born (b); Ada Born (c)",
        own=True,
    )
    article("Ada Born (a)", "A smith.\n{{BD|1850|1900}}")
    article("Ada Born (b)", "A cook.\n{{Lifetime|died=1900}}")
    article("Ada Born (c)", "{{SD|English baker (1850–1900)}}\nShe baked.")
    article("Ada Born (d)", "A mill.\n{{Built|1850}}")
    # 15
    form(
        "Tom Rede (painters)",
        "'''Tom Rede''' is the name of:\n* [[Tom Rede (Dutch painter)]]\n* [[Tom Rede (Irish painter)]]",
        "Tom Rede (Dutch painter); Tom Rede (Irish painter)",
        name="Tom Rede",
    )
    form(
        "Tim Rede (footballers born 1950)",
        "* [[Tim Rede (a)]]\n* [[Tim Rede (b)]]",
        "Tim Rede (a); Tim Rede (b)",
        name="Tim Rede",
    )
    form(
        "Ann Rede (surname: Rede) (judges)",
        "* [[Ann Rede (a)]]\n* [[Ann Rede (b)]]",
        "Ann Rede (a); Ann Rede (b)",
        name="Ann Rede",
    )

    # 16
    def page(title, text, people, things="", red="", own=None):
        form(title, text, people, things=things, red=red)
        for other, wikitext in (own or {}).items():
            article(other, wikitext)

    page(
        "Ida Crane",
        "* [[Ida Crane (a)]]\n* [[Ida Crane (b)]]\n* A play by [[Silas Moor]]\n* [[Silas Moor]] song\n* Killer of [[Ned Poe]]\n* #: recognised by [[Ned Poe]]",
        "Ida Crane (a); Ida Crane (b)",
    )
    page(
        "Ola Brenn",
        "* [[Ola Brenn (a)]]\n* [[Ola Brenn (b)]]\n* [[Per Brenn]], his father\n* [[Tor Haug]], who murdered a man of this name\n* Manager of [[Tor Haug]]\n* For the novelist, see [[Ole Brenn]]",
        "Ola Brenn (a); Ola Brenn (b)",
    )
    page(
        "Sal Vento",
        "'''Sal Vento''' is a stage name of [[Italy|Italian]] singer [[Marco Belli]].\n\nIt may also refer to:\n* [[Sal Vento (a)]]\n* [[Sal Vento (b)]]",
        "Marco Belli; Sal Vento (a); Sal Vento (b)",
        things="Italy",
    )
    page(
        "Joan Abery",
        "* Joan Abery ([[Kit Marlow]]), actress\n* [[Joan Abery (a)]]\n; [[Joan Abery (b)]] : judge\n* {{nobr|1=[[Joan Abery (c)]]}}\n* {{sfx|[[Joan Abery (d)]]|x}}",
        "Kit Marlow; Joan Abery (a); Joan Abery (b); Joan Abery (c); Joan Abery (d)",
    )
    page(
        "Rex Oster",
        "* [[Rex Oster (a)]], tutor of [[Clara Wenn]] (1819–1896)\n* [[Rex Oster (b)]] (in office 1900–1904)\n* [[Alan Oster]], teammate of Rex\n* [[Alan Oster]] killed Rex Oster",
        "Rex Oster (a); Rex Oster (b)",
    )
    page(
        "Mae Lindt",
        "* [[Mae Lindt (a)]]\n* [[Mae Lindt (b)]]\n* Mae Lindt, maiden name of [[Ruth Gower]]\n* Mae Lindt, nickname of the mother of [[Hal Gower]]\n* Mae Lindt: see [[Mabel Lindt]]",
        "Mae Lindt (a); Mae Lindt (b); Ruth Gower; Mabel Lindt",
    )
    page(
        "Tom Brill",
        "* [[Tom Brill (a)]]\n* [[Tom Smith (spy)]], alias Tom Brill\n* [[Tom Smith (actor)]] song\n* [[Tom Jonas]], biographer of Brill\n* [[Tom Brill (b)]]",
        "Tom Brill (a); Tom Smith (spy); Tom Brill (b)",
        own={
            "Tom Smith (spy)": _person(
                "Tom Smith", "(1900–1960), alias '''Tom Brill''', was a spy."
            )
        },
    )
    page(
        "Eva Konig",
        "* [[Eva König]]\n* [[Eva Konig (a)]]\n* Queen to [[King Otto]]\n* Understudy to [[Eva Stolz]]\n* [[Eva Stolz]]'s rival",
        "Eva König; Eva Konig (a)",
    )
    page(
        "Lu Han",
        "* [[Lu Han (general)]]\n* [[Han Lu]], painter\n* [[Luhan (singer)]] (鹿晗; born 1990)\n* [[Wu Han]], his teacher",
        "Lu Han (general); Han Lu; Luhan (singer)",
    )
    page(
        "Bo Talley",
        '* [[Bo Talley (a)]] and his brother [[Jim Talley]]\n* [[Robert "Bo" Talley]]\n* with [[Jim Talley]]: Bo Talley\n* coach [[Jim Talley]]',
        'Bo Talley (a); Robert "Bo" Talley',
    )
    page(
        "Nan Ferris",
        "* [[Nan Ferris (a)]]\n* [[Nan Ferris (b)]]\n* [[Governor]] [[Anne Ferris]], known as Nan\n* [[The Ferris Family]], show\n* {{ill|Nan Ferris (c)|de}}",
        "Nan Ferris (a); Nan Ferris (b); Anne Ferris",
        things="Governor; The Ferris Family",
        red="Nan Ferris (c)",
        own={"Anne Ferris": _person('Anne "Nan" Ferris', "(1900–1960) was a governor.")},
    )
    page(
        "Ed Marsh",
        "* [[Ed Marsh (a)]]\n* [[Edward Marsh]]\n* [[Edwin Marsh]]\n* [[Marsh (surname)]]\n* [[Eddie Marsan]]\n* ''[[Ed Marsh Show]]'', hosted by [[Ken Dole]]",
        "Ed Marsh (a); Edward Marsh; Edwin Marsh",
        things="Marsh (surname); Ed Marsh Show",
    )


def _person(bold: str, rest: str) -> str:
    return f"{{{{Infobox person|name={bold}}}}}\n'''{bold}''' {rest}\n\n[[Category:1900 births]]"
