"""Settings: an algorithm with the options that a library was told to use it with, as one name.

Idea: an algorithm of an MPI library that was forced is "openmpi:chain", its options are parameters
of the sample. Times with different options belong to different points and series, whose name is
"openmpi:chain,segment=8192". Parameters of all other samples are what a program chose itself.
"""

from collections.abc import Mapping

NATIVE = "native"  # algorithm of samples of what a library takes by itself
OF_LIBRARY = ":"  # between the library and the algorithm's own name


def setting_of(algorithm: str, parameters: Mapping[str, float | bool] | None) -> str:
    """The name of a series: of an algorithm of a library with its options, else the algorithm.

    >>> setting_of("openmpi:chain", {"segment": 8192.0, "fanout": 4})
    'openmpi:chain,segment=8192,fanout=4'
    >>> setting_of("saturation_gap", {"train": 64})
    'saturation_gap'
    """
    if OF_LIBRARY not in algorithm or not parameters:
        return algorithm
    return ",".join([algorithm, *(f"{name}={int(value)}" for name, value in parameters.items())])


def split_setting(setting: str) -> tuple[str, dict[str, int]]:
    """Algorithm and options of a name that `setting_of` has made.

    >>> split_setting("openmpi:chain,segment=8192")
    ('openmpi:chain', {'segment': 8192})
    """
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
