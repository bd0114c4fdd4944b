/* The beginning and the end of a trace. */
#ifndef CONTEND_RECORD_START_H
#define CONTEND_RECORD_START_H

#include <stdint.h>

/* After MPI_Init, which began at `start`, in ns; all ranks together. */
void contend_record_begin(int64_t start);

/* Before MPI_Finalize, all ranks together, and after it. */
void contend_record_ending(void);
void contend_record_end(int64_t start);

/* Before MPI_Abort. */
void contend_record_abort(void);

/* Leaves the name of the library that the program uses, which has the function, for who started
 * it: nothing is recorded. */
void contend_note_other_library(const void *function);

#endif
