"""From times of your own to a prediction, in Python: write samples, fit, validate, predict.

The numbers here stand for what you have measured: half round trips of a ping-pong, and an
all-to-all at three process counts. Run it with `python examples/from_your_numbers.py`.
"""

import tempfile
from pathlib import Path

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.prediction import validate
from contend.models.prediction.predict import predict
from contend.samples import Provenance, Sample, SampleStore

SIZES = [64, 1024, 4096, 16384, 65536, 262144]
PING_PONG = [1.1e-5, 1.2e-5, 1.5e-5, 2.7e-5, 7.6e-5, 2.7e-4]
ALLTOALL = {
    4: [3.4e-5, 3.9e-5, 5.8e-5, 1.3e-4, 4.3e-4, 1.6e-3],
    8: [7.9e-5, 9.2e-5, 1.4e-4, 3.0e-4, 1.0e-3, 3.8e-3],
    16: [1.7e-4, 2.0e-4, 2.9e-4, 6.6e-4, 2.2e-3, 8.2e-3],
}


def sample(experiment: str, algorithm: str, n: int, m: int, seconds: float) -> Sample:
    """A sample of one value; give every repetition in `times_s` where you have them."""
    return Sample(
        experiment=experiment,
        algorithm=algorithm,
        n=n,
        processes_per_node=1,
        m=m,
        times_s=(seconds,),
        provenance=Provenance(source="my notebook"),
    )


def main() -> None:
    """Fit at 8 processes, check at 4 and 16, predict 64."""
    path = Path(tempfile.mkdtemp()) / "samples.jsonl"
    with SampleStore(path) as store:
        for m, seconds in zip(SIZES, PING_PONG, strict=True):
            store.append(sample("pingpong", "half_round_trip", 2, m, seconds))
        for n, row in ALLTOALL.items():
            for m, seconds in zip(SIZES, row, strict=True):
                store.append(sample("alltoall", "native", n, m, seconds))
        samples = store.existing()
    network = validate.record(fit_network(samples, path, FitOptions(n_fit=8)), samples)
    operation = network.find("alltoall")
    print(operation.forms["hockney_2007"].parameters["gamma"])
    print(predict(network, operation, 64, SIZES).to_string())


if __name__ == "__main__":
    main()
