/* Frames on their way, from a pool that grows with the buffers of the network. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

#include "../common/fail.h"

#define FRAMES_PER_BLOCK 512 /* 1 MB at once: growing is rare */

static void grow(struct contend_pool *pool)
{
    struct contend_frame *block =
        contend_reallocate(NULL, FRAMES_PER_BLOCK, sizeof *block, "frames");
    memset(block, 0, FRAMES_PER_BLOCK * sizeof *block); /* no page fault when a frame comes */
    pool->blocks =
        contend_reallocate(pool->blocks, pool->n_blocks + 1, sizeof *pool->blocks, "frames");
    pool->blocks[pool->n_blocks++] = block;
    for (size_t i = 0; i < FRAMES_PER_BLOCK; i++)
        contend_release_frame(pool, &block[i]);
}

struct contend_frame *contend_take_frame(struct contend_pool *pool)
{
    if (pool->free == NULL)
        grow(pool);
    struct contend_frame *frame = pool->free;
    pool->free = frame->next;
    return frame;
}

void contend_release_frame(struct contend_pool *pool, struct contend_frame *frame)
{
    frame->next = pool->free;
    pool->free = frame;
}

void contend_free_pool(struct contend_pool *pool)
{
    for (size_t i = 0; i < pool->n_blocks; i++)
        free(pool->blocks[i]);
    free(pool->blocks);
    *pool = (struct contend_pool){0};
}
