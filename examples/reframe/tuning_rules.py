"""A regression test of ReFrame: rules for the MPI library are in effect, and lose nothing.

    reframe -c tuning_rules.py -r -S rules=/data/rules.conf -S program='srun -n 128 ./my_app'

The exit code and the last line of contend tune verify decide; the gain of the program is recorded.
"""

import shlex

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import performance_function, run_before, sanity_function, variable


@rfm.simple_test
class TuningRules(rfm.RunOnlyRegressionTest):
    """One allocation in which a program runs with the rules and without, in pairs."""

    descr = "Rules for the MPI library in a program, by contend"
    valid_systems = ["*"]  # noqa: RUF012 - as ReFrame wants it
    valid_prog_environs = ["*"]  # noqa: RUF012
    time_limit = "30m"

    contend = variable(str, value="contend")
    rules = variable(str)  # absolute
    program = variable(str)  # its launcher, its absolute path and its arguments
    pairs = variable(int, value=5)

    @run_before("run")
    def say_what_to_run(self):
        """The launcher of the system is contend's to use: contend itself is one process."""
        self.job.launcher = getlauncher("local")()
        self.executable, *first = shlex.split(self.contend)
        options = ["--pairs", str(self.pairs), "--junit", "tuning.xml"]
        verify = [*first, "tune", "verify", shlex.quote(self.rules), *options]
        self.executable_opts = [*verify, "--", self.program]
        self.postrun_cmds = ['echo "contend tune verify ended with $?"']

    @sanity_function
    def is_in_effect(self):
        """Rules that are used are in effect, and nothing is slower."""
        code = sn.extractsingle(r"contend tune verify ended with (\d+)", self.stdout, 1, int)
        passed = sn.assert_found(r"^passed: ", self.stderr)
        return sn.all([sn.assert_eq(code, 0), passed])

    @performance_function("1")
    def gain(self):
        """Time by default over time with the rules, of the whole program."""
        figure = r'name="gain\[program\]" value="([^"]+)"'
        return sn.extractsingle(figure, "tuning.xml", 1, float)
