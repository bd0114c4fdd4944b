/* Who serves the calls of an operation and size, and when another one has a trial.
 *
 * Source: Wald 1945, "Sequential tests of statistical hypotheses". Idea: now and then two calls in
 * turn are a pair, of which one is made by who serves and one by a challenger, in an order that is
 * drawn; so neither a drift nor a program's rhythm favours either. A pair is won where the
 * challenger takes less than 0.95 of the time. Pairs go on until it is 100 times as likely that it
 * wins 85 of 100 as that it wins 50, and then it serves, or a tenth, and then it rests, each time
 * twice as long. So nine wins in a row decide. The library's default is a challenger while another
 * serves; it rests less, and comes back where the other has not its gain any more.
 *
 * Budget: a challenger's trials cost what they took in all beyond the other calls of their pairs,
 * so that accidents of either cancel out, and so does all that ranks told each other. A pair begins
 * only while that is at most 1 % of the time of all calls so far, summed over the ranks, so that it
 * never exceeds that by more than one trial.
 *
 * Everything here follows from counts of calls and from numbers that all ranks have alike. */
#include "challenge.h"

#include <math.h>

#define SHARE 0.01    /* of the time in calls, that trials may cost */
#define ASKING 0.005  /* of that time, that telling each other without a trial may cost */
#define GAIN 0.95     /* of the other's time, that wins a pair */
#define HOPELESS 2.0  /* of that time, that loses all pairs to come */
#define WON 0.5306    /* log (0.85 / 0.5) */
#define LOST (-1.204) /* log (0.15 / 0.5) */
#define SERVES 4.605  /* log 100 */
#define RETURNS 2.303 /* log 10: of the library's default, which needs no gain */
#define CLEAR 1.25    /* of the other's time, by which the default loses a pair as others do */
#define RESTS (-2.303)
#define JUMP 1.5 /* of the usual time of a call, or less than its inverse: all is new */

enum {
    FIRST = 32,         /* calls before ranks tell each other anything */
    LAG = 3,            /* calls in which ranks hear of each other, so that none waits for it */
    SOON = 8,           /* calls until a second look */
    PAUSE = 128,        /* calls of a first rest */
    PAUSE_DEFAULT = 64, /* of the library's default */
    DOUBLINGS = 9,      /* of a pause */
    DOUBLINGS_DEFAULT = 4,
    LONGEST = 1024, /* calls without telling each other, where that is cheap */
    MEAN_OF = 16    /* calls, of which a mean says something */
};

static int64_t least_of(int64_t one, int64_t other) { return one < other ? one : other; }
static int64_t most_of(int64_t one, int64_t other) { return one > other ? one : other; }

/* SplitMix64 (Steele, Lea, Flood 2014) of the number of a call: a coin that all ranks have. */
static bool is_heads(uint64_t number)
{
    number += 0x9E3779B97F4A7C15u;
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
    return (number >> 63) != 0;
}

void contend_begin_challenge(struct contend_challenge *challenge, int common, int count)
{
    challenge->common = common;
    challenge->count = count;
    challenge->at = FIRST;
}

/* Whether the next call is of a pair, and whether it is its trial. */
static bool is_of_pair(const struct contend_challenge *challenge)
{
    return challenge->is_pair && challenge->calls < challenge->at;
}

static bool is_trial(const struct contend_challenge *challenge)
{
    const bool is_second = challenge->calls + 1 == challenge->at;
    return is_of_pair(challenge) && challenge->is_first != is_second;
}

int contend_server(const struct contend_challenge *challenge)
{
    return is_trial(challenge) ? challenge->trying : challenge->serving;
}

