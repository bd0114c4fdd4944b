/* The first calls of a size time who serves it best; then that one stays.
 *
 * Sizes are classes, powers of two of a block's bytes, for each communicator and operation. The
 * first call of a class is the library's own: a look. Then come rounds with a call for each
 * candidate (contest.c says whom and when it ends). Where calls are sure to overflow a link whose
 * rate and buffer are known, spaced messages have the first call, and if they take what they
 * should, the look comes once they may have lost as much against the link's bound as it may cost.
 * After a round its times are told to all ranks beside the next call, which the leader serves so
 * far, or with its size where that is asked for (round.c). Of MPI_Alltoallv and MPI_Alltoallw calls
 * are looked at before sizes are (unasked.c).
 *
 * What that may cost: at no time more than 2 % of what the communicator has exchanged so far, and
 * one trial. Both are known to all ranks: the agreed times of calls, and how many there were.
 *
 * What is timed: from when the last rank has come to when the last one is through, by a common
 * clock that is made when it is needed; so a rank that comes late spoils nothing, and no barrier is
 * needed, from which ranks go at different times. Asking for the size of an MPI_Alltoallv or w is
 * part of the price of every candidate but the library's own. Beside that all its calls count, by
 * what their mean is more than that of its trials: over a shallow buffer few take most time. The
 * look that found no common clock, or made connections, says only whether calls are worth a check.
 *
 * Why all ranks decide alike: a decision is a function of (1) the plan and the groups, which the
 * ranks have compared, (2) how many calls of a class were made, and MPI has all ranks of a
 * communicator make the same calls in the same order, the class being the same at all ranks by
 * MPI's rules (MPI_Alltoall) or by agreement (the others), (3) whether a candidate could run,
 * which is agreed where it is found out, (4) numbers out of the reductions, the same bits
 * everywhere, as all of them come from one maximum. A rank's own clock decides nothing before it
 * was reduced. A rank whose call failed says so in that reduction, and all leave the communicator
 * to the library; MPI has made every rank enter the call by then, so the reduction ends. That is a
 * few calls later, before which a communicator on which MPI has returned an error is what MPI
 * promises of it: nothing. */
#include "check.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "../ledger.h"
#include "../transport/meeting.h"
#include "../world.h"
#include "candidates.h"
#include "opening.h"
#include "round.h"
#include "unasked.h"

#define DRIFT 1e-5      /* of clocks, apart */
#define LEAST_S 1e-4    /* that a common clock may be off by, whatever a call takes */
#define FINE 0.01       /* of a call */
#define MOST_BESIDE 2   /* calls, after which a reduction is waited for, or begun if none was */
#define MOST_IF_FAR 8   /* the same over a slow link, where it may take longer than a call */
#define MOST_BEFORE 4   /* such calls, of the first look at short ones and of those unasked */
#define SHORT 4.0       /* such calls, that a time-out is longer than */
#define ROUND_TRIPS 2.0 /* agreements, in which a reduction is over */
#define SETUP 2.0       /* agreements, before the first trial of one that packs */
#define SHARE 0.02      /* of what has been exchanged, that finding out may cost */
#define TIMEOUTS 3.0    /* what is lost, that a look at the library's own may cost */

struct contend_check *contend_make_check(void)
{
    struct contend_check *check = contend_take(sizeof *check);
    struct contend_round *round = contend_make_round();
    if (check == NULL || round == NULL) {
        contend_release(check);
        contend_free_round(round);
        return NULL;
    }
    memset(check, 0, sizeof *check);
    check->round = round;
    return check;
}

void contend_take_over_meeting(struct contend_state *state)
{
    const struct contend_world *world = contend_world();
    if (world == NULL)
        return;
    state->check->is_connected = world->is_connected;
    state->check->met_s = world->met_s;
    state->check->agreement_s = world->agreement_s;
    state->check->asking_s = world->asking_s;
    state->check->meeting_s = world->meeting_s;
    state->offset_s = world->offset_s;
}

double contend_allowance(const struct contend_check *check)
{
    return SHARE * check->exchanged_s - check->spent_s;
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
    contend_count_check(trials_of(&asked->contest), contend_contest_cost(&asked->contest));
}

