"""Contrast pairs: supported facts changed in one place so that the documents no longer say them.

The rules work on words and their classes, by the tokenizer of the verifier, not on lists of places
or organizations: what `binding.py` measures is made by other rules, and other wordings come anyway.
Each changed fact names the words that are wrong, so that the words themselves can be learned from.
"""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from verifier_data import Pair

from dfactscore.engines._builtin.language.tokens import WordForm, token
from dfactscore.engines._builtin.verify.name_types import COARSE, type_hint
from dfactscore.engines._builtin.verify.positions import class_of

MOST = 3  # changes of one fact, beside those that are always made
MOST_HARD = 2  # beside these, of the sorts in `HARD`

_WORD = re.compile(r"[^\W_]+(?:[.,'’](?=[^\W_])[^\W_]+)*")
_INSIDE = re.compile(r"[ -]|,? (?:of|de|van|von|the|of the|for the|for) ")
_BE = re.compile(r"\b(was|is|has|were|had|did)\b")
_PAST = re.compile(r"\b(?:he|she|they|[A-Z]\w+) ((?:[a-z]+ly )?)([a-z]{3,}ed)\b")
_NOUN = re.compile(r"\b(?:is|was) (?:an?|the) (?:[\w-]+ ){0,3}?([a-z]{4,})(?=\.?\Z)")
_ENDINGS = ("ist", "ian", "er", "or", "man", "ess", "ed", "ing", "ship", "tion", "ology", "s", "")
_LIVES = (
    (re.compile(r"\b(?:was|is|were) born\b"), "died"),
    (re.compile(r"\bborn\b"), "died"),
    (re.compile(r"\b(?:died|passed away)\b"), "was born"),
    (re.compile(r"\bbirth\b"), "death"),
    (re.compile(r"\bdeath\b"), "birth"),
)
_OPPOSITES = """
    won lost; joined left; before after; first last; began ended; bought sold; older younger;
    oldest youngest; eldest youngest; north south; east west; northern southern; eastern western;
    father son; mother daughter; brother father; sister mother; wife mother; husband father;
    son brother; daughter sister; founded closed; opened closed; married divorced;
    accepted rejected; won nominated; elected appointed; gold silver; silver bronze; bronze gold;
    professor student; taught studied; directed wrote; wrote directed; produced composed;
    defeated succeeded; succeeded preceded; attended taught; left right; male female; home abroad;
    increased decreased; early late; played coached; coached played; represented defeated;
    captain manager; president secretary; chairman member; supported opposed; bachelor doctor;
    senior junior; amateur professional; major minor; paternal maternal; son daughter;
    brother sister; hired fired; signed released; promoted relegated; graduated dropped
    """
_SWAPS: dict[str, list[str]] = defaultdict(list)
for _line in _OPPOSITES.split(";"):
    _one, _other = _line.split()
    _SWAPS[_one].append(_other)
    _SWAPS[_other].append(_one)
_KIN = "father mother brother sister wife son daughter uncle husband".split()
_HIS = re.compile(r"\b([Hh]is|[Hh]er) (father|mother|brother|sister|wife|husband|son|daughter)\b")
_BY = re.compile(r"\b(was|were) ([a-z]+ed|written|built|sung|drawn|led|taught|beaten) by\b")


