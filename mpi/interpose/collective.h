/* A collective call as the program made it, and how a mode gets to see it.
 *
 * A mode that sees collective calls (1) has a bit in modes.h and a variable in modes.c, (2) keeps
 * what it has to know of a call from its begin to its end in struct contend_frame, (3) defines
 * contend_<mode>_begin(struct ... *in_frame, const struct contend_collective *call) and
 * contend_<mode>_end(the same), (4) has one line for each in collective.c. One that may serve calls
 * has a line in contend_collective_is_served, which is asked for calls of the program alone. */
#ifndef CONTEND_COLLECTIVE_H
#define CONTEND_COLLECTIVE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum __attribute__((packed)) contend_operation {
#define OPERATION(operation, name) CONTEND_##operation,
#include "operations.def"
#undef OPERATION
    CONTEND_OPERATIONS
};

/* "alltoall" */
extern const char *const contend_operation_names[CONTEND_OPERATIONS];

/* Data as a call describes it: one count, or one for each rank, of one type or of several. */
struct contend_data {
    void *buffer;
    MPI_Count count;
    const void *counts;        /* NULL: there is one */
    const void *places;        /* displacements; int where counts are int, else MPI_Aint */
    const MPI_Datatype *types; /* NULL: there is one */
    MPI_Datatype type;
    uint8_t width; /* bytes of a count */
};

/* Which arguments of a collective are read by whom. */
enum __attribute__((packed)) contend_shape {
    CONTEND_TO_ALL,          /* both sides everywhere */
    CONTEND_TO_ROOT,         /* sent everywhere, received at the root */
    CONTEND_FROM_ROOT,       /* sent at the root, received everywhere */
    CONTEND_ALIKE,           /* one vector, the same everywhere */
    CONTEND_TO_ROOT_ALIKE,   /* the same, with a root */
    CONTEND_FROM_ROOT_ALIKE, /* the same */
    CONTEND_OF_OWN_GROUP     /* one count for each rank of the own group */
};

struct contend_collective {
    struct contend_data sent, received;
    MPI_Comm comm;
    MPI_Op op; /* MPI_OP_NULL where nothing is reduced */
    int root;
    enum contend_operation operation;
    enum contend_shape shape;
    bool is_in_place;
};

struct contend_frame;

/* Before the call; `kind` is that of its record. */
void contend_collective_begin(struct contend_frame *frame, const struct contend_collective *call,
                              int kind);

/* Whether a mode has done the call in place of MPI, with the code that it returns; only where it is
 * of the program, not of a tool that calls PMPI_. */
bool contend_collective_is_served(struct contend_frame *frame,
                                  const struct contend_collective *call, bool is_of_program,
                                  int *code);

/* The communicator on which the call is made where none has. */
MPI_Comm contend_collective_comm(const struct contend_frame *frame, MPI_Comm comm);

/* After the call. */
void contend_collective_end(struct contend_frame *frame, const struct contend_collective *call,
                            int code);

/* Bytes of all that is described by one count; 0 for what MPI would refuse. */
int64_t contend_bytes(const struct contend_data *data);

/* The data of one rank, where there is a count for each. */
struct contend_data contend_data_of(const struct contend_data *data, int rank);

/* Bytes of a block of one rank, of the whole vector where that is not divided; of blocks that
 * differ their mean, where a rank knows it, and else its own. */
int64_t contend_block_bytes(const struct contend_collective *call);

#endif
