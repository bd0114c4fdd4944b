"""Options whose value is NAME=VALUE,...: choices of one kind, given by one option."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from contend.api import InvalidInputError, parse_bytes
from contend.cli.options import duration, option

STARTS = ("auto", "window", "barrier")
VARIANT = ("segment", "degree", "window", "leaders")


def named_pairs(
    texts: list[str] | None,
    option: str,
    among: tuple[str, ...] = (),
    plain: str = "",
    *,
    has_open_values: bool = False,
) -> dict[str, str]:
    """Names and values as given with an option that may be repeated.

    Where names are `among` others, several may stand in one text, separated by commas; a value may
    hold commas too, a name may lack a value, and what comes first without a name is `plain`.
    A value that is open may hold name=value too.

    >>> named_pairs(["m=bytes"], "--map")
    {'m': 'bytes'}
    >>> named_pairs(["60,edges=2,4"], "--random", ("count", "edges"), "count")
    {'count': '60', 'edges': '2,4'}
    """
    pairs: dict[str, str] = {}
    for text in texts or []:
        last, has_begun = plain, False
        for part in text.split(",") if among else [text]:
            name, separator, value = (word.strip() for word in part.partition("="))
            if among and not separator and name in among:
                last, pairs[name] = name, ""
            elif last and (not separator or (has_open_values and has_begun and name not in among)):
                pairs[last] = f"{pairs[last]},{part.strip()}" if has_begun else name
            elif not separator or not name:
                raise InvalidInputError(f"{option} {text!r}", f"write it as {option} name=value")
            elif among and name not in among:
                raise InvalidInputError(f"{option} {text!r}", f"name one of {', '.join(among)}")
            else:
                last, pairs[name] = name if among else "", value
            has_begun = True
    return pairs


def whole(word: str, text: str, least: int = 1) -> int:
    """Return a whole number of at least so much."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise InvalidInputError(f"{word}={text}", f"give a whole number from {least} on")
    return number


def number(word: str, text: str) -> float:
    """Return a number; an error that names the option for another text."""
    try:
        return float(text)
    except ValueError:
        raise InvalidInputError(f"{word}={text}", "give a number") from None


@dataclass(frozen=True)
class Variant:
    """The options of an algorithm, and the groups of ranks that it looks at."""

    options: list[str] | None = option(
        "Options of an algorithm: segment=16KiB; degree=4 of its tree, or radix; window=2 messages "
        "of a rank under way; leaders=2 ranks of a group; groups=0-2/3-7 of ranks that are close "
        "to each other (0,2/1,3: in turns).",
        "--with",
        metavar="NAME=VALUE,...",
    )
    among: ClassVar[tuple[str, ...]] = (*VARIANT, "groups")

    @property
    def _pairs(self) -> dict[str, str]:
        return named_pairs(self.options, "--with", self.among)

    @property
    def given(self) -> dict[str, int]:
        """Return the options of a call that were given."""
        return {
            name: parse_bytes(value) if name == "segment" else whole(f"--with {name}", value)
            for name, value in self._pairs.items()
            if name in VARIANT
        }

    @property
    def groups(self) -> str | None:
        """Return the ranks of each group, if they were given."""
        return self._pairs.get("groups")


@dataclass(frozen=True)
class RootedVariant(Variant):
    """The same where the operation is run or drawn, with its root."""

    among: ClassVar[tuple[str, ...]] = (*VARIANT, "groups", "root")

    @property
    def root(self) -> int:
        """Return the root of the operation."""
        return whole("--with root", self._pairs.get("root", "0"), 0)


@dataclass(frozen=True)
class Repeat:
    """How often a point is measured, by what is given as name=value; None for the default."""

    precision: float = 0.05
    min_repetitions: int | None = None
    max_repetitions: int | None = None
    warmup: int | None = None
    start: str = "auto"
    max_seconds: float | None = None
    timeout: float | None = None
    seed: int | None = None

    @classmethod
    def of(cls, texts: list[str] | None, *among: str) -> "Repeat":
        """Return what the texts of --repeat say; an error for what says nothing."""
        every = ("precision", "min", "max", "warmup", "start", "time", "timeout", "seed")
        pairs = named_pairs(texts, "--repeat", among or every)
        if (start := pairs.get("start", cls.start)) not in STARTS:
            raise InvalidInputError(f"--repeat start={start}", f"name one of {', '.join(STARTS)}")
        return cls(
            parse_share(pairs.get("precision", "5%")),
            **{
                field: whole(f"--repeat {name}", pairs[name], least)
                for name, field, least in _COUNTS
                if name in pairs
            },
            start=start,
            max_seconds=_seconds(pairs, "time", 0.001),
            timeout=_seconds(pairs, "timeout", 1.0),
        )


_COUNTS = (
    ("min", "min_repetitions", 1), ("max", "max_repetitions", 1), ("warmup", "warmup", 0),
    ("seed", "seed", 0),
)  # fmt: skip


def _seconds(pairs: Mapping[str, str], name: str, least: float) -> float | None:
    return duration(least)(pairs[name]) if name in pairs else None


def runs_of(texts: list[str] | None, least: int) -> tuple[int, float]:
    """Return how many pairs of runs --repeat asks for, and after which time one hangs.

    >>> runs_of(["pairs=2", "timeout=1min"], 0)
    (2, 60.0)
    """
    pairs = named_pairs(texts, "--repeat", ("pairs", "timeout"))
    runs = whole("--repeat pairs", pairs.get("pairs", "5"), least)
    return runs, _seconds(pairs, "timeout", 1.0) or 1800.0


def parse_share(text: str) -> float:
    """Fraction meant by "5%" or "0.05".

    >>> parse_share("5%"), parse_share("0.1")
    (0.05, 0.1)
    """
    if not 0 < (share := _share(text)) < 1:
        raise InvalidInputError(f"precision {text!r}", "give a share such as 5% or 0.05")
    return share


def parse_limit(text: str) -> float:
    """Share meant by "10%" or "0.1" of --fail-on; 0 for any change.

    >>> parse_limit("10%"), parse_limit("0")
    (0.1, 0.0)
    """
    if not 0 <= (share := _share(text)) < 10:
        raise InvalidInputError(f"--fail-on {text!r}", "give a share such as 10% or 0.1")
    return share


def _share(text: str) -> float:
    """Part of one; below 0 for what is none."""
    try:
        return float(text.rstrip("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        return -1.0
