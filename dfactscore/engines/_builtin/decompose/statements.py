"""Makes a clause's statements, each of which is a sentence of its own.

A clause is taken apart along its structure: additions to the subject, dates in brackets, verbs
that share the subject, descriptions joined by commas, and trailing phrases. Sentences that cannot
be split safely stay whole: an unsplit fact can be judged, a mangled one cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from dfactscore._text.person_names import SUFFIXES
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.decompose.appositions import (
    NOUN_BEFORE,
    OF_WHOM,
    apposition,
    name_at,
    noun_before,
)
from dfactscore.engines._builtin.decompose.clause_words import (
    NOTHING,
    ClauseText,
    Given,
    Statement,
    article,
    clause_text,
    is_phrase,
    is_torn,
    phrase,
    stated,
)
from dfactscore.engines._builtin.decompose.description_items import description_items, name_start
from dfactscore.engines._builtin.decompose.joined import titles_joined
from dfactscore.engines._builtin.decompose.predicate_joints import HEDGES, cut_predicates
from dfactscore.engines._builtin.decompose.predicates import (
    description,
    person_after,
    predicate,
    shared_predicates,
    untorn,
)
from dfactscore.engines._builtin.group.cues import GENERIC
from dfactscore.engines._builtin.language.announcements import sets_apart
from dfactscore.engines._builtin.language.clauses import MAIDEN, Clause, Range, is_post_nominal
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import finite_at, is_year, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    BE,
    PREPOSITIONS,
    RELATIVES,
    SMALL,
    is_finite_form,
)

# Words that merely connect a sentence to the previous one
_SAYS_NOTHING = re.compile(
    r"(?i)(?:|in addition|on the other hand|in contrast|by contrast|meanwhile|additionally|"
    r"furthermore|moreover|however|finally|sadly|unfortunately|ultimately|notably|"
    r"nevertheless|nonetheless|similarly|likewise|overall|interestingly|in fact|"
    r"for example|for instance|as a result|off the field|today|lastly|\w+ly|"
    r"not to be (?:confused|mixed up|mistaken)\b.*|(?:described|found|mentioned|covered|"
    r"profiled|discussed|featured) in (?:the )?(?:\w+ )?"
    r"(?:document|passage|source|result|article)s?(?: \[?\d+\]?)?)"
)


_LONGEST_OFFICE = 3  # words, "as" included
_LONG_LIFE = 50  # years; "a judge (1930–1965)" held the office then
_ARTICLES = frozenset({"a", "an", "one", "the", "another"})
_CHILD = frozenset({"son", "daughter", "brother", "sister"})
_AND_OTHER = re.compile(r"An? .*\band the [a-z-]+ of\b")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")


def statements(
    text: str,
    tokens: Sequence[Token],
    clause: Clause,
    subject: str,  # subject as the statements should write it
    owner: str,  # individual's name as the paragraph writes it
    described: Range = (0, 0),  # description before the name ("the poet Ann Lee")
) -> list[Statement]:
    """Returns the statements made from a clause that has a verb."""
    c = clause_text(text, tokens, clause, subject, owner)
    for find in (_asides, _open_quotation, _titles):
        c = c.enclosing([*find(c)])
    given = _named_aside(c)
    given += _lead(c.after(given))
    if c.low(described[0]) != "one":  # "One umpire, Tom Hill, called"
        given += description(c.after(given), c.be, *described)
    added, unread = _additions_to_subject(c.after(given))
    given += added
    given += _life_after_role(c.after(given))
    given += _names(c.after(given))
    c = c.after(given)
    out = _by_text(given)
    rest = subject[1:]  # its first letter may be a capital now
    for number, piece in enumerate(cut_predicates(c.tokens, clause.verb, clause.end)):
        step = predicate(c, piece, "" if number else _fronted(c))
        c = c.after(step)
        new = [s for text, s in _by_text(step).items() if text not in out]
        if unread and new and not number:
            new[0] = new[0]._replace(text=new[0].text.replace(rest, rest + unread, 1))
        out |= {s.text: s for s in new}
    torn = Given(tuple(s for s in out.values() if is_torn(s.text)))
    if torn.statements:
        whole = untorn(c, torn, "", clause.verb, clause.end).statements
        out = {s.text: s for s in (*out.values(), *whole) if s in whole or s not in torn.statements}
    return sorted(out.values(), key=lambda s: (s.start, s.end))


def block_statements(
    text: str, tokens: Sequence[Token], clause: Clause, subject: str, be: str
) -> list[Statement]:
    """Returns the statements of a clause's additions alone ("there is X, a poet")."""
    c = clause_text(text, tokens, clause, subject, subject)
    given, _ = _additions_to_subject(replace(c, be=be if be in {"is", "was"} else "is"))
    return [*_by_text(given).values()]


