/* What ranks do together before anything is timed.
 *
 * The first ranks of the groups compare their clocks, then those of each group: so few messages
 * cross slow links. Only offsets are needed, as what is timed is over soon. */
#include "meeting.h"

#include "../../offsets.h"
#include "requests.h"

enum { EXCHANGES = 2 };

int contend_synchronise(struct contend_state *state)
{
    const struct contend_partition *groups = &state->partitions[state->level];
    const int group = groups->group_of[state->rank], place = groups->place_of[state->rank];
    struct contend_clock_offset own = {0};
    int code = MPI_SUCCESS;
    for (int i = 0; i < groups->groups; i++)
        state->far_peers[i] = groups->members[groups->first[i]];
    if (place == 0)
        code = contend_find_offset(state->comm,
                                   (struct contend_tree){state->far_peers, group, groups->groups},
                                   EXCHANGES, &own);
    if (code == MPI_SUCCESS)
        code = contend_find_offset(state->comm,
                                   (struct contend_tree){groups->members + groups->first[group],
                                                         place, contend_group_size(groups, group)},
                                   EXCHANGES, &own);
    state->offset_s = 1e-9 * (double)own.offset;
    return code;
}

/* MPI libraries connect two ranks at their first message. */
int contend_connect(struct contend_state *state)
{
    const int others = state->processes - 1;
    MPI_Request *receiving = state->requests, *sending = receiving + others;
    int code = MPI_SUCCESS;
    for (int i = 0; i < 2 * others; i++)
        receiving[i] = MPI_REQUEST_NULL;
    for (int i = 1; i <= others && code == MPI_SUCCESS; i++)
        code = contend_begin_receive(NULL, 0, MPI_BYTE, (state->rank + i) % state->processes,
                                     CONTEND_HELLO, state->comm, &receiving[i - 1]);
    for (int i = 1; i <= others && code == MPI_SUCCESS; i++)
        code = contend_begin_send(NULL, 0, MPI_BYTE,
                                  (state->rank + state->processes - i) % state->processes,
                                  CONTEND_HELLO, false, state->comm, &sending[i - 1]);
    return code == MPI_SUCCESS ? contend_wait_all(2 * others, receiving) : code;
}
