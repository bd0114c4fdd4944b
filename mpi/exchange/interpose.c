/* The entry points that stand before the MPI library's own: those of MPI-3, and those of MPI-4
 * whose counts are MPI_Count, which some bindings (mpi4py) call wherever there are any.
 *
 * What ends communicators and MPI goes on to whoever stands behind this library: other tools that
 * are preloaded may write their reports then. */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#include <mpi-ext.h>
#endif

#include "algorithm.h"
#include "endings.h"
#include "exchange.h"
#include "ledger.h"
#include "own_mpi.h"
#include "turn.h"

/* The entry point that stands behind this library's. Looked for by name, as an address of PMPI_
 * would have to be there when this library is loaded. */
static void *behind(const char *name)
{
    char own[64];
    contend_reach_mpi();
    void *next = dlsym(RTLD_NEXT, name);
    snprintf(own, sizeof own, "P%s", name);
    return next != NULL ? next : dlsym(RTLD_NEXT, own);
}

/* Whether the portfolio has served the call; else the library's own is next. */
static bool is_served(struct contend_call *call, MPI_Comm comm, struct contend_turn *turn,
                      int *code)
{
    *turn = (struct contend_turn){.state = NULL};
    if (contend_exchange(call, comm, turn, code))
        return true;
    atomic_fetch_add_explicit(contend_native.calls, 1, memory_order_relaxed);
    return false;
}

static int end(struct contend_turn *turn, int code)
{
    if (turn->state != NULL)
        contend_end(turn, code);
    return code;
}

static struct contend_call equal_blocks(const void *sent, MPI_Count sent_count,
                                        MPI_Datatype sent_type, void *received,
                                        MPI_Count received_count, MPI_Datatype received_type)
{
    return (struct contend_call){
        .sent = {.buffer = (void *)sent, .count = sent_count, .type = sent_type},
        .received = {.buffer = received, .count = received_count, .type = received_type},
        .is_in_place = sent == MPI_IN_PLACE};
}

CONTEND_EXPORTED int MPI_Alltoall(const void *sent, int sent_count, MPI_Datatype sent_type,
                                  void *received, int received_count, MPI_Datatype received_type,
                                  MPI_Comm comm)
{
    struct contend_call call =
        equal_blocks(sent, sent_count, sent_type, received, received_count, received_type);
    struct contend_turn turn;
    int code = MPI_SUCCESS;
    if (!is_served(&call, comm, &turn, &code))
        code = PMPI_Alltoall(sent, sent_count, sent_type, received, received_count, received_type,
                             comm);
    return end(&turn, code);
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
    struct contend_turn turn;
    int code = MPI_SUCCESS;
    if (!is_served(&call, comm, &turn, &code))
        code = PMPI_Alltoallv(sent, sent_counts, sent_places, sent_type, received, received_counts,
                              received_places, received_type, comm);
    return end(&turn, code);
}

#if MPI_VERSION >= 4

CONTEND_EXPORTED int MPI_Alltoall_c(const void *sent, MPI_Count sent_count, MPI_Datatype sent_type,
                                    void *received, MPI_Count received_count,
                                    MPI_Datatype received_type, MPI_Comm comm)
{
    struct contend_call call =
        equal_blocks(sent, sent_count, sent_type, received, received_count, received_type);
    struct contend_turn turn;
    int code = MPI_SUCCESS;
    if (!is_served(&call, comm, &turn, &code))
        code = PMPI_Alltoall_c(sent, sent_count, sent_type, received, received_count, received_type,
                               comm);
    return end(&turn, code);
}

CONTEND_EXPORTED int MPI_Alltoallv_c(const void *sent, const MPI_Count *sent_counts,
                                     const MPI_Aint *sent_places, MPI_Datatype sent_type,
                                     void *received, const MPI_Count *received_counts,
                                     const MPI_Aint *received_places, MPI_Datatype received_type,
                                     MPI_Comm comm)
{
    struct contend_call call = {.sent = {.buffer = (void *)sent,
                                         .large_counts = sent_counts,
                                         .large_displacements = sent_places,
                                         .type = sent_type},
                                .received = {.buffer = received,
                                             .large_counts = received_counts,
                                             .large_displacements = received_places,
                                             .type = received_type},
                                .is_in_place = sent == MPI_IN_PLACE,
                                .is_varying = true};
    struct contend_turn turn;
    int code = MPI_SUCCESS;
    if (!is_served(&call, comm, &turn, &code))
        code = PMPI_Alltoallv_c(sent, sent_counts, sent_places, sent_type, received,
                                received_counts, received_places, received_type, comm);
    return end(&turn, code);
}

#endif

CONTEND_EXPORTED int MPI_Comm_free(MPI_Comm *comm)
{
    int (*next)(MPI_Comm *) = NULL;
    *(void **)&next = behind("MPI_Comm_free");
    return contend_end_communicator(next, comm);
}

CONTEND_EXPORTED int MPI_Comm_disconnect(MPI_Comm *comm)
{
    int (*next)(MPI_Comm *) = NULL;
    *(void **)&next = behind("MPI_Comm_disconnect");
    return contend_end_communicator(next, comm);
}

#if defined(OMPI_HAVE_MPI_EXT_FTMPI) || (defined(MPICH) && defined(MPIX_ERR_REVOKED))
/* Of User Level Failure Mitigation: ranks that wait in an exchange are to wake up. */
CONTEND_EXPORTED int MPIX_Comm_revoke(MPI_Comm comm)
{
    int (*next)(MPI_Comm) = NULL;
    const MPI_Comm own = contend_private_of(comm);
    if (own != MPI_COMM_NULL)
        PMPIX_Comm_revoke(own);
    *(void **)&next = behind("MPIX_Comm_revoke");
    return next(comm);
}
#endif

#if defined(OPEN_MPI) || defined(MPI_ABI_VERSION)
/* While a copy is under way, Open MPI lets the ranks of no communicator make another one, which
 * is how they meet for their first exchange; and when it is over, nobody but its owner knows. */
static void note_copy(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    contend_reach_mpi();
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS ||
        strncmp(version, "Open MPI", 8) == 0)
        contend_note_copy();
}

CONTEND_EXPORTED int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    int (*next)(MPI_Comm, MPI_Comm *, MPI_Request *) = NULL;
    note_copy();
    *(void **)&next = behind("MPI_Comm_idup");
    return next(comm, copy, request);
}

#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
CONTEND_EXPORTED int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *copy,
                                             MPI_Request *request)
{
    int (*next)(MPI_Comm, MPI_Info, MPI_Comm *, MPI_Request *) = NULL;
    note_copy();
    *(void **)&next = behind("MPI_Comm_idup_with_info");
    return next(comm, info, copy, request);
}
#endif
#endif

/* Before any callback of the program, which may exchange: some ranks could have states still. */
CONTEND_EXPORTED int MPI_Finalize(void)
{
    int (*next)(void) = NULL;
    contend_end_states();
    *(void **)&next = behind("MPI_Finalize");
    return next();
}
