/* Which of a few algorithms is the fastest for blocks of a size, and when that is asked.
 *
 * Idea: rounds with at most one trial of each candidate. Nobody who has had none is tried beside
 * another such one, so that finding out costs at no time more than what is `left`, which is 2 % of
 * what has been exchanged, and one trial, which comes after a few calls: what no rule can limit is
 * the first trial of a candidate, which nobody has timed before. The library's own, the leader and
 * who takes less than twice as long have two trials at least, so that no single accident decides,
 * nor the connections that a first trial makes; one is enough where it is what the link foretold.
 * Whoever takes twice as long even at its best is done. The library's own keeps the calls unless
 * another takes less than 0.95 of its time, and also where its calls are so short that the asking
 * would not be worth it, or as short as the slow link allows.
 *
 * Everything here follows from numbers that all ranks have alike. */
#include "contest.h"

#include <math.h>

#define SHORTEST 50e-6     /* seconds of a call, below which it is left alone */
#define GAIN 0.95          /* of the library's time, which another has to beat */
#define HOPELESS 2.0       /* times the best, of the fastest of two trials */
#define FIRST 6            /* calls before the first trial of another, where no link is known */
#define FIRST_BY_ROOM 10.0 /* such calls, where the library takes twice what the link must */
#define SURE 0.75          /* of the library's time, which a candidate is to take by the link */
#define FIRST_IF_SURE 2    /* such calls then */
#define SURPRISE 1.2       /* times what it is likely to take: one trial does not say why */
#define ENOUGH 0.8         /* of a leader's time: the slow link takes most of it */
#define NO_ROOM 0.9        /* of the library's time, which the slow link takes at least */

double contend_median(const struct contend_candidate *candidate)
{
    const double *one = candidate->seconds;
    switch (candidate->trials) {
    case 0:
        return HUGE_VAL;
    case 1:
        return one[0];
    case 2:
        return (one[0] + one[1]) / 2;
    default:
        return fmax(fmin(one[0], one[1]), fmin(fmax(one[0], one[1]), one[2]));
    }
}

double contend_native_s(const struct contend_contest *contest)
{
    return contend_median(&contest->candidate[0]) + fmax(0, contest->excess_s);
}

/* Of a candidate, whose calls between trials nobody has timed. */
static double seconds_of(const struct contend_contest *contest, int index)
{
    return index == 0 ? contend_native_s(contest) : contend_median(&contest->candidate[index]);
}

static double fastest(const struct contend_candidate *candidate)
{
    double least = HUGE_VAL;
    for (int i = 0; i < candidate->trials; i++)
        least = fmin(least, candidate->seconds[i]);
    return least;
}

/* Index of the least median. */
static int find_best(const struct contend_contest *contest)
{
    int best = 0;
    for (int i = 1; i < contest->count; i++)
        if (!contest->candidate[i].is_out && seconds_of(contest, i) < seconds_of(contest, best))
            best = i;
    return best;
}

int contend_leader(const struct contend_contest *contest)
{
    const int best = find_best(contest);
    return seconds_of(contest, best) < GAIN * contend_native_s(contest) ? best : 0;
}

double contend_contest_cost(const struct contend_contest *contest)
{
    const double native = contend_native_s(contest);
    double cost = contest->asking_s;
    for (int i = 1; i < contest->count; i++)
        for (int k = 0; k < contest->candidate[i].trials; k++)
            cost += fmax(0, contest->candidate[i].seconds[k] - native);
    return cost;
}

/* Trials without which nothing is decided. */
static bool is_owed(const struct contend_contest *contest, int index, int best)
{
    const int trials = contest->candidate[index].trials;
    if (trials != 1)
        return trials == 0;
    const double least = seconds_of(contest, best);
    return index == 0 || index == best || fastest(&contest->candidate[index]) < HOPELESS * least;
}

