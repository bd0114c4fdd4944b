"""How Intel MPI reads the values of I_MPI_ADJUST_<OPERATION>."""
