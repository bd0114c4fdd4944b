/* What all ranks have seen, added up at rank 0.
 *
 * Along a binomial tree, whose rank above lacks the lowest bit that is set: ceil(log2 n) steps. A
 * rank tells how much it has, and sends it when the one above has room. */
#include "merge.h"

#include <limits.h>
#include <stdlib.h>

enum { TAG = 1 };

/* As several messages, where an int does not count it. */
static int move(void *data, size_t bytes, int other, MPI_Comm comm, bool is_sent)
{
    int code = MPI_SUCCESS;
    for (char *at = data; bytes > 0 && code == MPI_SUCCESS;) {
        const int part = bytes < INT_MAX ? (int)bytes : INT_MAX;
        code = is_sent ? PMPI_Send(at, part, MPI_BYTE, other, TAG, comm)
                       : PMPI_Recv(at, part, MPI_BYTE, other, TAG, comm, MPI_STATUS_IGNORE);
        at += part;
        bytes -= (size_t)part;
    }
    return code;
}

static size_t row_bytes(const struct contend_sums *sums)
{
    return (size_t)sums->head.row_count * sizeof *sums->rows;
}

static size_t match_bytes(const struct contend_sums *sums)
{
    return (size_t)sums->head.match_count * sizeof *sums->matches;
}

static void give(MPI_Comm comm, int other, struct contend_sums *sums)
{
    int has_room = 0;
    if (move(&sums->head, sizeof sums->head, other, comm, true) != MPI_SUCCESS ||
        PMPI_Recv(&has_room, 1, MPI_INT, other, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        !has_room || move(sums->rows, row_bytes(sums), other, comm, true) != MPI_SUCCESS)
        return;
    move(sums->matches, match_bytes(sums), other, comm, true);
}

static void take(MPI_Comm comm, int other, struct contend_sums *sums)
{
    struct contend_sums more = {0};
    if (move(&more.head, sizeof more.head, other, comm, false) != MPI_SUCCESS)
        return;
    more.rows = malloc(row_bytes(&more) + 1);
    more.matches = malloc(match_bytes(&more) + 1);
    int has_room = more.rows != NULL && more.matches != NULL && contend_make_room(sums, &more);
    if (PMPI_Send(&has_room, 1, MPI_INT, other, TAG, comm) != MPI_SUCCESS ||
        (has_room && (move(more.rows, row_bytes(&more), other, comm, false) != MPI_SUCCESS ||
                      move(more.matches, match_bytes(&more), other, comm, false) != MPI_SUCCESS)))
        has_room = 0;
    if (!has_room) {
        more.head.not_kept += more.head.calls;
        more.head.calls = 0;
        more.head.row_count = more.head.match_count = 0;
    }
    contend_add_sums(sums, &more);
    contend_free_sums(&more);
}

void contend_merge(MPI_Comm comm, int rank, int ranks, struct contend_sums *sums)
{
    int span = 1;
    for (; span < ranks && (rank & span) == 0; span *= 2)
        if (rank + span < ranks)
            take(comm, rank + span, sums);
    if (rank > 0)
        give(comm, rank - span, sums);
}
