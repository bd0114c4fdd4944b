"""PBS: OpenPBS and PBS Professional.

Source: qsub(1B), pbs_resources(7B).
Idea: chunks of a node each, on nodes of their own. When the time is over PBS ends a job at once or
within seconds, so that `timeout` of the coreutils warns before.
Restrictions: Torque asks for nodes by `-l nodes=N:ppn=P` instead of `select`.
"""

from collections.abc import Sequence

from contend.measure.jobs.scheduler import WARNING_SECONDS, Request, Scheduler


class PBS(Scheduler):
    """One allocation by qsub, launches by the mpiexec of the MPI library."""

    name = "pbs"
    title = "PBS"
    mark = "#PBS"
    submit = "qsub"
    launcher = "mpiexec"
    folder = "PBS_O_WORKDIR"
    job_id = "PBS_JOBID"
    node_file = "PBS_NODEFILE"

    def directives(self, request: Request) -> Sequence[str]:
        per_node = request.per_node
        return [
            f"-N {request.name}",
            f"-l select={request.nodes}:ncpus={per_node}:mpiprocs={per_node}",
            "-l place=scatter:excl",
            f"-l walltime={request.clock}",
            "-j oe",
            *([f"-q {request.queue}"] if request.queue else []),
            *([f"-A {request.account}"] if request.account else []),
        ]

    def before(self, request: Request) -> Sequence[str]:
        """Return the command that signals the job `WARNING_SECONDS` before its limit."""
        return ("timeout", "--signal=TERM", str(60 * request.minutes - WARNING_SECONDS))