enum contend_turn_of_ranks contend_note_served(struct contend_challenge *challenge,
                                               int64_t begin_ns, int64_t end_ns)
{
    const int64_t ns = end_ns - begin_ns;
    int64_t *own = challenge->own;
    own[CONTEND_SUM_CALLS] += ns;
    if (is_of_pair(challenge)) {
        const bool is_of_challenger = is_trial(challenge);
        own[is_of_challenger ? CONTEND_SUM_TRIAL : CONTEND_SUM_SERVING] = ns;
        own[is_of_challenger ? CONTEND_BEGIN_TRIAL : CONTEND_BEGIN_SERVING] = begin_ns;
        own[is_of_challenger ? CONTEND_END_TRIAL : CONTEND_END_SERVING] = end_ns;
    }
    challenge->calls++;
    if (challenge->calls == challenge->at)
        return CONTEND_TELL;
    return challenge->calls == challenge->at + LAG ? CONTEND_JUDGE : CONTEND_NOTHING;
}

void contend_take_numbers(struct contend_challenge *challenge, int64_t plan, int64_t host,
                          int64_t *numbers)
{
    challenge->own[CONTEND_RULES] = CONTEND_TRY_RULES;
    challenge->own[CONTEND_NOT_RULES] = ~(int64_t)CONTEND_TRY_RULES;
    challenge->own[CONTEND_PLAN] = plan;
    challenge->own[CONTEND_NOT_PLAN] = ~plan;
    challenge->own[CONTEND_HOST] = host;
    challenge->own[CONTEND_NOT_HOST] = ~host;
    for (int i = 0; i < CONTEND_NUMBERS; i++) {
        numbers[i] = challenge->own[i];
        challenge->own[i] = 0;
    }
}

/* The one to look at next, -1 where nobody else can run. */
static int find_next(const struct contend_challenge *challenge)
{
    int next = -1;
    for (int i = 0; i < challenge->count; i++)
        if (i != challenge->serving && !challenge->of[i].is_out &&
            (next < 0 || challenge->of[i].due < challenge->of[next].due))
            next = i;
    return next;
}

static void rest(struct contend_challenge *challenge, int who)
{
    struct contend_challenger *one = &challenge->of[who];
    const int pause = who == 0 ? PAUSE_DEFAULT : PAUSE;
    const int most = who == 0 ? DOUBLINGS_DEFAULT : DOUBLINGS;
    one->score = 0;
    one->due = challenge->calls + ((int64_t)pause << least_of(one->losses, most));
    one->losses++;
}

/* Another one serves: who did so before is looked at soon. */
static void change(struct contend_challenge *challenge, int who)
{
    const int before = challenge->serving;
    challenge->serving = who;
    challenge->of[who].score = 0;
    challenge->of[who].losses = challenge->of[before].losses = 0;
    rest(challenge, before);
    challenge->usual_ns = 0;
    challenge->changes++;
}

/* What a pair says, by its time over that of who serves. */
static double weigh(double ratio) { return ratio < GAIN ? WON : LOST; }

/* The default is to serve unless the other has its gain still, and does not lose by a trifle. */
static double weigh_default(double ratio)
{
    if (ratio * GAIN < 1)
        return WON;
    return ratio < CLEAR ? -WON : LOST;
}

/* After a pair: its cost, and what it says. */
static void judge_pair(struct contend_challenge *challenge, const int64_t *all)
{
    struct contend_challenger *one = &challenge->of[challenge->trying];
    const double serving =
        (double)(challenge->is_clocked ? all[CONTEND_END_SERVING] - all[CONTEND_BEGIN_SERVING]
                                       : all[CONTEND_SUM_SERVING]);
    const double trial =
        (double)(challenge->is_clocked ? all[CONTEND_END_TRIAL] - all[CONTEND_BEGIN_TRIAL]
                                       : all[CONTEND_SUM_TRIAL]);
    challenge->spent_ns -= most_of(one->cost_ns, 0);
    one->cost_ns += all[CONTEND_SUM_TRIAL] - all[CONTEND_SUM_SERVING];
    challenge->spent_ns += most_of(one->cost_ns, 0);
    one->trials++;
    const bool is_default = challenge->trying == 0;
    const double weight = is_default ? weigh_default(trial / serving) : weigh(trial / serving);
    if (weight < 0 && one->trials == 1) { /* it may have made connections */
        one->due = challenge->calls + SOON;
        return;
    }
    one->score += weight;
    if (one->score >= (is_default ? RETURNS : SERVES))
        change(challenge, challenge->trying);
    else if (one->score <= RESTS || trial > HOPELESS * serving)
        rest(challenge, challenge->trying);
}

