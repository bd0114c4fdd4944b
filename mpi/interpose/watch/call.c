/* The collective call of the program that this thread is in, and what is seen of it.
 *
 * Idea: between begin and end of a call, the functions of algorithms say that they were called. The
 * first on the call's own communicator is what the library chose. One of the same operation on the
 * same communicator behind it is what that one handed the call on to, because the first does not
 * serve the number of processes or the size. Functions on other communicators alone mean that the
 * call was put together from parts.
 *
 * What is watched adds up by powers of two of the size and by the algorithm that ran; what is
 * verified by all that was seen. There, where the operation of a reduction does not commute,
 * reductions inside the call are noted too: MPI_Reduce_scatter may reduce to one rank, by the
 * algorithm that a rule for MPI_Reduce names. So is what runs inside calls between two groups,
 * which are not in the ledger themselves. */
#include "call.h"

#include "../modes.h"
#include "../ticks.h"
#include "job.h"
#include "members.h"

static __thread struct contend_watched *present __attribute__((tls_model("initial-exec")));

/* Whether the operands of a reduction have to be combined in the order of the ranks. */
static bool keeps_order(MPI_Op op)
{
    int commutes = 1;
    return op != MPI_OP_NULL && PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && !commutes;
}

/* Rows are of what has a block of some bytes; others are counted. */
static bool has_rows(enum contend_operation operation)
{
    return operation < CONTEND_NEIGHBOR_ALLGATHER;
}

/* Those that rules are for. */
static bool is_verified(enum contend_operation operation) { return operation <= CONTEND_BARRIER; }

/* Whether the call goes into a ledger; others are counted. */
static bool is_noted(const struct contend_members *members, const struct contend_collective *of,
                     bool is_ordered)
{
    const bool is_verifying = contend_verified_calls != NULL;
    if (!has_rows(of->operation)) {
        contend_count_other(of->operation, CONTEND_OF_NEIGHBOURS);
        return false;
    }
    if (members->kind == CONTEND_BETWEEN) {
        contend_count_other(of->operation, CONTEND_BETWEEN_GROUPS);
        return is_verifying && is_ordered && members->n > 1;
    }
    if (members->kind == CONTEND_ABROAD) {
        contend_count_other(of->operation, CONTEND_OF_SEVERAL_WORLDS);
        return is_verifying;
    }
    return true;
}

void contend_watch_begin(struct contend_watched *call, const struct contend_collective *of)
{
    call->is_present = false;
    struct contend_members *members = contend_members_of(of->comm);
    if (members == NULL || (members->n < 2 && members->kind != CONTEND_BETWEEN))
        return;
    const bool is_ordered = contend_verified_calls != NULL && keeps_order(of->op);
    if (!is_noted(members, of, is_ordered))
        return;
    /* Field by field: to clear all of it first would take a tenth of the time of a call. */
    call->key.m = contend_block_bytes(of);
    call->key.n = members->n;
    call->key.operation = (uint8_t)of->operation;
    call->key.is_ordered = is_ordered;
    call->key.is_in_parts = false;
    call->key.asked = call->key.ran = call->key.inner_ran = NULL;
    call->key.inner = 0;
    call->key.segment = call->key.fanout = -1;
    call->served = NULL;
    call->members = members;
    call->comm = of->comm;
    call->ordinal = members->calls++;
    call->is_present = true;
    present = call;
    call->begin = contend_ticks();
}

/* The power of two that is not smaller; 0 of none. */
static int64_t size_class(int64_t m)
{
    return m <= 1 ? m : (int64_t)(1ULL << (64 - __builtin_clzll((unsigned long long)m - 1)));
}

static struct contend_row *find_row(const struct contend_watched *call, const char *ran)
{
    const struct contend_key key = {.m = size_class(call->key.m),
                                    .ran = ran,
                                    .n = call->key.n,
                                    .nodes = call->members->nodes,
                                    .ppn = call->members->ppn,
                                    .operation = call->key.operation};
    return contend_row_of(contend_watched_calls, &key);
}

/* The row of the last call that was alike, on the same communicator, is found without a search. */
static void add_watched(const struct contend_watched *call, int64_t end)
{
    struct contend_ledger *ledger = contend_watched_calls;
    struct contend_members *members = call->members;
    const struct contend_key *seen = &call->key;
    struct contend_last *last = &members->last[seen->operation % CONTEND_LAST];
    const char *ran = call->served != NULL ? call->served : seen->ran;
    if (last->row == NULL || last->m != seen->m || last->ran != ran ||
        last->operation != seen->operation)
        *last = (struct contend_last){
            .m = seen->m, .ran = ran, .row = find_row(call, ran), .operation = seen->operation};
    struct contend_row *row = last->row;
    if (row == NULL) {
        ledger->not_kept++;
        return;
    }
    const int64_t ns = contend_ticks_to_ns(end - call->begin);
    contend_add(ledger, row, ns, seen->m);
    if (members->id != 0 && contend_is_drawn(members->id, call->ordinal, row->thinned)) {
        const int64_t instant = contend_ticks_instant(end);
        contend_keep_sample(ledger, row,
                            &(struct contend_sample){.comm = members->id,
                                                     .begin = instant - ns,
                                                     .end = instant,
                                                     .m = seen->m,
                                                     .ordinal = call->ordinal,
                                                     .origin = members->origin});
    }
}

/* Where the processes are does not count. */
static void add_verified(struct contend_key *key, int64_t ns)
{
    if (!is_verified(key->operation))
        return;
    key->nodes = key->ppn = 0;
    struct contend_row *row = contend_row_of(contend_verified_calls, key);
    if (row != NULL)
        contend_add(contend_verified_calls, row, ns, 0);
    else
        contend_verified_calls->not_kept++;
}

void contend_watch_end(struct contend_watched *call)
{
    if (!call->is_present)
        return;
    const int64_t end = contend_ticks();
    present = NULL;
    if (call->members->kind == CONTEND_BETWEEN)
        return;
    contend_enter_ledgers();
    if (contend_watched_calls != NULL && call->members->kind == CONTEND_WITHIN)
        add_watched(call, end);
    if (contend_verified_calls != NULL)
        add_verified(&call->key, contend_ticks_to_ns(end - call->begin));
    contend_leave_ledgers();
    if (end >= atomic_load_explicit(&contend_line_due, memory_order_relaxed))
        contend_write_own_line(NULL);
}

void contend_watch_served(const char *algorithm)
{
    if (present != NULL)
        present->served = algorithm;
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
    key.inner = (uint8_t)operation;
    key.inner_ran = name;
    contend_enter_ledgers();
    add_verified(&key, 0);
    contend_leave_ledgers();
}

void contend_see_algorithm(enum contend_operation operation, const char *name, MPI_Comm comm,
                           int64_t segment, int64_t fanout)
{
    if (present == NULL)
        return;
    struct contend_key *key = &present->key;
    const bool is_of_call = comm == present->comm && key->operation == operation;
    if (key->is_ordered && reduces(operation) && !is_of_call)
        note_inner(operation, name);
    if (comm != present->comm) {
        key->is_in_parts = key->is_in_parts || key->asked == NULL;
        return;
    }
    if (key->operation != operation)
        return;
    if (key->asked == NULL)
        key->asked = name;
    key->is_in_parts = false;
    key->ran = name;
    key->segment = segment;
    key->fanout = fanout;
}
