/* Pieces of blocks between the user's buffers and the messages of a chunk. */
#ifndef CONTEND_PIECES_H
#define CONTEND_PIECES_H

#include "algorithm.h"

/* Before any piece: packs whole blocks where pieces cannot be taken from the user's buffer, be it
 * that data there are not plain bytes or that the call is in place. */
int contend_begin_pieces(struct contend_task *task);

/* The piece of a block that this rank sends, into its place in scratch. */
int contend_take_piece(struct contend_task *task, const struct contend_leg *leg, size_t index);

/* The piece of a block for this rank, out of its place in scratch. */
int contend_put_piece(struct contend_task *task, const struct contend_leg *leg, size_t index);

/* After all pieces: unpacks whole blocks where pieces could not be put. */
int contend_end_pieces(struct contend_task *task);

#endif