def _by_text(given: Given) -> dict[str, Statement]:
    """Returns the statements by their text, the first of each."""
    out: dict[str, Statement] = {}
    for statement in given.statements:
        out.setdefault(statement.text, statement)
    return out


def _asides(c: ClauseText) -> Iterator[Range]:
    """Yields what is between dashes, or from a dash to the end, after the verb."""
    first, end = max(c.clause.verb, 0), c.clause.end
    dashes = [
        k
        for k, token in enumerate(c.tokens[first : end - 1], first)
        if not token.depth
        and (token.text == "—" or (token.text == "–" and token.start > c.tokens[k - 1].end))
    ]
    for first, last in zip_longest(dashes[::2], dashes[1::2], fillvalue=end - 1):
        yield first, last + 1


def _open_quotation(c: ClauseText) -> Iterator[Range]:
    """Yields a quotation with a comma that is after the verb and never closed."""
    tokens, end = c.tokens, c.clause.end
    for k in range(max(c.clause.verb, 0), end - 1):
        mark, before, after = tokens[k], tokens[k - 1], tokens[k + 1]
        apart = mark.start > before.end and after.start == mark.end
        opens = apart and not mark.depth and mark.text in {'"', "“"}
        if opens and any(t.comma for t in tokens[k:end]):
            yield k, end
            return


def _titles(c: ClauseText) -> Iterator[Range]:
    """Yields the listed titles that rules could split."""
    return titles_joined(c.tokens, max(c.clause.verb, c.clause.start), c.clause.end)


def _named_aside(c: ClauseText) -> Given:
    """Gives statements about Tom from "the guardian of a boy named Tom Hill, who is rich"."""
    end = c.clause.end
    for k in range(max(c.clause.verb, c.clause.start) + 4, end - 2):
        named = c.comma(k) and c.low(name_start(c.tokens, k) - 1) in {"named", "called"}
        aside = person_after(c, k, end) if named else None
        if aside is not None:
            return aside + c.leaving_out(k, end)
    return NOTHING


def _lead(c: ClauseText) -> Given:
    """Gives statements from "Born in Leeds, he ..." or "A tight end, he ..."."""
    if sets_apart(c.raw(*c.clause.lead)):
        return NOTHING  # "A namesake of the painter, he ..."
    if is_phrase(c.tokens, *c.clause.lead):
        return phrase(c, *c.clause.lead)
    if c.subject.startswith((f"{c.owner}’s", f"{c.owner}'s")):  # "As a singer, her songs"
        c = replace(c, subject=c.owner)
    return description(c, c.be, *_lead_description(c))


def _lead_description(c: ClauseText) -> Range:
    """Returns the fronted words that say who the person is: "A native of Split, he ..."."""
    a, b = c.clause.lead
    first, last = c.low(a), c.low(b - 1)
    words = {t.low for t in c.tokens[a:b]}
    if first == "as":  # "As a judge", "As head coach"; not "As judges sort, by a judge,"
        held = c.low(a + 1) in {"a", "an"} or b - a <= _LONGEST_OFFICE
        return (a + 1, b) if held and is_role(last) and last not in GENERIC else (a, a)
    describes = bool(words & RELATIVES) or any(is_role(word) for word in words)
    roles = bool(words & {",", "and"}) and is_role(first)  # "Judge and poet Ann Lee"
    opens = roles or first in {"a", "an", "the"}
    # "A sister to the king and the pride of Leeds": the king's sister, not the pride's
    mixed = _AND_OTHER.match(c.raw(a, b)) and not description_items(c.tokens, a, b)
    return (a, b) if opens and describes and not mixed else (a, a)


def _fronted(c: ClauseText) -> str:
    """Returns the words before the subject that belong to the verb ("In 1990")."""
    a, b = c.clause.lead
    first, words = c.low(a), c.raw(a, b)
    x, y = _lead_description(c)
    if first in {"another", "yet"} or is_phrase(c.tokens, a, b) or y > x:
        return ""
    return "" if first not in HEDGES and _says_nothing(words) else words


def _life_after_role(c: ClauseText) -> Given:
    """Takes the years in "was an English bishop (1801–1877)" as the subject's."""
    verb, end = c.clause.verb, c.clause.end
    words = [t.low for t in c.tokens[verb:end]]
    if c.low(verb) not in BE or "(" not in words:
        return NOTHING
    opening = verb + words.index("(")
    close = next((k for k in range(opening, end) if c.low(k) == ")"), opening)
    before = words[: opening - verb]
    person = (PREPOSITIONS | RELATIVES | {"who", "and"}).isdisjoint(before)  # not "son of a"
    life = _life_between(c, opening, close) if is_role(before[-1]) and person else NOTHING
    return life + c.leaving_out(opening, close + 1) if life.statements else NOTHING


