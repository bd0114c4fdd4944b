/* What algorithms without routes share: each block goes from and to the user's buffers. */
#ifndef CONTEND_DIRECT_H
#define CONTEND_DIRECT_H

#include "../algorithm.h"

/* Keeps what an exchange in place would overwrite: all blocks are packed into the scratch. */
int contend_save_in_place(struct contend_task *task);

int contend_receive_block(struct contend_task *task, int peer, MPI_Request *request);

int contend_send_block(struct contend_task *task, int peer, bool is_synchronous,
                       MPI_Request *request);

/* The block of this rank for itself. */
int contend_copy_own(struct contend_task *task);

/* Bytes of the largest block that this rank sends. */
int64_t contend_largest_block(const struct contend_task *task);

/* Bytes of scratch for contend_save_in_place. */
int64_t contend_in_place_bytes(const struct contend_call *call);

#endif
