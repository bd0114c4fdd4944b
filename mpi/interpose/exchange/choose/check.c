/* The first calls of a size time who serves it best; then that one stays.
 *
 * Sizes are classes, powers of two of a block's bytes, for each communicator and operation. The
 * first call of a class is the library's own: a look. Then come rounds with a call for each
 * candidate (contest.c says whom and when it ends), and one MPI_Allreduce of 14 doubles after
 * each round.
 *
 * What is timed: from when the last rank has come to when the last one is through, by a common
 * clock that is made when it is needed; so a rank that comes late spoils nothing, and no barrier is
 * needed, from which ranks go at different times. Asking for the size of an MPI_Alltoallv or w is
 * part of the price of every candidate but the library's own. The look that found no common clock,
 * or made connections, says only whether calls are worth a check.
 *
 * Why all ranks decide alike: a decision is a function of (1) the plan and the groups, which the
 * ranks have compared, (2) how many calls of a class were made, and MPI has all ranks of a
 * communicator make the same calls in the same order, the class being the same at all ranks by
 * MPI's rules (MPI_Alltoall) or by agreement (the others), (3) whether a candidate could run,
 * which is agreed where it is found out, (4) numbers out of the reductions, the same bits
 * everywhere, as all of them come from one maximum. A rank's own clock decides nothing before it
 * was reduced. A rank whose call failed says so in that reduction, and all leave the communicator
 * to the library; MPI has made every rank enter the call by then, so the reduction ends. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "../ledger.h"
#include "../transport/meeting.h"
#include "candidates.h"

#define PATIENCE 8 /* calls in a row that are the library's own, before some go unasked */
#define LONGEST_REST 1024
#define NEW_S 10.0 /* of a common clock; clocks drift some ten millionths apart */

struct contend_check *contend_make_check(void)
{
    struct contend_check *check = contend_take(sizeof *check);
    if (check != NULL)
        memset(check, 0, sizeof *check);
    return check;
}

static double trials_of(const struct contend_contest *contest)
{
    double trials = 0;
    for (int i = 0; i < contest->count; i++)
        trials += contest->candidate[i].trials;
    return trials;
}

static void count(const struct contend_asked *asked)
{
    contend_count_check(trials_of(&asked->contest),
                        contend_contest_cost(&asked->contest) + asked->agreement);
}

void contend_free_check(struct contend_check *check)
{
    for (int kind = 0; check != NULL && kind < CONTEND_EXCHANGE_KINDS; kind++)
        for (int size = 0; size < CONTEND_SIZES; size++) {
            const struct contend_asked *asked = &check->asked[kind][size];
            if (asked->rounds > 0 && !asked->contest.is_decided)
                count(asked);
        }
    contend_release(check);
}

bool contend_leaves_to_trials(const struct contend_state *state, const struct contend_turn *turn)
{
    return turn->is_tried && state->check != NULL;
}

bool contend_rests(struct contend_state *state)
{
    if (state->check == NULL || state->check->rests == 0)
        return false;
    state->check->rests--;
    return true;
}

/* Asking is in vain where the library's own call is the best again and again; so it is asked ever
 * less often. */
static void plan_rest(struct contend_check *check, const struct contend_contest *contest)
{
    if (!contest->is_decided || contest->winner != 0) {
        check->natives = check->rested = 0;
        return;
    }
    check->natives++;
    if (check->natives <= PATIENCE)
        return;
    check->natives = PATIENCE;
    check->rested = check->rested == 0 ? 1 : check->rested;
    check->rested = check->rested < LONGEST_REST ? 2 * check->rested : LONGEST_REST;
    check->rests = check->rested;
}

const struct contend_choice *contend_pick(struct contend_state *state, int64_t bytes,
                                          struct contend_turn *turn)
{
    turn->size = contend_size_class(bytes);
    turn->why = "";
    if (turn->given != NULL || contend_leaves_to_trials(state, turn))
        return turn->given;
    if (state->check == NULL)
        return contend_choose(state, bytes);
    struct contend_asked *asked = &state->check->asked[turn->kind][turn->size];
    struct contend_contest *contest = &asked->contest;
    if (contest->count == 0)
        contend_find_candidates(state, bytes > 0 ? bytes : 1, contest);
    turn->asked = asked;
    turn->is_trial = !contest->is_decided;
    turn->candidate = turn->is_trial ? asked->next : contest->winner;
    if (turn->kind != CONTEND_EQUAL)
        plan_rest(state->check, contest);
    return contest->candidate[turn->candidate].choice;
}

void contend_refuse_candidate(struct contend_turn *turn)
{
    turn->is_refused = turn->is_trial;
    turn->why = "it would need more memory than CONTEND_EXCHANGE_MEMORY allows";
}

/* From that one on; `count` where there is none. */
static int find_trying(const struct contend_contest *contest, int from)
{
    while (from < contest->count && !contest->candidate[from].is_trying)
        from++;
    return from;
}

