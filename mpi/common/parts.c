/* Ends of the parts of a repetition: kept by each rank, on rank 0 after each batch. */
#include "parts.h"

#include <stdlib.h>

#include "require.h"

void contend_reserve_parts(struct contend_parts *parts, const struct contend_experiment *experiment,
                           const struct contend_point *point, size_t batch, size_t repetitions)
{
    if (experiment->n_parts == NULL)
        return;
    parts->count = experiment->n_parts(point);
    const size_t row = parts->count * sizeof(double);
    parts->own = contend_reallocate(parts->own, batch * row, "ends of a batch");
    if (point->rank == 0)
        parts->ends = contend_reallocate(parts->ends, repetitions * row, "ends");
}

void contend_note_parts(struct contend_parts *parts, const struct contend_experiment *experiment,
                        const struct contend_point *point, size_t at, double begin)
{
    if (parts->count == 0)
        return;
    const double *ends = experiment->part_ends(point);
    for (size_t i = 0; i < parts->count; i++)
        parts->own[at * parts->count + i] = ends[i] > 0.0 ? ends[i] - begin : 0.0;
}

void contend_gather_parts(struct contend_parts *parts, const struct contend_point *point,
                          size_t done, size_t before)
{
    if (parts->count == 0)
        return;
    double *ends = point->rank == 0 ? parts->ends + before * parts->count : NULL;
    REQUIRE_MPI(MPI_Reduce(parts->own, ends, (int)(done * parts->count), MPI_DOUBLE, MPI_MAX, 0,
                           point->comm));
}

void contend_free_parts(struct contend_parts *parts)
{
    free(parts->own);
    free(parts->ends);
    *parts = (struct contend_parts){0};
}
