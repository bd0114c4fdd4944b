/* The table of handles against a plain list: additions, and takings in the order of additions. */
#include "../../mpi/interpose/record/handles.c"

#include <stdio.h>

enum { MOST = 4000, STEPS = 200000 };

static struct {
    uint64_t handle;
    uint32_t id;
} plain[MOST];
static int count;
static uint64_t state = 88172645463325252u;

static uint64_t next(void) /* xorshift64, Marsaglia 2003 */
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int place_in_list(uint64_t handle)
{
    for (int i = 0; i < count; i++)
        if (plain[i].handle == handle)
            return i;
    return -1;
}

int main(void)
{
    struct contend_handles handles = {0};
    for (uint32_t step = 1; step <= STEPS; step++) {
        const int grows = step / (STEPS / 4) % 2 == 0;
        const uint64_t handle = (next() % 900) << (next() % 2 ? 0 : 20);
        if (next() % 10 < (grows ? 6 : 4) && count < MOST) {
            if (!contend_handles_add(&handles, handle, (struct contend_known){.id = step}))
                return 1;
            plain[count].handle = handle;
            plain[count++].id = step;
            continue;
        }
        struct contend_known known;
        const int at = place_in_list(handle);
        const struct contend_known *seen = contend_handles_find(&handles, handle);
        if ((seen != NULL) != (at >= 0) || (seen != NULL && seen->id != plain[at].id))
            return 2;
        if (contend_handles_take(&handles, handle, &known) != (at >= 0))
            return 3;
        if (at < 0)
            continue;
        if (known.id != plain[at].id)
            return 4;
        memmove(&plain[at], &plain[at + 1], (size_t)(--count - at) * sizeof plain[0]);
    }
    contend_handles_clear(&handles);
    puts("right");
    return 0;
}
