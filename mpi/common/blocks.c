/* The two buffers of a total exchange: one block of m bytes for, or from, each rank. */
#include "blocks.h"

#include <stdlib.h>

#include "pattern.h"
#include "require.h"

struct contend_blocks contend_make_blocks(const struct contend_point *point)
{
    const size_t bytes = (size_t)point->n * point->m;
    struct contend_blocks blocks = {contend_allocate(bytes, "send blocks"),
                                    contend_allocate(bytes, "receive blocks")};
    for (int other = 0; other < point->n; other++) {
        const size_t at = (size_t)other * point->m;
        contend_pattern_fill(blocks.sent + at, point->m, point->rank, other);
        contend_pattern_poison(blocks.received + at, point->m, other, point->rank);
    }
    return blocks;
}

bool contend_check_blocks(const struct contend_blocks *blocks, const struct contend_point *point,
                          char *detail, size_t size)
{
    for (int src = 0; src < point->n; src++)
        if (!contend_pattern_check(blocks->received + (size_t)src * point->m, point->m, src,
                                   point->rank, detail, size))
            return false;
    return true;
}

void contend_free_blocks(struct contend_blocks *blocks)
{
    free(blocks->sent);
    free(blocks->received);
    *blocks = (struct contend_blocks){0};
}
