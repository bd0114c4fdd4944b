"""The Python interface: samples, networks and flows as objects, tables in and out.

The imports below are the list of all that is public: `contend` gives out the same names, the
command line calls no others, and each is imported when it is used.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contend.api.catalogue import describe as describe
    from contend.api.choices import ChoiceOptions as ChoiceOptions
    from contend.api.choices import choose as choose
    from contend.api.doctor import examine as examine
    from contend.api.exchanges import bench_exchange as bench_exchange
    from contend.api.exports import export_as as export_as
    from contend.api.fits import fit_file as fit_file
    from contend.api.flows import solve as solve
    from contend.api.flows import solve_many as solve_many
    from contend.api.imports import import_files as import_files
    from contend.api.network import Network as Network
    from contend.api.network import fit as fit
    from contend.api.network import read_network as read_network
    from contend.api.predictions import bound_messages as bound_messages
    from contend.api.predictions import predict_file as predict_file
    from contend.api.production import watch_report as watch_report
    from contend.api.programs import convert_trace as convert_trace
    from contend.api.programs import replay as replay
    from contend.api.programs import replay_cases as replay_cases
    from contend.api.programs import show_trace as show_trace
    from contend.api.registries import names as names
    from contend.api.reports import write_report as write_report
    from contend.api.samples import Samples as Samples
    from contend.api.samples import read_samples as read_samples
    from contend.api.studies import study as study
    from contend.api.validation import validate_file as validate_file
    from contend.api.validation import validate_graphs as validate_graphs
    from contend.api.validation import validate_schedules as validate_schedules
    from contend.api.watch import WatchOptions as WatchOptions
    from contend.api.watch import watch_program as watch_program
    from contend.base.errors import ContendError as ContendError
    from contend.base.errors import FileFormatError as FileFormatError
    from contend.base.errors import InvalidInputError as InvalidInputError
    from contend.base.near_names import operation_of as operation_of
    from contend.base.result import Cell as Cell
    from contend.base.result import Line as Line
    from contend.base.result import Part as Part
    from contend.base.result import Result as Result
    from contend.base.result import Table as Table
    from contend.base.result import command_line as command_line
    from contend.base.result import is_unknown as is_unknown
    from contend.base.result import next_step as next_step
    from contend.base.result import picture as picture
    from contend.base.result import plain as plain
    from contend.base.result import records as records
    from contend.base.units import format_bytes as format_bytes
    from contend.base.units import format_rate as format_rate
    from contend.base.units import format_seconds as format_seconds
    from contend.base.units import parse_bytes as parse_bytes
    from contend.base.units import parse_bytes_list as parse_bytes_list
    from contend.base.units import parse_counts as parse_counts
    from contend.base.units import parse_rate as parse_rate
    from contend.base.units import parse_seconds as parse_seconds
    from contend.base.units import parse_seconds_per_byte as parse_seconds_per_byte
    from contend.measure.campaigns.collectives import measure_collectives as measure_collectives
    from contend.measure.campaigns.hosts import describe_groups as describe_groups
    from contend.measure.campaigns.hosts import discover_groups as discover_groups
    from contend.measure.campaigns.library import measure_library as measure_library
    from contend.measure.campaigns.links import measure_links as measure_links
    from contend.measure.campaigns.messages import contention_graphs as contention_graphs
    from contend.measure.campaigns.messages import measure_messages as measure_messages
    from contend.measure.campaigns.options import MeasureOptions as MeasureOptions
    from contend.measure.campaigns.schedules import measure_schedule as measure_schedule
    from contend.measure.exchange.proposal import plan_exchange as plan_exchange
    from contend.measure.exchange.run import ExchangeWishes as ExchangeWishes
    from contend.measure.exchange.run import run_exchange as run_exchange
    from contend.measure.jobs.job import JobRequest as JobRequest
    from contend.measure.jobs.job import batch_job as batch_job
    from contend.measure.lab.links import write_lab_links as write_lab_links
    from contend.measure.lab.run import run_in_lab as run_in_lab
    from contend.measure.preload import exchange_library as exchange_library
    from contend.measure.probes.campaign import measure_planned as measure_planned
    from contend.measure.probes.design import design_file as design_file
    from contend.measure.runner import Listener as Listener
    from contend.measure.runner import Progress as Progress
    from contend.models.changes.compare import compare_files as compare_files
    from contend.models.explanation.explain import explain_files as explain_files
    from contend.models.prediction.flows import solve_file as solve_file
    from contend.programs.sweeps.options import ReplayOptions as ReplayOptions
    from contend.programs.sweeps.sweep import sweep as sweep
    from contend.programs.sweeps.table import sweep_result as sweep_result
    from contend.programs.traces.recording.launch import record as record
    from contend.report.figures.lab import draw_lab as draw_lab
    from contend.report.pictures import draw_flows as draw_flows
    from contend.report.pictures import draw_schedule as draw_schedule
    from contend.samples.messages import is_of_messages as is_of_messages
    from contend.samples.reader import ReadOptions as ReadOptions
    from contend.samples.watch.store import is_of_watch as is_of_watch
    from contend.schedules.groups import grouping_of as grouping_of
    from contend.tune.apply import apply_rules as apply_rules
    from contend.tune.exports.lint import lint_rules as lint_rules
    from contend.tune.exports.rulesfile import export_rules as export_rules
    from contend.tune.verification.trial import verify_rules as verify_rules


@cache
def places() -> dict[str, str]:
    """Return the module of each public name, as the imports above say."""
    lines = re.findall(r"^    from (\S+) import (\w+) as", Path(__file__).read_text("utf-8"), re.M)
    return {name: module for module, name in lines}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(places())
    if name not in places():
        raise AttributeError(f"module 'contend.api' has no attribute {name!r}")
    return getattr(import_module(places()[name]), name)