void contend_free_check(struct contend_check *check)
{
    if (check == NULL)
        return;
    for (int kind = 0; kind < CONTEND_EXCHANGE_KINDS; kind++)
        for (int size = 0; size < CONTEND_SIZES; size++) {
            const struct contend_asked *asked = &check->asked[kind][size];
            if (asked->rounds > 0 && !asked->contest.is_decided)
                count(asked);
        }
    contend_free_round(check->round);
    contend_release(check);
}

bool contend_leaves_to_trials(const struct contend_state *state, const struct contend_turn *turn)
{
    return turn->is_tried && state->check != NULL;
}

/* From that one on; `count` where there is none. */
static int find_trying(const struct contend_contest *contest, int from)
{
    while (from < contest->count && !contest->candidate[from].is_trying)
        from++;
    return from;
}

static int meet(struct contend_state *state, struct contend_asked *asked);

/* Calls whose size nobody asked for have timed the library's own already where there are any. */
static void judge(const struct contend_state *state, struct contend_asked *asked)
{
    const struct contend_check *check = state->check;
    struct contend_contest *contest = &asked->contest;
    contest->calls = asked->calls;
    if (state->level != CONTEND_NODE && contest->likely_s <= 0)
        contest->setup_s = SETUP * check->agreement_s;
    if (contest->candidate[0].trials > 0)
        contend_judge(contest, contend_allowance(check));
    if (asked->is_seen)
        contest->candidate[0].is_trying = false;
    asked->next = find_trying(contest, 0);
}

/* Where nobody has a trial, and there is more to spend by now. */
static void judge_again(struct contend_state *state, struct contend_asked *asked)
{
    struct contend_check *check = state->check;
    const bool is_to_meet = asked->has_not_met;
    if (is_to_meet && contend_allowance(check) < check->meeting_s)
        return;
    if (is_to_meet)
        meet(state, asked);
    asked->has_not_met = false;
    if (asked->rounds == 1 && is_to_meet) { /* the look is made anew */
        asked->contest.candidate[0] = (struct contend_candidate){.is_trying = true};
        asked->contest.excess_s = asked->native_s = asked->native_calls = 0;
        asked->look_s = asked->look_calls = 0;
    } else {
        judge(state, asked);
    }
    asked->next = find_trying(&asked->contest, 0);
    if (asked->contest.is_decided)
        count(asked);
}

/* Others may have spent what a trial may cost. */
bool contend_is_due(struct contend_state *state, struct contend_asked *asked)
{
    const struct contend_check *check = state->check;
    if (asked->contest.is_decided || check->round->asked != NULL) /* one reduction at a time */
        return false;
    if (asked->rounds > 0 && asked->next == asked->contest.count)
        judge_again(state, asked);
    return !asked->contest.is_decided && asked->next < asked->contest.count &&
           (asked->next == 0 || contend_allowance(check) >= 0 ||
            (asked->rounds == 0 && (check->exchanged_s <= 0 || asked->is_reversed)));
}

/* Calls are of several sizes. A look that is still to come might be at any of them, so calls are
 * looked at as where nobody was sure. */
static void mix(struct contend_check *check, enum contend_exchange_kind kind)
{
    struct contend_asked *seen = check->seen[kind];
    check->is_mixed[kind] |= seen != NULL;
    if (contend_is_open(seen) && seen->is_reversed && seen->contest.candidate[0].trials == 0)
        contend_leave_unasked(seen);
}

