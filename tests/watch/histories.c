/* Histories of calls whose times are made up, and who served them: the rules of trying.
 *
 *   histories SEED COUNT CALLS CONTENDERS NOISE OUTLIERS DRIFT RHYTHM ASK PLANT FROM UNTIL FASTEST
 * CLOCKED
 *
 * COUNT histories from a seed on; a call of the default takes 100 us, of the others between half
 * and four times that, by the seed, of the last one FASTEST; NOISE and DRIFT are shares of a time,
 * OUTLIERS the share of calls that take ten times as long, RHYTHM the calls of a step, each of
 * which takes another time; telling each other takes ASK us; calls FROM to UNTIL of the default
 * take PLANT times as long. Prints a line for each history: the call from which on the default no
 * longer served, the same after UNTIL in reverse (-1: never), the greatest cost of trials at any
 * time over the budget, in trials; what all calls took over what the default would have, without a
 * plant, and with; and how often another came to serve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "challenge.h"

enum { RANKS = 3 };

struct world {
    double noise, outliers, drift, ask, plant, fastest;
    long calls, rhythm, from, until;
    int contenders;
    bool is_clocked;
};

static uint64_t state;

static double uniform(void) /* xorshift64* (Vigna 2016) */
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 0x2545F4914F6CDD1Du) >> 11) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

static void run(const struct world *world, uint64_t seed)
{
    struct contend_challenge ranks[RANKS] = {0};
    int64_t all[CONTEND_NUMBERS] = {0};
    double factor[CONTEND_CHALLENGERS] = {1}, step[64], cost = 0, extra[CONTEND_CHALLENGERS] = {0}, total = 0, without = 0;
    double dear = 0, dearest = 0, before = 0, worst = -1e9, partner = 0, trial = 0;
    long left = -1, back = -1;
    state = seed * 0x9E3779B97F4A7C15u + 1;
    for (int i = 1; i < world->contenders; i++)
        factor[i] = 0.5 * pow(8, uniform());
    if (world->fastest > 0)
        factor[world->contenders - 1] = world->fastest;
    for (long i = 0; i < world->rhythm; i++)
        step[i] = 0.3 + 2 * uniform();
    for (int i = 0; i < RANKS; i++)
        contend_begin_challenge(&ranks[i], world->contenders, world->contenders);
    double now = 0;
    for (long call = 0; call < world->calls; call++) {
        const int who = contend_server(&ranks[0]);
        const bool is_of_trial =
            ranks[0].is_pair && ranks[0].calls < ranks[0].at && who == ranks[0].trying;
        for (int i = 1; i < RANKS; i++)
            if (contend_server(&ranks[i]) != who)
                exit(3);
        double base = 100e3 * exp(world->noise * normal());
        base *= 1 + world->drift * sin((double)call / 300);
        base *= world->rhythm > 0 ? step[call % world->rhythm] : 1;
        base *= uniform() < world->outliers ? 10 : 1;
        const double planted = call >= world->from && call < world->until ? world->plant : 1;
        const double ns = base * (who == 0 ? planted : factor[who]);
        const bool was_pair = ranks[0].is_pair && ranks[0].calls < ranks[0].at;
        enum contend_turn_of_ranks turn = CONTEND_NOTHING;
        double sum = 0;
        for (int i = 0; i < RANKS; i++) { /* ranks come late, and clocks are no matter */
            const double late = 0.1 * base * uniform();
            turn =
                contend_note_served(&ranks[i], (int64_t)(now + late), (int64_t)(now + ns + late));
            sum += ns;
        }
        now += ns + base;
        total += sum;
        without += base * planted * RANKS;
        if (was_pair)
            *(is_of_trial ? &trial : &partner) = sum;
        if (turn == CONTEND_TELL) {
            memset(all, 0, sizeof all);
            for (int i = 0; i < RANKS; i++) {
                int64_t own[CONTEND_NUMBERS];
                contend_take_numbers(&ranks[i], 1, world->is_clocked ? 1 : i, own);
                for (int k = 0; k < CONTEND_NUMBERS; k++)
                    all[k] = k < CONTEND_SUMS            ? all[k] + own[k]
                             : i == 0 || own[k] > all[k] ? own[k]
                                                         : all[k];
            }
            double *own = &extra[ranks[0].trying];
            dear = was_pair ? fmax(trial - partner, 0) : 0;
            cost -= fmax(*own, 0);
            *own += was_pair ? trial - partner : 0;
            cost += fmax(*own, 0);
            dearest = fmax(dearest, dear + before);
        } else if (turn == CONTEND_JUDGE) {
            const double asking = world->ask * 1e3 * (0.8 + 0.4 * uniform());
            cost += asking * RANKS;
            dearest = fmax(dearest, before + dear + asking * RANKS);
            before = asking * RANKS;
            for (int i = 0; i < RANKS; i++) {
                contend_judge_challenge(&ranks[i], all);
                contend_note_asking(&ranks[i], (int64_t)asking);
            }
            now += asking;
        }
        worst = fmax(worst, (cost - 0.01 * total) / fmax(dearest, 1));
        if (left < 0 && ranks[0].serving != 0 && call >= world->from)
            left = call;
        if (call >= world->until && ranks[0].serving == 0 && back < 0 && left >= 0)
            back = call;
    }
    printf("%ld %ld %.4f %.5f %d %d %.5f\n", left, back, worst, total / without, ranks[0].changes,
           ranks[0].serving, factor[ranks[0].serving]);
}

int main(int argc, char **argv)
{
    if (argc != 15)
        return 2;
    const struct world world = {.calls = atol(argv[3]),
                                .contenders = atoi(argv[4]),
                                .noise = atof(argv[5]),
                                .outliers = atof(argv[6]),
                                .drift = atof(argv[7]),
                                .rhythm = atol(argv[8]),
                                .ask = atof(argv[9]),
                                .plant = atof(argv[10]),
                                .from = atol(argv[11]),
                                .until = atol(argv[12]),
                                .fastest = atof(argv[13]),
                                .is_clocked = atoi(argv[14])};
    for (long i = 0; i < atol(argv[2]); i++)
        run(&world, strtoul(argv[1], NULL, 10) + (unsigned long)i);
    return 0;
}
