"""Predicates that share a subject: "was born in Leeds, moved to York and died there"."""

from __future__ import annotations

from dfactscore.engines._builtin.decompose.adjuncts import frame_of
from dfactscore.engines._builtin.decompose.antecedents import ANTECEDENT, Antecedent
from dfactscore.engines._builtin.decompose.clause_words import Piece, article, joined
from dfactscore.engines._builtin.decompose.descriptions import Descriptions
from dfactscore.engines._builtin.decompose.details import details, without_agent
from dfactscore.engines._builtin.decompose.phrases import PHRASE_PREFIXES, STARTING_PARTICIPLES
from dfactscore.engines._builtin.decompose.predicate_joints import HEDGES, cut_predicates
from dfactscore.engines._builtin.decompose.second_verbs import OF_THINGS
from dfactscore.engines._builtin.decompose.torn import is_torn
from dfactscore.engines._builtin.language.adverbs import skip_adverbs
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import (
    BE,
    DETERMINERS,
    PREPOSITIONS,
    past_of_any_gerund,
    past_of_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

# ", making him a star": the event did that, not the subject
_OBJECTS = frozenset({"that", "him", "her", "it", "them", "himself", "herself", "this"})


_RESULTS = word_list("results")  # ", which led to": all of it did
_AFTER = word_list("after")
_LIMITS = frozenset({"if", "unless", "without", "had", "were", "instead"})
_SEVERAL = frozenset({"parents", "children", "siblings", "sons", "daughters", "grandparents"})
_FICTIONS = word_list("fictions")


class Predicates(Descriptions):
    """Separates predicates and makes statements from them."""

    def predicates(self, a: int, b: int) -> list[Piece]:
        """Splits "was born in X and moved to Y" into predicates that share the subject."""
        cut = cut_predicates(self.tokens, a, b, self.clause.end, self.subject)
        return [Piece(p.prefix, p.start, p.end, self.raw(*p.front).strip(", ")) for p in cut]

    def predicate(self, piece: Piece, fronted: str) -> None:
        """Makes statements from one predicate and its additions."""
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
        """States a span as a whole if a statement made from it is torn."""
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
        """Makes the statements of a predicate."""
        a, b = piece.start, piece.end
        prefix = f"{piece.prefix} " if piece.prefix else ""
        verb = skip_adverbs(self.tokens, a, b)
        if not prefix and self.low(verb) in BE and self.describes(a, verb, b, fronted):
            return
        if self.is_cleft(verb, b) or self.names_kin(verb, b):
            self.add(self.raw(a, b), a, b)
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
        life = life_statements(prefix + body) if not prefix or piece.prefix in BE else []
        for part in life if len(life) > 1 else ():
            self.add(part, a, end)
        if len(life) < 2:
            self.spread(prefix, a, end)

    def describes(self, a: int, verb: int, b: int, fronted: str) -> bool:
        """Makes statements from "is a poet and a judge"; returns whether it is a description."""
        k = skip_adverbs(self.tokens, verb + 1, b)
        listed = self.low(k) == "the" and bool(self.items(k, b))
        if k >= b or not (listed or self.low(k) in {"a", "an"}):
            return False
        end = b
        if not fronted or not self.keeps_front():
            before = len(self.out)
            self.nominal(self.raw(a, k - (self.low(k - 1) == "both")), k, b)
            core = self.core_and_extras(k, b)[0]
            start = self.tokens[core].start
            hanging = core < b and any(s.start >= start for s in self.out[before:])
            end = core if hanging else b
        if fronted:
            self.with_front(fronted, "", a, k, end)
        return True

    def is_cleft(self, verb: int, b: int) -> bool:
        """Whether the predicate of "It" contains its clause: "It was her song that won"."""
        return self.subject == "It" and any(self.low(k) == "that" for k in range(verb + 2, b))

    def names_kin(self, verb: int, b: int) -> bool:
        """Whether the predicate names relatives: "Her parents were Tom and Eva Hill"."""
        several = self.subject.split()[-1].lower() in _SEVERAL
        named = self.tokens[min(verb + 1, b - 1)].capital
        return several and named and self.low(verb) in {"are", "were"}

    def doings(self, verb: int, b: int) -> list[Range]:
        """Returns the items of "enjoys walking, playing, and reading"; empty if not a list."""
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
        """Whether the token at `i` is the -ing form of a verb."""
        plain = not self.tokens[i].depth and not self.tokens[i].capital
        return plain and past_of_any_gerund(self.low(i)) != ""

    def with_front(self, fronted: str, prefix: str, a: int, k: int, end: int) -> None:
        """Makes statements with the circumstance in front, as written: "In 1990, he moved"."""
        if self.front_event() or self.front_career():
            return
        core = without_agent(self.tokens, frame_of(self.tokens, k, end, nominal=k > a).core, k)
        stop = end if self.keeps_front() or core[1] <= k else core[1]
        said = details(self.tokens, a, stop) if k == a and stop > a else [((a, stop),)]
        for words in said[:3] if all(len(w) > 1 for w in said) else [((a, stop),)]:
            text = prefix + self.say(words)
            self.add(text, self.clause.lead[0], words[-1][1], joined(fronted, self.subject))

    def front_event(self) -> bool:
        """Makes statements from "After winning the cup, he ..."; returns whether it made any."""
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
        """Whether an -ing form is a noun: "training at", "acting, he"."""
        return past_of_gerund(self.low(k)) is None and self.low(k + 1) not in DETERMINERS

    def front_career(self) -> bool:
        """Makes statements from "Besides his career, he ..."; returns whether it made any."""
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
        """Whether a statement is true only with its fronted words: "In the film, she dies"."""
        a, b = self.clause.lead
        told = self.low(a) in {"in", "on", "for"} and self.low(a + 1) != "addition"
        return self.low(a) in _LIMITS | HEDGES | {"according"} or (
            told and any(t.low in _FICTIONS for t in self.tokens[a:b])
        )

    def tails(self, verb: int, b: int) -> int:
        """States a predicate's additions after commas; returns the end of what precedes them."""
        for k in range(verb + 1, b - 1):
            if not self.comma(k):
                continue
            stop = self.relative_end(k + 1, b)
            if self.continues(k, b):
                self.deed(skip_adverbs(self.tokens, k + 1, b), b)
            elif self.relative(k + 1, stop):
                if stop < b:
                    self.leave_out(k, stop)
                    continue
            elif self.is_added_phrase(verb, k, b):
                self.phrase(k + 1, b)
            elif not self.person_after(k, b):
                continue
            return k
        return b

    def continues(self, k: int, b: int) -> bool:
        """Whether an -ing form after a comma is another action of the subject."""
        first = skip_adverbs(self.tokens, k + 1, b)
        if not self.is_deed(first, b):
            return False
        more = self.says_more(first, b) and not self.in_list(k, b)
        return more or self.low(k + 1) == "having"

    def is_added_phrase(self, verb: int, k: int, b: int) -> bool:
        """Whether the phrase after a comma describes the subject."""
        low = self.low(k + 1)
        be = self.low(verb) in BE
        if low == "known" and self.low(k + 2) == "as" and not be:
            return False  # "led a party, known as the Whites"
        opens = low in STARTING_PARTICIPLES - OF_THINGS | PHRASE_PREFIXES
        return opens and (be or self.raw_subject_is_person()) and self.is_phrase(k + 1, b)

    def person_after(self, k: int, b: int) -> bool:
        """Makes statements from "Tom Hill, who sang"; returns whether it is about a person."""
        person = self.name_before(k) if self.low(k + 1) == "who" else ""
        for piece in self.predicates(k + 2, b) if person else ():
            words = (piece.prefix + " " if piece.prefix else "") + self.raw(piece.start, piece.end)
            self.add(words, piece.start, piece.end, person)
        return bool(person)

    def says_more(self, i: int, b: int) -> bool:
        """Whether an -ing form at `i` has a continuation, unlike a list item ("drawing, voice").

        It must not be followed by words that make it an event ("making him a star").
        """
        if self.low(i) == "making" and self.tokens[i + 1].capital:
            return False
        follow = i + 2 if self.low(i + 1) == "and" else i
        if follow > i and past_of_gerund(self.low(follow)) is None:
            return False
        return follow + 1 < b and not self.comma(follow + 1) and self.low(i + 1) not in _OBJECTS

    def in_list(self, comma: int, b: int) -> bool:
        """Whether an -ing form after a comma is a list item: "in catches, receiving yards, and"."""
        nxt = next((k for k in range(comma + 1, b - 2) if self.comma(k)), b)
        if nxt == b or self.low(nxt + 1) != "and":
            return False
        after = nxt + 2
        verb = past_of_gerund(self.low(after)) is not None
        return not verb

    def relative(self, a: int, b: int) -> bool:
        """Makes statements from "where she earned a degree" or "which became a school"."""
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
        """Returns the end of ", which was a part of Kent," after which the predicate resumes."""
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
        """Returns the antecedent of a relative clause if there is only one candidate, or ""."""
        words = Antecedent(self.tokens, self.main, comma)
        answer = ANTECEDENT.answer(words)
        if answer is None:
            return ""
        if answer == "words":
            return self.raw(words.first, comma)
        opener = f"{self.owner}’s" if answer == "owned" else answer
        return f"{opener} {self.raw(words.first + 1, comma)}"

    def raw_subject_is_person(self) -> bool:
        """Whether the subject is the individual rather than something that belongs to them."""
        return self.subject == self.owner or self.subject.split()[-1] in self.owner.split()

    def named_aside(self, a: int, b: int) -> None:
        """Makes statements about Tom from "the guardian of a boy named Tom, who is rich"."""
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
        """Returns the capitalized words right before a comma if they can be a person's name."""
        first = k
        while first > 0 and self.tokens[first - 1].capital and self.tokens[first - 1].word:
            first -= 1
        if not 2 <= k - first <= 4 or self.low(first - 1) in {"of", "the", "at", "in"}:
            return ""
        return self.raw(first, k)
