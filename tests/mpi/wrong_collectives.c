/* Preloaded into an experiment: a collective operation that makes a mistake in long messages.
 *
 * $WRONG says in which buffer a byte is changed, "received" (on the ranks that have one) or "sent",
 * or that the call does not return, "hangs". Short calls, by which the ranks start together, are
 * right.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 1000 }; /* bytes */

static int code_of(int code, const void* sent, const void* received, int count, MPI_Datatype type) {
  int size;
  PMPI_Type_size(type, &size);
  const int bytes = count * size;
  const char* wrong = getenv("WRONG") != NULL ? getenv("WRONG") : "received";
  const void* chosen = strcmp(wrong, "sent") == 0 ? sent : received;
  while (bytes >= LONG && strcmp(wrong, "hangs") == 0) pause();
  if (bytes >= LONG && chosen != NULL) ((unsigned char*)(size_t)chosen)[bytes - 1] ^= 1;
  return code;
}

static int is_root(int root, MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  return rank == root;
}

#define WRONG(name, parameters, arguments, sent, received, count, type) \
  int MPI_##name parameters { return code_of(PMPI_##name arguments, sent, received, count, type); }

#define SENDS const void *s, int n, MPI_Datatype t
#define RECEIVES void *r, int k, MPI_Datatype u
#define LISTS const int *ks, const int *at
#define ROOT int root, MPI_Comm c

WRONG(Bcast, (void* r, int n, MPI_Datatype t, ROOT), (r, n, t, root, c),
      is_root(root, c) ? r : NULL, is_root(root, c) ? NULL : r, n, t)
WRONG(Scatter, (SENDS, RECEIVES, ROOT), (s, n, t, r, k, u, root, c), is_root(root, c) ? s : NULL, r,
      k, u)
WRONG(Scatterv, (const void* s, LISTS, MPI_Datatype t, RECEIVES, ROOT),
      (s, ks, at, t, r, k, u, root, c), is_root(root, c) ? s : NULL, r, k, u)
WRONG(Gather, (SENDS, RECEIVES, ROOT), (s, n, t, r, k, u, root, c), s, is_root(root, c) ? r : NULL,
      n, t)
WRONG(Gatherv, (SENDS, void* r, LISTS, MPI_Datatype u, ROOT), (s, n, t, r, ks, at, u, root, c), s,
      is_root(root, c) ? r : NULL, n, t)
WRONG(Allgather, (SENDS, RECEIVES, MPI_Comm c), (s, n, t, r, k, u, c), s, r, n, t)
WRONG(Allgatherv, (SENDS, void* r, LISTS, MPI_Datatype u, MPI_Comm c), (s, n, t, r, ks, at, u, c),
      s, r, n, t)
WRONG(Alltoall, (SENDS, RECEIVES, MPI_Comm c), (s, n, t, r, k, u, c), s, r, n, t)
WRONG(Alltoallv,
      (const void* s, const int* ns, const int* from, MPI_Datatype t, void* r, LISTS,
       MPI_Datatype u, MPI_Comm c),
      (s, ns, from, t, r, ks, at, u, c), s, r, ns[0], t)
WRONG(Reduce, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op o, ROOT),
      (s, r, n, t, o, root, c), s, is_root(root, c) ? r : NULL, n, t)
WRONG(Allreduce, (const void* s, void* r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (s, r, n, t, o, c), s, r, n, t)
WRONG(Reduce_scatter, (const void* s, void* r, const int* ks, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (s, r, ks, t, o, c), s, r, ks[0], t)
WRONG(Reduce_scatter_block, (const void* s, void* r, int k, MPI_Datatype t, MPI_Op o, MPI_Comm c),
      (s, r, k, t, o, c), s, r, k, t)
