"""Distributed transforms of mpi4py-fft; prints what rank 0 gathers of all spectra."""

import hashlib

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

world = MPI.COMM_WORLD
for shape, grid, kind in (((18, 12, 24), (0, 0, 1), float), ((16, 20), (0, 1), complex)):
    transform = PFFT(world, shape, grid=grid, axes=tuple(range(len(shape))), dtype=kind)
    field = newDistArray(transform, False)
    whole = np.random.default_rng(7).standard_normal(shape)
    field[:] = whole[field.local_slice()]
    spectrum = transform.forward(field, normalize=True)
    back = transform.backward(spectrum)
    assert np.allclose(back, field)
    # FFTW's plans, which it times, differ in the last digits.
    rounded = np.rint(np.ascontiguousarray(spectrum).view(float) * 1e6).astype(np.int64)
    gathered = world.gather(rounded.tobytes())
    if world.Get_rank() == 0:
        print(shape, hashlib.sha256(b"".join(gathered)).hexdigest())
