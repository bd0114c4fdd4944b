/* Whether the ranks of groups add up what MPI adds up, and find the greatest.
 *
 *     additions GROUPS ROUNDS
 *
 * GROUPS are the group of each rank, e.g. 0,0,1. Prints how many values differ, at any rank. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"
#include "transport/addition.h"

void contend_hold(enum contend_held kind, long change) { (void)kind, (void)change; }

enum { MOST = 64 };

static int group_of[MOST], place_of[MOST], first[MOST + 1], members[MOST];

static struct contend_partition read_groups(char *text)
{
    struct contend_partition made = {.group_of = group_of, .place_of = place_of, .first = first,
                                     .members = members};
    for (char *word = strtok(text, ","); word != NULL; word = strtok(NULL, ",")) {
        group_of[made.processes] = atoi(word);
        made.groups = made.groups > group_of[made.processes] + 1 ? made.groups
                                                                 : group_of[made.processes] + 1;
        made.processes++;
    }
    for (int group = 0, at = 0; group < made.groups; group++) {
        for (int rank = 0; rank < made.processes; rank++)
            if (group_of[rank] == group) {
                place_of[rank] = at - first[group];
                members[at++] = rank;
            }
        first[group + 1] = at;
    }
    return made;
}

int main(int argc, char **argv)
{
    int rank, ranks, differ = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct contend_state state = {.comm = MPI_COMM_WORLD, .rank = rank, .processes = ranks};
    if (argc != 3 || ranks > MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    state.partitions[0] = read_groups(argv[1]);
    if (state.partitions[0].processes != ranks)
        MPI_Abort(MPI_COMM_WORLD, 3);
    srand((unsigned)rank + 1);
    for (int round = 0; round < atoi(argv[2]); round++) {
        struct contend_addition all, of_mpi;
        for (int i = 0; i < CONTEND_SUMS; i++)
            all.sum[i] = (int64_t)rand() * rand();
        for (int i = 0; i < CONTEND_MAXIMA; i++)
            all.greatest[i] = rand() % 9 == 0 ? HUGE_VAL : (rand() - RAND_MAX / 2) * 1e-9;
        MPI_Allreduce(all.sum, of_mpi.sum, CONTEND_SUMS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(all.greatest, of_mpi.greatest, CONTEND_MAXIMA, MPI_DOUBLE, MPI_MAX,
                      MPI_COMM_WORLD);
        if (contend_add_up(&state, &all) != MPI_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 4);
        differ += memcmp(&all, &of_mpi, sizeof all) != 0;
    }
    MPI_Reduce(&differ, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