_DOES = re.compile(
    r"((?:He|She|They|(?:[A-Z][\w.'-]+ ?){1,4}) (?:(?:was|is|has|had|were) )?)"
    r"([a-z]{3,}(?:ed|ught|ote|ang|ent|ew|on|ade|elt|old|ot|ook|ave|uilt|aid|an|rawn|ritten))"
    r" ((?:[a-z]+ )?(?:[a-z]+ )?[^,;]{3,})\Z"
)
_OUTCOMES = tuple(
    (re.compile(rf"\b{one}\b"), others.split("; "))
    for one, others in (
        ("(?:was|were|is|been) nominated for", "won; received; was awarded"),
        ("won|received|was awarded", "was nominated for; was considered for; refused; presented"),
        ("lost to", "defeated; beat"),
        ("(?:defeated|beat)", "lost to; was defeated by; played with"),
        ("(?:ran for|was a candidate for|campaigned for)", "was elected to; won; held"),
        (
            "(?:was elected|was appointed)",
            "was defeated as; refused to become; ran unsuccessfully as",
        ),
        ("graduated from", "taught at; founded; was expelled from; left"),
        ("(?:studied|was educated) at", "taught at; was the head of; founded"),
        ("taught at", "studied at; graduated from; founded"),
        (
            "(?:was married to|married)",
            "was the mother of; divorced; was the sister of; was related to",
        ),
        (
            "(?:was|is) the (?:son|daughter) of",
            "was the father of; was married to; was the brother of",
        ),
        ("(?:signed|played) for", "managed; played against; refused to join; coached"),
        (
            "(?:wrote|directed|composed|produced)",
            "reviewed; appeared in; translated; performed; acted in",
        ),
        ("(?:starred|appeared|acted) in", "wrote; directed; produced; reviewed"),
        ("(?:founded|established|created)", "joined; left; worked for; sold"),
        ("(?:moved|emigrated) to", "fled from; was born in; died in; left"),
        ("(?:served|fought) in", "opposed; fought against; refused to serve in; wrote about"),
    )
)


@dataclass(frozen=True)
class _Run:
    """Neighbouring words of one kind in a text: a name, a date, a number, a word."""

    start: int
    end: int
    text: str
    sort: int
    keys: frozenset[str]
    before: str


Change = tuple[str, tuple[str, ...]]  # the new fact, its wrong words


def contrast_pairs(pairs: list[Pair], seed: int, share: float = 0.3) -> Iterator[Pair]:
    """Yields unsupported pairs (kind 3) and their originals again (kind 4), with their sort.

    Of every supported pair at most three changes are made, of different sorts, drawn evenly, and a
    role that the page lacks; of negations, which nearly every fact allows, a `share`.
    """
    said: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
    for pair in pairs:
        if pair.label and pair.kind == 0:
            said[pair.name, pair.title].add(_keys(pair.fact))
    nouns = sorted(
        {m[1] for p in pairs if p.label and p.kind == 0 for m in [_NOUN.search(p.fact)] if m}
    )
    given = sorted({pair.name.split()[0] for pair in pairs if len(pair.name.split()) > 1})
    facts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in pairs:
        if pair.label and pair.kind == 0 and len(pair.fact) <= 120:
            facts[pair.name, pair.title].append(pair.fact)
    seen: set[tuple[str, str, str]] = set()
    pages: dict[object, tuple[str, list[_Run]]] = {}
    for pair in pairs:
        key = (pair.name, pair.title, pair.fact)
        if not pair.label or pair.kind > 1 or len(pair.fact) > 240 or key in seen:
            continue
        seen.add(key)
        if pair.documents not in pages:
            text = "\n".join(body.removeprefix(title).strip() for title, body in pair.documents)
            pages[pair.documents] = (text, _runs(text, pair.name))
        page, others = pages[pair.documents]
        chance = random.Random(f"{seed} {pair.name} {pair.fact}")
        scene = _Scene(pair, page, others, _runs(pair.fact, pair.name), chance, nouns, given,
                       facts[key[:2]])  # fmt: skip
        sorts = list(SORTS)
        chance.shuffle(sorts)
        left = {True: MOST, False: MOST_HARD}
        for sort in sorts:
            if sort in _COMMON and chance.random() > share:
                continue
            plain = sort not in HARD
            if not left[plain] and sort not in _ALWAYS:
                continue
            found = [c for c in SORTS[sort](scene) if _keys(c[0]) not in said[key[:2]] or not c[1]
                     or sort in _SAME_WORDS]  # fmt: skip
            if not found:
                continue
            fact, wrong = chance.choice(found)
            yield replace(pair, fact=fact, label=0, kind=3, sort=sort, wrong=wrong)
            yield replace(pair, kind=4, sort=sort)
            left[plain] -= sort not in _ALWAYS


