/* What the experiments of the library's own collective operations share: buffers and their check.
 */
#include "collective.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"
#include "require.h"

const char *const contend_native[] = {"native", NULL};

static enum contend_share sends(const struct contend_point *point)
{
    const struct contend_shape *shape = point->context;
    return point->rank == CONTEND_ROOT ? shape->root_sends : shape->others_send;
}

static enum contend_share receives(const struct contend_point *point)
{
    const struct contend_shape *shape = point->context;
    return point->rank == CONTEND_ROOT ? shape->root_receives : shape->others_receive;
}

static int blocks(enum contend_share share, int n)
{
    return share == CONTEND_BLOCKS ? n : share == CONTEND_BLOCK;
}

/* Whether senders have a block for each rank, which is then the one of the receiver. */
static bool is_addressed(const struct contend_shape *shape)
{
    return shape->root_sends == CONTEND_BLOCKS || shape->others_send == CONTEND_BLOCKS;
}

static int sender(const struct contend_point *point, int block)
{
    return receives(point) == CONTEND_BLOCKS ? block : CONTEND_ROOT;
}

static int receiver(const struct contend_point *point)
{
    return is_addressed(point->context) ? point->rank : 0;
}

static void find_places(struct contend_collective *data, const struct contend_point *point)
{
    if ((size_t)point->n * point->m > INT_MAX)
        contend_abort(1,
                      "%d blocks of %zu bytes: places of blocks reach to %d bytes in MPI; give "
                      "smaller sizes",
                      point->n, point->m, INT_MAX);
    data->counts = contend_allocate((size_t)point->n * sizeof(int), "counts");
    data->places = contend_allocate((size_t)point->n * sizeof(int), "places");
    for (int i = 0; i < point->n; i++) {
        data->counts[i] = data->count;
        data->places[i] = i * data->count;
    }
}

void contend_fill_collective(struct contend_point *point)
{
    const struct contend_shape *shape = point->context;
    struct contend_collective *data = contend_allocate(sizeof *data, "buffers");
    const bool is_words = shape->reduces && point->m % sizeof(uint32_t) == 0;
    data->type = is_words ? MPI_UINT32_T : MPI_BYTE;
    data->op = is_words ? MPI_SUM : MPI_BXOR;
    data->count = (int)(point->m / (is_words ? sizeof(uint32_t) : 1));
    find_places(data, point);
    data->sent = contend_allocate((size_t)blocks(sends(point), point->n) * point->m, "send blocks");
    data->received =
        contend_allocate((size_t)blocks(receives(point), point->n) * point->m, "receive blocks");
    point->state = data;
    contend_refill_collective(point);
}

void contend_refill_collective(struct contend_point *point)
{
    struct contend_collective *data = point->state;
    for (int i = 0; i < blocks(sends(point), point->n); i++)
        contend_pattern_fill(data->sent + (size_t)i * point->m, point->m, point->rank, i);
    for (int i = 0; i < blocks(receives(point), point->n); i++)
        contend_pattern_poison(data->received + (size_t)i * point->m, point->m, sender(point, i),
                               receiver(point));
}

static bool is_unharmed(const struct contend_point *point, char *detail, size_t size)
{
    const struct contend_collective *data = point->state;
    const char *const harmed = "the send buffer was changed: ";
    for (int i = 0; i < blocks(sends(point), point->n); i++) {
        char wrong[192];
        if (!contend_pattern_check(data->sent + (size_t)i * point->m, point->m, point->rank, i,
                                   wrong, sizeof wrong)) {
            snprintf(detail, size, "%s%s", harmed, wrong);
            return false;
        }
    }
    return true;
}

static void combine(unsigned char *all, const unsigned char *more,
                    const struct contend_point *point)
{
    const struct contend_collective *data = point->state;
    for (size_t i = 0; data->op == MPI_BXOR && i < point->m; i++)
        all[i] ^= more[i];
    for (size_t i = 0; data->op == MPI_SUM && i < point->m; i += sizeof(uint32_t)) {
        uint32_t one, other;
        memcpy(&one, all + i, sizeof one);
        memcpy(&other, more + i, sizeof other);
        one += other;
        memcpy(all + i, &one, sizeof one);
    }
}

static bool is_combined(const struct contend_point *point, char *detail, size_t size)
{
    const struct contend_collective *data = point->state;
    unsigned char *all = contend_allocate(point->m, "result that is expected");
    unsigned char *more = contend_allocate(point->m, "vector of a rank");
    contend_pattern_fill(all, point->m, 0, receiver(point));
    for (int src = 1; src < point->n; src++) {
        contend_pattern_fill(more, point->m, src, receiver(point));
        combine(all, more, point);
    }
    size_t at = 0;
    while (at < point->m && data->received[at] == all[at])
        at++;
    if (at < point->m)
        snprintf(detail, size, "reduction on rank %d: byte %zu of %zu is %u, expected %u",
                 point->rank, at, point->m, data->received[at], all[at]);
    free(all);
    free(more);
    return at == point->m;
}

bool contend_check_collective(struct contend_point *point, char *detail, size_t size)
{
    const struct contend_shape *shape = point->context;
    const struct contend_collective *data = point->state;
    const int count = blocks(receives(point), point->n);
    if (shape->reduces && count > 0 && !is_combined(point, detail, size))
        return false;
    for (int i = 0; !shape->reduces && i < count; i++)
        if (!contend_pattern_check(data->received + (size_t)i * point->m, point->m,
                                   sender(point, i), receiver(point), detail, size))
            return false;
    return is_unharmed(point, detail, size);
}

void contend_free_collective(struct contend_point *point)
{
    struct contend_collective *data = point->state;
    free(data->sent);
    free(data->received);
    free(data->counts);
    free(data->places);
    free(data);
}