const struct contend_choice *contend_pick(struct contend_state *state, int64_t bytes,
                                          struct contend_turn *turn)
{
    struct contend_check *check = state->check;
    turn->size = contend_size_class(bytes);
    turn->why = "";
    if (turn->given != NULL || contend_leaves_to_trials(state, turn))
        return turn->given;
    if (check == NULL)
        return contend_choose(state, bytes);
    struct contend_asked *asked = turn->asked = &check->asked[turn->kind][turn->size];
    struct contend_contest *contest = &asked->contest;
    if (contest->count == 0) {
        contend_open_contest(state, asked, turn->kind, &turn->volume);
        if (turn->kind == CONTEND_EQUAL)
            contend_expect_spacing(state, contest, &turn->volume, 0);
        else
            contend_see(state, asked, turn);
        if (turn->kind == CONTEND_EQUAL && contest->candidate[1].is_trying)
            contend_begin_spaced(asked);
    }
    if (turn->kind != CONTEND_EQUAL && check->seen[turn->kind] != asked)
        mix(check, turn->kind);
    contend_bound_contest(state, contest, &turn->volume);
    if (turn->kind == CONTEND_EQUAL && contend_owes_look(check, asked))
        contend_begin_look(asked);
    turn->is_trial = contend_is_due(state, asked);
    asked->calls += !contest->is_decided && asked->calls < INT_MAX;
    turn->candidate = turn->is_trial        ? asked->next
                      : contest->is_decided ? contest->winner
                      : asked->rounds > 0
                          ? contend_leader(contest)
                          : asked->next > 0 && contest->likely_s > 0 &&
                                contest->candidate[1].is_trying && !contest->candidate[1].is_out;
    const double native = contend_native_s(contest);
    const double own = contend_median(&contest->candidate[turn->candidate]);
    const double least = fmin(native, own); /* of a look that is still to come, nothing is known */
    if (asked->rounds > 0 && !isinf(least))
        check->exchanged_s += isinf(native) ? own : native;
    if (turn->kind != CONTEND_EQUAL) {
        contend_plan_rest(check, turn);
        check->spent_s += turn->candidate == 0 ? check->asking_s : 0;
        if (turn->candidate > 0 && !turn->is_trial && asked->rounds > 0 && !isinf(native))
            check->gained_s += native - own;
    }
    return contest->candidate[turn->candidate].choice;
}

void contend_refuse_candidate(struct contend_turn *turn)
{
    turn->is_refused = turn->is_trial;
    turn->why = "it would need more memory than CONTEND_EXCHANGE_MEMORY allows";
}

/* Of all that had a trial. */
static void record(struct contend_asked *asked, enum contend_exchange_kind kind, double asking_s,
                   const double *all)
{
    struct contend_contest *contest = &asked->contest;
    contest->asking_s -= all[CONTEND_WAITED] + all[CONTEND_MEETING];
    if (!asked->is_seen)
        contest->excess_s = -all[CONTEND_EXCESS];
    for (int i = 0; i < contest->count; i++) {
        struct contend_candidate *one = &contest->candidate[i];
        if (!one->is_trying || one->is_out)
            continue;
        const double seconds = fmax(all[CONTEND_END + i] - all[CONTEND_BEGIN + i], 0);
        const bool is_asked = kind != CONTEND_EQUAL && i > 0;
        const double lead = is_asked ? fmax(asking_s, -all[CONTEND_LEAD + i]) : 0;
        one->seconds[one->trials++] = seconds + lead;
    }
}