@dataclass(frozen=True)
class _Scene:
    pair: Pair
    page: str
    others: list[_Run]
    own: list[_Run]
    chance: random.Random
    nouns: list[str]
    given: list[str]
    siblings: list[str]

    def put(self, run: _Run, new: str) -> str:
        """The fact with another value in this place."""
        fact = self.pair.fact
        head = fact[: run.start]
        if re.search(r"\b[Aa]n? \Z", head) and new[:1].islower():
            head = re.sub(r"\b([Aa])n? \Z", "\\1n " if new[0] in "aeiou" else "\\1 ", head)
        return head + new + fact[run.end :]


def _keys(text: str) -> frozenset[str]:
    items = [token(m[0]) for m in _WORD.finditer(text)]
    return frozenset(item.key for item in items if item.kind)


def _runs(text: str, name: str) -> list[_Run]:
    own = _keys(name)
    found: list[_Run] = []
    open_run: tuple[int, int, int, set[str], str] | None = None
    before, fresh = "", True

    def close() -> None:
        if open_run:
            a, b, sort, keys, word = open_run
            found.append(_Run(a, b, text[a:b], sort, frozenset(keys), word))

    for match in _WORD.finditer(text):
        item: WordForm = token(match[0])
        gap = text[open_run[1] if open_run else max(0, match.start() - 2) : match.start()]
        fresh = fresh or bool(re.search(r"[.!?\n]\s", gap))
        if item.kind not in (1, 2):
            before = item.exact
            if not (open_run and item.exact in ("of", "the", "de", "van", "von", "for")):
                close()
                open_run = None
            fresh = False
            continue
        if item.key in own:
            close()
            open_run, before, fresh = None, "", False
            continue
        sort = class_of(item, item.upper and not fresh)
        joins = (
            open_run is not None
            and sort > 0
            and (open_run[2] > 1) == (sort > 1)
            and (_INSIDE.fullmatch(gap) or (sort > 1 and gap == ", "))
        )
        if joins and open_run:
            a, _, old, keys, word = open_run
            kind = 3 if {old, sort} == {3, 4} else max(old, sort)
            open_run = (a, match.end(), kind, keys | {item.key}, word)
        else:
            close()
            open_run = (match.start(), match.end(), sort, {item.key}, before)
            if sort == 0:
                close()
                open_run = None
        before, fresh = "", False
    close()
    return found


def _far(scene: _Scene, old: _Run, new: _Run, least: int = 4) -> bool:
    """Whether the new value is never within some words of the old one."""
    for match in re.finditer(re.escape(old.text), scene.page):
        if abs(new.start - match.end()) < 6 * least and abs(match.start() - new.end) < 6 * least:
            return False
    return True


def _choices(scene: _Scene, run: _Run, *, longer: bool, least: int = 4) -> list[_Run]:
    """Other values of the class on the page that the fact lacks and that are away from this one.

    Several words replace several words, and with `longer` one word, too.
    """
    return [
        other
        for other in scene.others
        if other.sort == run.sort
        and not other.keys & _keys(scene.pair.fact)
        and ((" " in other.text) == (" " in run.text) or (longer and " " in other.text))
        and _far(scene, run, other, least)
    ]


def _values(scene: _Scene, *sorts: int) -> Iterator[Change]:
    for run in scene.own:
        if run.sort not in sorts:
            continue
        choices = _choices(scene, run, longer=run.sort < 3)
        alike = [other for other in choices if other.before == run.before]
        if alike and scene.chance.random() < 0.6:
            choices = alike
        if choices:
            new = scene.chance.choice(choices)
            yield scene.put(run, new.text), tuple(new.keys)


def _years(scene: _Scene) -> Iterator[Change]:
    yield from _values(scene, 3)


def _numbers(scene: _Scene) -> Iterator[Change]:
    yield from _values(scene, 2, 4)


