"""Bruck.

Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997; Open MPI modified_bruck; MPICH
`alltoall_intra_brucks`.
Idea: in round i every rank sends to r + 2^i all blocks that have bit i in the distance to travel.
Cost: sum_i g(c(i) m) + ceil(log2 P) L, where c(i) of the distances below P have bit i; for P a
power of two log2(P) (g(P m / 2) + L).
Restrictions: none. Pays for small messages: each byte is sent up to log2(P) times.
"""

from contend.schedules.alltoall import kary_bruck


class Bruck(kary_bruck.KaryBruck):
    title = "Bruck"
    options = ()
    openmpi = 3
    mpich = "brucks"
