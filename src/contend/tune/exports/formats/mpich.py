"""MPICH from 4.0 on: the trees of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE (CSEL).

Source: src/mpi/coll/src/csel.c and csel_container.c; run with 4.0.2 and 5.0.2. The file replaces
all that the library decides by, so it begins with the library's own tree, which stands in libmpi
(`contend.tune.exports.csel.library_trees`), and has the rules in front of it in the tree of their
operation. A second file, beside it, keeps the device from putting together of a part per node what
a rule is for (`contend.tune.exports.csel.compose`); where the device's tree is not at hand,
MPIR_CVAR_<OPERATION>_DEVICE_COLLECTIVE=0 does that for all calls of the operation.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from contend.base.errors import InvalidInputError
from contend.schedules.libraries import Version
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import by_operation, notes_without_sizes
from contend.tune.exports.csel.compose import (
    BEHIND,
    DEVICE_VARIABLE,
    device_tree,
    guarded,
    has_parts,
    leaf_name,
    parameters,
    with_rules,
)
from contend.tune.exports.csel.facts import COMMUTATIVE, NEEDS, SIZE
from contend.tune.exports.csel.flatten import ORDERED, flattened
from contend.tune.exports.csel.library_trees import (
    REMEDY,
    Shipped,
    Tree,
    installed,
    kind_of,
    shipped,
)
from contend.tune.exports.csel.lint import OTHER_VERSION, linted, parsed, tree_of
from contend.tune.exports.csel.poison import TreePoison
from contend.tune.exports.csel.variables import lint_variables, obstacles, variables_in
from contend.tune.exports.file_rules import always_right, head_lines
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Finding, worst
from contend.tune.exports.format import Export, Format, Poison, Request, not_merged
from contend.tune.exports.marks import Made
from contend.tune.exports.settings import is_script
from contend.tune.exports.surroundings import Circumstances

VARIABLE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
PAGE = 4096  # bytes; the library maps the file and reads on to a byte of 0
IN_PARTS = ("bcast", "reduce", "allreduce", "barrier", "scan")  # by the device, by nodes


class MPICHTrees(Format):
    name = "mpich"
    title = "MPICH's selection file"
    library_name = "mpich"
    first = (4, 0)
    has_comments: ClassVar[bool] = False
    behind: ClassVar[tuple[str, ...]] = (BEHIND,)
    poison: ClassVar[Poison | None] = TreePoison()

    def write(self, request: Request) -> Export:
        """The library's own tree, and an old file's branches, with the rules in front of them."""
        request = self._right(request)
        installation = self._own(request)
        kept, before = self._kept(request, installation)
        tree = dict(kept)
        for operation, rules in by_operation(request.decisions.rules).items():
            if f"collective={operation}" in installation.tree:
                tree[f"collective={operation}"] = self._operation(
                    request, installation, kept, rules
                )
        chosen = [rule for rule in request.decisions.rules if not rule.is_default]
        notes = (*request.notes, *_notes(request, chosen, installation))
        settings = {**before, **_settings(chosen, installation)}
        beside = {}
        if any(has_parts(installation, rule.operation) for rule in chosen):
            parts = device_tree(
                installation, request.decisions.rules, self.library, request.version
            )
            beside[BEHIND] = _text(parts)
        loading = (
            f"{VARIABLE} is to be the absolute path of the file"
            + (f", {DEVICE_VARIABLE} that of the one behind {BEHIND}." if beside else "."),
            f"With {_assigned(self.library.alongside)} the memory it takes makes no call slower.",
            "What is not named is left to the library.",
        )
        about = head_lines("MPICH", request, loading, notes)
        return Export(_text(tree), "\n".join(about), settings, notes, beside)

    def _kept(self, request: Request, installation: Shipped) -> tuple[Tree, dict[str, str]]:
        """Return what holds where nothing was decided, and variables that this needs."""
        if (old := request.old) is None:
            return installation.tree, {}
        if kind_of(old) != "mpir":
            raise not_merged(
                f"it is for another of MPICH's variables than {VARIABLE}",
                "see what contend tune lint says of it, or name a new file",
            )
        findings = linted(old, self.library, request.version)
        if worst(findings) == "error":
            first = next(finding for finding in findings if finding.level == "error")
            raise not_merged(first, "mend what contend tune lint says of it, or name a new file")
        kept = installation.tree | tree_of(parsed(old))
        return kept, {
            _device_off(name): "0"
            for name in IN_PARTS
            if name not in request.decided
            and kept[f"collective={name}"] != installation.tree[f"collective={name}"]
        }

    def _right(self, request: Request) -> Request:
        """The request without rules that are wrong in some programs, which are left out."""
        rules, notes = always_right(request.decisions.rules, request, self.library)
        decisions = request.decisions.model_copy(update={"rules": tuple(rules)})
        return replace(request, decisions=decisions, notes=tuple(notes))

    def _own(self, request: Request) -> Shipped:
        """The library's own trees, which have to be those of the version that is written for."""
        installation = shipped(request.library_rules or installed())
        findings = linted(_text(installation.tree), self.library, request.version)
        if missing := [finding for finding in findings if finding.code == OTHER_VERSION]:
            raise InvalidInputError(
                f"{installation.path} is of another version: {missing[0].message}",
                f"give the version that it is of as --library mpich-VERSION, or {REMEDY}",
            )
        lacking = [finding for finding in findings if finding.code == "missing-collective"]
        if lacking and not installation.names:  # what a library carries is complete for it
            raise InvalidInputError(
                f"{installation.path} holds not all of MPICH's own rules: {lacking[0].message}",
                REMEDY,
            )
        return installation

    def _operation(
        self, request: Request, installation: Shipped, kept: Tree, rules: list[Rule]
    ) -> Tree:
        operation = rules[0].operation
        collective = f"collective={operation}"

        def leaf(rule: Rule, otherwise: Tree) -> Tree:
            algorithm = self.library.algorithm(operation, rule.algorithm, request.version)
            name = leaf_name(algorithm, installation)
            return guarded(algorithm, {name: parameters(algorithm, rule.options)}, otherwise)

        return with_rules(kept[collective], installation.tree[collective], rules, leaf)

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules for plain calls on one communicator; see `csel.flatten`."""
        return tuple(flattened(tree_of(parsed(text))))

    def read_ordered(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The same for operations that do not commute, which trees may ask for."""
        return tuple(flattened(tree_of(parsed(text)), ORDERED))

    def reorders_operands(self, operation: str, algorithm: str, version: Version) -> bool:
        """Whether it is for operations that commute; a tree is not asked whether one does."""
        names = [offered.own_name for offered in self.library.algorithms(operation, version)
               if offered.name == algorithm]  # fmt: skip
        return any(COMMUTATIVE in NEEDS.get((operation, name), ()) for name in names)

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What is wrong with a text; see `csel.lint`, and of scripts `csel.variables`."""
        if _is_script(text):
            return lint_variables(text, self.library, version)
        return linted(text, self.library, version)

    def made_of_mark(self, text: str) -> Made:
        if _is_script(text):
            return super().made_of_mark(text)
        return "error", "MPICH crashes on a file that it cannot parse"

    def called(self, text: str) -> str:
        return "MPICH's variables" if _is_script(text) else self.title

    def settings(self, path: str, version: Version) -> dict[str, str]:
        """The variable that names the file, and that of the device's where there is one."""
        beside = path + BEHIND
        return {VARIABLE: path} | ({DEVICE_VARIABLE: beside} if Path(beside).is_file() else {})

    def obstacles(self, case: Circumstances) -> list[Finding]:
        return list(obstacles(case))

    def recognises(self, text: str) -> bool:
        """Whether it is JSON with a collective of MPICH, or sets variables that choose."""
        is_tree = text.lstrip().startswith("{") and '"collective=' in text
        return is_tree or bool(variables_in(text))


