"""nccl-tests with -J FILE.json: its results as JSON, and what they were measured under.

Source: github.com/NVIDIA/nccl-tests, src/util.cu (since 2.17; versions 1 to 4 of the file).

Layout: an object of version, start_time, args, env (all variables), nccl_version (22803 is 2.28.3),
config (nthreads, ngpus, aggregated_iterations, graph, ..., devices) and results, each of size,
count, type, redop, root, out_of_place and in_place (time, alg_bw, bus_bw, nwrong) and, with -I 1,
out_of_place_per_iter with the times of all iterations.
`devices` holds the first rank of each process alone, so that n is their number times nthreads times
ngpus. What C prints for no number is quoted ("nan"), but not inf, which is no JSON.

One value is a mean over iterations, in microseconds; with -I 1 each iteration is a repetition. m,
conditions and what is left out are as in the text (`nccl_tests`). Of an alltoallv the variables
tell how uneven the counts are: with NCCL_TESTS_ALLTOALLV_SPREAD=0 they are alike.

Algorithm: that of NCCL_ALGO and NCCL_PROTO where both name one, as nccl:tree_ll128, with the option
channels where NCCL_MAX_NCHANNELS (and NCCL_MIN_NCHANNELS, if set) says so. One of them alone, or a
list, is a condition, and so is a tuner: none of that is the library's own choice.

Restrictions: as of the text; times of the CPU (-C 1) are left out.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from contend.base.errors import ContendError, FileFormatError
from contend.base.textfile import read_text
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._text import Line, agree, block, sample_at, warn_of
from contend.samples.readers.nccl_tests import (
    BY_BLOCK,
    EXPERIMENTS,
    UNEVEN,
    conditions_of,
    library_text,
    place_of,
    setting_fields,
)
from contend.samples.sample import Sample
from contend.samples.setting import OF_LIBRARY, setting_of

PLACES = ("out_of_place", "in_place")
# By NCCL_ALGO in small letters: as tuners call it.
ALGORITHMS = {
    "tree": "tree", "ring": "ring", "collnetdirect": "collnet_direct", "nvls": "nvls",
    "collnetchain": "collnet_chain", "nvlstree": "nvls_tree", "pat": "pat",
}  # fmt: skip
PROTOCOLS = {"ll": "ll", "ll128": "ll128", "simple": "simple"}
CHANNELS = ("NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS")
FORCING = ("NCCL_ALGO", "NCCL_PROTO", *CHANNELS)
TUNERS = ("NCCL_TUNER_PLUGIN", "NCCL_TUNER_CONFIG_FILE")
SPREAD, MATRIX = "NCCL_TESTS_ALLTOALLV_SPREAD", "NCCL_TESTS_ALLTOALLV_MATRIX_FILE"
_HEAD = re.compile(r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"start_time"\s*:\s*"[^"]*"\s*,\s*"args"\s*:')
_INFINITE = re.compile(r"(?<=:)(-?)inf(?=\s*[,}])")
_PROGRAM = re.compile(r"([a-z_]+)_perf(?:_mpi)?$")
_AMD = re.compile(r"\b(?:AMD|Instinct|gfx\d\w+)\b")


Part = TypeVar("Part", list[Any], dict[str, Any])


class Entry(Line):
    @property
    def where(self) -> str:
        return f"{self.path} result {self.number}"


class NcclTestsJsonReader(Reader):
    name = "nccl_tests_json"
    title = "nccl-tests: JSON of -J"

    def recognises(self, head: str) -> bool:
        return _HEAD.match(head) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        data, place = _loaded(path), place_of(options)
        about = _about(path, data, options)
        samples: list[Sample] = []
        problems: list[ContendError] = []
        for number, result in enumerate(_part(path, data, "results", list), start=1):
            entry = Entry(path, number, "")
            try:
                fields = _fields(entry, result, about, options, PLACES[place])
                samples.append(sample_at(entry.where, **fields))
            except ContendError as error:
                problems.append(error)
        if not samples:
            raise next(iter(problems), FileFormatError(f"{path} has no results", "run it again"))
        warn_of(problems, stacklevel=2)
        yield from _launches(samples)


def _launches(samples: list[Sample]) -> Iterator[Sample]:
    """The samples; a point that stands twice, as with several roots, is another launch."""
    seen: Counter[object] = Counter()
    for sample in samples:
        yield sample.model_copy(update={"launch": seen[sample.point]})
        seen[sample.point] += 1


def _loaded(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(_INFINITE.sub(r"\1Infinity", read_text(path, errors="replace")))
    except (ValueError, RecursionError) as error:
        raise FileFormatError(
            f"{path} is no whole JSON: {error}", "run it again; nccl-tests ends the file last"
        ) from None
    if not isinstance(data, dict) or "results" not in data:
        raise FileFormatError(f"{path} has no results of nccl-tests", "name the file of -J")
    return data


def _part(path: Path, data: Mapping[str, Any], name: str, kind: type[Part]) -> Part:
    value = data.get(name)
    if not isinstance(value, kind):
        called = "list" if kind is list else "object"
        raise FileFormatError(f"{path}: {name} is no {called}", "restore the file, or run it again")
    return value


def _whole(path: Path, data: Mapping[str, Any], name: str, otherwise: int) -> int:
    value = data.get(name, otherwise)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise FileFormatError(f"{path}: {name} is {value!r:.40}, no whole number", "run it again")
    return value


def _about(path: Path, data: Mapping[str, Any], options: ReadOptions) -> dict[str, Any]:
    """What all results have in common, with `variables` and the test that the command names."""
    config = _part(path, data, "config", dict)
    devices = [
        device for device in _part(path, config, "devices", list) if isinstance(device, dict)
    ]
    if any(device.get("group", 0) != 0 for device in devices):
        raise FileFormatError(f"{path}: several groups ran at once", "run without NCCL_TESTS_SPLIT")
    each = _whole(path, config, "nthreads", 1) * _whole(path, config, "ngpus", 1)
    hosts = Counter(str(device.get("hostname")) for device in devices)
    variables = dict(
        word.partition("=")[::2] for word in _part(path, data, "env", list) if isinstance(word, str)
    )
    command = tuple(str(word) for word in _part(path, data, "args", list))
    program = _PROGRAM.search(command[0]) if command else None
    is_amd = any(_AMD.search(str(device.get("device_info"))) for device in devices)
    library = "rccl" if is_amd else "nccl"
    version = _whole(path, data, "nccl_version", 0)
    return {
        "n": agree(each * len(devices) or None, options.n, "n", str(path)),
        "processes_per_node": options.processes_per_node or each * max(hosts.values(), default=0),
        "conditions": _of_config(path, config),
        "library": library,
        "variables": variables,
        "test": program[1] if program else None,
        "provenance": {
            "source": f"{NcclTestsJsonReader.name}: {path.name}",
            "date": data.get("start_time"),
            "mpi_library": library_text(library, version) if version >= 1000 else None,
            "hosts": tuple(hosts),
            "command": command,
            "environment": tuple(
                f"{name}={value}" for name, value in variables.items()
                if name.startswith(("NCCL_", "RCCL_"))
            ),
        },
    }  # fmt: skip


def _of_config(path: Path, config: Mapping[str, Any]) -> dict[str, str]:
    given = {
        "aggregated": _whole(path, config, "aggregated_iterations", 1),
        "graph": _whole(path, config, "graph", 0),
    }
    usual = {"aggregated": 1, "graph": 0}
    conditions = {name: str(value) for name, value in given.items() if value != usual[name]}
    is_blocking = config.get("blocking_collectives") in ("true", True)
    return conditions | ({"blocking": "yes"} if is_blocking else {})


def _fields(
    entry: Entry, result: Any, about: Mapping[str, Any], options: ReadOptions, place: str
) -> dict[str, Any]:
    if not isinstance(result, dict):
        raise entry.error("it is no object")
    experiment = agree(_experiment(entry, result, about), options.experiment, "experiment",
                       entry.where)  # fmt: skip
    size, n = entry.whole(str(result.get("size")), "size"), about["n"]
    m = size // n if experiment == UNEVEN else size
    if experiment in BY_BLOCK:
        m = block(entry, size, n)
    call = {
        "datatype": str(result.get("type")), "reduction": str(result.get("redop")),
        "root": str(result.get("root", "0")).strip(),
    }  # fmt: skip
    setting, departing = _forced(experiment, about["library"], about["variables"])
    if options.algorithm:
        departing = {name: value for name, value in departing.items() if name not in FORCING}
    chosen = agree(setting, options.algorithm, "algorithm", entry.where) if setting else None
    return {
        "experiment": experiment,
        **setting_fields(chosen or options.algorithm),
        "n": n,
        "processes_per_node": about["processes_per_node"] or None,
        "m": m,
        **_times(entry, result, place),
        "conditions": {
            **conditions_of(experiment, call, is_in_place=place == PLACES[1]),
            **about["conditions"], **departing,
            **(_counts(about["variables"]) if experiment == UNEVEN else {}),
        } or None,
        "provenance": about["provenance"],
    }  # fmt: skip


def _experiment(entry: Entry, result: Mapping[str, Any], about: Mapping[str, Any]) -> str | None:
    """The operation, as the result names it, or the command; an error for others."""
    by_name = {key.replace("_", ""): experiment for key, experiment in EXPERIMENTS.items()}
    name = result.get("experiment_name") or about["test"]
    if name is None:
        return None
    experiment = by_name.get(str(name).lower().replace("_", ""))
    if experiment is None:
        raise entry.error(f"{name} has no place in contend", "others are read")
    return experiment


def _times(entry: Entry, result: Mapping[str, Any], place: str) -> dict[str, Any]:
    values = result.get(place)
    if not isinstance(values, dict):
        raise entry.error(f"it has no times {place.replace('_', ' ')}", "leave --where out")
    wrong = values.get("nwrong")
    if wrong not in (None, 0):
        raise entry.error(f"{wrong} values are wrong", "mend the library; such times are void")
    if "time" not in values:
        raise entry.error("no time, but that of the CPU", "run without -C 1")
    kept = result.get(f"{place}_per_iter")
    times = kept.get("times_us") if isinstance(kept, dict) else None
    if isinstance(kept, dict) and isinstance(times, list) and times:
        is_whole = len(times) == result.get("actual_iterations")
        skipped = kept.get("skipped_iterations", 0) if is_whole else 0
        seconds = [_seconds(entry, time_) for time_ in times]
        warm = skipped if isinstance(skipped, int) and 0 <= skipped < len(seconds) else 0
        return {
            "statistic": "repetition",
            "warmup_s": tuple(seconds[:warm]),
            "times_s": tuple(seconds[warm:]),
        }
    return {"statistic": "mean", "times_s": (_seconds(entry, values["time"]),)}


def _seconds(entry: Entry, value: object) -> float:
    """Seconds of microseconds, above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise entry.error(f"time is {value!r:.40}, not a number")
    if value < 0:
        raise entry.error(f"time is {value}, which no duration can be")
    if value == 0:
        raise entry.error("the time is 0", "it is shorter than nccl-tests prints")
    return float(value) / 1e6


