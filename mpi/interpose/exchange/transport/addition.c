/* What all ranks of a communicator have together, by one way over a slow link.
 *
 * MPI libraries add along a tree that knows no links, and may pass a slow one in each of its steps.
 * Here the ranks of a group add up by halves, the first of each group tell each other, and what
 * comes out goes back the same way. With many groups it is MPI's own reductions. */
#include "addition.h"

#include <math.h>
#include <string.h>

#include "requests.h"

enum { MOST_GROUPS = 8, BYTES = sizeof(struct contend_addition) };

static void add(struct contend_addition *all, const struct contend_addition *more)
{
    for (int i = 0; i < CONTEND_SUMS; i++)
        all->sum[i] += more->sum[i];
    for (int i = 0; i < CONTEND_MAXIMA; i++)
        all->greatest[i] = fmax(all->greatest[i], more->greatest[i]);
}

/* Among the first ranks of all groups. */
static int add_groups(const struct contend_state *state, struct contend_addition *all)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    const struct contend_addition own = *all;
    struct contend_addition others[MOST_GROUPS];
    MPI_Request requests[2 * MOST_GROUPS], *next = requests;
    int code = MPI_SUCCESS;
    for (int group = 0; group < groups->groups && code == MPI_SUCCESS; group++) {
        const int peer = groups->members[groups->first[group]];
        if (peer == state->rank)
            continue;
        code = contend_begin_receive(&others[group], BYTES, MPI_BYTE, peer, CONTEND_ADDITION,
                                     state->comm, next++);
        if (code == MPI_SUCCESS)
            code = contend_begin_send(&own, BYTES, MPI_BYTE, peer, CONTEND_ADDITION, false,
                                      state->comm, next++);
    }
    if (code == MPI_SUCCESS)
        code = contend_wait_all((int)(next - requests), requests);
    for (int group = 0; group < groups->groups && code == MPI_SUCCESS; group++)
        if (groups->members[groups->first[group]] != state->rank)
            add(all, &others[group]);
    return code;
}

static int send(const struct contend_state *state, const struct contend_addition *all, int peer)
{
    return PMPI_Send(all, BYTES, MPI_BYTE, peer, CONTEND_ADDITION, state->comm);
}

static int receive(const struct contend_state *state, struct contend_addition *all, int peer)
{
    return PMPI_Recv(all, BYTES, MPI_BYTE, peer, CONTEND_ADDITION, state->comm, MPI_STATUS_IGNORE);
}

static int add_by_mpi(const struct contend_state *state, struct contend_addition *all)
{
    const int code =
        PMPI_Allreduce(MPI_IN_PLACE, all->sum, CONTEND_SUMS, MPI_INT64_T, MPI_SUM, state->comm);
    return code != MPI_SUCCESS ? code
                               : PMPI_Allreduce(MPI_IN_PLACE, all->greatest, CONTEND_MAXIMA,
                                                MPI_DOUBLE, MPI_MAX, state->comm);
}

/* Whether ranks are in groups that are few enough to tell each other. */
static bool is_along_groups(const struct contend_state *state)
{
    return state->level != CONTEND_NODE && state->partitions[state->level].groups <= MOST_GROUPS;
}

int contend_add_up(const struct contend_state *state, struct contend_addition *all)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    if (!is_along_groups(state))
        return add_by_mpi(state, all);
    const int group = groups->group_of[state->rank], place = groups->place_of[state->rank];
    const int *members = groups->members + groups->first[group];
    const int size = contend_group_size(groups, group);
    struct contend_addition more;
    int code = MPI_SUCCESS, step = 1;
    for (; step < size && place % (2 * step) == 0 && code == MPI_SUCCESS; step *= 2) {
        if (place + step >= size)
            continue;
        code = receive(state, &more, members[place + step]);
        if (code == MPI_SUCCESS)
            add(all, &more);
    }
    if (code == MPI_SUCCESS && place == 0)
        code = add_groups(state, all);
    else if (code == MPI_SUCCESS)
        code = send(state, all, members[place - step]);
    if (code == MPI_SUCCESS && place > 0)
        code = receive(state, all, members[place - step]);
    while ((step /= 2) > 0 && code == MPI_SUCCESS)
        if (place + step < size)
            code = send(state, all, members[place + step]);
    return code;
}

void contend_find_greatest(const struct contend_state *state, int count, double *values)
{
    int code;
    if (is_along_groups(state)) {
        struct contend_addition all = {.sum = {0}};
        memcpy(all.greatest, values, (size_t)count * sizeof *values);
        code = contend_add_up(state, &all);
        memcpy(values, all.greatest, (size_t)count * sizeof *values);
    } else {
        code = PMPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, state->comm);
    }
    for (int i = 0; code != MPI_SUCCESS && i < count; i++)
        values[i] = HUGE_VAL;
}

bool contend_all_agree(const struct contend_state *state, bool mine)
{
    double is_against = !mine;
    contend_find_greatest(state, 1, &is_against);
    return is_against <= 0;
}

/* One element is one addition: an operation of MPI may get any part of what is reduced. */
static void combine(void *more, void *all, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        add((struct contend_addition *)all + i, (const struct contend_addition *)more + i);
}

struct contend_adder contend_make_adder(void)
{
    struct contend_adder made = {MPI_DATATYPE_NULL, MPI_OP_NULL};
    if (PMPI_Type_contiguous(BYTES, MPI_BYTE, &made.type) != MPI_SUCCESS ||
        PMPI_Type_commit(&made.type) != MPI_SUCCESS ||
        PMPI_Op_create(combine, 1, &made.operation) != MPI_SUCCESS)
        contend_free_adder(&made);
    return made;
}

void contend_free_adder(struct contend_adder *adder)
{
    if (adder->type != MPI_DATATYPE_NULL)
        PMPI_Type_free(&adder->type);
    if (adder->operation != MPI_OP_NULL)
        PMPI_Op_free(&adder->operation);
    *adder = (struct contend_adder){MPI_DATATYPE_NULL, MPI_OP_NULL};
}

MPI_Request contend_begin_adding(const struct contend_state *state,
                                 const struct contend_adder *adder,
                                 const struct contend_addition *own, struct contend_addition *all)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (adder->operation == MPI_OP_NULL ||
        PMPI_Iallreduce(own, all, 1, adder->type, adder->operation, state->comm, &request) !=
            MPI_SUCCESS)
        return MPI_REQUEST_NULL;
    return request;
}
