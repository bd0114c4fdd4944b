/* Connections between all ranks: MPI libraries make them with the first message of a pair. */
#include "connections.h"

#include "wait.h"

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
