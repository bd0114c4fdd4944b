"""Variables of Intel MPI: what their values say, and what is wrong with them."""