def _single_numbers(scene: _Scene) -> Iterator[Change]:
    """One number word for another that is anywhere on the page, part of a date or not."""
    words = [(m, token(m[0])) for m in _WORD.finditer(scene.page)]
    numbers = [m[0] for m, item in words if class_of(item, False) == 2]
    for match in _WORD.finditer(scene.pair.fact):
        item = token(match[0])
        if class_of(item, False) == 2 and match[0] in scene.page and numbers:
            new = scene.chance.choice(numbers)
            if token(new).key not in _keys(scene.pair.fact):
                fact = scene.pair.fact
                yield fact[: match.start()] + new + fact[match.end() :], (token(new).key,)


def _names(scene: _Scene) -> Iterator[Change]:
    yield from _values(scene, 1)


def _typed(kind: int) -> Callable[[_Scene], Iterator[Change]]:
    """Names for one another that seem to be of the same sort: schools, clubs, places."""

    def change(scene: _Scene) -> Iterator[Change]:
        for run in scene.own:
            if run.sort != 1 or _type(run) != kind:
                continue
            choices = [
                other
                for other in scene.others
                if other.sort == 1
                and _type(other) == kind
                and not other.keys & _keys(scene.pair.fact)
                and _far(scene, run, other, 3)
            ]
            if choices:
                new = scene.chance.choice(choices)
                yield scene.put(run, new.text), tuple(new.keys)

    return change


def _type(run: _Run) -> int:
    """One of the coarse sorts of `name_types`."""
    hint = max(type_hint(word.lower()) for word in run.text.split())
    return COARSE[hint] or int(run.before in ("in", "at", "near", "from", "to"))


def _name_parts(scene: _Scene) -> Iterator[Change]:
    """One word of a name of several words: the University of Leeds for that of Durham."""
    singles = [r for r in scene.others if r.sort == 1 and " " not in r.text]
    for run in scene.own:
        words = run.text.split()
        if run.sort == 1 and len(words) > 1 and singles:
            new = scene.chance.choice(singles)
            if not new.keys & _keys(scene.pair.fact):
                place = scene.chance.choice([0, len(words) - 1])
                words[place] = new.text
                yield scene.put(run, " ".join(words)), tuple(new.keys)


def _people(scene: _Scene) -> Iterator[Change]:
    """Names of two or three words for one another."""
    for run in scene.own:
        if run.sort == 1 and run.text.count(" ") in (1, 2) and " of " not in run.text:
            choices = [
                other
                for other in scene.others
                if other.sort == 1
                and other.text.count(" ") in (1, 2)
                and " of " not in other.text
                and not other.keys & _keys(scene.pair.fact)
                and _far(scene, run, other, 3)
            ]
            if choices:
                new = scene.chance.choice(choices)
                yield scene.put(run, new.text), tuple(new.keys)


def _words(scene: _Scene) -> Iterator[Change]:
    """A word for one of the page with the same ending: roles, verbs, plurals, adjectives."""
    opening = scene.page[:160]
    for run in scene.own:
        if run.sort or len(run.text) < 4 or not run.text.islower():
            continue
        ending = next(e for e in _ENDINGS if run.text.endswith(e))
        choices = [
            other
            for other in scene.others
            if not other.sort
            and other.text.islower()
            and len(other.text) > 3
            and other.text.endswith(ending)
            and (ending or not other.text.endswith(("ed", "s", "ing", "ly")))
            and other.text not in opening
            and not other.keys & _keys(scene.pair.fact)
            and _far(scene, run, other, 3)
        ]
        if choices:
            new = scene.chance.choice(choices)
            yield scene.put(run, new.text), tuple(new.keys)


def _roles(scene: _Scene) -> Iterator[Change]:
    """One person's role replaced by that of another person on the page."""
    noun = _NOUN.search(scene.pair.fact)
    if not noun:
        return
    there = [
        r.text
        for r in scene.others
        if not r.sort and r.text in scene.nouns and r.text not in scene.page[:200]
    ]
    for new in there:
        if token(new).key not in _keys(scene.pair.fact):
            fact = scene.pair.fact
            yield fact[: noun.start(1)] + new + fact[noun.end(1) :], (token(new).key,)


