"""Bases of the all-to-all algorithms that look at groups of ranks."""

from abc import ABC, abstractmethod
from functools import lru_cache

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Claim
from contend.schedules.exchange import pair_bytes
from contend.schedules.groups import Layout
from contend.schedules.messages import Messages, require_few
from contend.schedules.pointtopoint import PLogP
from contend.schedules.relay import Profile, Relay, Route, relay, stepwise
from contend.schedules.vector import VectorAlgorithm


class Grouped(Algorithm, ABC):
    needs_groups = True

    def restriction(self, n: int) -> InvalidInputError | None:
        """Groups of all ranks, and those that the algorithm takes."""
        if n == 1:
            return None
        if self.grouping is None:
            return InvalidInputError(
                f"{self.collective} {self.name} needs groups of ranks, got {n} ranks in none",
                "name the ranks of each group, as in --with groups=0-3/4-7, or try 'direct'",
            )
        try:
            require_few(n)
            groups = self.grouping(n)
        except InvalidInputError as error:
            return error
        return self.refusal(Layout(groups))

    def refusal(self, layout: Layout) -> InvalidInputError | None:
        """Why the algorithm cannot serve these groups, and which one can; None if it can."""
        return None

    def claim(self, call: Call) -> Claim:
        """Ranks that have less to do can be ahead."""
        return "upper bound"


class Relayed(Grouped, ABC):
    """Base of algorithms in which blocks leave a group, and come into another, by way of others."""

    is_packed = True

    @abstractmethod
    def route(self, layout: Layout, call: Call) -> Route:
        """The way of every block."""

    def relay(self, call: Call) -> Relay:
        """Who sends which blocks to whom, and when."""
        require_few(call.n * call.n)
        layout = Layout(call.groups or (0,) * call.n)  # one rank need not say its group
        return relay(layout, self.route(layout, call))

    def messages(self, call: Call) -> Messages:
        """Into the hands of those who carry, between the groups, to those who want."""
        return self.relay(call).messages(pair_bytes(call.n, call.m))

    def cost(self, net: PLogP, call: Call) -> Floats:
        """Sum of g over the steps, and L over the phases."""
        profile = self.profile(call)
        return stepwise(net, np.multiply.outer(profile.blocks, call.m), profile.phase)

    def profile(self, call: Call) -> Profile:
        """The longest message of each step, in blocks."""
        return _profile(type(self), call.groups, call.leaders)


class RelayedVector(VectorAlgorithm, Relayed, ABC):
    def cost(self, net: PLogP, call: Call) -> Floats:
        """Sum over the steps of g of their longest message, and L over the phases."""
        made = self.relay(call)
        return stepwise(net, made.steps(np.asarray(call.m)), made.phase[made.starts])


@lru_cache(maxsize=16)
def _profile(algorithm: type[Relayed], groups: tuple[int, ...], leaders: int) -> Profile:
    call = Call(n=len(groups), m=1, groups=groups, leaders=leaders)
    return algorithm().relay(call).profile()
