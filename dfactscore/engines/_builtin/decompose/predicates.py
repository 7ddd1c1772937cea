"""Predicates that share a subject: "was born in Leeds, moved to York and died there"."""

from __future__ import annotations

from dataclasses import replace

from dfactscore.engines._builtin.decompose.adjuncts import frame_of
from dfactscore.engines._builtin.decompose.clause_words import MAKING, Piece, article, joined
from dfactscore.engines._builtin.decompose.descriptions import Descriptions
from dfactscore.engines._builtin.decompose.details import details, without_agent
from dfactscore.engines._builtin.decompose.phrases import PHRASE_PREFIXES, STARTING_PARTICIPLES
from dfactscore.engines._builtin.decompose.times import is_time
from dfactscore.engines._builtin.decompose.torn import is_torn
from dfactscore.engines._builtin.language.clauses import Range, finite_at, skip_adverbs
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
    is_adjective_ed,
    is_base_form,
    is_role,
    past_of_any_gerund,
    past_of_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

BE = frozenset({"is", "was", "are", "were"})
# ", making him a star": what happened did that, not the subject
_OBJECTS = frozenset({"that", "him", "her", "it", "them", "himself", "herself", "this"})
_HELD_TO_BE = frozenset(
    {"considered", "regarded", "recognized", "recognised", "known", "remembered", "believed"}
)
_RAISED = frozenset({"promoted", "appointed", "elected", "ordained", "knighted", "inducted"})
_HELD_AS = frozenset({"a", "an", "one", "as", "for", "to", "by", "among"})
_OF_THINGS = frozenset({"called", "titled", "entitled", "named", "located", "nicknamed"})
_WORKS = word_list("works")
_OF_WORKS = word_list("of_works")
_PERFECTS = frozenset({"won", "made", "led", "held", "had", "left", "built", "become", "come"})
_SUBORDINATORS = word_list("subordinators")
_GIVEN = frozenset({"awarded", "named", "elected", "appointed", "called", "granted", "given"})
_IRREGULAR = word_list("past")
_TRANSITIVE = word_list("transitive")
_INTRANSITIVE = word_list("acts") | word_list("motion") | word_list("intransitive")


HEDGES = word_list("hedges")  # they limit all that follows
_RESULTS = word_list("results")  # ", which led to": all of it did
_AFTER = word_list("after")
_LIMITS = frozenset({"if", "unless", "without", "had", "were", "instead"})
_SEVERAL = frozenset({"parents", "children", "siblings", "sons", "daughters", "grandparents"})
_COUNTS = word_list("quantities") - {"one", "other", "number", "range", "variety"}
_FICTIONS = word_list("fictions")
_PLACING = frozenset({"in", "at", "from", "near"})


