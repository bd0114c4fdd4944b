/* Distributed transforms of FFTW and its transposes; prints what rank 0 gathers of all. */
#include <fftw3-mpi.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static uint64_t digest = 14695981039346656037U;

static void add(const double* numbers, size_t count) {
  for (size_t i = 0; i < count; i++) /* FNV; plans differ in the last digits */
    digest = (digest ^ (uint64_t)llround(numbers[i] * 1e4)) * 1099511628211U;
}

static void fill(double* numbers, ptrdiff_t count, int rank) {
  for (ptrdiff_t i = 0; i < count; i++)
    numbers[i] = (double)((i * 7919 + rank * 104729) % 1009) / 1009;
}

/* To another buffer, for only there FFTW takes MPI_Alltoall. */
static void transform(int rank, int sign, unsigned flags) {
  const ptrdiff_t n0 = 24, n1 = 20, n2 = 12;
  ptrdiff_t own, first, turned, first_turned;
  const ptrdiff_t size = fftw_mpi_local_size_3d_transposed(n0, n1, n2, MPI_COMM_WORLD, &own, &first,
                                                           &turned, &first_turned);
  fftw_complex* data = fftw_alloc_complex((size_t)size);
  fftw_complex* result = fftw_alloc_complex((size_t)size);
  fftw_plan plan = fftw_mpi_plan_dft_3d(n0, n1, n2, data, result, MPI_COMM_WORLD, sign,
                                        flags | FFTW_MPI_TRANSPOSED_OUT);
  for (int i = 0; i < 3; i++) {
    fill((double*)data, 2 * own * n1 * n2, rank + i);
    fftw_execute(plan);
    add((double*)result, (size_t)(2 * turned * n0 * n2));
  }
  fftw_destroy_plan(plan), fftw_free(data), fftw_free(result);
}

static void transpose(int rank, ptrdiff_t rows, ptrdiff_t columns, int is_apart, unsigned flags) {
  ptrdiff_t own, first, turned, first_turned;
  const ptrdiff_t size = fftw_mpi_local_size_2d_transposed(rows, columns, MPI_COMM_WORLD, &own,
                                                           &first, &turned, &first_turned);
  double* data = fftw_alloc_real((size_t)size);
  double* result = is_apart ? fftw_alloc_real((size_t)size) : data;
  fftw_plan plan = fftw_mpi_plan_transpose(rows, columns, data, result, MPI_COMM_WORLD, flags);
  fill(data, own * columns, rank);
  fftw_execute(plan);
  add(result, (size_t)(turned * rows));
  fftw_destroy_plan(plan);
  if (is_apart) fftw_free(result);
  fftw_free(data);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const unsigned flags = FFTW_PATIENT | FFTW_DESTROY_INPUT; /* others take no MPI_Alltoall */
  transform(rank, FFTW_FORWARD, flags);
  transform(rank, FFTW_BACKWARD, flags);
  for (int is_apart = 0; is_apart < 2; is_apart++) {
    transpose(rank, 36, 24, is_apart, flags);
    transpose(rank, 31, 23, is_apart, flags);
  }
  uint64_t all[64] = {0};
  MPI_Gather(&digest, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; i++) printf("%016" PRIx64 "\n", all[i]);
  fftw_mpi_cleanup();
  return MPI_Finalize();
}
