/* One clock for all ranks: those that read the same one are found, the others are synchronised.
 *
 * Source: Hunold, Carpen-Amarie 2018, "Hierarchical clock synchronization in MPI", IEEE CLUSTER.
 * Idea: ranks under one kernel and in one time namespace should read one clock; messages between
 * them must not contradict, else fewer are taken to do so. Of each clock, one rank is a leader.
 * Leaders form a binomial tree: in ceil(log2 of their number) rounds each asks the one above it,
 * which has asked already, how its clock differs, fits offset and drift to that, and chains them
 * to those of the one above, as far as to rank 0, whose clock is the common one (HCA2 and HCA3).
 * It is done again and again, so that drift is known from ever longer times; each time, what the
 * models would have said is first compared with what is seen.
 */
#include "clocks.h"

#include <math.h>

#include "exchange.h"
#include "require.h"

/* Messages there and back: where they are to fit a model, and where they must not contradict. */
#define EXCHANGES 24
#define EXCHANGES_ALIKE 3
/* Rounds of all leaders at first, and the time over which they are spread: at some us of error a
 * drift is then known to some ten millionths. */
#define FIRST_ROUNDS 8
#define FIRST_SECONDS 0.3
/* One clock read on two cores of a machine may differ by less than this. */
#define ALIKE_MAX 1e-6
#define TAG 4

/* What a rank tells those below it. */
struct told {
    struct contend_clock_model model; /* common clock by the teller's */
    double error;                     /* s, of the teller's common clock before it was corrected */
    double bound, misfit;             /* s, the latter at worst */
};

#define TOLD_DOUBLES ((int)(sizeof(struct told) / sizeof(double)))

/* The rank above: without the lowest bit that is set. */
static int above(int rank) { return rank & (rank - 1); }

/* Calls `ask` with the rank above, then `answer` with those below, the farthest first. */
static void walk(struct contend_clocks *clocks, MPI_Comm comm, struct told *told,
                 void (*ask)(struct contend_clocks *, MPI_Comm, int, struct told *),
                 void (*answer)(MPI_Comm, int, const struct told *))
{
    int rank, n, span = 1;
    REQUIRE_MPI(MPI_Comm_rank(comm, &rank));
    REQUIRE_MPI(MPI_Comm_size(comm, &n));
    if (rank > 0)
        ask(clocks, comm, above(rank), told);
    while (span < n && (rank & span) == 0)
        span *= 2;
    for (span /= 2; span > 0; span /= 2)
        if (rank + span < n)
            answer(comm, rank + span, told);
}

static void ask_leader(struct contend_clocks *clocks, MPI_Comm comm, int other, struct told *told)
{
    const struct contend_offset offset = contend_ask_offset(comm, other, EXCHANGES);
    REQUIRE_MPI(MPI_Recv(told, TOLD_DOUBLES, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE));
    const double expected = contend_clock_apply(&clocks->edge, offset.at) - offset.at;
    told->error += expected - 0.5 * (offset.low + offset.high);
    told->bound += fmax(0.0, 0.5 * (offset.high - offset.low));
    if (clocks->is_believed)
        return;
    contend_note_offset(&clocks->offsets, offset);
    clocks->edge = contend_fit_clock(&clocks->offsets);
    told->misfit = fmax(told->misfit, contend_misfit(&clocks->offsets, &clocks->edge));
    told->model = contend_chain_clocks(&told->model, &clocks->edge);
}

static void answer_leader(MPI_Comm comm, int other, const struct told *told)
{
    contend_answer_offset(comm, other, EXCHANGES);
    REQUIRE_MPI(MPI_Send(told, TOLD_DOUBLES, MPI_DOUBLE, other, TAG, comm));
}

/* Here told->error is that of the claim to read one clock. */
static void ask_alike(struct contend_clocks *clocks, MPI_Comm comm, int other, struct told *told)
{
    (void)clocks;
    const struct contend_offset offset = contend_ask_offset(comm, other, EXCHANGES_ALIKE);
    if (offset.low > ALIKE_MAX || offset.high < -ALIKE_MAX)
        told->error = -0.5 * (offset.low + offset.high);
}

