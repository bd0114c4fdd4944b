/* Runs a compiled schedule: mpiexec -n N execute FILE --sizes M[,M...] [as every experiment].
 *
 * Source: as GOAL's executor: Hoefler, Siebert, Lumsdaine, ICPP 2009.
 * Idea: all is decided before (contend.schedules.program): each rank walks a list of instructions
 * that begin an operation, wait for one, or combine what came. Blocks that are not neighbours go as
 * one message by a derived type.
 * Timed: the walk, own-block copies included, until the last rank is done.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "driver.h"
#include "program.h"
#include "require.h"

#define EXIT_ARGUMENTS 2

struct source {
    const char *path;
    struct contend_header header;
};

/* A slot, ready to be used. */
struct ready {
    unsigned char *data; /* of the message; the whole memory where the type names places */
    int count;
    MPI_Datatype type;
    const struct contend_extent *extents;
};

struct execution {
    struct contend_program program;
    unsigned char *memory;
    struct ready *ready;   /* [n_slots] */
    MPI_Request *requests; /* [n_slots] */
};

static MPI_Datatype make_type(const struct contend_slot *slot, const struct contend_extent *extents)
{
    const int count = (int)slot->extents;
    int *lengths = contend_allocate((size_t)count * sizeof *lengths, "block lengths");
    MPI_Aint *places = contend_allocate((size_t)count * sizeof *places, "block places");
    for (int i = 0; i < count; i++) {
        lengths[i] = (int)extents[i].bytes;
        places[i] = (MPI_Aint)(slot->kind == CONTEND_SEND ? extents[i].from : extents[i].to);
    }
    MPI_Datatype type;
    REQUIRE_MPI(MPI_Type_create_hindexed(count, lengths, places, MPI_BYTE, &type));
    REQUIRE_MPI(MPI_Type_commit(&type));
    free(lengths);
    free(places);
    return type;
}

static struct ready make_ready(const struct contend_slot *slot,
                               const struct contend_extent *extents, unsigned char *memory)
{
    struct ready ready = {memory, (int)slot->bytes, MPI_BYTE, extents};
    if (slot->kind == CONTEND_REDUCE)
        ready.data = memory + slot->scratch;
    else if (slot->kind != CONTEND_COPY && slot->extents == 1)
        ready.data = memory + (slot->kind == CONTEND_SEND ? extents->from : extents->to);
    else if (slot->kind != CONTEND_COPY && slot->extents > 1) {
        ready.count = 1;
        ready.type = make_type(slot, extents);
    }
    return ready;
}

static void refill(struct contend_point *point)
{
    const struct source *source = point->context;
    const struct execution *execution = point->state;
    contend_fill_content(&execution->program, execution->memory, point->rank,
                         source->header.reduces != 0);
}

static void setup(struct contend_point *point)
{
    const struct source *source = point->context;
    struct execution *execution = contend_allocate(sizeof *execution, "execution");
    struct contend_program *program = &execution->program;
    char error[512] = "";
    if (!contend_read_program(source->path, &source->header, point->m, point->rank, program, error,
                              sizeof error))
        contend_abort(EXIT_ARGUMENTS, "rank %d: %s", point->rank, error);
    const size_t bytes =
        (size_t)(program->input_bytes + program->output_bytes + program->scratch_bytes);
    const size_t n = (size_t)program->n_slots;
    execution->memory = contend_allocate(bytes, "blocks");
    execution->ready = contend_allocate(n * sizeof *execution->ready, "slots");
    execution->requests = contend_allocate(n * sizeof *execution->requests, "requests");
    const struct contend_extent *extents = program->extents;
    for (size_t i = 0; i < n; i++) {
        execution->ready[i] = make_ready(program->slots + i, extents, execution->memory);
        execution->requests[i] = MPI_REQUEST_NULL;
        extents += program->slots[i].extents;
    }
    point->state = execution;
    refill(point);
}