def _counts(variables: Mapping[str, str]) -> dict[str, str]:
    """How uneven the counts of an alltoallv are; nothing where they are alike."""
    if MATRIX in variables:
        return {"counts": f"matrix {Path(variables[MATRIX]).name}"}
    if SPREAD not in variables:
        return {"counts": "uneven"}
    try:
        spread = min(max(float(variables[SPREAD]), 0.0), 1.0)
    except ValueError:
        spread = 1.0
    return {0.0: {}, 1.0: {"counts": "uneven"}}.get(spread, {"counts": f"spread {spread:g}"})


def _forced(
    experiment: str, library: str, variables: Mapping[str, str]
) -> tuple[str | None, dict[str, str]]:
    """The algorithm that variables leave alone, else what they say, as conditions."""
    collective = next(key for key, value in EXPERIMENTS.items() if value == experiment)
    collective = collective.replace("_", "")
    forcing = {name: variables[name] for name in FORCING if variables.get(name)}
    tuner = {name: Path(variables[name]).name for name in TUNERS if variables.get(name)}
    algorithm = ALGORITHMS.get(_only(forcing.get("NCCL_ALGO", ""), collective))
    protocol = PROTOCOLS.get(_only(forcing.get("NCCL_PROTO", ""), collective))
    least, most = (forcing.get(name) for name in CHANNELS)
    is_clear = most.isdecimal() and least in (None, most) if most else least is None
    if not (algorithm and protocol and is_clear):
        return None, forcing | tuner
    name = f"{library}{OF_LIBRARY}{algorithm}_{protocol}"
    return setting_of(name, {"channels": int(most)} if most else None), tuner


def _only(value: str, collective: str) -> str:
    """The word for a collective, in small letters; "" where there are several, or one excluded."""
    held = ""
    for part in value.lower().split(";"):
        name, colon, words = part.strip().rpartition(":")
        if not colon or name == collective:
            held = words
    return "" if "," in held or held.startswith("^") else held
