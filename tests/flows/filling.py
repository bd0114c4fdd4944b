"""Max-min by progressive filling, all rates anew at every event: slow, plain, and the oracle."""

import numpy as np


def rates(routes: list[list[int]], capacity: np.ndarray) -> np.ndarray:
    """Raises all rates together; a flow stops where a link of its route is full."""
    rate = np.zeros(len(routes))
    is_open = np.ones(len(routes), dtype=bool)
    uses = np.zeros((len(capacity), len(routes)))
    for flow, route in enumerate(routes):
        uses[route, flow] = 1
    level = 0.0
    while is_open.any():
        count = uses @ is_open
        left = capacity - uses @ (rate * ~is_open)
        full = np.where(count > 0, left / np.maximum(count, 1), np.inf)
        level = full.min()
        stops = is_open & (uses[full <= level * (1 + 1e-12)].sum(axis=0) > 0)
        rate[stops] = level
        is_open &= ~stops
    return rate


def ends(start: np.ndarray, size: np.ndarray, share) -> np.ndarray:
    """End of each flow, where share(flows) gives the rates of the flows in the network."""
    end = start.astype(float).copy()
    left = size.astype(float).copy()
    waiting = [f for f in np.argsort(start, kind="stable") if size[f] > 0]
    active: list[int] = []
    now = 0.0
    while waiting or active:
        rate = share(active) if active else np.empty(0)
        finish = now + (left[active] / rate if active else np.empty(0))
        arrival = start[waiting[0]] if waiting else np.inf
        then = min(finish.min(initial=np.inf), arrival)
        left[active] -= rate * (then - now)
        done = [f for f, t in zip(active, finish, strict=True) if t <= then + 1e-12 * then]
        end[done] = then
        active = [f for f in active if f not in done]
        while waiting and start[waiting[0]] <= then:
            active.append(waiting.pop(0))
        now = then
    return end