def _is_script(text: str) -> bool:
    is_tree = text.lstrip().startswith("{")
    return not is_tree and (is_script(text) or bool(variables_in(text)))


def _assigned(variables: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in variables.items())


def _text(tree: Tree) -> str:
    text = json.dumps(tree, indent=1) + "\n"
    return text if len(text.encode()) % PAGE else text + "\n"


def _device_off(operation: str) -> str:
    return f"MPIR_CVAR_{operation.upper()}_DEVICE_COLLECTIVE"


def _settings(chosen: Iterable[Rule], installation: Shipped) -> dict[str, str]:
    """What trees cannot hold: whole communicators, and messages under way."""
    settings = {}
    for rule in chosen:
        if rule.operation in IN_PARTS and not has_parts(installation, rule.operation):
            settings[_device_off(rule.operation)] = "0"
        if "requests" in rule.options:
            settings["MPIR_CVAR_ALLTOALL_THROTTLE"] = str(rule.options["requests"])
    return settings


def _notes(request: Request, chosen: list[Rule], installation: Shipped) -> Iterable[str]:
    operations = dict.fromkeys(rule.operation for rule in chosen)
    parts = [name for name in operations if name in IN_PARTS]
    if lost := [name for name in parts if not has_parts(installation, name)]:
        yield (
            f"{', '.join(lost)}: with several processes on a node MPICH's default works node by "
            "node, which rules for whole communicators switch off, also where they say 'default'; "
            "name the library itself with --default, and that is kept"
        )
    if kept := [name for name in parts if has_parts(installation, name)]:
        yield (
            f"{', '.join(kept)}: with several processes on a node MPICH's default asks the rules "
            "for the ranks of a node, and for the nodes, each by its own number"
        )
    if unknown := [name for name in operations if f"collective={name}" not in installation.tree]:
        yield f"{', '.join(unknown)}: MPICH has no such operation to choose for"
    for name, rules in by_operation(request.decisions.rules).items():
        if name in operations and name not in SIZE:
            why = "MPICH tells none apart that all ranks agree on"
            yield from notes_without_sizes(name, rules, why)
    wanted = {rule.options["requests"] for rule in chosen if "requests" in rule.options}
    if len(wanted) > 1:
        yield f"one limit of messages under way holds for all calls, of {sorted(wanted)} the last"