static bool is_wanted(const struct contend_contest *contest, int index, int best)
{
    const struct contend_candidate *one = &contest->candidate[index];
    if (one->is_out || one->trials == CONTEND_TRIALS)
        return false;
    const double least = seconds_of(contest, best);
    return one->trials < 2 || index == best || fastest(one) <= HOPELESS * least;
}

/* Whether a program that ended now would not lose much by a trial in vain: the more of the
 * library's time another may save at the most, the earlier. */
static bool is_time(const struct contend_contest *contest)
{
    if (contest->first > 0)
        return contest->calls >= contest->first;
    if (contest->likely_s > 0 && contest->candidate[1].trials == 0 &&
        !contest->candidate[1].is_out && contest->likely_s < SURE * contend_native_s(contest))
        return contest->calls >= FIRST_IF_SURE;
    const double room = contest->bound_s > 0 ? contend_native_s(contest) / contest->bound_s - 1 : 0;
    return contest->calls >= (contest->bound_s > 0 ? FIRST_BY_ROOM / room : FIRST);
}

/* Of those that are wanted, who has a trial in the next round; somebody new only where another that
 * led by one trial has had its second. */
static void find_next(struct contend_contest *contest, const bool *wanted, int best, double left)
{
    const double native = contend_native_s(contest);
    bool has_new = best > 0 && contest->candidate[best].trials < 2;
    for (int i = 0; i < contest->count; i++) {
        struct contend_candidate *one = &contest->candidate[i];
        const double more = one->trials == 0 ? 0 : fmax(0, seconds_of(contest, i) - native);
        const bool may_be_new = !has_new && is_time(contest) && left >= contest->setup_s;
        one->is_trying = wanted[i] && left >= more && (one->trials > 0 || may_be_new);
        has_new = has_new || (one->is_trying && one->trials == 0);
        left -= one->is_trying ? more : 0;
    }
}

bool contend_is_as_likely(const struct contend_contest *contest)
{
    const struct contend_candidate *first = &contest->candidate[1];
    return first->trials > 0 && first->seconds[0] < SURPRISE * contest->likely_s;
}

/* Whether a leader leaves hardly anything to gain: the slow link takes most of its time, or it is
 * the one that spares a link that all others overflow. */
static bool is_enough(const struct contend_contest *contest, int best)
{
    const double seconds = seconds_of(contest, best), native = contend_native_s(contest);
    if (best == 0 || contend_leader(contest) != best)
        return false;
    const bool is_likely = best == 1 && contest->likely_s > 0 && seconds < SURE * native;
    if (contest->candidate[best].trials < 2)
        return is_likely && contend_is_as_likely(contest);
    return is_likely || contest->bound_s > ENOUGH * seconds;
}

static void decide(struct contend_contest *contest, int winner)
{
    contest->is_decided = true;
    contest->winner = winner;
    for (int i = 0; i < contest->count; i++)
        contest->candidate[i].is_trying = false;
}

void contend_judge(struct contend_contest *contest, double left)
{
    const double native = contend_native_s(contest);
    bool wanted[CONTEND_CANDIDATES];
    contest->is_brief = native < SHORTEST;
    if (isinf(contest->bound_s)) { /* this time, so that nothing is decided */
        for (int i = 0; i < contest->count; i++)
            contest->candidate[i].is_trying = false;
        return;
    }
    if (contest->is_brief || contest->bound_s > NO_ROOM * native) {
        decide(contest, 0);
        return;
    }
    const int best = find_best(contest);
    if (is_enough(contest, best)) {
        decide(contest, best);
        return;
    }
    int count = 0, owed = 0, trying = 0;
    for (int i = 0; i < contest->count; i++) {
        wanted[i] = is_wanted(contest, i, best);
        count += wanted[i];
        owed += wanted[i] && is_owed(contest, i, best);
    }
    find_next(contest, wanted, best, left);
    for (int i = 0; i < contest->count; i++)
        trying += contest->candidate[i].is_trying;
    const bool is_alone = count == 1 && wanted[best] && owed == 0;
    if (is_alone || (trying == 0 && owed == 0))
        decide(contest, contend_leader(contest));
}