static void begin(const struct execution *execution, int64_t i, MPI_Comm comm)
{
    const struct contend_slot *slot = execution->program.slots + i;
    const struct ready *ready = execution->ready + i;
    if (slot->kind == CONTEND_SEND)
        REQUIRE_MPI(MPI_Isend(ready->data, ready->count, ready->type, (int)slot->peer,
                              (int)slot->tag, comm, execution->requests + i));
    else if (slot->kind != CONTEND_COPY)
        REQUIRE_MPI(MPI_Irecv(ready->data, ready->count, ready->type, (int)slot->peer,
                              (int)slot->tag, comm, execution->requests + i));
    else
        for (int64_t j = 0; j < slot->extents; j++) /* places that overlap are no error */
            memmove(execution->memory + ready->extents[j].to,
                    execution->memory + ready->extents[j].from, (size_t)ready->extents[j].bytes);
}

/* to[i] = a[i] + b[i] modulo 256; to may be a. */
static void add(unsigned char *to, const unsigned char *a, const unsigned char *b, size_t n)
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu; /* eight bytes at once, their highest bits apart */
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        x = ((x & low) + (y & low)) ^ ((x ^ y) & ~low);
        memcpy(to + i, &x, 8);
    }
    for (; i < n; i++)
        to[i] = (unsigned char)(a[i] + b[i]);
}

static void combine(const struct execution *execution, int64_t i)
{
    const struct ready *ready = execution->ready + i;
    const unsigned char *came = ready->data;
    for (int64_t j = 0; j < execution->program.slots[i].extents; j++) {
        const struct contend_extent *extent = ready->extents + j;
        add(execution->memory + extent->to, execution->memory + extent->from, came,
            (size_t)extent->bytes);
        came += extent->bytes;
    }
}

static double run(struct contend_point *point)
{
    const struct execution *execution = point->state;
    const struct contend_program *program = &execution->program;
    const struct contend_instruction *one = program->instructions;
    for (const struct contend_instruction *end = one + program->n_instructions; one < end; one++) {
        if (one->what == CONTEND_BEGIN)
            begin(execution, one->slot, point->comm);
        else if (one->what == CONTEND_WAIT)
            REQUIRE_MPI(MPI_Wait(execution->requests + one->slot, MPI_STATUS_IGNORE));
        else if (one->what == CONTEND_COMBINE)
            combine(execution, one->slot);
        else
            REQUIRE_MPI(
                MPI_Waitall((int)program->n_slots, execution->requests, MPI_STATUSES_IGNORE));
    }
    return 0.0;
}

static bool check(struct contend_point *point, char *detail, size_t size)
{
    const struct source *source = point->context;
    const struct execution *execution = point->state;
    return contend_check_content(&execution->program, execution->memory, point->n,
                                 source->header.reduces != 0, detail, size);
}

static void teardown(struct contend_point *point)
{
    struct execution *execution = point->state;
    for (int64_t i = 0; i < execution->program.n_slots; i++)
        if (execution->ready[i].type != MPI_BYTE)
            REQUIRE_MPI(MPI_Type_free(&execution->ready[i].type));
    contend_free_program(&execution->program);
    free(execution->memory);
    free(execution->ready);
    free(execution->requests);
    free(execution);
}

static void parameters(const struct contend_point *point, char *json, size_t size)
{
    const struct source *source = point->context;
    snprintf(json, size, "%s", source->header.parameters);
}

int main(int argc, char **argv)
{
    struct source source = {.path = argc > 1 ? argv[1] : ""};
    char error[512] = "";
    if (!contend_read_header(source.path, &source.header, error, sizeof error)) {
        fprintf(stderr, "contend: execute: %s\n", argc > 1 ? error : "give a compiled schedule");
        return EXIT_ARGUMENTS;
    }
    const char *const algorithms[] = {source.header.algorithm, NULL};
    const struct contend_experiment experiment = {
        .name = source.header.collective,
        .algorithms = algorithms,
        .processes_min = (int)source.header.ranks,
        .processes_max = (int)source.header.ranks,
        .setup = setup,
        .run = run,
        .check = check,
        .teardown = teardown,
        .refill = refill,
        .parameters = parameters,
        .context = &source,
    };
    return contend_drive(&experiment, argc - 1, argv + 1);
}
