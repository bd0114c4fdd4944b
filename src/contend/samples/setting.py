"""Settings: an algorithm with its options and the conditions it was measured under, as one name.

Idea: an algorithm of an MPI library that was forced is "openmpi:chain", its options are parameters
of the sample. Times with different options belong to different points and series, whose name is
"openmpi:chain,segment=8192". Parameters of all other samples are what a program chose itself.
Conditions are what a benchmark was told beside algorithm, n and m (memory, datatype, reduction, in
place, root, ...), where that departs from its default: "native@memory=cuda". Two conditions are
never one series.
"""

from collections.abc import Mapping

NATIVE = "native"  # algorithm of samples of what a library takes by itself
OF_LIBRARY = ":"  # between the library and the algorithm's own name
OF_CONDITIONS = "@"  # between the algorithm with its options and the conditions


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
    if not conditions:
        return name
    return name + OF_CONDITIONS + ",".join(f"{key}={conditions[key]}" for key in sorted(conditions))


def split_setting(setting: str) -> tuple[str, dict[str, int]]:
    """Algorithm and options of a name that `setting_of` has made.

    >>> split_setting("openmpi:chain,segment=8192")
    ('openmpi:chain', {'segment': 8192})
    >>> split_setting("native@memory=cuda")
    ('native', {})
    """
    setting = setting.partition(OF_CONDITIONS)[0]
    if OF_LIBRARY not in setting:
        return setting, {}
    algorithm, *options = setting.split(",")
    pairs = (option.partition("=") for option in options)
    return algorithm, {name: int(value) for name, _, value in pairs}


def own_name(setting: str) -> str:
    """The algorithm of a setting by the library's own name.

    >>> own_name("openmpi:chain,segment=8192"), own_name("rotated")
    ('chain', 'rotated')
    """
    return split_setting(setting)[0].rpartition(OF_LIBRARY)[2]
