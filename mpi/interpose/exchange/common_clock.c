/* How the clocks of ranks differ.
 *
 * Source: Hunold, Carpen-Amarie 2018, "Hierarchical clock synchronization in MPI", IEEE CLUSTER.
 * Idea: the first ranks of the groups form a binomial tree, as do those of each group. Each asks
 * the one above it what the common clock shows, which is that of the first; the fastest of a few
 * answers counts, and half of the time that it took. So few messages cross slow links, and only
 * offsets are needed, as what is timed is over soon. */
#include "common_clock.h"

#include <math.h>

#include "wait.h"

#define EXCHANGES 2
#define FIRST_RANKS (-1)

static int ask(struct contend_state *state, int other)
{
    double least = HUGE_VAL;
    int code = MPI_SUCCESS;
    for (int i = 0; i < EXCHANGES && code == MPI_SUCCESS; i++) {
        double there = 0;
        const double sent = PMPI_Wtime();
        code = PMPI_Send(NULL, 0, MPI_DOUBLE, other, CONTEND_CLOCK, state->comm);
        if (code == MPI_SUCCESS)
            code = PMPI_Recv(&there, 1, MPI_DOUBLE, other, CONTEND_CLOCK, state->comm,
                             MPI_STATUS_IGNORE);
        const double back = PMPI_Wtime();
        if (back - sent < least) {
            least = back - sent;
            state->offset_s = there - (sent + back) / 2;
        }
    }
    return code;
}

static int answer(const struct contend_state *state, int other)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < EXCHANGES && code == MPI_SUCCESS; i++) {
        code = PMPI_Recv(NULL, 0, MPI_DOUBLE, other, CONTEND_CLOCK, state->comm, MPI_STATUS_IGNORE);
        const double now = PMPI_Wtime() + state->offset_s;
        if (code == MPI_SUCCESS)
            code = PMPI_Send(&now, 1, MPI_DOUBLE, other, CONTEND_CLOCK, state->comm);
    }
    return code;
}

/* The ranks of a group, or the first ones of all groups. */
struct tree {
    const struct contend_partition *groups;
    int group; /* FIRST_RANKS: those of all */
};

static int rank_at(const struct tree *tree, int place)
{
    const struct contend_partition *groups = tree->groups;
    return tree->group == FIRST_RANKS ? groups->members[groups->first[place]]
                                      : groups->members[groups->first[tree->group] + place];
}

/* Asks the rank above, whose place lacks the lowest bit of the own one, then answers those below,
 * the farthest first. */
static int walk(struct contend_state *state, const struct tree *tree, int place, int count)
{
    int span = 1, code = MPI_SUCCESS;
    if (place > 0)
        code = ask(state, rank_at(tree, place & (place - 1)));
    while (span < count && (place & span) == 0)
        span *= 2;
    for (span /= 2; span > 0 && code == MPI_SUCCESS; span /= 2)
        if (place + span < count)
            code = answer(state, rank_at(tree, place + span));
    return code;
}

int contend_synchronise(struct contend_state *state)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    const int group = groups->group_of[state->rank], place = groups->place_of[state->rank];
    int code = MPI_SUCCESS;
    state->offset_s = 0;
    if (place == 0)
        code = walk(state, &(struct tree){groups, FIRST_RANKS}, group, groups->groups);
    if (code == MPI_SUCCESS)
        code = walk(state, &(struct tree){groups, group}, place, contend_group_size(groups, group));
    return code;
}
