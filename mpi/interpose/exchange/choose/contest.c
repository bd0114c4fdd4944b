/* Which of a few algorithms is the fastest for blocks of a size, and how long that is asked.
 *
 * Idea: rounds with one trial of each candidate. Everybody has one trial; the library's own, the
 * leader and who takes less than twice as long have two, so that no single accident decides, nor
 * the connections that a first trial makes. Whoever takes twice as long even at its best is done. A
 * round that would cost more than is left drops the slowest first. The limit is 2 % of 200 calls as
 * the library alone makes them: the time of four of its calls. What no rule can limit is the first
 * trial of a candidate, which nobody has timed before. The library's own keeps the calls unless
 * another takes less than 0.95 of its time, and also where its calls are so short that the asking
 * would not be worth it.
 *
 * Everything here follows from numbers that all ranks have alike. */
#include "contest.h"

#include <math.h>

#define SHORTEST 50e-6       /* seconds of a call, below which it is left alone */
#define SHARE (0.02 * 200.0) /* of a call's time, that finding out may cost */
#define GAIN 0.95            /* of the library's time, which another has to beat */
#define HOPELESS 2.0         /* times the best, of the fastest of two trials */

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
        if (!contest->candidate[i].is_out &&
            contend_median(&contest->candidate[i]) < contend_median(&contest->candidate[best]))
            best = i;
    return best;
}

int contend_leader(const struct contend_contest *contest)
{
    const int best = find_best(contest);
    const double native = contend_median(&contest->candidate[0]);
    return contend_median(&contest->candidate[best]) < GAIN * native ? best : 0;
}

double contend_contest_cost(const struct contend_contest *contest)
{
    const double winner = contend_median(&contest->candidate[contend_leader(contest)]);
    double cost = contest->asking_s;
    for (int i = 0; i < contest->count; i++)
        for (int k = 0; k < contest->candidate[i].trials; k++)
            cost += fmax(0, contest->candidate[i].seconds[k] - winner);
    return cost;
}

/* Trials without which nothing is decided. */
static bool is_owed(const struct contend_contest *contest, int index, int best)
{
    const int trials = contest->candidate[index].trials;
    if (trials != 1)
        return trials == 0;
    const double least = contend_median(&contest->candidate[best]);
    return index == 0 || index == best || fastest(&contest->candidate[index]) < HOPELESS * least;
}

static bool is_wanted(const struct contend_contest *contest, int index, int best)
{
    const struct contend_candidate *one = &contest->candidate[index];
    if (one->is_out || one->trials == CONTEND_TRIALS)
        return false;
    const double least = contend_median(&contest->candidate[best]);
    return one->trials < 2 || index == best || fastest(one) <= HOPELESS * least;
}

/* Of the next round, beyond as many calls of the best. */
static double expected_cost(const struct contend_contest *contest, double best)
{
    double cost = contest->finish_s;
    for (int i = 0; i < contest->count; i++) {
        const struct contend_candidate *one = &contest->candidate[i];
        if (one->is_trying)
            cost += one->trials == 0 ? 0 : fmax(0, contend_median(one) - best);
    }
    return cost;
}

/* Index of the slowest that may be dropped, -1 where there is none. */
static int find_slowest(const struct contend_contest *contest, int best)
{
    int slowest = -1;
    for (int i = 0; i < contest->count; i++)
        if (contest->candidate[i].is_trying && !is_owed(contest, i, best) &&
            (slowest < 0 ||
             contend_median(&contest->candidate[i]) > contend_median(&contest->candidate[slowest])))
            slowest = i;
    return slowest;
}

static int count_trying(const struct contend_contest *contest)
{
    int count = 0;
    for (int i = 0; i < contest->count; i++)
        count += contest->candidate[i].is_trying;
    return count;
}

static void decide(struct contend_contest *contest, int winner)
{
    contest->is_decided = true;
    contest->winner = winner;
    for (int i = 0; i < contest->count; i++)
        contest->candidate[i].is_trying = false;
}

void contend_judge(struct contend_contest *contest)
{
    const double native = contend_median(&contest->candidate[0]);
    contest->is_brief = native < SHORTEST;
    if (contest->is_brief) {
        decide(contest, 0);
        return;
    }
    const int best = find_best(contest);
    const double least = contend_median(&contest->candidate[best]);
    for (int i = 0; i < contest->count; i++)
        contest->candidate[i].is_trying = is_wanted(contest, i, best);
    const double left = SHARE * native - contend_contest_cost(contest);
    for (int slowest = 0; slowest >= 0 && expected_cost(contest, least) > left;) {
        slowest = find_slowest(contest, best);
        if (slowest >= 0)
            contest->candidate[slowest].is_trying = false;
    }
    const int trying = count_trying(contest);
    const bool is_alone = trying == 1 && contest->candidate[best].is_trying;
    if (trying == 0 || (is_alone && !is_owed(contest, best, best)))
        decide(contest, contend_leader(contest));
}
