/* The call of a collective operation that this thread is in, and what is seen of it.
 *
 * Idea: between begin and end of a call, the functions of algorithms say that they were called. The
 * first on the call's own communicator is what the library chose. One of the same operation on the
 * same communicator behind it is what that one handed the call on to, because the first does not
 * serve the number of processes or the size. Functions on other communicators alone mean that the
 * call was put together from parts.
 *
 * Where the operation of a reduction does not commute, reductions inside the call are noted too:
 * MPI_Reduce_scatter may reduce to one rank, by the algorithm that a rule for MPI_Reduce names. So
 * is what runs inside calls between two groups, which are not recorded themselves. */
#include "call.h"

#include <stddef.h>

#include "../modes.h"
#include "ledger.h"

static _Thread_local struct contend_verified *present;

/* Whether the operands of a reduction have to be combined in the order of the ranks. */
static bool keeps_order(MPI_Op op)
{
    int commutes = 1;
    return op != MPI_OP_NULL && PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && !commutes;
}

/* Processes of the own group of a communicator between two; 0 for others. */
static int own_group(MPI_Comm comm)
{
    int is_between = 0, n = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_between) != MPI_SUCCESS ||
        !is_between || PMPI_Comm_size(comm, &n) != MPI_SUCCESS)
        return 0;
    return n;
}

void contend_verify_begin(struct contend_verified *seen, const struct contend_collective *call)
{
    *seen = (struct contend_verified){.comm = call->comm};
    if (call->operation > CONTEND_BARRIER)
        return;
    const int n = contend_processes(call->comm);
    const bool is_ordered = keeps_order(call->op);
    const int noted = n == 0 && is_ordered ? own_group(call->comm) : n;
    if (noted < 2)
        return;
    seen->key = (struct contend_key){.m = contend_block_bytes(call),
                                     .operation = (int32_t)call->operation,
                                     .n = noted,
                                     .segment = -1,
                                     .fanout = -1,
                                     .is_ordered = is_ordered};
    seen->is_present = true;
    seen->is_recorded = n > 0;
    present = seen;
    seen->began = contend_nanoseconds();
}

void contend_verify_end(struct contend_verified *seen)
{
    if (!seen->is_present)
        return;
    const double seconds = 1e-9 * (double)(contend_nanoseconds() - seen->began);
    present = NULL;
    if (seen->is_recorded)
        contend_add(&seen->key, seconds);
}

static bool reduces(enum contend_operation operation)
{
    return operation == CONTEND_REDUCE || operation == CONTEND_ALLREDUCE ||
           operation == CONTEND_REDUCE_SCATTER || operation == CONTEND_REDUCE_SCATTER_BLOCK;
}

/* Notes a reduction inside of the present call, beside what is recorded of the call. */
static void note_inner(enum contend_operation operation, const char *name)
{
    struct contend_key key = present->key;
    key.asked = key.ran = NULL;
    key.segment = key.fanout = -1;
    key.is_in_parts = false;
    key.inner = (int32_t)operation;
    key.inner_ran = name;
    contend_add(&key, 0.0);
}

void contend_see_algorithm(enum contend_operation operation, const char *name, MPI_Comm comm,
                           int64_t segment, int64_t fanout)
{
    if (present == NULL)
        return;
    struct contend_key *key = &present->key;
    const bool is_of_call =
        comm == present->comm && (enum contend_operation)key->operation == operation;
    if (key->is_ordered && reduces(operation) && !is_of_call)
        note_inner(operation, name);
    if (comm != present->comm) {
        key->is_in_parts = key->is_in_parts || key->asked == NULL;
        return;
    }
    if ((enum contend_operation)key->operation != operation)
        return;
    if (key->asked == NULL)
        key->asked = name;
    key->is_in_parts = false;
    key->ran = name;
    key->segment = segment;
    key->fanout = fanout;
}
