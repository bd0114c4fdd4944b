! The same by mpi and by mpi_f08: both bindings of Fortran are recorded.
module by_old
contains
  subroutine ring_old(sum)
    use mpi
    integer, intent(out) :: sum
    integer :: rank, n, code, requests(2), mine(3), theirs(3), colour
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, n, code)
    mine = rank + 1
    call MPI_Irecv(theirs, 3, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests(1), code)
    call MPI_Isend(mine, 3, MPI_INTEGER, mod(rank + 1, n), 1, MPI_COMM_WORLD, requests(2), code)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, code)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, colour, code)
    call MPI_Allreduce(MPI_IN_PLACE, mine, 3, MPI_INTEGER, MPI_SUM, colour, code)
    call MPI_Comm_free(colour, code)
    sum = theirs(3)
  end subroutine
end module

module by_new
contains
  subroutine ring_new(sum)
    use mpi_f08
    integer, intent(out) :: sum
    integer :: rank, n, mine(5), theirs(5)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, n)
    mine = rank + 1
    call MPI_Sendrecv(mine, 5, MPI_INTEGER, mod(rank + 1, n), 2, theirs, 5, MPI_INTEGER, &
                      mod(rank + n - 1, n), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Bcast(mine, 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
    sum = theirs(5)
  end subroutine
end module

program fortran
  use by_old
  use by_new
  use mpi
  integer :: code, first, second
  call MPI_Init(code)
  call ring_old(first)
  call ring_new(second)
  if (first == second) print '(a)', 'right'
  call MPI_Finalize(code)
end program
