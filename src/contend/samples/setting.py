"""Settings: an algorithm with its options and the conditions it was measured under, as one name.

Idea: an algorithm of an MPI library that was forced is "openmpi:chain", its options are parameters
of the sample. Times with different options belong to different points and series, whose name is
"openmpi:chain,segment=8192". Parameters of all other samples are what a program chose itself.
Conditions are what a benchmark was given beside algorithm, n and m (memory, datatype, reduction, in
place, root, ...), where that departs from its default: "native@memory=cuda". Two conditions are
never one series. Characters of a condition that a name gives a meaning are written as in a URL.
"""

import re
from collections.abc import Collection, Mapping
from urllib.parse import quote, unquote

NATIVE = "native"  # algorithm of samples of what a library takes by itself
OF_LIBRARY = ":"  # between the library and the algorithm's own name
OF_CONDITIONS = "@"  # between the algorithm with its options and the conditions
MEMORY = "memory"  # the condition that single messages and operations both depend on
_PLAIN = "+()[]<>"  # beside letters, digits and "-._~", characters that stay as they are
_OPTION = re.compile(r"[^=]+=-?[0-9]{1,18}")
_CONDITION = r"[^=,@\s]+=[^=,@\s]*"
_CONDITIONED = re.compile(rf"(.+){OF_CONDITIONS}({_CONDITION}(?:,{_CONDITION})*)")


def setting_of(
    algorithm: str,
    parameters: Mapping[str, float | bool] | None,
    conditions: Mapping[str, str] | None = None,
) -> str:
    """Name the series: the algorithm, the options of a library's algorithm, the conditions.

    >>> setting_of("openmpi:chain", {"segment": 8192.0, "fanout": 4})
    'openmpi:chain,segment=8192,fanout=4'
    >>> setting_of("saturation_gap", {"train": 64})
    'saturation_gap'
    >>> setting_of("native", None, {"memory": "cuda", "datatype": "MPI_INT"})
    'native@datatype=MPI_INT,memory=cuda'
    """
    options = parameters if OF_LIBRARY in algorithm and parameters else {}
    name = ",".join([algorithm, *(f"{key}={int(value)}" for key, value in options.items())])
    return under(name, conditions_text(conditions)) if conditions else name


def conditions_text(conditions: Mapping[str, str] | None) -> str:
    """Conditions as a setting names them, in the order of their names; "" for the default.

    >>> conditions_text({"memory": "H, D"})
    'memory=H%2C%20D'
    """
    quoted = {quote(key, _PLAIN): quote(text, _PLAIN) for key, text in (conditions or {}).items()}
    return ",".join(f"{key}={quoted[key]}" for key in sorted(quoted))


def under(name: str, conditions: str) -> str:
    """The name with the text of some conditions.

    >>> under("native", "memory=cuda"), under("native", "")
    ('native@memory=cuda', 'native')
    """
    return f"{name}{OF_CONDITIONS}{conditions}" if conditions else name


def split_conditions(setting: str) -> tuple[str, str]:
    """The setting without its conditions, and the text of these.

    >>> split_conditions("openmpi:chain,segment=8192@memory=cuda")
    ('openmpi:chain,segment=8192', 'memory=cuda')
    >>> split_conditions("native")
    ('native', '')
    """
    match = _CONDITIONED.fullmatch(setting) if OF_CONDITIONS in setting else None
    return (match[1], match[2]) if match else (setting, "")


def conditions_of(text: str) -> dict[str, str]:
    """Conditions by name, of the text that `conditions_text` has made.

    >>> conditions_of("datatype=MPI_INT,memory=cuda")
    {'datatype': 'MPI_INT', 'memory': 'cuda'}
    """
    pairs = (part.partition("=") for part in text.split(",") if part)
    return {unquote(name): unquote(value) for name, _, value in pairs}


def memory_of(conditions: str) -> str | None:
    return conditions_of(conditions).get(MEMORY)


def nearest(wanted: str, texts: Collection[str]) -> str:
    """Those of several texts of conditions that are most alike those `wanted`.

    The same memory comes first, then as many conditions in common and as few others as can be.

    >>> nearest("datatype=MPI_INT,memory=cuda", ["", "memory=cuda", "memory=managed"])
    'memory=cuda'
    >>> nearest("datatype=MPI_INT", ["memory=cuda", ""])
    ''
    """
    asked = conditions_of(wanted)

    def apart(text: str) -> tuple[bool, int, int, str]:
        other = conditions_of(text)
        common = len(asked.items() & other.items())
        return (memory_of(wanted) != memory_of(text), -common, len(other) - common, text)

    return min(texts, key=apart)


def split_setting(setting: str) -> tuple[str, dict[str, int]]:
    """Algorithm and options of a name that `setting_of` has made.

    >>> split_setting("openmpi:chain,segment=8192")
    ('openmpi:chain', {'segment': 8192})
    >>> split_setting("native@memory=cuda")
    ('native', {})
    """
    setting, _ = split_conditions(setting)
    algorithm, *options = setting.split(",")
    if OF_LIBRARY not in setting or not all(map(_OPTION.fullmatch, options)):
        return setting, {}
    pairs = (option.partition("=") for option in options)
    return algorithm, {name: int(value) for name, _, value in pairs}


def is_native(setting: str) -> bool:
    """Whether it is what a library takes by itself, whatever the conditions.

    >>> is_native("native@memory=cuda"), is_native("openmpi:chain")
    (True, False)
    """
    return split_conditions(setting)[0] == NATIVE


def own_name(setting: str) -> str:
    """The algorithm of a setting by the library's own name.

    >>> own_name("openmpi:chain,segment=8192"), own_name("rotated")
    ('chain', 'rotated')
    """
    return split_setting(setting)[0].rpartition(OF_LIBRARY)[2]
