/* The entry points that stand before the MPI library's own. */
#include <stdatomic.h>

#include "algorithm.h"
#include "exchange.h"
#include "ledger.h"
#include "turn.h"

static void count_native(void)
{
    atomic_fetch_add_explicit(contend_native.calls, 1, memory_order_relaxed);
}

CONTEND_EXPORTED int MPI_Alltoall(const void *sent, int sent_count, MPI_Datatype sent_type,
                                  void *received, int received_count, MPI_Datatype received_type,
                                  MPI_Comm comm)
{
    struct contend_call call = {
        .sent = {.buffer = (void *)sent, .count = sent_count, .type = sent_type},
        .received = {.buffer = received, .count = received_count, .type = received_type},
        .is_in_place = sent == MPI_IN_PLACE};
    int code = MPI_SUCCESS;
    struct contend_turn turn = {.state = NULL};
    if (!contend_exchange(&call, comm, &turn, &code)) {
        count_native();
        code = PMPI_Alltoall(sent, sent_count, sent_type, received, received_count, received_type,
                             comm);
    }
    if (turn.state != NULL)
        contend_end(&turn, code);
    return code;
}

CONTEND_EXPORTED int MPI_Alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                                   MPI_Datatype sent_type, void *received,
                                   const int *received_counts, const int *received_places,
                                   MPI_Datatype received_type, MPI_Comm comm)
{
    struct contend_call call = {.sent = {.buffer = (void *)sent,
                                         .counts = sent_counts,
                                         .displacements = sent_places,
                                         .type = sent_type},
                                .received = {.buffer = received,
                                             .counts = received_counts,
                                             .displacements = received_places,
                                             .type = received_type},
                                .is_in_place = sent == MPI_IN_PLACE,
                                .is_varying = true};
    int code = MPI_SUCCESS;
    struct contend_turn turn = {.state = NULL};
    if (!contend_exchange(&call, comm, &turn, &code)) {
        count_native();
        code = PMPI_Alltoallv(sent, sent_counts, sent_places, sent_type, received, received_counts,
                              received_places, received_type, comm);
    }
    if (turn.state != NULL)
        contend_end(&turn, code);
    return code;
}
