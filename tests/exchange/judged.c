/* The rules of a check against times that are made up.
 *
 *   judged FINISH TIMES TIMES...
 *
 * TIMES are those of a candidate's trials, e.g. 4,4.1,3.9; the last goes on. The library's own
 * stands first, and its first trial is the look. Prints {"winner": W, "brief": B, "trials": [...],
 * "cost": C, "native": S}; S is the median of the library's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/contest.h"

enum { MOST = 32 };

static double times[CONTEND_CANDIDATES][MOST];
static int used[CONTEND_CANDIDATES];

static void read_times(char *text, double *into)
{
    int count = 0;
    for (char *word = strtok(text, ","); word != NULL && count < MOST; word = strtok(NULL, ","))
        into[count++] = atof(word);
    for (; count < MOST; count++)
        into[count] = into[count - 1];
}

static void make_round(struct contend_contest *contest)
{
    contest->asking_s += contest->finish_s;
    for (int i = 0; i < contest->count; i++) {
        struct contend_candidate *one = &contest->candidate[i];
        if (!one->is_trying)
            continue;
        one->seconds[one->trials++] = times[i][used[i]++];
    }
}

int main(int argc, char **argv)
{
    struct contend_contest contest = {.count = argc - 2};
    if (contest.count < 2 || contest.count > CONTEND_CANDIDATES)
        return 2;
    for (int i = 0; i < contest.count; i++)
        read_times(argv[2 + i], times[i]);
    contest.finish_s = atof(argv[1]);
    contest.candidate[0].is_trying = true;
    for (int round = 0; !contest.is_decided; round++) {
        if (round == 10)
            return 3;
        make_round(&contest);
        contend_judge(&contest);
    }
    printf("{\"winner\": %d, \"brief\": %d, \"trials\": [", contest.winner, contest.is_brief);
    for (int i = 0; i < contest.count; i++)
        printf("%s%d", i == 0 ? "" : ", ", contest.candidate[i].trials);
    printf("], \"cost\": %.9g, \"native\": %.9g}\n", contend_contest_cost(&contest),
           contend_median(&contest.candidate[0]));
    return 0;
}