def _life_between(c: ClauseText, opening: int, close: int) -> Given:
    """Gives statements from dates in brackets if they can only be of birth and death."""
    inside = c.raw(opening + 1, close)
    years = [int(year) for year in re.findall(r"\b\d{4}\b", inside)]
    long = len(years) == 2 and years[1] - years[0] >= _LONG_LIFE
    given = NOTHING
    if long or "born" in inside or "died" in inside:
        for event in life_statements(f"({inside})"):
            given += stated(c, event, opening, close + 1)
    return given


def _says_nothing(words: str) -> bool:
    """Whether a lead or an addition connects sentences or only sets the subject apart."""
    return _SAYS_NOTHING.fullmatch(words) is not None or sets_apart(words)


def _additions_to_subject(c: ClauseText) -> tuple[Given, str]:
    """Gives statements from the additions to the subject, and those that no rule reads."""
    given, unread = NOTHING, ""
    for bracket in c.clause.brackets:
        if _says_nothing(c.raw(*bracket)):
            continue
        step = _bracket(c, bracket)
        if not (step.statements or _is_pronunciation(c, bracket)):
            unread += f" ({c.raw(*bracket)})"
        c, given = c.after(step), given + step
    for block in c.clause.blocks:
        words = c.raw(*block)
        step = NOTHING if _says_nothing(words) else _block(c, block)
        if not step.statements and not _says_nothing(words):
            comma = "" if c.subject.endswith((',"', ",”")) else ","
            unread += f"{comma} {words}" + "," * (not words.endswith((',"', ",”")))
        c, given = c.after(step), given + step
    return given, unread


def _is_pronunciation(c: ClauseText, bracket: Range) -> bool:
    """Whether brackets hold a name in another script, its sound, or nothing: "(Greek: ...)"."""
    label, _, words = f":{c.raw(*bracket)}".rpartition(":")
    words = words.strip(' "“')
    sound = label.startswith((":pronounced", ":IPA")) or words.startswith(("pronounced", "["))
    latin = any("a" <= letter <= "z" or letter.isdigit() for letter in words.lower())
    named = len(label) > 1 and is_demonym(c.low(bracket[0])) and not words[:1].islower()
    return sound or not latin or (named and not any(map(str.isdigit, words)))


def _bracket(c: ClauseText, bracket: Range) -> Given:
    """Gives statements from birth and death dates or another addition in brackets."""
    inside, given = c.raw(*bracket), NOTHING
    for event in life_statements(f"({inside})"):
        given += stated(c, event, *bracket)
    if given.statements:
        return given
    low = inside.lower()
    if low.startswith(("full name", "birth name", "real name")):
        return stated(c, f"{c.be} named {inside.split('name', 1)[1].strip(': ')}", *bracket)
    if low.startswith(("also known", "known as", "nicknamed", "also spelled", "also called")):
        return stated(c, f"{c.be} {inside}", *bracket)
    if low.startswith("also ") and c.tokens[bracket[0] + 1].capital:
        return stated(c, f"{c.be} also known as {inside[5:]}", *bracket)
    role = _has_role(c.tokens[slice(*bracket)]) and "," not in inside
    return description(c, c.be, *bracket) if role else NOTHING


def _has_role(words: Sequence[Token]) -> bool:
    """Whether a role is among the words."""
    return any(is_role(t.low) for t in words)


def _opens_with_role(c: ClauseText, a: int, b: int) -> bool:
    """Whether a span begins with a role or its adjectives: "fictional detective in the"."""
    first = c.low(a)
    if first == "then" or (is_finite_form(first) and not first.endswith("ed")):
        return False  # ", said critic Tom Hill,"
    role = next((k for k in range(a, min(b, a + 3)) if is_role(c.low(k))), b)
    return role < b and all(not t.capital and t.low not in SMALL for t in c.tokens[a:role])


def _block(c: ClauseText, block: Range) -> Given:
    """Gives statements from an addition between the subject and the verb."""
    named = not PREPOSITIONS.isdisjoint(c.subject.split())
    if named and not c.is_of_person():
        return NOTHING  # "His marriage to Eva Hill, a nurse, was": it stays with her
    (a, b), life = block, NOTHING
    opening = next((k for k in range(b - 1, a, -1) if c.low(k) == "("), a)
    # not "son of a judge"
    if opening > a and RELATIVES.isdisjoint(t.low for t in c.tokens[a:opening]):
        life = _life_between(c, opening, b - 1)
        b = opening if life.statements else b
    if c.low(a).rstrip(".") in SUFFIXES:  # "Ann Lee, Jr., born in 1901, was"
        a += 1 + (c.tokens[a + 1].text == ",")
    if c.low(a) in MAIDEN:
        return life + stated(c, f"was born {c.raw(a + 1, b)}", a, b)
    if is_post_nominal(c.tokens[a]):
        for k in range(a, b):
            letters = c.raw(k, k + 1)
            life += stated(c, f"{c.be} {article(letters)} {letters}", k, k + 1)
        return life
    described = c.low(a) in {"noted", "famed", "notable", "famous"} and _opens_with_role(c, a, b)
    if is_phrase(c.tokens, a, b) and not described:
        return life + phrase(c, a, b)
    if c.low(a) == "who":
        return life + shared_predicates(c, a + 1, b)
    if c.low(a) == "whose":
        owner = c.owner if c.is_of_person() else c.subject
        return life + stated(c, c.raw(a + 1, b), a, b, f"{owner}’s")
    return life + _description_after_name(c, a, b) if a < b else life


