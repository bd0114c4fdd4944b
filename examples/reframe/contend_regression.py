"""A network regression test for ReFrame: measures with contend, and compares with a reference.

    reframe -c contend_regression.py -r -S known=/data/reference.jsonl -S mpiexec='srun -p debug'

`contend diff` gates: the test fails where something is surely slower by more than `limit`, with
intervals over launches, and not where a single point happened to be. What ReFrame records as
performance are the ratios to the reference, of each series in the mean over its sizes, and the
largest. A reference is what the same measurement has left: keep its samples.jsonl.
"""

import json
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import run_before, sanity_function, variable


@rfm.simple_test
class ContendRegression(rfm.RunOnlyRegressionTest):
    """One allocation in which contend measures, launch by launch."""

    descr = "All-to-all against a reference, by contend"
    valid_systems = ["*"]  # noqa: RUF012 - as ReFrame wants it
    valid_prog_environs = ["*"]  # noqa: RUF012
    time_limit = "30m"

    contend = variable(str, value="contend")
    mpiexec = variable(str, value="srun")
    known = variable(str, value="reference.jsonl")  # the reference, beside this file or absolute
    measured = variable(str, value="")  # samples to take in the place of a measurement
    limit = variable(str, value="10%")
    counts = variable(str, value="4,8,16")
    sizes = variable(str, value="64,4KiB,64KiB,1MiB")
    num_tasks = 16
    num_tasks_per_node = 4

    @run_before("run")
    def say_what_to_run(self):
        """The launcher of the system is contend's to use: contend itself is one process."""
        self.job.launcher = getlauncher("local")()
        self.executable = self.contend
        compare = f"{self.contend} diff '{self._path(self.known)}' samples.jsonl"
        gate = f"{compare} --fail-on {self.limit}"
        self.postrun_cmds = [
            f"{gate} --json > diff.json",
            gate,
            'echo "contend diff ended with $?"',
        ]
        if self.measured:
            self.executable, self.executable_opts = (
                "cp",
                [self._path(self.measured), "samples.jsonl"],
            )
        else:
            self.executable_opts = [
                "measure", "-e", "alltoall_native", "-n", self.counts, "-m", self.sizes,
                "--ppn", str(self.num_tasks_per_node), f"--mpiexec='{self.mpiexec}'",
                "-o", "samples.jsonl",
            ]  # fmt: skip

    @sanity_function
    def nothing_is_surely_slower(self):
        """By the exit code of contend diff: 1 where something is, 2 where nothing was compared."""
        code = sn.extractsingle(r"contend diff ended with (\d+)", self.stdout, 1, int)
        return sn.assert_eq(code, 0, msg="contend diff ended with {0}: see the table in the output")

    @run_before("performance")
    def take_the_figures(self):
        """Ratios to the reference; their intervals are in diff.json."""
        rows = json.loads(Path(self.stagedir, "diff.json").read_text())["rows"]
        means = {
            f"{one['algorithm']}_n{one['n']}": one["ratio"] for one in rows if one["m"] is None
        }
        means["largest"] = max(one["ratio"] for one in rows)
        self.perf_variables = {
            name: sn.make_performance_function(sn.defer(ratio), "new/old")
            for name, ratio in means.items()
        }

    def _path(self, name):
        return str(Path(self.prefix, name))