def _other_roles(scene: _Scene) -> Iterator[Change]:
    """A role, wherever the fact names it, for one that the page says of something else."""
    known = set(scene.nouns)
    choices = [r for r in scene.others if not r.sort and r.text in known]
    for run in scene.own:
        if run.sort or run.text not in known:
            continue
        found = [
            other
            for other in choices
            if not other.keys & _keys(scene.pair.fact)
            and _far(scene, run, other, 3)
            and not re.search(
                r"(?:\b(?:was|is|as|became|become)\b[^.;]{0,60}|,\s(?:an?|the)\s[^.;,]{0,30})\b"
                + re.escape(other.text),
                scene.page,
            )
        ]
        if found:
            new = scene.chance.choice(found)
            yield scene.put(run, new.text), tuple(new.keys)


def _ranges(scene: _Scene) -> Iterator[Change]:
    """Exchanges the years of a range."""
    fact = scene.pair.fact
    for one, other in pairwise([r for r in scene.own if r.sort == 3]):
        if other.before in ("to", "until", "till", "and") and one.before in ("from", "between"):
            changed = fact[: one.start] + other.text + fact[one.end : other.start] + one.text
            yield changed + fact[other.end :], tuple(one.keys | other.keys)


def _absent_roles(scene: _Scene) -> Iterator[Change]:
    """One person's role replaced by one that no one on the page has."""
    noun = _NOUN.search(scene.pair.fact)
    if noun:
        new = scene.chance.choice(scene.nouns)
        loose = {token(m[0]).loose for m in _WORD.finditer(scene.page)}
        if token(new).loose not in loose:
            fact = scene.pair.fact
            yield fact[: noun.start(1)] + new + fact[noun.end(1) :], (token(new).key,)


def _lives(scene: _Scene) -> Iterator[Change]:
    years = [r for r in scene.own if r.sort == 3]
    if years and sum(scene.page.count(r.text[-4:]) for r in years) == len(years):
        for pattern, word in _LIVES:
            if pattern.search(scene.pair.fact):
                wrong = ("born", "die", *years[0].keys)
                yield pattern.sub(word, scene.pair.fact, count=1), wrong
                return


def _life_places(scene: _Scene) -> Iterator[Change]:
    """Born where the person died, and the other way round."""
    names = [r for r in scene.own if r.sort == 1 and r.before in ("in", "at", "near")]
    if len(names) == 1 and scene.page.count(names[0].text) == 1:
        for pattern, word in _LIVES[:3]:
            if pattern.search(scene.pair.fact):
                wrong = ("born", "die", *names[0].keys)
                yield pattern.sub(word, scene.pair.fact, count=1), wrong
                return


def _exchange(scene: _Scene) -> Iterator[Change]:
    """Two values of one class in the fact change places."""
    fact = scene.pair.fact
    runs = [r for r in scene.own if r.sort]
    for one, other in pairwise(runs):
        between = fact[one.end : other.start].strip(" ,")
        if one.sort != other.sort or between in ("", "and", "or", "&", "in"):
            continue
        changed = fact[: one.start] + other.text + fact[one.end : other.start] + one.text
        yield changed + fact[other.end :], tuple(one.keys | other.keys)


def _subjects(scene: _Scene) -> Iterator[Change]:
    """The bearer of the name and another person change places; or they do in a passive."""
    fact, name = scene.pair.fact, scene.pair.name
    last = name.split()[-1] if name.split() else ""
    lead = name if fact.startswith(name + " ") else last if fact.startswith(last + " ") else ""
    runs = [r for r in scene.own if r.sort == 1 and r.text.count(" ") <= 2 and r.before != "in"]
    if lead and runs:
        run = scene.chance.choice(runs)
        body = fact[len(lead) : run.start] + lead + fact[run.end :]
        yield run.text + body, tuple(run.keys)
    match = _BY.search(fact)
    if match and runs:
        yield (
            fact[: match.start()] + match[2] + fact[match.end() :],
            tuple(key for run in runs for key in run.keys),
        )