bool contend_is_new(const struct contend_check *check, double now, double call_s)
{
    const double drift_s = DRIFT * (now - check->met_s);
    return check->met_s > 0 && (drift_s < LEAST_S || drift_s < FINE * call_s);
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
static int meet(struct contend_state *state, struct contend_asked *asked)
{
    struct contend_check *check = state->check;
    const double begin = contend_seconds();
    int code = MPI_SUCCESS;
    if (is_direct(&asked->contest) && !check->is_connected)
        code = contend_connect(state);
    check->is_connected = check->is_connected || is_direct(&asked->contest);
    check->met_s = 0;
    if (code == MPI_SUCCESS)
        code = contend_synchronise(state);
    asked->meeting = code == MPI_SUCCESS ? contend_seconds() - begin : HUGE_VAL;
    asked->met_s = contend_seconds() + state->offset_s;
    return code;
}

/* After the look at the library alone. Where connections or a common clock
 * were not there, it says no more than whether calls are worth a check. */
static void look(struct contend_check *check, struct contend_asked *asked, const double *all)
{
    const bool is_met = contend_is_new(check, all[CONTEND_END], contend_native_time(asked));
    asked->has_not_met = !is_met || !(check->is_connected || !is_direct(&asked->contest));
    if (asked->has_not_met && check->meeting_s <= 0)
        check->meeting_s = contend_native_time(asked);
    for (int i = 0; i < asked->contest.count && asked->has_not_met; i++) {
        asked->contest.candidate[i].is_trying = false;
        asked->contest.candidate[i].trials = i == 0;
    }
    if (asked->has_not_met) /* as long as the last to come took by itself */
        asked->contest.candidate[0].seconds[0] = -all[CONTEND_SHORTEST];
}

/* After trials that are over at the last end: what a common clock says that may have drifted by
 * then counts for nothing but its cost. */
static void keep_time(struct contend_check *check, struct contend_asked *asked, const double *all)
{
    struct contend_contest *contest = &asked->contest;
    double now = 0;
    for (int i = 0; i < contest->count; i++)
        now = contest->candidate[i].is_trying ? fmax(now, all[CONTEND_END + i]) : now;
    if (all[CONTEND_MET] > 0)
        check->met_s = all[CONTEND_MET];
    if (now <= 0) /* nobody had a trial */
        return;
    asked->has_not_met = !contend_is_new(check, now, contend_native_s(contest));
    for (int i = 0; i < contest->count && asked->has_not_met; i++) {
        struct contend_candidate *one = &contest->candidate[i];
        one->trials -= one->is_trying && !one->is_out;
        one->is_trying = false;
    }
}

/* After the first call of a size, which spaced messages served. */
static void finish_spaced(struct contend_state *state, struct contend_asked *asked,
                          const struct contend_round *round)
{
    struct contend_check *check = state->check;
    struct contend_contest *contest = &asked->contest;
    struct contend_candidate *spaced = &contest->candidate[1];
    const double *all = round->all.greatest;
    record(asked, round->kind, check->asking_s, all);
    spaced->is_trying = false;
    asked->next = contest->count;
    if (spaced->is_out || !contend_is_new(check, all[CONTEND_END + 1], spaced->seconds[0])) {
        spaced->trials = 0;
        asked->is_reversed = false;
        contest->candidate[0].is_trying = round->kind == CONTEND_EQUAL;
        asked->next = find_trying(contest, 0);
        if (round->kind != CONTEND_EQUAL)
            contend_leave_unasked(asked);
        return;
    }
    const double seconds = spaced->seconds[0], more = seconds - contest->bound_s;
    if (contend_is_as_likely(contest))
        asked->look_at = TIMEOUTS * state->plan->levels[state->level].timeout_s / fmax(more, 1e-9);
    check->exchanged_s += seconds;
}

/* All ranks have the same numbers. */
static void finish_round(struct contend_state *state)
{
    struct contend_check *check = state->check;
    struct contend_round *round = check->round;
    struct contend_asked *asked = round->asked;
    struct contend_contest *contest = &asked->contest;
    const bool is_sound = contend_end_round(round), is_first = asked->rounds == 0;
    const bool is_look = asked->is_unasked_look;
    round->asked = NULL;
    asked->rounds++;
    asked->is_unasked_look = false;
    if (!is_sound) {
        state->is_native = true;
        state->why = "a call failed while it was timed";
        contest->is_decided = true;
        contest->winner = 0;
        return;
    }
    const double before = is_first ? 0 : contend_contest_cost(contest); /* as it was told then */
    if (check->agreement_s <= 0) {
        check->agreement_s = -round->all.greatest[CONTEND_AGREEMENT];
        check->asking_s = -round->all.greatest[CONTEND_ASKING];
    }
    if (contend_is_unasked(asked)) {
        contend_finish_look(state);
        return;
    }
    if (is_first && asked->is_reversed) {
        finish_spaced(state, asked, round);
        return;
    }
    if (is_look && !contend_is_like(round->all.greatest[CONTEND_LOOKED], asked->if_even)) {
        contest->candidate[0].is_trying = false; /* of another size */
        asked->look_at = 2.0 * asked->calls;
        return;
    }
    record(asked, round->kind, check->asking_s, round->all.greatest);
    if (is_first && !contend_is_new(check, round->all.greatest[CONTEND_END], 0)) /* but the look */
        for (int i = 1; i < contest->count; i++)
            contest->candidate[i].trials = 0;
    check->spent_s += contend_contest_cost(contest) - before;
    if (!is_first)
        keep_time(check, asked, round->all.greatest);
    if (!asked->has_not_met)
        judge(state, asked);
    if (is_first && !contest->is_decided)
        look(check, asked, round->all.greatest);
    check->exchanged_s += is_first ? contend_native_time(asked) : 0;
    asked->next = asked->has_not_met ? contest->count : find_trying(contest, 0);
    if (contest->is_decided)
        count(asked);
}

/* Whether a reduction is over by now, so that hardly any rank has to wait for it. Where frames are
 * lost it makes all wait for one that waits for a time-out: nothing that five short calls win back.
 */
static bool is_over(const struct contend_state *state, const struct contend_round *round)
{
    const struct contend_contest *contest = &round->asked->contest;
    const bool is_first = round->asked->rounds == 0;
    const bool is_short = contest->bound_s > 0 &&
                          SHORT * contest->bound_s <= state->plan->levels[state->level].timeout_s;
    if (contend_is_unasked(round->asked) || (is_first && is_short && contest->likely_s <= 0))
        return round->age > MOST_BEFORE;
    const double call_s = fmax(contest->bound_s, is_first ? 0 : contend_native_s(contest));
    const int most = state->level == CONTEND_NODE ? MOST_BESIDE : MOST_IF_FAR;
    return round->age > most ||
           (round->age > 1 && round->age * call_s > ROUND_TRIPS * state->check->agreement_s);
}

void contend_go_on_with_check(struct contend_state *state)
{
    if (state->check == NULL || state->check->round->asked == NULL)
        return;
    struct contend_round *round = state->check->round;
    round->age++;
    if (round->is_carried && round->age > MOST_BESIDE) /* calls that ask for no size */
        contend_tell_round(state);
    else if (!round->is_carried && is_over(state, round))
        finish_round(state);
}

const double *contend_carried(const struct contend_state *state)
{
    const struct contend_round *round = state->check == NULL ? NULL : state->check->round;
    const bool is_there = round != NULL && round->asked != NULL && round->is_carried;
    return is_there ? round->own.greatest : NULL;
}

void contend_end_carried(struct contend_state *state, const double *all)
{
    memcpy(state->check->round->all.greatest, all, CONTEND_NUMBERS * sizeof *all);
    finish_round(state);
}

void contend_settle_trial(struct contend_turn *turn, double end)
{
    struct contend_asked *asked = turn->asked;
    const bool is_asked = !contend_is_unasked(asked);
    const bool is_common = turn->state->check->met_s > 0 || (is_asked && asked->rounds > 0);
    const double offset = is_common ? turn->state->offset_s : -turn->begin;
    asked->contest.candidate[turn->candidate].is_out = turn->is_refused;
    if (!turn->is_refused) {
        asked->begin[turn->candidate] = turn->begin + offset;
        asked->end[turn->candidate] = end + offset;
        asked->lead[turn->candidate] = turn->begin - turn->before;
    }
    if (is_asked)
        asked->next = find_trying(&asked->contest, turn->candidate + 1);
    if (asked->is_unasked_look)
        asked->volume = turn->volume;
    if (!is_asked || asked->next == asked->contest.count)
        contend_begin_round(turn->state, asked, turn->kind);
}

void contend_note_native(struct contend_turn *turn, double seconds)
{
    struct contend_asked *asked = turn->asked;
    asked->taken_s += seconds;
    if (contend_is_unasked(asked) && !contend_is_alike_to_look(turn))
        return;
    asked->native_s += seconds;
    asked->native_calls++;
    asked->look_s += turn->is_trial ? seconds : 0;
    asked->look_calls += turn->is_trial;
    const int calls = asked->calls;
    if (!contend_is_unasked(asked) && !turn->is_trial && calls >= 4 && (calls & (calls - 1)) == 0 &&
        turn->state->check->round->asked == NULL && asked->next == asked->contest.count) {
        for (int i = 0; i < asked->contest.count; i++)
            asked->contest.candidate[i].is_trying = false;
        contend_begin_round(turn->state, asked, turn->kind);
    }
}

double contend_native_time(const struct contend_asked *asked)
{
    return contend_native_s(&asked->contest);
}
