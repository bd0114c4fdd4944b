/* A few calls of an operation and size are made by another algorithm, and what is faster serves. */
#ifndef CONTEND_TRY_H
#define CONTEND_TRY_H

#include "../collective.h"

struct contend_offer;
struct contend_tried_size;

/* A call that may be made by another algorithm. */
struct contend_tried {
    struct contend_tried_size *size; /* NULL: it may not, nor does its time count */
    const struct contend_offer
        *offer;    /* by which it is made; NULL: as the library does by itself */
    MPI_Comm comm; /* that it is made on */
    int64_t begin_ns, end_ns;
};

/* Before and after MPI_Init, and before MPI_Finalize. */
void contend_prepare_trying(void);
void contend_start_trying(void);
void contend_end_trying(void);

/* Before a communicator is freed. MPICH deletes attributes when the last operation on it is over:
 * not to come back to them from within, what ranks tell each other is completed before. */
void contend_stop_trying_on(const MPI_Comm *comm);

/* Before a call of the program: by what it is made, the same at all ranks. */
void contend_try_begin(struct contend_tried *tried, const struct contend_collective *call);

/* Right behind it, where it has a size. */
void contend_try_stop(struct contend_tried *tried);

/* The same, after all else, with what MPI returned: now and then the ranks tell each other. */
void contend_try_end(struct contend_tried *tried, int code);

#endif
