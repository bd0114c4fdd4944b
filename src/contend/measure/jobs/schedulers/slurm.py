"""Slurm.

Source: sbatch(1), srun(1).
Idea: whole nodes; each launch is a step of the job. The script, and it alone (`B:`), is warned
before the time is over, so that it ends its step itself and keeps what was measured.
"""

from collections.abc import Sequence

from contend.measure.jobs.scheduler import WARNING_SECONDS, Request, Scheduler


class Slurm(Scheduler):
    """One allocation by sbatch, steps by srun."""

    name = "slurm"
    title = "Slurm"
    mark = "#SBATCH"
    submit = "sbatch"
    launcher = "srun --cpu-bind=cores"
    folder = "SLURM_SUBMIT_DIR"
    job_id = "SLURM_JOB_ID"

    def directives(self, request: Request) -> Sequence[str]:
        return [
            f"--job-name={request.name}",
            f"--nodes={request.nodes}",
            f"--ntasks-per-node={request.per_node}",
            "--exclusive",
            f"--time={request.clock}",
            f"--signal=B:TERM@{WARNING_SECONDS}",
            f"--output={request.name}-%j.out",
            *([f"--partition={request.queue}"] if request.queue else []),
            *([f"--account={request.account}"] if request.account else []),
        ]
