"""A network and targets to a proposal: what to measure next.

Idea: the form `growth` says how wide its intervals would be with further points, since that depends
on where these are alone; points are then chosen greedily by that and by what they cost.
Restrictions: it is the interval of `growth` that is foreseen. Where validation chose another form,
that one predicts, with an interval of its own; and so does the algorithm that a library's default
runs, where that is known (`contend.models.prediction.library_default`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.measure.probes.cost import Bill, Cost
from contend.measure.probes.greedy import Limits, Narrowed, choose
from contend.measure.probes.interval_forecast import Foreseen
from contend.measure.probes.places import Places, candidates, reachable, room
from contend.measure.probes.proposal import OF_THE_PAPERS, Proposal, Step
from contend.models.network import Network, Operation
from contend.models.signature import (
    DEFAULT_FORM,
    FORMS,
    FittedForm,
    PointToPoint,
    require_operation,
)
from contend.models.signature.forms.growth import Growth

MOST_PLACES = 3000  # targets and candidates; each is held against each
USUAL = Limits(points=6)
FARTHER = (2, 4)  # times the largest n measured: targets where none are given


@dataclass(frozen=True)
class Known:
    """The fitted growth of an operation, bent to all points that its network holds."""

    form: Growth
    fit: FittedForm
    message: PointToPoint
    n_fit: int | None  # n' of the signature

    @property
    def points(self) -> set[tuple[int, int]]:
        n, m = (self.fit.parameters[name].array for name in "nm")
        return set(Places(n, m).pairs())

    def foreseen(self, places: Places, targets: Places) -> Foreseen:
        """What is foreseen of targets, with `places` to choose among."""
        model, reach = self.form.foresight(self.fit.parameters, targets.n, targets.m)
        return Foreseen.of(model, reach, places, targets)

    def seconds(self, places: Places) -> Floats:
        return self.form.seconds(self.fit.parameters, self.message, places.n, places.m)

    def steps(
        self,
        places: Places,
        targets: Places,
        cost: Cost,
        limits: Limits,
        criterion: Narrowed,
        launched: Collection[int] = (),
    ) -> tuple[Step, ...]:
        if not len(places):
            return ()
        require_few(places, targets)
        seconds = self.seconds(places)
        bill = Bill(places.n, cost.of_points(seconds), cost.of_launches(1), frozenset(launched))
        chosen = choose(self.foreseen(places, targets), bill, limits, criterion)
        pairs = places.pairs()
        return tuple(
            Step(
                *pairs[choice.candidate],
                float(seconds[choice.candidate]),
                choice.seconds,
                choice.widths,
            )
            for choice in chosen
        )


def propose(
    network: Network,
    operation: Operation,
    n: Sequence[int] = (),
    m: Sequence[int] = (),
    limits: Limits | None = None,
    *,
    at: Sequence[int] = (),
    cost: Cost | None = None,
    criterion: Narrowed = "mean",
) -> Proposal:
    """Points to measure next for predictions at every `n` and `m`.

    Parameters
    ----------
    n, m
        Targets; default twice and four times the largest n measured, and the sizes measured.
    at
        Numbers of processes that can be had; default those measured, the targets', and doublings
        between.
    what
        Whether the mean width of the intervals is to become less, or the largest.

    Raises
    ------
    InvalidInputError
        When the operation is not known, or has no fit of `growth`; n < 2 or m < 1.
    """
    is_asked, limits, cost = limits is not None, limits or USUAL, cost or Cost()
    fitted = known_growth(network, operation)
    measured = {count for count, _ in fitted.points}
    sizes = {size for _, size in fitted.points}
    targets = Places.grid(n or farther(measured), m or sorted(sizes))
    require_few(targets, Places.of([]))
    wanted = {int(count) for count in targets.n}
    lab = network.origin.labs[0] if len(network.origin.labs) == 1 else None
    most = room(lab, operation.processes_per_node)
    counts = Places.grid(at, [1]).n.astype(int).tolist() if at else reachable(measured, wanted)
    every = sizes | {int(size) for size in targets.m}
    now = fitted.foreseen(Places.of([]), targets)
    places = candidates([n for n in counts if n <= most], every, fitted.points)
    return Proposal(
        operation=operation.operation, algorithm=operation.algorithm,
        processes_per_node=operation.processes_per_node, targets=targets, start=now.widths(),
        steps=fitted.steps(places, targets, cost, limits, criterion), cost=cost, least=now.least,
        criterion=criterion, n_fit=fitted.n_fit, until=limits.until, lab=lab,
        whole_grid=cost.repeated(OF_THE_PAPERS).total(targets, fitted.seconds(targets)),
        budget=limits.seconds, is_open=bool(len(places)), is_asked=is_asked,
    )  # fmt: skip


def known_growth(network: Network, operation: Operation) -> Known:
    """The growth of an operation with all points; an error where the file holds none."""
    require_operation(operation.operation)
    fit = operation.forms.get(Growth.name)
    form = FORMS.get(Growth.name)
    if fit is None or not isinstance(form, Growth):
        raise InvalidInputError(
            f"{operation.title} has no fit of {Growth.name}, which tells what points would",
            "fit its samples again: contend fit SAMPLES -o NETWORK",
        )
    signature = operation.forms.get(DEFAULT_FORM)
    if operation.measured is not None:
        fit = form.anchored(fit, operation.measured.table())
    message = network.messages(operation.algorithm)
    return Known(form, fit, message, signature.n_fitted[0] if signature else None)


def farther(measured: Collection[int]) -> list[int]:
    """Targets where none are given: numbers of processes beyond all that were measured."""
    return [times * max(measured) for times in FARTHER]


def require_few(places: Places, targets: Places) -> None:
    if (count := len(places) + len(targets)) > MOST_PLACES:
        raise InvalidInputError(
            f"{count} targets and points to choose among, where {MOST_PLACES} are the most",
            "give fewer n or sizes, e.g. powers of two",
        )
