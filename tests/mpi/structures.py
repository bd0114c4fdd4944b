"""Structures of mpi/common."""

import ctypes


class Limits(ctypes.Structure):
    _fields_ = [
        ("min_repetitions", ctypes.c_size_t),
        ("max_repetitions", ctypes.c_size_t),
        ("max_seconds", ctypes.c_double),
        ("precision", ctypes.c_double),
        ("confidence", ctypes.c_double),
    ]
