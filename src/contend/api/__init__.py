"""The Python interface: samples, networks and flows as objects, tables in and out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contend.api.exports import export_as
    from contend.api.flows import solve, solve_many
    from contend.api.network import Network, fit, read_network
    from contend.api.samples import Samples, read_samples
    from contend.api.studies import study
    from contend.base.errors import ContendError
    from contend.measure.exchange.run import ExchangeWishes, run_exchange
    from contend.measure.jobs.job import JobRequest, batch_job
    from contend.programs.sweeps.sweep import sweep
    from contend.tune.apply import apply_rules
    from contend.tune.exports.rulesfile import export_rules
    from contend.tune.verification.trial import verify_rules

__all__ = [
    "ContendError",
    "ExchangeWishes",
    "JobRequest",
    "Network",
    "Samples",
    "apply_rules",
    "batch_job",
    "export_as",
    "export_rules",
    "fit",
    "read_network",
    "read_samples",
    "run_exchange",
    "solve",
    "solve_many",
    "study",
    "sweep",
    "verify_rules",
]
# Where each is; it is imported when it is used.
_PLACES = {
    "ContendError": "base.errors",
    "ExchangeWishes": "measure.exchange.run",
    "JobRequest": "measure.jobs.job",
    "Network": "api.network",
    "Samples": "api.samples",
    "apply_rules": "tune.apply",
    "batch_job": "measure.jobs.job",
    "export_as": "api.exports",
    "export_rules": "tune.exports.rulesfile",
    "fit": "api.network",
    "read_network": "api.network",
    "read_samples": "api.samples",
    "run_exchange": "measure.exchange.run",
    "solve": "api.flows",
    "solve_many": "api.flows",
    "study": "api.studies",
    "sweep": "programs.sweeps.sweep",
    "verify_rules": "tune.verification.trial",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'contend.api' has no attribute {name!r}")
    return getattr(import_module(f"contend.{_PLACES[name]}"), name)
