"""Penalties by their formulae, from src and dst alone: slow, plain, and the oracle."""

import numpy as np


def infiniband(src: np.ndarray, dst: np.ndarray) -> np.ndarray:
    """Rules (a), (b) and (c) of Martinasso and Méhaut, Euro-Par 2011, equation 4."""
    out, into = degrees(src, dst)
    rho = several(src, dst)
    for f in np.flatnonzero(out == 1):
        others = [e for e in np.flatnonzero(dst == dst[f]) if e != f]
        if len(others) == 1 and out[others[0]] > 1:
            rho[f] = 1 + 1 / (rho[others[0]] - 1)
        else:
            rho[f] = into[f] if np.all(out[others] == 1) else 1 + sum(1 / out[others])
    return rho


def infiniband_residual(src: np.ndarray, dst: np.ndarray) -> np.ndarray:
    """Sources with one flow share what the others leave, and have an equal share at least."""
    out = degrees(src, dst)[0]
    rho = several(src, dst)
    for d in set(dst[out == 1].tolist()):
        here = dst == d
        single = here & (out == 1)
        left = 1 - np.sum(1 / rho[here & ~single])
        rho[single] = max(1, single.sum() / max(left, single.sum() / here.sum()))
    return rho


def several(src: np.ndarray, dst: np.ndarray) -> np.ndarray:
    """rho of the flows whose sources have several, by rules (a) and (c); 1 of others."""
    out, into = degrees(src, dst)
    rho = np.ones(len(src))
    for s in set(src[out > 1].tolist()):
        own = np.flatnonzero(src == s)
        meets = [np.flatnonzero((dst == dst[f]) & (src != s)) for f in own]
        is_free = [
            len(met) == 0 or (into[f] <= out[f] and np.all(out[met] == out[f]))
            for f, met in zip(own, meets, strict=True)
        ]
        excess = 0.0 if all(is_free) else sum(np.sum(1 / out[met]) for met in meets)
        rho[own] = len(own) + excess
    return rho


def penalty3(
    src: np.ndarray,
    dst: np.ndarray,
    beta_e: float = 0.965,
    beta_s: float = 0.925,
    gamma: float = 1.35,
) -> np.ndarray:
    """The larger one of what the source and the destination of a flow give it."""
    out, into = degrees(src, dst)
    rho = np.ones(len(src))
    for f in range(len(src)):
        if out[f] > 1:
            is_crowded = np.any(into[src == src[f]] > 2)
            rho[f] = max(rho[f], out[f] * beta_s * (max(1, gamma) if is_crowded else 1))
        if into[f] > 1:
            parallel = np.sum((src == src[f]) & (dst == dst[f]))
            rho[f] = max(rho[f], parallel * beta_e * len(set(src[dst == dst[f]].tolist())))
    return rho


def degrees(src: np.ndarray, dst: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each flow those out of its source, and those into its destination."""
    return (src[:, None] == src).sum(axis=1), (dst[:, None] == dst).sum(axis=1)


OF = {"infiniband": infiniband, "infiniband-residual": infiniband_residual, "penalty3": penalty3}