def _relatives(scene: _Scene) -> Iterator[Change]:
    """A statement about a relative, made about the person, and the other way round."""
    fact = scene.pair.fact
    match = _HIS.match(fact)
    content = tuple(key for run in scene.own for key in run.keys)
    if match:
        rest = fact[match.end() :]
        if re.match(r" (?:was|is|had|served|worked|died|became|[a-z]+ed)\b", rest):
            yield ("He" if match[1].lower() == "his" else "She") + rest, content
    elif re.match(r"(?:He|She) (?:was|is|had|served|worked|became|[a-z]+ed)\b", fact):
        kin = scene.chance.choice(_KIN)
        yield ("His " if fact[0] == "H" else "Her ") + kin + fact[fact.index(" ") :], (
            token(kin).key, *content)  # fmt: skip


def _opposites(scene: _Scene) -> Iterator[Change]:
    for match in _WORD.finditer(scene.pair.fact):
        for other in _SWAPS.get(match[0], ()):
            fact = scene.pair.fact
            yield fact[: match.start()] + other + fact[match.end() :], (token(other).key,)


def _additions(scene: _Scene) -> Iterator[Change]:
    """A year or a place of another sentence appended to the fact."""
    fact = scene.pair.fact.rstrip(". ")
    if len(scene.own) > 5:
        return
    for sort in (1, 3):
        choices = [r for r in scene.others if r.sort == sort and r.before == "in"]
        if choices and not any(r.sort == sort for r in scene.own):
            new = scene.chance.choice(choices)
            if not any(_near_words(scene, run, new) for run in scene.own):
                yield f"{fact} in {new.text}.", tuple(new.keys)


def _nearest(*sorts: int) -> Callable[[_Scene], Iterator[Change]]:
    """The nearest other value of the class, though not one right beside it."""

    def change(scene: _Scene) -> Iterator[Change]:
        for run in scene.own:
            at = scene.page.find(run.text)
            if run.sort not in sorts or at < 0:
                continue
            choices = _choices(scene, run, longer=False, least=3)
            if choices:
                new = min(choices, key=lambda other: abs(other.start - at))
                yield scene.put(run, new.text), tuple(new.keys)

    return change


def _crossed(scene: _Scene) -> Iterator[Change]:
    """A statement of the page with its object replaced by that of another fact."""
    head = _DOES.match(scene.pair.fact)
    if not head:
        return
    verb = token(head[2])
    choices = []
    for other in scene.siblings:
        tail = _DOES.match(other)
        if not tail or tail[2] == head[2] or tail[3].split()[0] != head[3].split()[0]:
            continue
        wrong = _keys(tail[3]) - _keys(scene.pair.name)
        if wrong and not wrong & _keys(scene.pair.fact) and not _together(scene, verb, wrong):
            choices.append((head[1] + head[2] + " " + tail[3], tuple(sorted(wrong))))
    if choices:
        yield scene.chance.choice(choices)


def _together(scene: _Scene, verb: WordForm, keys: frozenset[str]) -> bool:
    """Whether a sentence of the page has the verb and half of the words."""
    for sentence in re.split(r"(?<=[.!?])\s|\n", scene.page):
        items = [token(m[0]) for m in _WORD.finditer(sentence)]
        if any(verb.key == item.key or verb.loose == item.loose for item in items) and (
            2 * len(keys & {item.key for item in items}) >= len(keys)
        ):
            return True
    return False


def _own_relative(scene: _Scene) -> Iterator[Change]:
    """A relative of his own."""
    name, last = scene.pair.name, scene.pair.name.split()[-1:]
    kin = [word for word in _KIN if not re.search(rf"\b{word} of\b", scene.page)]
    if last and kin and scene.pair.fact.startswith((name + " ", last[0] + " ", "He ", "She ")):
        new = scene.chance.choice(kin)
        lead = scene.pair.fact.split()[0]
        lead = name if name.startswith(lead) else lead
        whose = scene.chance.choice([name, name, last[0]])
        yield f"{lead} was the {new} of {whose}.", (token(new).key,)