/* Where calls take another time than they did, nothing that was seen before counts. */
static void look_for_change(struct contend_challenge *challenge, double call_ns)
{
    if (challenge->usual_ns <= 0) {
        challenge->usual_ns = call_ns;
        return;
    }
    const bool is_new =
        call_ns > JUMP * challenge->usual_ns || call_ns * JUMP < challenge->usual_ns;
    challenge->usual_ns = is_new ? call_ns : (challenge->usual_ns + call_ns) / 2;
    for (int i = 0; is_new && i < challenge->count; i++) {
        challenge->of[i].losses = 0;
        challenge->of[i].due = least_of(challenge->of[i].due, challenge->calls);
    }
}

/* Calls from now on until trials may cost so much more. */
static int64_t calls_until(const struct contend_challenge *challenge, double share, double ns)
{
    const double more = ns / fmax(share * challenge->quick_ns, 1e-9);
    return ns <= 0 ? 0 : (int64_t)fmin(ceil(more), 1e15);
}

/* What a call takes, so that nothing is planned too early: it falls at once, and rises slowly. */
static void note_quick(struct contend_challenge *challenge, double call_ns)
{
    const double most = 1.25 * challenge->quick_ns;
    challenge->quick_ns = most > 0 ? fmin(call_ns, most) : call_ns;
}

/* A pair now, or the call after which ranks tell each other the next time. */
static void plan(struct contend_challenge *challenge)
{
    const int next = find_next(challenge);
    const double over =
        (double)(challenge->spent_ns + challenge->ask_ns) - SHARE * (double)challenge->total_ns;
    challenge->is_pair = next >= 0 && challenge->of[next].due <= challenge->calls && over <= 0;
    if (next < 0) {
        challenge->at = INT64_MAX;
    } else if (challenge->is_pair) {
        challenge->trying = next;
        challenge->is_first = is_heads((uint64_t)challenge->calls);
        challenge->at = challenge->calls + 2;
    } else {
        const int64_t wait =
            most_of(calls_until(challenge, ASKING, (double)challenge->ask_ns),
                    calls_until(challenge, SHARE, over + (double)challenge->ask_ns));
        const int64_t due = least_of(challenge->of[next].due - challenge->calls, LONGEST);
        challenge->at = challenge->calls + most_of(most_of(wait, due), 1);
    }
}

void contend_refuse_challenger(struct contend_challenge *challenge)
{
    challenge->of[challenge->trying].is_out = true;
    plan(challenge);
}

void contend_postpone_challenger(struct contend_challenge *challenge)
{
    challenge->of[challenge->trying].due = challenge->calls + SOON;
    plan(challenge);
}

void contend_judge_challenge(struct contend_challenge *challenge, const int64_t *all)
{
    const int64_t calls = challenge->at - challenge->told;
    challenge->told = challenge->at;
    challenge->is_clocked = all[CONTEND_HOST] == ~all[CONTEND_NOT_HOST];
    challenge->total_ns += all[CONTEND_SUM_CALLS];
    challenge->spent_ns += all[CONTEND_SUM_ASKING];
    challenge->ask_ns = all[CONTEND_SUM_ASKING]; /* of the last but one, the newest that is known */
    if (all[CONTEND_PLAN] != ~all[CONTEND_NOT_PLAN])
        challenge->count = challenge->common;
    if (all[CONTEND_FAILED] != 0 || all[CONTEND_RULES] != ~all[CONTEND_NOT_RULES]) {
        challenge->serving = 0;
        challenge->count = 1;
    } else if (challenge->is_pair) {
        judge_pair(challenge, all);
        note_quick(challenge,
                   (double)all[challenge->serving == challenge->trying ? CONTEND_SUM_TRIAL
                                                                       : CONTEND_SUM_SERVING]);
    } else {
        const double mean = (double)all[CONTEND_SUM_CALLS] / (double)calls;
        note_quick(challenge, mean);
        if (calls >= MEAN_OF)
            look_for_change(challenge, mean);
    }
    plan(challenge);
}
