"""Predicates that share a subject: "was born in Leeds, moved to York and died there"."""

from __future__ import annotations

from dfactscore.engines._builtin.decompose.adjuncts import frame_of
from dfactscore.engines._builtin.decompose.appositions import ANTECEDENT, Antecedent
from dfactscore.engines._builtin.decompose.clause_words import Piece, article, joined
from dfactscore.engines._builtin.decompose.descriptions import Descriptions
from dfactscore.engines._builtin.decompose.details import details, without_agent
from dfactscore.engines._builtin.decompose.phrases import PHRASE_PREFIXES, STARTING_PARTICIPLES
from dfactscore.engines._builtin.decompose.predicate_joints import (
    HEDGES,
    OF_THINGS,
    cut_predicates,
    main_verb,
)
from dfactscore.engines._builtin.decompose.torn import is_torn
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.verbs import finite_at, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    BE,
    DETERMINERS,
    PREPOSITIONS,
    past_of_any_gerund,
    past_of_gerund,
    word_list,
)

# ", making him a star": the event did that, not the subject
_OBJECTS = frozenset({"that", "him", "her", "it", "them", "himself", "herself", "this"})
_OBJECT_ENDS = PREPOSITIONS | {"and", "but"}
_RESULTS = word_list("results")  # ", which led to": all of it did
_AFTER = word_list("after")
_LIMITS = frozenset({"if", "unless", "without", "had", "were", "instead", "according"}) | HEDGES
_BESIDE = {"addition": 2, "from": 1}  # the number of words in "in addition to", "aside from"
_KIN = ("parents", "children", "siblings", "sons", "daughters")
_FICTIONS = word_list("fictions")
_OWN = STARTING_PARTICIPLES - OF_THINGS | PHRASE_PREFIXES
_AFTER_RELATIVE = frozenset({"to", "in", "on", "as", "with", "where"})


