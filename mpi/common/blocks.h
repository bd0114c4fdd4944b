/* The two buffers of a total exchange: one block of m bytes for, or from, each rank. */
#ifndef CONTEND_BLOCKS_H
#define CONTEND_BLOCKS_H

#include "experiment.h"

struct contend_blocks {
    unsigned char *sent;     /* [n][m], by destination */
    unsigned char *received; /* [n][m], by source */
};

/* Allocated, filled and poisoned. */
struct contend_blocks contend_make_blocks(const struct contend_point *point);

bool contend_check_blocks(const struct contend_blocks *blocks, const struct contend_point *point,
                          char *detail, size_t size);

void contend_free_blocks(struct contend_blocks *blocks);

#endif
