"""What is wrong with a level of a selection tree: calls that fall out, and branches not reached."""

from collections.abc import Iterator

from contend.exports.csel.facts import UNSAFE_TOTAL
from contend.exports.csel.keys import BETWEEN_GROUPS, QUESTIONS, YES_NO, Key
from contend.exports.csel.text import Entry
from contend.exports.finding import Finding
from contend.libraries import Version

MADE_GENERAL = (4, 3)  # from which on every question may have "=any"; before, some
ALWAYS = ("comm_size", "avg_msg_size", "total_msg_size", "count", "comm_hierarchy")
SIZES = ("avg_msg_size", "total_msg_size", "count")


def level_findings(
    parent: Entry, collective: str, above: tuple[Key, ...], version: Version
) -> Iterator[Finding]:
    """What is wrong with the keys below one."""
    yield from _unreached(parent)
    yield from _open_end(parent, collective)
    for entry in parent.below:
        key = entry.key
        if key.is_any and key.name not in ALWAYS and version < MADE_GENERAL:
            yield Finding(
                "error", "any", f"{entry.text!r} is unknown to that version, which aborts",
                'write "comm_size=any", which every call is answered with yes', entry.line,
            )  # fmt: skip
        in_calls = any(one.name in SIZES for one in above)
        if (key.name, key.relation) == ("comm_size", "<") and key.bound is not None and in_calls:
            yield Finding(
                "warning", "less",
                f"below a message size the library reads {entry.text!r} as comm_size<={key.value}",
                f'write "comm_size<={key.bound}"', entry.line,
            )  # fmt: skip
        is_between = any((one.name, one.value) == ("comm_type", "inter") for one in above)
        unsafe = collective in UNSAFE_TOTAL and key.name == "total_msg_size" and not is_between
        if unsafe and not key.is_any:
            yield Finding(
                "warning", "disagree",
                f"ranks may count other sizes of the same {collective}, run different algorithms "
                "and wait for ever",
                "choose one algorithm for all sizes", entry.line,
            )  # fmt: skip


def _unreached(parent: Entry) -> Iterator[Finding]:
    reached: dict[str, int] = {}
    end: Entry | None = None
    for entry in parent.below:
        key = entry.key
        if end is not None:
            yield Finding(
                "error", "unreachable",
                f"{entry.text!r} stands after {end.text!r}, which takes every call: the library "
                "aborts",
                "move it before", entry.line,
            )  # fmt: skip
        elif key.is_any:
            end = entry
        elif key.bound is not None:
            if key.bound <= reached.get(key.name, -1):
                yield Finding(
                    "error", "shadowed",
                    f"{entry.text!r} takes no call that one before it has not taken",
                    "put the bounds of a level in ascending order", entry.line,
                )  # fmt: skip
            reached[key.name] = max(key.bound, reached.get(key.name, -1))


def _open_end(parent: Entry, collective: str) -> Iterator[Finding]:
    """Calls that no key of a level takes."""
    last = parent.below[-1].key
    if any(entry.key.is_any for entry in parent.below) or last.name not in QUESTIONS:
        return
    said = {(entry.key.name, entry.key.value) for entry in parent.below}
    if all((last.name, word) in said for word in YES_NO):
        return
    if last.name == "comm_type":
        both = collective in BETWEEN_GROUPS
        left = [word for word in ("intra", "inter") if (last.name, word) not in said]
        if not left or (left == ["inter"] and not both):
            return
        what = f"no branch comm_type={left[0]} of {collective}"
    else:
        what = f"calls that no key of the level below {parent.text!r} takes"
    yield Finding(
        "error", "open-end", f"{what}: the library aborts",
        'end the level with "comm_size=any" or the branch that is missing', parent.below[-1].line,
    )  # fmt: skip
