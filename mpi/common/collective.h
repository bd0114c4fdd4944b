/* What the experiments of the library's own collective operations share: buffers and their check.
 *
 * Idea: an operation is told by what a rank sends and what it receives, at the root and elsewhere:
 * nothing, a block of m bytes, or a block for or from each rank. Buffers, contents and checks
 * follow from that alone, so that an experiment says that and makes its call. Blocks of a rank that
 * has one for all are called by rank 0. Reductions are MPI_SUM of MPI_UINT32_T where m is a
 * multiple of its size, and MPI_BXOR of MPI_BYTE elsewhere: both are exact in any order.
 */
#ifndef CONTEND_COLLECTIVE_H
#define CONTEND_COLLECTIVE_H

#include "experiment.h"

#define CONTEND_ROOT 0

enum contend_share { CONTEND_NOTHING, CONTEND_BLOCK, CONTEND_BLOCKS };

struct contend_shape {
    enum contend_share root_sends, others_send;
    enum contend_share root_receives, others_receive;
    bool reduces; /* what is received is combined from all ranks */
};

/* The state of a point. */
struct contend_collective {
    unsigned char *sent;     /* [n][m] by destination, [m], or [0] */
    unsigned char *received; /* [n][m] by source, [m], or [0] */
    MPI_Datatype type;
    MPI_Op op;   /* of a reduction */
    int count;   /* of type in a block */
    int *counts; /* [n], each `count` */
    int *places; /* [n], of the blocks one behind the other, in units of type */
};

extern const char *const contend_native[];

/* Of a contend_experiment whose context is a contend_shape. */
void contend_fill_collective(struct contend_point *point);
void contend_refill_collective(struct contend_point *point);
/* Also that the send buffer still is what it was. */
bool contend_check_collective(struct contend_point *point, char *detail, size_t size);
void contend_free_collective(struct contend_point *point);

/* The fields of a contend_experiment that only depend on the shape. */
#define CONTEND_OF_SHAPE(shape)                                                                    \
    .algorithms = contend_native, .processes_min = 2, .setup = contend_fill_collective,            \
    .check = contend_check_collective, .teardown = contend_free_collective,                        \
    .refill = contend_refill_collective, .context = (shape)

#endif
