"""Walks of the data: through how many functions of contend samples pass until they are rules.

    python tests/walks.py [SAMPLES]

A hop is a call into another function of contend. The walk of a call of the door is the longest
chain of functions that are open at the same time, the door's own and the check of its arguments
included. What a function calls that calls itself counts once. Comprehensions, expressions of
generators and lambdas are part of the function they stand in; other packages are no hops. What is
counted was done once before, since the first time reads tables of the package.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import contend
from contend.schedules.libraries import version_text
from contend.tune.exports import FORMATS
from support import formats, libraries, synthesis
from support.decisions import decided

ROOT = str(Path(contend.__file__).parent)
INSIDE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<lambda>", "<module>"}
MOST = {"samples to network": 15, "network to decisions": 15, "decisions to rules": 10}


def longest(call: Callable[[], Any]) -> list[str]:
    """Return the functions on the longest chain of calls that a call makes in contend."""
    chain: list[CodeType] = []
    longest: list[CodeType] = []

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if (
            event.startswith("c_")
            or not code.co_filename.startswith(ROOT)
            or code.co_name in INSIDE
        ):
            return
        if event == "call":
            chain.append(code)
            if len(chain) > len(longest) < len(functions := dict.fromkeys(chain)):
                longest[:] = functions
        elif event == "return" and chain:
            chain.pop()

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return [
        f"{code.co_filename.removeprefix(ROOT)[1:-3].replace('/', '.')}: {code.co_qualname}"
        for code in longest
    ]


def measured() -> contend.Samples:
    """Return single messages, an all-to-all and a library's broadcasts, of several launches."""
    rng = np.random.default_rng(1)
    overheads = (lambda m: 5e-6, lambda m: 5e-6)
    launch = [
        *synthesis.pingpong(1e-5, 1e-9),
        *synthesis.plogp(5e-5, lambda m: 1e-5 + 1e-9 * m, overheads),
        *synthesis.alltoall((4, 8, 16), synthesis.exchange_time, rng=rng, noise=0.02),
    ]
    factors = np.exp(0.02 * rng.standard_normal((3, len(launch))))
    exchanges = [
        sample.model_copy(
            update={"launch": number, "times_s": tuple(time * factor for time in sample.times_s)}
        )
        for number, row in enumerate(factors)
        for sample, factor in zip(launch, row, strict=True)
    ]
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    return contend.Samples([*exchanges, *libraries.launched(laws, rng, launches=3)])


def export(name: str, folder: Path) -> Callable[[], Any]:
    """Return the export of rules of an operation to a new file, and of the others onto it."""
    form, version, own = formats.format_of(name)
    rules = formats.departures(form, version)
    measured = {"library": form.library_name, "library_version": version_text(version)}
    alone = [rule for rule in rules if rule.operation == rules[0].operation]
    others = [rule for rule in rules if rule not in alone]
    parts = [decided(*part, **measured) for part in (alone, others)]

    def written() -> Any:
        path = Path(tempfile.mkdtemp(dir=folder)) / "rules"
        return [contend.export_rules(part, path, target=name, own=own) for part in parts]

    return written


def walks(samples: contend.Samples, folder: Path) -> dict[str, list[str]]:
    """Return the walks of samples by name: of each operation and each file the longest."""
    operations = sorted({sample.experiment for sample in samples} - {"pingpong", "plogp"})
    for operation in operations:
        contend.fit(samples, operation=operation).save(folder / "network.json")
    network = contend.read_network(folder / "network.json")
    network.decisions()
    names = [name for name in FORMATS.names() if name != "mpich" or formats.trees()]
    exports = [export(name, folder) for name in names]
    for written in exports:
        written()
    fits = [lambda name=name: contend.fit(samples, operation=name) for name in operations]
    return {
        "samples to network": max(map(longest, fits), key=len),
        "network to decisions": longest(network.decisions),
        "decisions to rules": max(map(longest, exports), key=len),
    }


def main() -> None:
    """Print the walks of the samples of a file, else of synthetic ones."""
    samples = contend.read_samples(sys.argv[1]) if sys.argv[1:] else measured()
    with tempfile.TemporaryDirectory() as folder:
        for name, chain in walks(samples, Path(folder)).items():
            print(f"{name}: {len(chain)}", *chain, sep="\n    ")


if __name__ == "__main__":
    main()