class Predicates(Descriptions):
    """Cuts predicates apart and makes statements of them."""

    def predicates(self, a: int, b: int) -> list[Piece]:
        """Cuts "was born in X and moved to Y" into predicates that share the subject."""
        pieces: list[Piece] = []
        fronts: dict[int, str] = {}
        start = self.behind_phrase(a, b) or a
        if start > a:  # "who, after two years in Leeds, was"
            fronts[0] = self.raw(a, start).strip(", ")
        verb = skip_adverbs(self.tokens, start, b)
        limited = self.low(start) == "not" and self.low(start + 1) == "only"
        if limited or any(self.low(k) in HEDGES for k in range(start, verb)):
            return [Piece("", start, b, fronts.get(0, ""))]  # "allegedly stole and sold"
        prefix, bare = "", False
        k = verb + 1
        while k < b:
            token = self.tokens[k]
            if token.depth or token.low not in {",", "and", "but", "yet"}:
                k += 1
                continue
            nxt = k + 1
            if self.comma(k) and self.low(nxt) in {"and", "but", "yet", "however", "then"}:
                nxt += 1
            nxt += self.low(nxt) == self.low(a - 1) == "who"  # "who sang and who danced"
            behind = self.behind_phrase(nxt, b)
            if self.low(nxt - 1) == "," and self.closing(verb, nxt, b) is None:
                behind = None
            if behind is not None and not self.bare(verb, k) and not self.in_clause(start, k):
                shared = self.shares(verb, skip_adverbs(self.tokens, behind, b), b)
                if shared is not None:
                    pieces.append(Piece(prefix, start, k))
                    start, prefix = behind, shared
                    verb = verb if shared else behind
                    fronts[len(pieces)] = self.raw(nxt, behind).strip(", ")
                    k = behind + 1
                    continue
            nxt_verb = skip_adverbs(self.tokens, nxt, b)
            shared = self.shares(verb, nxt_verb, b) if nxt_verb < b else None
            if (
                shared is None
                or self.bare(verb, k)
                or self.in_clause(start, k)
                or self.is_example(start, nxt_verb, b)
                or (self.comma(k) and nxt > k + 1 and bare)  # "taught, wrote a book, and sang"
            ):
                bare = bare or (shared is not None and self.comma(k) and self.bare(verb, k))
                k += 1
                continue
            made = self.low(nxt_verb) in MAKING and self.low(nxt_verb + 1) in PREPOSITIONS
            if self.comma(k) and nxt == k + 1:
                closing = self.closing(verb, nxt, b)
                if (made and not shared) or closing is None:
                    k += 1
                    continue
                if shared == "" and self.may_be_done(nxt_verb, b):
                    shared = closing  # "was arrested, tried for theft, and sentenced to"
            pieces.append(Piece(prefix, start, k))
            start, prefix = nxt, shared
            if shared == "":
                verb = nxt_verb
            k = nxt_verb + 1
        pieces.append(Piece(prefix, start, b))
        return [replace(p, front=fronts[i]) if i in fronts else p for i, p in enumerate(pieces)]

    def behind_phrase(self, i: int, b: int) -> int | None:
        """Returns the position of the verb after ", with two friends," or "despite his age,"."""
        first = i + self.comma(i)
        if first >= b or not (self.comma(i) or self.low(first) in PREPOSITIONS):
            return None
        for k in range(first + 1, b - 1):
            verb = skip_adverbs(self.tokens, k + 1, b)
            if self.comma(k) and verb < b and finite_at(self.tokens, verb, b):
                return k + 1
            if first < i + 1 and (self.comma(k) or finite_at(self.tokens, k, b)):
                timed = is_time(self.tokens, i, k) or self.low(k - 1) == "then"
                timed = timed and self.low(i - 1) in {"and", "but", ","}
                return k if timed and not self.comma(k) else None  # "and by 1990 had moved"
        return None

    def bare(self, verb: int, k: int) -> bool:
        """Whether only the verb is before a joint ("owns and runs a shop")."""
        if self.low(k - 2) in {"most", "more", "very"} and self.low(k + 1).endswith("ed"):
            return self.plain_noun(k + 2, self.clause.end)  # "the most gifted and admired poets"
        main = skip_adverbs(self.tokens, verb + 1, k) if self.low(verb) in AUXILIARIES else verb
        end = main + 1 + (self.low(main) == "been")
        listed = self.end_of_verbs(end, k)
        before = self.low(k - 1)  # "having captained and managed the club": one phrase
        joins = self.low(k) == "and" and self.low(k - 2) in {"a", "an"} and not is_role(before)
        if joins and self.low(k + 1).endswith("ed"):
            return self.plain_noun(k + 2, self.clause.end)  # "a grumpy and opinionated man"
        alone = k <= end or (listed > end and k <= listed + self.comma(listed))
        if k == end + 1 and self.comma(end):  # "was elected, and later re-elected, mayor"
            inserted = self.behind_phrase(k + 1, self.clause.end) or k + 1
            main = skip_adverbs(self.tokens, inserted, self.clause.end)
            while self.low(main) in AUXILIARIES | {"not"}:
                main += 1  # "was named, but did not become, mayor"
            alone = self.comma(main + 1)
        return alone or (self.low(k) == "and" and before.endswith("ed"))

    def end_of_verbs(self, i: int, b: int) -> int:
        """The end of the bare verbs listed after `i`: "wrote, directed, and produced"."""
        while i < b and self.comma(i):
            verb = skip_adverbs(self.tokens, i + 1, b)
            if verb >= b or not (finite_at(self.tokens, verb, b) or self.is_participle(verb)):
                break
            i = verb + 1
        return i

    def is_example(self, a: int, i: int, b: int) -> bool:
        """Whether "and organized crime," ends a list of examples: a form in -ed and a bare noun."""
        listed = any(self.low(k) in {"including", "such"} for k in range(a, i))
        ends = i + 2 >= b or self.comma(i + 2)
        return listed and ends and self.low(i).endswith("ed") and self.plain_noun(i + 1, b)

    def closing(self, verb: int, a: int, b: int) -> str | None:
        """Returns the words that a second predicate at `a` shares with `verb`; None without any."""
        for k in range(a, b - 1):
            if self.low(k) == "and" and not self.tokens[k].depth:
                last = skip_adverbs(self.tokens, self.behind_phrase(k + 1, b) or k + 1, b)
                shared = self.shares(verb, last, b) if last < b else None
                if shared is not None:
                    return shared
        return None

    def in_clause(self, a: int, k: int) -> bool:
        """Whether a joint at `k` is in a subordinate clause that began after `a`."""
        opens = [
            i
            for i in range(a + 1, k)
            if self.low(i) in _SUBORDINATORS
            and not self.tokens[i].depth
            and (self.low(i) != "being" or self.comma(i - 1))
            and (self.low(i) != "since" or self.low(i + 1) in {"he", "she", "they", "it"})
        ]
        if opens and self.comma(k) and self.low(k + 1) in {"and", "but", "yet"}:
            # ", and" leaves it, unless it closes its own list: "where he sang, taught, and"
            behind = (i + 1 for i in range(opens[0], k) if self.comma(i))
            verbs = (skip_adverbs(self.tokens, i, k) for i in behind)
            return any(i < k and finite_at(self.tokens, i, k) for i in verbs)
        return bool(opens)

    def shares(self, verb: int, i: int, b: int) -> str | None:
        """The auxiliary that a verb at `i` shares with `verb`; "" if it has none, else None."""
        low = self.low(i)
        first = self.low(verb)
        follow = skip_adverbs(self.tokens, verb + 1, b)
        been = first in {"has", "have", "had"} and self.low(follow) == "been"
        passive_of = f"{first} been" if been else first
        if been:
            follow = skip_adverbs(self.tokens, follow + 1, b)
        ahead = self.low(i + 1)
        titled = low == "made" and ahead in {"a", "an"} and self.tokens[i + 2].capital
        participle = low in PARTICIPLES or (low.endswith("ed") and "-" not in low) or titled
        if self.tokens[i].capital:
            return None
        done = participle or low in _TRANSITIVE
        if (been or first in BE) and done and follow < i and self.is_participle(follow):
            does = ahead == "for" and self.low(i + 2).endswith("ing")
            work = low in _OF_WORKS and self.subject.split()[-1] in _WORKS  # "and performed at"
            by = ahead == "by" and low not in _INTRANSITIVE
            if by or does or (work and ahead in PREPOSITIONS):
                return passive_of  # "was signed and praised by", "and jailed for refusing"
            bare = self.lacks_object(i + 1, b)  # "and shot the next day", "and held in Kent"
            given = low in _GIVEN and (ahead in {"the", "a", "an"} or self.tokens[i + 1].capital)
            if (bare and low in PARTICIPLES | PASSIVE | _TRANSITIVE) or given or titled:
                return passive_of
            if not self.comma(i - 1) and self.may_be_done(i, b):
                return None  # "was beaten and threatened with death": done to her, or by her
        going = self.low(follow).endswith("ing") and past_of_any_gerund(low) != ""
        if first in BE and going and ahead in DETERMINERS:
            return first  # "is living in Rio and continuing her career"
        if first in BE and low in _HELD_TO_BE and ahead in _HELD_AS | {"today"}:
            return first  # "is a poet and considered one of the best"
        if first in BE and low in _RAISED and ahead in PREPOSITIONS | {"to"}:
            return first  # "was head of the school and promoted to dean"
        if self.low(verb + 1) == "have" and first in AUXILIARIES and participle:
            return f"{first} have"  # "would have won and moved"
        named = self.comma(i - 1) and low in _OF_THINGS  # ", called the Lee Party"
        perfect = (
            first in {"has", "have", "had"}
            and not named
            and (self.is_participle(follow) or self.low(follow) in _PERFECTS)
        )
        adjective = is_adjective_ed(low) and ahead not in PREPOSITIONS | DETERMINERS
        if perfect and participle and not adjective:
            return first
        if first == "have" and is_base_form(low) and ahead in PREPOSITIONS:
            return ""  # "they have two sons and live in Leeds"
        done = (
            ahead == "by" and low.endswith("ed") and low not in _INTRANSITIVE
        )  # "wearing white and accompanied by Tom"
        return "" if finite_at(self.tokens, i, b) and not done else None

    def may_be_done(self, i: int, b: int) -> bool:
        """Whether a form in -ed with no object may be passive: "and threatened with death"."""
        known = self.low(i) in _INTRANSITIVE | _IRREGULAR or not self.is_participle(i)
        return not known and self.lacks_object(i + 1, b)

    def lacks_object(self, i: int, b: int) -> bool:
        """Whether no object is at `i`, but a preposition, a time or the end."""
        i = skip_adverbs(self.tokens, i, b)
        if i >= b or self.low(i) in PREPOSITIONS | {"there"} or self.tokens[i].text in ",.;":
            return True
        ends = PREPOSITIONS - {"following"}
        near = next((k for k in range(i, b) if self.low(k) in ends or self.comma(k)), b)
        return near - i < 4 and not self.tokens[i].capital and is_time(self.tokens, i, near)

    def plain_noun(self, i: int, b: int) -> bool:
        """Whether a noun may be at `i`: "and written works"."""
        if i >= b or not self.tokens[i].text.isalpha() or self.tokens[i].capital:
            return False
        return self.low(i) not in PREPOSITIONS | DETERMINERS

    def is_participle(self, i: int) -> bool:
        """Whether a token can be a past participle."""
        low = self.low(i)
        return low in PARTICIPLES or low in PASSIVE or low.endswith("ed")

    def predicate(self, piece: Piece, fronted: str) -> None:
        """One predicate with its additions."""
        be, main = self.be, self.main
        verb = skip_adverbs(self.tokens, piece.start, piece.end)
        self.it = self.object_before(main) if self.low(verb + 1) == "it" and verb > main else ""
        self.be = be if piece.prefix else self.tense(piece.start, piece.end)
        self.main = main if piece.prefix else verb
        before = len(self.out)
        self.tell(piece, fronted or piece.front[:1].upper() + piece.front[1:])
        self.mend(before, piece.prefix, piece.start, piece.end)
        self.be, self.main, self.it = be, main, ""

    def mend(self, before: int, prefix: str, a: int, b: int) -> None:
        """Says a stretch whole where a statement of it is torn: better two claims than half one."""
        made = self.out[before:]
        if any(is_torn(s.text) for s in made):
            del self.out[before:]
            self.holes = [h for h in self.holes if not a <= h[0] < b]
            self.add(f"{prefix} {self.raw(a, b)}", a, b)
            if any(is_torn(s.text) for s in self.out[before:]):
                self.out[before:] = made  # the text is cut off

    def object_before(self, verb: int) -> str:
        """Returns the object that "it" means after "lost the seat in 1979, but regained"."""
        k = verb + 1
        while k < self.clause.end and self.tokens[k].word and self.low(k) not in PREPOSITIONS:
            k += 1
        held = self.low(verb + 1) in {"the", "a", "an"} and 2 <= k - verb - 1 <= 5
        return f"the {self.raw(verb + 2, k)}" if held and verb >= 0 else ""

    def tell(self, piece: Piece, fronted: str) -> None:
        """The statements of a predicate."""
        a, b = piece.start, piece.end
        prefix = f"{piece.prefix} " if piece.prefix else ""
        verb = skip_adverbs(self.tokens, a, b)
        if not piece.prefix and self.low(verb) in BE:
            k = skip_adverbs(self.tokens, verb + 1, b)
            listed = self.low(k) == "the" and self.items(k, b) is not None
            if (self.low(k) in {"a", "an"} or listed) and k < b:
                end = b
                if not fronted or not self.keeps_front():
                    before = len(self.out)
                    self.nominal(self.raw(a, k - (self.low(k - 1) == "both")), k, b)
                    core = self.core_and_extras(k, b)[0]
                    hanging = core < b and any(
                        s.start >= self.tokens[core].start for s in self.out[before:]
                    )
                    end = core if hanging else b
                if fronted:
                    self.with_front(fronted, prefix, a, k, end)
                return
        if self.subject == "It" and any(self.low(k) == "that" for k in range(verb + 2, b)):
            self.add(self.raw(a, b), a, b)  # "It was her song that won"
            return
        named = self.low(verb) in {"are", "were"} and self.tokens[min(verb + 1, b - 1)].capital
        if named and self.subject.split()[-1].lower() in _SEVERAL:
            self.add(self.raw(a, b), a, b)  # "Her parents were Tom and Eva Hill"
            return
        doings = self.doings(verb, b)
        for x, y in doings:
            self.add(f"{prefix}{self.raw(a, doings[0][0])} {self.raw(x, y)}", x, y)
        if doings:
            return
        end = self.tails(verb, b)
        body = self.raw(a, end)
        if fronted:
            self.with_front(fronted, prefix, a, a, end)
            if self.keeps_front():
                return
        if not piece.prefix or piece.prefix in BE:
            life = life_statements(prefix + body)
            if len(life) > 1:
                for part in life:
                    self.add(part, a, end)
                return
        self.spread(prefix, a, end)

    def doings(self, verb: int, b: int) -> list[Range]:
        """The items of "enjoys walking, playing, and reading"; none if it is not a list."""
        first = skip_adverbs(self.tokens, verb + 1, b)
        if first + 1 >= b or not self.is_doing(first):
            return []
        items, start = [], first
        for k in range(first + 1, b - 1):
            nxt = k + 1 + (self.comma(k) and self.low(k + 1) == "and")
            joint = self.comma(k) or (self.low(k) == "and" and not self.tokens[k].depth)
            if joint and k > start and self.is_doing(nxt):
                items.append((start, k))
                start = nxt
        closed = self.low(start - 1) == "and" and bool(items)
        closed = closed and (self.comma(items[0][1]) or items[0][1] - first > 1)
        closed = closed and not any(self.comma(k) for x, y in items for k in range(x, y))
        return [*items, (start, b)] if closed else []

    def is_doing(self, i: int) -> bool:
        """Whether a verb's form in -ing is at `i`."""
        plain = not self.tokens[i].depth and not self.tokens[i].capital
        return plain and past_of_any_gerund(self.low(i)) != ""

    def with_front(self, fronted: str, prefix: str, a: int, k: int, end: int) -> None:
        """One statement with the circumstance in front, as it was written: "In 1990, he moved"."""
        if self.front_event() or self.front_career():
            return
        core = without_agent(self.tokens, frame_of(self.tokens, k, end, nominal=k > a).core, k)
        stop = end if self.keeps_front() or core[1] <= k else core[1]
        said = details(self.tokens, a, stop) if k == a and stop > a else [((a, stop),)]
        for words in said[:3] if all(len(w) > 1 for w in said) else [((a, stop),)]:
            text = prefix + self.say(words)
            self.add(text, self.clause.lead[0], words[-1][1], joined(fronted, self.subject))

    def front_event(self) -> bool:
        """Makes the statement of "After winning the cup in 1996, he ..."; whether it is one."""
        a, b = self.clause.lead
        if b <= a or self.low(a) not in _AFTER or not self.raw_subject_is_person():
            return False
        k = skip_adverbs(self.tokens, a + 1, b)
        if self.low(a) in {"in", "aside", "apart"} and self.low(k) in {"addition", "from"}:
            k += 2 if self.low(k) == "addition" else 1
        if not past_of_any_gerund(self.low(k)) or k >= b - 1 or self.is_noun(k):
            return False
        self.gerunds(k, b)
        return True

    def is_noun(self, k: int) -> bool:
        """Whether a form in -ing is a noun: "training at", "acting, he"."""
        return past_of_gerund(self.low(k)) is None and self.low(k + 1) not in DETERMINERS

    def front_career(self) -> bool:
        """Makes the statement of "In addition to his acting career, he ..."; whether it is one."""
        a, b = self.clause.lead
        own = next((k for k in range(a, b) if self.low(k) in {"his", "her"}), -1)
        beside = self.low(a) in {"in", "aside", "apart", "besides", "outside"}
        if not beside or own < 0 or (self.low(a) == "in" and self.low(a + 1) != "addition"):
            return False
        words = self.raw(own + 1, b)
        if self.low(own + 1) == "work" and self.low(own + 2) in {"in", "as", "for", "with", "on"}:
            self.spread("worked ", own + 2, b)
            return True
        if self.low(b - 1) == "work" and b - own <= 6:
            self.add(f"did {words}", a, b)
            return True
        if self.low(b - 1) != "career" or b - own > 5:
            return False
        joint = next((k for k in range(own + 2, b - 2) if self.low(k) == "and"), own)
        first = f"{self.raw(own + 1, joint)} career" if joint > own else words
        for said in dict.fromkeys((first, self.raw(joint + 1, b))):
            self.add(f"had {article(said)} {said}", a, b)
        return True

    def keeps_front(self) -> bool:
        """Whether a statement is only true of what is in front: "In the film, she is a nurse"."""
        a, b = self.clause.lead
        told = self.low(a) in {"in", "on", "for"} and self.low(a + 1) != "addition"
        return self.low(a) in _LIMITS | HEDGES | {"according"} or (
            told and any(t.low in _FICTIONS for t in self.tokens[a:b])
        )

    def tails(self, verb: int, b: int) -> int:
        """Removes a predicate's additions after commas; returns the end of the rest."""
        end = b
        for k in range(verb + 1, b - 1):
            if not self.comma(k) or k >= end:
                continue
            low = self.low(k + 1)
            first = skip_adverbs(self.tokens, k + 1, b)
            if self.is_deed(first, b) and (
                low == "having" or (self.says_more(first, b) and not self.in_list(k, b))
            ):
                self.deed(first, b)
                end = k
                break
            stop = self.relative_end(k + 1, b)
            if self.relative(k + 1, stop):
                if stop < b:
                    self.leave_out(k, stop)
                    continue
                end = k
                break
            hangs_on = low in STARTING_PARTICIPLES - _OF_THINGS | PHRASE_PREFIXES
            mine = self.low(verb) in BE or self.raw_subject_is_person()
            if low == "known" and self.low(k + 2) == "as" and self.low(verb) not in BE:
                mine = False  # "led a party, known as the Whites"
            if hangs_on and mine and self.is_phrase(k + 1, b):
                self.phrase(k + 1, b)
                end = k
                break
            if low == "who" and self.tokens[k - 1].capital:
                antecedent = self.name_before(k)
                if antecedent:
                    for piece in self.predicates(k + 2, b):
                        words = (piece.prefix + " " if piece.prefix else "") + self.raw(
                            piece.start, piece.end
                        )
                        self.add(words, piece.start, piece.end, antecedent)
                    end = k
                    break
        return end

    def says_more(self, i: int, b: int) -> bool:
        """Whether a form in -ing at `i` continues; an item of a list does not ("drawing, voice").

        The next words must not make it an event ("making him a star").
        """
        if self.low(i) == "making" and self.tokens[i + 1].capital:
            return False
        follow = i + 2 if self.low(i + 1) == "and" else i
        if follow > i and past_of_gerund(self.low(follow)) is None:
            return False
        return follow + 1 < b and not self.comma(follow + 1) and self.low(i + 1) not in _OBJECTS

    def in_list(self, comma: int, b: int) -> bool:
        """Whether a form in -ing after a comma is an item: "in catches, receiving yards, and"."""
        nxt = next((k for k in range(comma + 1, b - 2) if self.comma(k)), b)
        if nxt == b or self.low(nxt + 1) != "and":
            return False
        after = nxt + 2
        verb = past_of_gerund(self.low(after)) is not None
        return not verb

    def relative(self, a: int, b: int) -> bool:
        """Makes statements of "where she earned a degree" and "which became a school"."""
        if self.low(a) in {"where", "when"} and self.low(a + 1) in {"he", "she"} and a + 3 < b:
            if not self.raw_subject_is_person():
                return False
            if finite_at(self.tokens, b - 1, b) and b - a < 5:
                return False  # "where she lives": says nothing without the place
            for piece in self.predicates(a + 2, b):
                self.predicate(piece, "")
            return True
        verb = skip_adverbs(self.tokens, a + 1, b)
        if self.low(a) != "which" or verb + 1 >= b or not finite_at(self.tokens, verb, b):
            return False
        thing = self.thing_before(a - 1)
        if not thing or self.low(verb) in _RESULTS or self.low(verb + 1) in _OBJECTS:
            return False
        if " and " in thing:
            return False  # "A and B, which is": of one of them, or of a name with "and"
        for piece in self.predicates(a + 1, b):
            self.spread(
                f"{piece.prefix} " if piece.prefix else "", piece.start, piece.end, subject=thing
            )
        return True

    def relative_end(self, a: int, b: int) -> int:
        """Returns the end of ", which was a part of Kent," where the predicate resumes."""
        if self.low(a) != "which":
            return b
        return next(
            (
                k
                for k in range(a + 2, b - 1)
                if self.comma(k) and self.low(k + 1) in {"to", "in", "on", "as", "with", "where"}
            ),
            b,
        )

    def thing_before(self, comma: int) -> str:
        """Returns the only possible antecedent of a relative clause: the name before it."""
        k = comma - 1
        while k > 0 and (self.tokens[k].word or self.tokens[k].depth):
            if self.low(k) in PREPOSITIONS | {"to"} | _COUNTS or finite_at(self.tokens, k, comma):
                break
            k -= 1
        first = k + 1
        words = self.raw(first, comma)
        if comma - first > 8 or is_time(self.tokens, first, comma) or not words:
            return ""
        objects = self.tokens[self.main + 1 : k]
        if self.low(k) in _PLACING and any(t.capital or t.low in DETERMINERS for t in objects):
            return ""  # "a school in Leeds, which closed"
        opens = self.low(first)
        alone = finite_at(self.tokens, k, comma) or self.tokens[first].capital
        if opens in {"his", "her"} and alone:
            return f"{self.owner}’s {self.raw(first + 1, comma)}"
        if opens in {"a", "an"} and alone:
            return f"the {self.raw(first + 1, comma)}"
        if self.tokens[first - 1].text == "/":
            return ""
        named = self.tokens[first].capital or self.tokens[first].depth
        if opens == "the" and first + 1 < comma and self.tokens[first + 1].capital:
            return f"The {self.raw(first + 1, comma)}"
        return words if named or (opens == "the" and alone) else ""

    def raw_subject_is_person(self) -> bool:
        """Whether the subject is the individual and not something of theirs."""
        return self.subject == self.owner or self.subject.split()[-1] in self.owner.split()

    def named_aside(self, a: int, b: int) -> None:
        """Says of Tom what "the guardian of a boy named Tom, who is rich" says of him."""
        for k in range(a + 4, b - 2):
            first = k
            while self.tokens[first - 1].capital and self.tokens[first - 1].word:
                first -= 1
            named = first < k and self.low(first - 1) in {"named", "called"}
            named = named and self.low(first - 3) in {"a", "an"} and self.low(first - 4) == "of"
            if named and self.comma(k) and self.low(k + 1) == "who":
                for piece in self.predicates(k + 2, b):
                    prefix = f"{piece.prefix} " if piece.prefix else ""
                    said = prefix + self.raw(piece.start, piece.end)
                    self.add(said, piece.start, piece.end, self.raw(first, k))
                self.leave_out(k, b)
                return

    def name_before(self, k: int) -> str:
        """The capitalised words right before a comma, if they can be a person's name."""
        first = k
        while first > 0 and self.tokens[first - 1].capital and self.tokens[first - 1].word:
            first -= 1
        if not 2 <= k - first <= 4 or self.low(first - 1) in {"of", "the", "at", "in"}:
            return ""
        return self.raw(first, k)
