"""Options of a replay, in words as a command line has them, and the cases that they make."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from contend.base.errors import InvalidInputError
from contend.programs.replay.choice import parse_choices
from contend.programs.replay.setting import Setting
from contend.programs.sweeps.case import Case, case_of
from contend.programs.sweeps.patterns import is_pattern
from contend.programs.sweeps.product import placements, product, read_cases
from contend.programs.sweeps.setting import carriage_of, library_beside, sharing_of, times_of
from contend.programs.traces.concurrent_jobs import joined
from contend.programs.traces.trace import Trace
from contend.simulate.flows.models import ALONE, TCP
from contend.simulate.topologies import topology_of

# What the base of several cases has of the choices: where the program runs, not what it might do.
_PLACE = ("network", "model", "topology", "hosts", "eager", "ranks")


@dataclass(frozen=True)
class ReplayOptions:
    """A network, how messages share it, where ranks are, and what the program does otherwise.

    A network is a file, or line:LATENCY:BANDWIDTH[:OVERHEAD], or loggops:L:o:g:G[:O[:S]]; or its
    words are in `latency`, `bandwidth` and `overhead`, or in `loggops`. Where several cases are
    replayed, each option from `network` to `compute` may hold several words, apart by commas.
    """

    network: str | None = None
    latency: str | None = None
    bandwidth: str | None = None
    overhead: str = "0s"
    loggops: str | None = None
    eager: str | None = None
    model: str | None = None
    topology: str = "switch"
    hosts: str | None = None
    map: str = "block"
    algorithm: Sequence[str] | None = None
    library: str | None = None
    compute: str = "1"
    ranks: str | None = None
    baseline: str = ALONE
    scaling: str = "weak"
    speed: str | None = None
    background: float = 0.0
    faster: float = 1.0
    balanced: bool = False
    format: str | None = None

    @property
    def words(self) -> dict[str, str | bool]:
        """Options of a command line that are not as usual, but for algorithms."""
        given = {
            f"--{field.name}": getattr(self, field.name)
            for field in fields(ReplayOptions)
            if field.name != "algorithm" and getattr(self, field.name) != field.default
        }
        return {name: value if value is True else _word(value) for name, value in given.items()}

    @property
    def has_network(self) -> bool:
        return any((self.network, self.latency, self.bandwidth, self.loggops))

    def network_word(self) -> str:
        words = ("network", "latency", "bandwidth", "loggops")
        named = [f"--{word}" for word in words if getattr(self, word) is not None]
        if named not in (["--network"], ["--loggops"], ["--latency", "--bandwidth"]):
            missing = "no network" if self.topology == "switch" else (
                f"no network: --topology {self.topology} has links, and not what a message takes"
            )  # fmt: skip
            raise InvalidInputError(
                f"{' and '.join(named)} do not make one network" if named else missing,
                "give a network file as --network network.json, or the latency and the bandwidth "
                "of a message that is alone as --network line:20us:1Gbit/s, or --network "
                "loggops:L:o:g:G",
            )
        if self.loggops is not None:
            return f"loggops:{self.loggops.replace(',', ':')}"
        if self.network is not None:
            word = str(self.network)
            return word.replace(",", ":") if word.startswith("loggops:") else word
        return f"line:{self.latency}:{self.bandwidth}:{self.overhead}"

    def setting(
        self, traces: Sequence[Trace], files: Sequence[str | Path], *, has_tcp: bool
    ) -> Setting:
        """Return what is replayed; with `has_tcp`, by TCP where links have buffers."""
        trace = joined(traces)
        case = case_of(
            {
                "network": self.network_word(), "topology": self.topology, "hosts": self.hosts,
                "placement": self.map, "compute": self.compute, "baseline": self.baseline,
                "eager": self.eager or "",
            },
            "a replay",
        )  # fmt: skip
        times, network = times_of(case.network, case.eager)
        model, parameters = sharing_of(network, self.model)
        links = topology_of(case.topology, times.bandwidth)
        carriage = carriage_of(trace.ranks, times.bandwidth, links, case.hosts, case.placement)
        if self.model is None and has_tcp and carriage.has_buffers:
            model, parameters = TCP, None
        is_named = any(part.library for part in traces)
        return Setting(
            trace, times, model, carriage, parameters,
            algorithms=parse_choices(list(self.algorithm or ())),
            library=self.library or ("" if is_named else library_beside(trace, network)),
            compute=case.compute, baseline=case.baseline, faster=self.faster,
            is_balanced=self.balanced, files=tuple(map(str, files)), words=self.words,
        )  # fmt: skip

    def cases(self, trace: str, cases_file: str | Path | None = None) -> tuple[Case, list[Case]]:
        """Return the base, and the product of all choices, or the rows of a CSV file.

        The base has the first of each choice of where the program runs, and is else as it ran. A
        pattern has no number of ranks of its own, a recorded program has.
        """
        choices = self._choices()
        usual = {"scaling": self.scaling, "baseline": self.baseline}
        first: dict[str, Any] = {name: choices[name][0] for name in _PLACE if choices[name]}
        if cases_file is not None:
            if others := [name for name, given in choices.items() if given and name != "network"]:
                raise InvalidInputError(
                    f"both --cases and a choice of {others[0]}", "write all choices into the file"
                )
            row = read_cases(cases_file, case_of(usual | first) if first else None)[0]
            first = {name: getattr(row, name) for name in _PLACE}
        if "network" not in first:
            raise InvalidInputError(
                "no network", "give --network network.json, or --network line:20us:1Gbit/s"
            )
        if not is_pattern(trace):
            first["ranks"] = None
        base = case_of(usual | first)
        return base, read_cases(cases_file, base) if cases_file else product(base, **choices)

    def _choices(self) -> dict[str, list[str]]:
        """Return the words of each field of a case that is not as usual."""
        words = {
            name.removeprefix("--"): words_of(str(value)) for name, value in self.words.items()
        }
        names = ("model", "topology", "hosts", "compute", "eager", "ranks")
        networks = words.get("network", [])
        if self.has_network and not networks:
            networks = [self.network_word()]
        return {
            "network": networks,
            **{name: words.get(name, []) for name in names},
            "placement": placements(words.get("map", [])),
            "algorithms": [word for text in self.algorithm or () for word in words_of(text)],
        }


def words_of(text: str) -> list[str]:
    """Return the words of an option, apart by commas.

    >>> words_of("a, b")
    ['a', 'b']
    """
    return [word.strip() for word in text.split(",") if word.strip()]


def _word(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
