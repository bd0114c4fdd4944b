"""The part of a selection tree that calls of known sizes reach.

Questions whose answer is known are left out, so that a default that stands below a rule is as
short as it can be, and a file that is exported twice does not grow. What every call reaches stays
the same: the library reads "comm_size<8" as it is written where it is asked once for a
communicator, but as "comm_size<=8" below a question on the call (`MPIR_Csel_search`, 4.0 to 5.0),
so both are written as "<=", which means the same in both places.
"""

from dataclasses import dataclass, field, replace

from contend.tune.exports.csel.facts import SEVERAL_A_NODE, Key, key_of
from contend.tune.exports.csel.library_trees import Tree

WITH_ANY = ("comm_size", "avg_msg_size", "total_msg_size", "count", "comm_hierarchy")

EXCLUSIVE = ("comm_type", "is_")  # of whose words one is true
PARENT = key_of(SEVERAL_A_NODE[0])


@dataclass(frozen=True)
class Known:
    """What is known of the calls: the least and largest number by question, words, and answers."""

    numbers: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    answers: dict[Key, bool] = field(default_factory=dict)  # of questions that were asked

    def answer(self, key: Key, bound: int | None) -> bool | None:
        """The answer that all these calls give; None where they differ or it is not known."""
        if key.is_any:
            return True
        if key in self.answers:
            return self.answers[key]
        if (key.name, key.value) == ("count", "pow2"):
            return False if self.words.get("count") == "many" else None
        if key.name in self.words and key.relation == "=":
            return self.words[key.name] == key.value
        least, most = self.numbers.get(key.name, (0, None))
        if (key.name, key.value) == ("comm_size", "pow2"):
            return are_powers(least, most)
        if bound is None:
            return None
        if most is not None and most <= bound:
            return True
        return False if least > bound else None

    def after_range(self, name: str, least: int, most: int | None) -> "Known":
        """The same with a number known to lie in a range; None: it has no end."""
        return replace(self, numbers={**self.numbers, name: (least, most)})

    def after(self, key: Key, bound: int | None, is_yes: bool) -> "Known":
        """The same with what an answer tells.

        A communicator has one hierarchy up to 4.3. From 5.0 on the library answers each other word
        by whether it is no parent, so that a yes to one says no more than that.
        """
        if bound is not None:
            least, most = self.numbers.get(key.name, (0, None))
            if is_yes:
                most = bound if most is None else min(most, bound)
            else:
                least = max(least, bound + 1)
            return replace(self, numbers={**self.numbers, key.name: (least, most)})
        if key.is_any:
            return self
        answered = replace(self, answers={**self.answers, key: is_yes})
        if is_yes and (key == PARENT or key.name.startswith(EXCLUSIVE)):
            return answered.answered(key.name, key.value)
        if is_yes and key.name == PARENT.name:
            return replace(answered, answers={**answered.answers, PARENT: False})
        return answered

    def answered(self, name: str, word: str) -> "Known":
        """The same with a word known that is the answer to a question."""
        return replace(self, words={**self.words, name: word})


def are_powers(least: int, most: int | None) -> bool | None:
    """Whether numbers in a range are powers of two; None where some are and some are not.

    >>> are_powers(5, 7), are_powers(1, 2), are_powers(5, 8), are_powers(5, None)
    (False, True, None, None)
    """
    if most is None:
        return None
    first = 1 << max(least - 1, 0).bit_length()  # the first power of two from `least` on
    if first > most:
        return False
    return True if least == most or (least, most) == (1, 2) else None


def is_leaf(tree: Tree) -> bool:
    """Whether it names what runs."""
    return any(key_of(text).is_leaf for text in tree)


def narrowed(tree: Tree, facts: Known, is_of_call: bool = False) -> Tree:
    """The tree without the questions that are answered by what is known.

    `is_of_call`: it stands below a question on the call.

    >>> narrowed({"comm_size<8": {"algorithm=A": {}}, "comm_size=any": {"algorithm=B": {}}},
    ...          Known({"comm_size": (8, None)}))
    {'algorithm=B': {}}
    """
    if is_leaf(tree):
        return tree
    kept: Tree = {}
    for text, below in tree.items():
        key = key_of(text)
        bound = _bound(key, is_of_call)
        answer = facts.answer(key, bound)
        is_of_call = is_of_call or key.is_of_call
        if answer is not False:
            deeper = narrowed(below, facts.after(key, bound, True), is_of_call)
            if answer and not kept:
                return deeper
            # For what remains; not every question has an "=any" in every version.
            rest = f"{key.name if key.name in WITH_ANY else 'comm_size'}=any"
            kept.setdefault(rest if answer else _plain(key, bound), deeper)
        if answer:
            return kept
        facts = facts.after(key, bound, False)
    return kept or tree


def _bound(key: Key, is_of_call: bool) -> int | None:
    """The largest number that the library takes for a yes."""
    bound = key.bound
    loose = is_of_call and key.name == "comm_size" and key.relation == "<"
    return bound + 1 if bound is not None and loose else bound


def _plain(key: Key, bound: int | None) -> str:
    return f"{key.name}{key.relation}{key.value}" if bound is None else f"{key.name}<={bound}"