/* Of all these the greatest counts, so that what should be least is negated. */
enum {
    END,
    BEGIN = CONTEND_CANDIDATES,
    LEAD = 2 * CONTEND_CANDIDATES,
    AGREEMENT = 3 * CONTEND_CANDIDATES,
    MEETING,
    NUMBERS
};

static bool reduce(struct contend_asked *asked, MPI_Comm comm, double *all)
{
    double own[NUMBERS];
    for (int i = 0; i < CONTEND_CANDIDATES; i++) {
        own[END + i] = asked->end[i];
        own[BEGIN + i] = asked->begin[i];
        own[LEAD + i] = -asked->lead[i];
    }
    own[AGREEMENT] = -asked->agreement;
    own[MEETING] = asked->meeting;
    const double begin = contend_seconds();
    const int code = PMPI_Allreduce(own, all, NUMBERS, MPI_DOUBLE, MPI_MAX, comm);
    asked->agreement = contend_seconds() - begin;
    for (int i = 0; i < NUMBERS; i++)
        if (code != MPI_SUCCESS || isinf(all[i]))
            return false;
    return true;
}

/* Of all that had a trial. */
static void record(struct contend_asked *asked, enum contend_exchange_kind kind, const double *all)
{
    struct contend_contest *contest = &asked->contest;
    contest->finish_s = -all[AGREEMENT];
    contest->asking_s += contest->finish_s + all[MEETING];
    for (int i = 0; i < contest->count; i++) {
        struct contend_candidate *one = &contest->candidate[i];
        if (!one->is_trying || one->is_out)
            continue;
        const double seconds = fmax(all[END + i] - all[BEGIN + i], 0);
        const double lead = kind != CONTEND_EQUAL && i > 0 ? -all[LEAD + i] : 0;
        one->seconds[one->trials++] = seconds + lead;
    }
}

/* Whether all pairs of ranks will talk. */
static bool is_direct(const struct contend_contest *contest)
{
    for (int i = 1; i < contest->count; i++)
        if (!contend_is_packed(contest->candidate[i].choice->algorithm))
            return true;
    return false;
}

/* Connections are made before trials where all pairs will need them, so that nobody is timed with
 * those that others found there. */
static int meet(struct contend_state *state, const struct contend_contest *contest)
{
    struct contend_check *check = state->check;
    int code = MPI_SUCCESS;
    if (is_direct(contest) && !check->is_connected)
        code = contend_connect(state);
    check->is_connected = check->is_connected || is_direct(contest);
    check->met_s = 0;
    return code == MPI_SUCCESS ? contend_synchronise(state) : code;
}

/* After the look at the library alone, which is over at `now`. Where connections or a common clock
 * were not there, it says no more than whether calls are worth a check. */
static void look(struct contend_turn *turn, double now)
{
    struct contend_contest *contest = &turn->asked->contest;
    const struct contend_check *check = turn->state->check;
    const bool is_met = check->met_s > 0 && now - check->met_s < NEW_S;
    if (contest->is_decided || (is_met && (check->is_connected || !is_direct(contest))))
        return;
    contest->candidate[0].trials = 0;
    contend_judge(contest);
    const double begin = contend_seconds();
    const int code = meet(turn->state, contest);
    turn->asked->meeting = code == MPI_SUCCESS ? contend_seconds() - begin : HUGE_VAL;
}

static void finish_round(struct contend_turn *turn)
{
    struct contend_state *state = turn->state;
    struct contend_asked *asked = turn->asked;
    double all[NUMBERS];
    const bool is_sound = reduce(asked, state->comm, all);
    memset(asked->begin, 0, sizeof asked->begin);
    memset(asked->end, 0, sizeof asked->end);
    memset(asked->lead, 0, sizeof asked->lead);
    asked->meeting = 0;
    if (is_sound) {
        record(asked, turn->kind, all);
        contend_judge(&asked->contest);
        if (asked->rounds == 0)
            look(turn, all[END]);
        else if (state->check->met_s == 0)
            state->check->met_s = all[END];
        asked->next = find_trying(&asked->contest, 0);
    } else {
        state->is_native = true;
        state->why = "a call failed while it was timed";
        asked->contest.is_decided = true;
        asked->contest.winner = 0;
    }
    asked->rounds++;
    if (asked->contest.is_decided)
        count(asked);
}

void contend_settle_trial(struct contend_turn *turn, double end)
{
    struct contend_asked *asked = turn->asked;
    const bool is_common = asked->rounds > 0 || turn->state->check->met_s > 0;
    const double offset = is_common ? turn->state->offset_s : -turn->begin;
    asked->contest.candidate[turn->candidate].is_out = turn->is_refused;
    if (!turn->is_refused) {
        asked->begin[turn->candidate] = turn->begin + offset;
        asked->end[turn->candidate] = end + offset;
        asked->lead[turn->candidate] = turn->begin - turn->before;
    }
    asked->next = find_trying(&asked->contest, turn->candidate + 1);
    if (asked->next == asked->contest.count)
        finish_round(turn);
}

double contend_native_time(const struct contend_asked *asked)
{
    return contend_median(&asked->contest.candidate[0]);
}