class Predicates(Descriptions):
    """Separates predicates and makes statements from them."""

    def predicates(self, a: int, b: int) -> list[Piece]:
        """Splits "was born in X and moved to Y" into predicates that share the subject."""
        return cut_predicates(self.tokens, a, b)

    def predicate(self, piece: Piece, fronted: str) -> None:
        """Makes statements from one predicate and its additions."""
        be, main = self.be, self.main
        verb = skip_adverbs(self.tokens, piece.start, piece.end)
        self.it = self.object_before(main) if self.low(verb + 1) == "it" else ""
        self.be = self.tense(piece.start, piece.end)
        self.main = verb
        before = len(self.out)
        front = self.raw(*piece.front).strip(", ")
        self.state(piece, fronted or front[:1].upper() + front[1:])
        self.restate_torn(before, piece.prefix, piece.start, piece.end)
        self.be, self.main, self.it = be, main, ""

    def restate_torn(self, before: int, prefix: str, a: int, b: int) -> None:
        """States a span as a whole if a statement made from it is torn."""
        parts = self.out[before:]
        if any(is_torn(s.text) for s in parts):
            del self.out[before:]
            self.holes = [h for h in self.holes if not a <= h[0] < b]
            self.add(f"{prefix} {self.raw(a, b)}", a, b)
            if any(is_torn(s.text) for s in self.out[before:]):
                self.out[before:] = parts  # the text is cut off

    def object_before(self, verb: int) -> str:
        """Returns the object that "it" means after "lost the seat in 1979, but regained"."""
        k = verb + 1
        while self.tokens[k].word and self.low(k) not in _OBJECT_ENDS:
            k += 1
        return f"the {self.raw(verb + 2, k)}" if self.low(verb + 1) in {"the", "a", "an"} else ""

    def state(self, piece: Piece, fronted: str) -> None:
        """Makes the statements of a predicate."""
        prefix, a, b = piece.prefix, piece.start, piece.end
        verb = skip_adverbs(self.tokens, a, b)
        if self.low(verb) in BE and self.describes(a, verb, b, fronted):
            return
        if self.stays_whole(verb, b):
            self.add(self.raw(a, b), a, b)
            return
        gerunds = self.listed_gerunds(verb, b)
        for x, y in gerunds:
            self.add(f"{prefix} {self.raw(a, gerunds[0][0])} {self.raw(x, y)}", x, y)
        if gerunds:
            return
        end = self.additions_start(verb, b)
        if fronted:
            self.with_front(fronted, prefix, a, a, end)
            if self.keeps_front():
                return
        life = life_statements(f"{prefix} {self.raw(a, end)}".strip())
        for part in life if len(life) > 1 else ():
            self.add(part, a, end)
        if len(life) < 2:
            self.spread(f"{prefix} ", a, end)

    def stays_whole(self, verb: int, b: int) -> bool:
        """Whether it is "It was her song that won" or "Her parents were Tom and Eva Hill"."""
        cleft = self.subject == "It" and any(t.low == "that" for t in self.tokens[verb + 2 : b])
        kin = self.subject.endswith(_KIN) and self.low(verb) in {"are", "were"}
        return cleft or (kin and self.tokens[verb + 1].capital)

    def describes(self, a: int, verb: int, b: int, fronted: str) -> bool:
        """Makes statements from "is a poet and a judge"; returns whether it is a description."""
        k = skip_adverbs(self.tokens, verb + 1, b)
        listed = self.low(k) == "the" and bool(self.items(k, b))
        if not listed and self.low(k) not in {"a", "an"}:
            return False
        if fronted and self.keeps_front():
            self.with_front(fronted, "", a, k, b)
            return True
        self.nominal(self.raw(a, k - (self.low(k - 1) == "both")), k, b)
        if fronted:
            self.with_front(fronted, "", a, k, self.core_and_extras(k, b)[0])
        return True

    def listed_gerunds(self, verb: int, b: int) -> list[Range]:
        """Returns the items of "enjoys walking, playing, and reading"; empty if not a list."""
        first = skip_adverbs(self.tokens, verb + 1, b)
        starts = [
            k
            for k in range(first, b)
            if past_of_any_gerund(self.low(k)) and (k == first or self.low(k - 1) in {",", "and"})
        ]
        if len(starts) < 2 or starts[0] != first or self.low(starts[-1] - 1) != "and":
            return []
        ends = [k - 1 - self.comma(k - 2) for k in starts[1:]]
        items = list(zip(starts, [*ends, b], strict=True))
        inner = any(self.comma(k) for x, y in items[:-1] for k in range(x, y))
        one_object = ends[0] == first + 1 and not self.comma(ends[0])  # "making and selling X"
        return [] if inner or one_object else items

    def with_front(self, fronted: str, prefix: str, a: int, k: int, end: int) -> None:
        """Makes statements with the circumstance in front, as written: "In 1990, he moved"."""
        if self.front_event() or self.front_career():
            return
        core = without_agent(self.tokens, frame_of(self.tokens, k, end, nominal=k > a).core, k)
        stop = end if self.keeps_front() else core[1]
        parts = details(self.tokens, a, stop) if k == a else [((a, stop),)]
        for words in parts[:3] if all(len(w) > 1 for w in parts) else [((a, stop),)]:
            text = f"{prefix} {self.say(words)}"
            self.add(text, self.clause.lead[0], words[-1][1], joined(fronted, self.subject))

    def front_event(self) -> bool:
        """Makes statements from "After winning the cup, he ..."; returns whether it made any."""
        a, b = self.clause.lead
        k = skip_adverbs(self.tokens, a + 1, b)
        k += _BESIDE.get(self.low(k), 0)
        known = past_of_gerund(self.low(k)) is not None
        acts = known or (past_of_any_gerund(self.low(k)) and self.low(k + 1) in DETERMINERS)
        if self.low(a) not in _AFTER or not acts or k >= b - 1 or not self.raw_subject_is_person():
            return False
        self.gerunds(k, b)
        return True

    def front_career(self) -> bool:
        """Makes statements from "Besides his career, he ..."; returns whether it made any."""
        a, b = self.clause.lead
        own = next((k for k in range(a, b) if self.low(k) in {"his", "her"}), b)
        beside = self.low(a) in {"aside", "apart", "besides", "outside"}
        if own == b or not (beside or self.low(a + 1) == "addition"):
            return False
        words = self.raw(own + 1, b)
        work = self.low(own + 1) == "work"
        if b - own > 6 and not work:
            return False  # "her career in film and her charity work"
        if work:
            self.spread("worked ", own + 2, b)
        elif self.low(b - 1) == "work":
            self.add(f"did {words}", a, b)
        elif self.low(b - 1) == "career":
            joint = next((k for k in range(own + 2, b - 2) if self.low(k) == "and"), own)
            first = f"{self.raw(own + 1, joint)} career" if joint > own else words
            for career in dict.fromkeys((first, self.raw(joint + 1, b))):
                self.add(f"had {article(career)} {career}", a, b)
        return work or self.low(b - 1) in {"work", "career"}

    def keeps_front(self) -> bool:
        """Whether a statement is true only with its fronted words: "In the film, she dies"."""
        a, b = self.clause.lead
        fiction = self.low(a) in {"in", "on", "for"} and self.low(a + 1) != "addition"
        return self.low(a) in _LIMITS or (
            fiction and any(t.low in _FICTIONS for t in self.tokens[a:b])
        )

    def additions_start(self, verb: int, b: int) -> int:
        """States a predicate's additions after commas; returns the end of what precedes them."""
        for k in range(main_verb(self.tokens, verb, b), b - 1):
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
        after = self.tokens[first + 1]
        if self.low(first) == "making" and after.capital:
            return False  # "making Leeds a port"
        if after.low == "and" and past_of_gerund(self.low(first + 2)) is None:
            return False  # "cricket, shooting and tennis"
        continued = not after.comma and after.low not in _OBJECTS
        return continued and self.is_deed(first, b) and not self.in_list(k, b)

    def in_list(self, comma: int, b: int) -> bool:
        """Whether an -ing form after a comma is a list item: "in catches, receiving yards, and"."""
        end = next((k for k in range(comma + 1, b - 2) if self.comma(k)), b)
        joined_next = end < b and self.low(end + 1) == "and"
        return joined_next and past_of_gerund(self.low(end + 2)) is None

    def is_added_phrase(self, verb: int, k: int, b: int) -> bool:
        """Whether the phrase after a comma describes the subject."""
        if [t.low for t in self.tokens[k + 1 : k + 3]] == ["known", "as"]:
            return False  # "led a party, known as the Whites"
        described = self.low(verb) in BE or self.raw_subject_is_person()
        return described and self.low(k + 1) in _OWN and self.is_phrase(k + 1, b)

    def person_after(self, k: int, b: int) -> bool:
        """Makes statements from "Tom Hill, who sang"; returns whether it is about a person."""
        first = self.name_start(k)
        placed = self.low(first - 1) in {"of", "the", "at", "in"}
        if self.low(k + 1) != "who" or placed or not 2 <= k - first <= 4:
            return False
        for piece in self.predicates(k + 2, b):
            words = f"{piece.prefix} {self.raw(piece.start, piece.end)}"
            self.add(words, piece.start, piece.end, self.raw(first, k))
        return True

    def named_aside(self, a: int, b: int) -> None:
        """Makes statements about Tom from "the guardian of a boy named Tom Hill, who is rich"."""
        for k in range(a + 4, b - 2):
            named = self.comma(k) and self.low(self.name_start(k) - 1) in {"named", "called"}
            if named and self.person_after(k, b):
                self.leave_out(k, b)
                return

    def name_start(self, k: int) -> int:
        """Returns the index of the first of the capitalized words that end right before `k`."""
        while self.tokens[k - 1].capital:
            k -= 1
        return k

    def relative(self, a: int, b: int) -> bool:
        """Makes statements from "where she earned a degree" or "which became a school"."""
        if self.low(a) == "which":
            return self.relative_of_thing(a, b)
        place = self.low(a) in {"where", "when"} and self.low(a + 1) in {"he", "she"} and a + 3 < b
        if not place or not self.raw_subject_is_person():
            return False
        if finite_at(self.tokens, b - 1, b) and b - a < 5:
            return False  # "where she lives": says nothing without the place
        for piece in self.predicates(a + 2, b):
            self.predicate(piece, "")
        return True

    def relative_of_thing(self, a: int, b: int) -> bool:
        """Makes statements from "which became a school"; returns whether it made any."""
        verb = skip_adverbs(self.tokens, a + 1, b)
        if not finite_at(self.tokens, verb, b) or self.low(verb) in _RESULTS:
            return False
        words = Antecedent(self.tokens, self.main, a - 1)
        answer = ANTECEDENT.answer(words)
        opener = f"{self.owner}’s" if answer == "owned" else answer
        thing = self.raw(words.first, a - 1)
        if answer != "words":
            thing = f"{opener} {self.raw(words.first + 1, a - 1)}"
        # "A and B, which is": of one of them, or of a name with "and"
        if answer is None or " and " in thing or self.low(verb + 1) in _OBJECTS:
            return False
        for piece in self.predicates(a + 1, b):
            self.spread(f"{piece.prefix} ", piece.start, piece.end, subject=thing)
        return True

    def relative_end(self, a: int, b: int) -> int:
        """Returns the end of ", which was a part of Kent," after which the predicate resumes."""
        commas = (k for k in range(a + 2, b - 1) if self.comma(k))
        ends = (k for k in commas if self.low(k + 1) in _AFTER_RELATIVE)
        return next(ends, b) if self.low(a) == "which" else b

    def raw_subject_is_person(self) -> bool:
        """Whether the subject is the individual rather than something that belongs to them."""
        return self.subject.rpartition(" ")[2] in self.owner.split(" ")
