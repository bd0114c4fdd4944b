"""The script of a job: what it tells the batch system, and what it runs and how it ends.

Idea: contend runs beside the shell, which waits for it. So a warning of the batch system reaches
the shell at once, and it has contend end. Every point is on the disk when it is measured: what is
lost is the one under way, and the same script goes on with it when it is submitted again.
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from contend.base.errors import InvalidInputError
from contend.measure.jobs.scheduler import Request, Scheduler

HOSTS = "{hosts}"  # in a launcher: a file with the nodes of the job, each once
_LAUNCHER = "--mpiexec"
_MODULE = re.compile(r"[\w./+:@-]+")


@dataclass(frozen=True)
class Script:
    """What is run in a job, and what before it.

    `contend` are the words that start contend, `arguments` its command without the launcher.
    """

    scheduler: Scheduler
    request: Request
    contend: tuple[str, ...]
    arguments: tuple[str, ...]
    launcher: str
    modules: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # of the shell, as they are
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in (*self.lines, *self.request.directives, self.launcher):
            if "\n" in text or "\r" in text:
                raise InvalidInputError(f"a line break in {text!r}", "give each line by itself")
        for module in self.modules:
            if not _MODULE.fullmatch(module):
                raise InvalidInputError(f"a module {module!r}", "name it as 'module load' does")
        if HOSTS in self.launcher and self.scheduler.node_file is None:
            raise InvalidInputError(
                f"{HOSTS} in a launcher, of which {self.scheduler.title} has no file",
                f"leave it out: {self.scheduler.launcher.split()[0]} knows the nodes of its job",
            )
        try:
            shlex.split(self.launcher)
        except ValueError as problem:
            raise InvalidInputError(
                f"the launcher {self.launcher!r}: {problem}", "close its quotation marks"
            ) from None

    def text(self) -> str:
        """Return the script for bash: directives of the scheduler, comments, commands."""
        return "\n".join([
            "#!/bin/bash -l" if self.modules else "#!/bin/bash",  # -l: 'module' is there
            *self.scheduler.lines(self.request),
            *(f"# {line}" for comment in self.comments for line in comment.splitlines()),
            "",
            f'cd "${{{self.scheduler.folder}:-.}}" || exit 1',
            *(f"module load {module}" for module in self.modules),
            *self.lines,
            *self._hosts(),
            "",
            "# A warning comes before the time is over: end between two points, go on later.",
            "is_stopped=",
            "trap 'is_stopped=yes; kill -TERM \"$campaign\" 2> /dev/null' TERM INT",
            f"{' '.join(self._command())} &",
            "campaign=$!",
            '[ -z "$is_stopped" ] || kill -TERM "$campaign"  # which came before it had a name',
            'wait "$campaign"',
            "code=$?",
            'while kill -0 "$campaign" 2> /dev/null; do',
            '  wait "$campaign"',
            "  code=$?",
            "done",
            *self._end(),
            'exit "$code"',
            "",
        ])  # fmt: skip

    def _hosts(self) -> Sequence[str]:
        if HOSTS not in self.launcher:
            return ()
        return (
            f'hosts="{self.request.name}-hosts.${{{self.scheduler.job_id}%%.*}}"',
            f'awk \'!seen[$0]++\' "${self.scheduler.node_file}" > "$hosts" || exit 1',
        )

    def _command(self) -> Sequence[str]:
        """Words of the shell; what is no word of this script itself is quoted."""
        words = (*self.scheduler.before(self.request), *self.contend, *self.arguments)
        return [*map(shlex.quote, words), _LAUNCHER, self._launcher()]

    def _launcher(self) -> str:
        """One word of the shell, in which the name of the file of hosts is put when it runs.

        contend reads it as a shell would, so that the name is quoted once more.
        """
        parts = self.launcher.split(HOSTS)
        return "\"'$hosts'\"".join(shlex.quote(part) if part else "" for part in parts)

    def _end(self) -> Sequence[str]:
        stopped = "the time is over; what was measured is kept"
        removed = ('rm -f "$hosts"',) if HOSTS in self.launcher else ()
        return (
            *removed,
            'if [ "$code" -eq 124 ]; then',
            "  code=143",
            "  is_stopped=yes",
            "fi",
            'if [ -n "$is_stopped" ]; then',
            f'  echo "{stopped}: submit this script again with {self.scheduler.submit} to go on"',
            'elif [ "$code" -eq 0 ]; then',
            '  echo "the campaign is complete"',
            "fi",
        )