def _outcomes(scene: _Scene) -> Iterator[Change]:
    """A prize that was hoped for is won, a loss a victory, a try a success."""
    fact = scene.pair.fact
    for pattern, others in _OUTCOMES:
        match = pattern.search(fact)
        if match:
            new = scene.chance.choice(others)
            wrong = tuple(key for key in _keys(new) - _keys(match[0]))
            if wrong:
                yield fact[: match.start()] + new + fact[match.end() :], wrong


def _near_words(scene: _Scene, run: _Run, new: _Run) -> bool:
    """Whether a word of the fact is in the sentence of the new value."""
    start = scene.page.rfind(". ", 0, new.start) + 1
    end = scene.page.find(". ", new.end)
    return bool(run.keys & _keys(scene.page[start : end if end > 0 else None]))


def _tails(scene: _Scene) -> Iterator[Change]:
    """The last value of the fact for a value of another class: an award for a city."""
    for run in scene.own[-1:]:
        if run.sort == 1:
            choices = [r for r in scene.others if r.sort == 1 and r.before == "the"]
            choices = [r for r in choices if not r.keys & _keys(scene.pair.fact)]
            if choices:
                new = scene.chance.choice(choices)
                if _far(scene, run, new):
                    yield scene.put(run, new.text), tuple(new.keys)


def _denials(scene: _Scene) -> Iterator[Change]:
    fact = scene.pair.fact
    verb = _BE.search(fact)
    wrong = ("not",)
    if re.search(r"\b(?:not|never|no|n't)\b", fact):
        return
    if verb:
        word = scene.chance.choice(["not", "not", "never", "no longer"])
        yield f"{fact[: verb.end()]} {word}{fact[verb.end() :]}", wrong
    past = _PAST.search(fact)
    if past:
        base = re.sub(r"(?<=[^aeiou])ied\Z", "y", past[2]).removesuffix("ed")
        said = scene.chance.choice(["did not " + base, "never " + past[2]])
        yield fact[: past.start(2)] + said + fact[past.end(2) :], wrong


def _absent_years(scene: _Scene) -> Iterator[Change]:
    for run in scene.own:
        if run.sort == 3 and run.text.isdecimal():
            other = str(int(run.text) + scene.chance.choice([-21, -12, -7, -3, 2, 4, 9, 15]))
            if other not in scene.page:
                yield scene.put(run, other), (other,)


def _given_names(scene: _Scene) -> Iterator[Change]:
    fact, words = scene.pair.fact, scene.pair.name.split()
    if len(words) > 1 and fact.startswith(words[0] + " ") and fact.split()[1][:1].isupper():
        name = scene.chance.choice(scene.given)
        if name not in scene.page and name != words[0]:
            yield name + fact[len(words[0]) :], (token(name).key,)


SORTS: dict[str, Callable[[_Scene], Iterator[Change]]] = {
    "year": _years,
    "number": _numbers,
    "single number": _single_numbers,
    "name": _names,
    "part of a name": _name_parts,
    "person": _people,
    "word": _words,
    "role": _roles,
    "birth and death": _lives,
    "place of birth and death": _life_places,
    "exchange": _exchange,
    "subject": _subjects,
    "relative": _relatives,
    "opposite": _opposites,
    "addition": _additions,
    "tail": _tails,
    "negation": _denials,
    "year not there": _absent_years,
    "given name": _given_names,
    "role not there": _absent_roles,
    "place": _typed(1),
    "event": _typed(3),
    "organization": _typed(4),
    "role elsewhere": _other_roles,
    "range": _ranges,
    "nearest year": _nearest(3),
    "nearest number": _nearest(2, 4),
    "nearest name": _nearest(1),
    "crossed": _crossed,
    "own relative": _own_relative,
    "outcome": _outcomes,
}
_ALWAYS = {"role not there"}  # beside the three others
_COMMON = {"negation", "year not there", "given name", "word", "relative", "addition",
           "own relative"}  # fmt: skip
HARD = {
    "nearest year",
    "nearest number",
    "nearest name",
    "crossed",
    "own relative",
    "outcome",
}
_SAME_WORDS = {
    "birth and death",
    "place of birth and death",
    "exchange",
    "subject",
    "negation",
    "range",
}
