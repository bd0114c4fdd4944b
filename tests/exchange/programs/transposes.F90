! Exchanges in Fortran, by the bindings that BINDINGS names: 1 mpif.h, 2 use mpi, 3 use mpi_f08.
! Prints what all ranks have received, in order of rank.
#if BINDINGS == 3
#define COMMUNICATOR type(MPI_Comm)
#else
#define COMMUNICATOR integer
#endif
program transposes
#if BINDINGS == 2
   use mpi
#elif BINDINGS == 3
   use mpi_f08
#endif
   implicit none
#if BINDINGS == 1
   include 'mpif.h'
#endif
   integer :: rank, code
   COMMUNICATOR :: half

   call MPI_Init(code)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
   call exchange(MPI_COMM_WORLD, 1)
   call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, code)
   call exchange(half, 2)
   call MPI_Comm_free(half, code)
   call MPI_Finalize(code)

contains

   subroutine exchange(comm, salt)
      COMMUNICATOR, intent(in) :: comm
      integer, intent(in) :: salt
      integer :: own, ranks, i
      integer, allocatable :: sent(:), received(:), counts(:), places(:)
#if BINDINGS == 3
      type(MPI_Datatype), allocatable :: types(:)
#else
      integer, allocatable :: types(:)
#endif

      call MPI_Comm_rank(comm, own, code)
      call MPI_Comm_size(comm, ranks, code)
      allocate (sent(2 * ranks), received(2 * ranks), counts(ranks), places(ranks), types(ranks))
      sent = [(salt * 10000 + 100 * own + i, i=1, 2 * ranks)]
      received = -1
      call MPI_Alltoall(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, code)
      call show(received)
      call MPI_Alltoall(MPI_IN_PLACE, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, code)
      call show(received)
      received = -1
      counts = 1
      places = [(2 * (ranks - i) + 1, i=1, ranks)]
#if BINDINGS == 3
      call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, &
                         received, counts, places, MPI_INTEGER, comm)
#else
      call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, &
                         received, counts, places, MPI_INTEGER, comm, code)
#endif
      call show(received)
      places = 4 * places
      types = MPI_INTEGER
      call MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, comm, code)
      call show(received)
   end subroutine

   subroutine show(received)
      integer, intent(in) :: received(:)
      integer :: length, every, i
      integer, allocatable :: found(:), of_rank(:)

      length = size(received)
      call MPI_Comm_size(MPI_COMM_WORLD, every, code)
      allocate (found(length * every), of_rank(length))
      of_rank = received
      call MPI_Gather(of_rank, length, MPI_INTEGER, found, length, MPI_INTEGER, 0, &
                      MPI_COMM_WORLD, code)
      if (rank == 0) print '(*(i0, 1x))', (found(i), i=1, length * every)
   end subroutine

end program