static void answer_alike(MPI_Comm comm, int other, const struct told *told)
{
    (void)told;
    contend_answer_offset(comm, other, EXCHANGES_ALIKE);
}

static void group(struct contend_clocks *clocks)
{
    int rank, rank_alike;
    REQUIRE_MPI(MPI_Comm_rank(clocks->comm, &rank));
    const int colours[] = {clocks->places->clock, clocks->places->host, rank};
    contend_free_clocks(clocks);
    REQUIRE_MPI(MPI_Comm_split(clocks->comm, colours[clocks->claim], rank, &clocks->alike));
    REQUIRE_MPI(MPI_Comm_rank(clocks->alike, &rank_alike));
    REQUIRE_MPI(
        MPI_Comm_split(clocks->comm, rank_alike == 0 ? 0 : MPI_UNDEFINED, rank, &clocks->leaders));
    clocks->count = rank_alike == 0;
    REQUIRE_MPI(MPI_Allreduce(MPI_IN_PLACE, &clocks->count, 1, MPI_INT, MPI_SUM, clocks->comm));
    clocks->offsets.count = 0;
    clocks->edge = (struct contend_clock_model){0};
}

/* One look at all clocks; whether ranks that were taken to read one clock do not. */
static bool look(struct contend_clocks *clocks, struct contend_skew *skew)
{
    struct told told = {0}, alike = {0};
    if (clocks->leaders != MPI_COMM_NULL)
        walk(clocks, clocks->leaders, &told, ask_leader, answer_leader);
    REQUIRE_MPI(MPI_Bcast(&told, TOLD_DOUBLES, MPI_DOUBLE, 0, clocks->alike));
    walk(clocks, clocks->alike, &alike, ask_alike, answer_alike);
    contend_clock_set_common(told.model);
    const double error = told.error + alike.error;
    double most[] = {error, -error, told.bound, told.misfit, fabs(alike.error)};
    REQUIRE_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 5, MPI_DOUBLE, MPI_MAX, clocks->comm));
    *skew =
        (struct contend_skew){.largest = most[0] + most[1], .bound = most[2], .misfit = most[3]};
    return most[4] > 0.0;
}

/* Takes the widest claim, from the present one on, that the messages do not contradict. */
static void synchronise(struct contend_clocks *clocks)
{
    struct contend_skew skew;
    group(clocks);
    while (look(clocks, &skew) && clocks->claim < CONTEND_CLOCK_OF_RANK) {
        clocks->claim++;
        group(clocks);
    }
    for (int i = 1; i < FIRST_ROUNDS && clocks->count > 1 && !clocks->is_believed; i++) {
        contend_wait_until(contend_now() + FIRST_SECONDS / (FIRST_ROUNDS - 1), false);
        look(clocks, &skew);
    }
}

struct contend_clocks contend_join_clocks(MPI_Comm comm, const struct contend_places *places,
                                          bool is_believed)
{
    struct contend_clocks clocks = {.comm = comm,
                                    .alike = MPI_COMM_NULL,
                                    .leaders = MPI_COMM_NULL,
                                    .places = places,
                                    .claim = is_believed ? CONTEND_CLOCK_OF_RANK
                                                         : CONTEND_CLOCK_OF_KERNEL,
                                    .is_believed = is_believed};
    long long epoch = contend_clock_seconds();
    REQUIRE_MPI(MPI_Bcast(&epoch, 1, MPI_LONG_LONG, 0, comm));
    contend_clock_set_epoch(epoch);
    synchronise(&clocks);
    return clocks;
}

struct contend_skew contend_check_clocks(struct contend_clocks *clocks)
{
    struct contend_skew skew;
    if (look(clocks, &skew) && clocks->claim < CONTEND_CLOCK_OF_RANK) {
        clocks->claim++;
        synchronise(clocks);
    }
    return skew;
}

void contend_free_clocks(struct contend_clocks *clocks)
{
    if (clocks->alike != MPI_COMM_NULL)
        REQUIRE_MPI(MPI_Comm_free(&clocks->alike));
    if (clocks->leaders != MPI_COMM_NULL)
        REQUIRE_MPI(MPI_Comm_free(&clocks->leaders));
}