def _description_after_name(c: ClauseText, a: int, b: int) -> Given:
    """Gives statements from ", a judge," or ", 2nd Baronet," after the subject."""
    first = c.low(a)
    if first in _CHILD or _ORDINAL.fullmatch(first):
        return stated(c, f"{c.be} the {c.raw(a, b)}", a, b)
    if first in _ARTICLES or is_demonym(first) or _opens_with_role(c, a, b):
        return description(c, c.be, a, b)
    titled = c.tokens[a].capital and _has_role(c.tokens[a:b])
    return stated(c, f"{c.be} {c.raw(a, b)}", a, b) if titled else NOTHING


def _names(c: ClauseText) -> Given:
    """Gives statements about the names in the predicate: "the poet Tom Hill", ""Sky" (1990)"."""
    given = NOTHING
    after, end = max(c.clause.verb, c.clause.start) + 1, c.clause.end
    for k, token in enumerate(c.tokens[after:end], after):
        opens = k >= after and (token.capital or token.text in {'"', "“"})
        name = name_at(c.tokens, k, end) if opens else None
        if name is not None:
            for rule in (_kind_before, _year_after, _apposed):
                step = rule(c, name)
                c, given = c.after(step), given + step
            after = name[1]
    return given


def _year_after(c: ClauseText, name: Range) -> Given:
    """Gives a statement from the year in ""Sky" (1990)"."""
    x, y = name
    year = c.low(y + 1)
    if [c.low(y), c.low(y + 2)] != ["(", ")"] or not (c.tokens[x].depth and is_year(year)):
        return NOTHING
    made = stated(c, f"is from {year}", x, y + 3, c.title(name), context=True)
    return made + Given(used=((y, y + 3),))


def _kind_before(c: ClauseText, name: Range) -> Given:
    """Gives a statement from "the poet Tom Hill", "her husband Tom Hill", "the film, "Sky""."""
    noun = noun_before(c.tokens, c.clause, name, of_person=c.is_of_person())
    answer = NOUN_BEFORE.answer(noun) if noun.says_kind() else None
    if answer is None:
        return NOTHING
    words, first = c.raw(noun.first, noun.at + 1), noun.first
    if answer == "relation":
        made = stated(c, f"{c.be} {c.owner}’s {words}", first, name[1], c.title(name))
        return made + Given(once=((first - 1, name[0]),))
    owned = any(c.low(k).endswith(("'s", "’s")) for k in range(first, noun.at))
    words = words if owned else f"{article(words)} {words}"
    thing = not is_role(noun.low)
    made = stated(c, f"{c.be} {words}", first, name[1], c.title(name), context=thing)
    once = (first - (noun.opener == "the"), name[0])
    return made + Given(once=(once,) if noun.is_bounded() else ())


def _apposed(c: ClauseText, name: Range) -> Given:
    """Gives a statement from "Tom Hill, a poet" or "EMI, one of the labels"."""
    words = apposition(c.tokens, c.clause, name)
    bearer = None if words is None else OF_WHOM.answer(words)
    if words is None or bearer is None:
        return NOTHING
    if bearer == "subject":  # "born in York, the daughter of": she is
        made = description(c, c.be, words.a, words.b)
        return made + c.leaving_out(words.a - 1, _end_of_relative(c, words.b))
    says, thing = f"{c.be} {c.raw(words.a, words.b)}", not words.is_role()
    made = stated(c, says, words.name[0], words.b, c.title(words.name), context=thing)
    return made + c.leaving_out(words.a - 1, words.b)


def _end_of_relative(c: ClauseText, b: int) -> int:
    """Returns the end of ", a judge and head of the court," which describes the relative."""
    if not c.comma(b):
        return b
    end = c.clause.end
    joints = (k for k in range(b, end) if c.low(k) in {"and", "but"})
    verbs = ((k, skip_adverbs(c.tokens, k + 1, end)) for k in joints)
    return next((k for k, verb in verbs if finite_at(c.tokens, verb, end)), end)
