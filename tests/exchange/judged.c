/* The rules of a check against times that are made up.
 *
 *   judged CALLS BOUND TIMES TIMES...
 *
 * BOUND may be followed by a colon and what the first of the others is likely to take.
 * TIMES are those of a candidate's trials, e.g. 4,4.1,3.9; the last goes on. The library's own
 * stands first, and its first trial is the look. Each trial is a call; where nobody has one, so are
 * the calls that the leader serves; the check may spend 2 % of what all these take the library.
 * Prints after that many calls, or when it is decided, {"winner": W, "decided": D, "brief": B,
 * "trials": [...], "calls": N, "most": M}; M is the most that all calls so far have taken beyond
 * 1.02 times the library's, at any call. */
#include <math.h>
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

int main(int argc, char **argv)
{
    struct contend_contest contest = {.count = argc - 3};
    if (contest.count < 2 || contest.count > CONTEND_CANDIDATES)
        return 2;
    for (int i = 0; i < contest.count; i++)
        read_times(argv[3 + i], times[i]);
    char *likely = NULL;
    contest.bound_s = strtod(argv[2], &likely);
    contest.likely_s = *likely == ':' ? atof(likely + 1) : 0;
    contest.candidate[0].is_trying = true;
    const int most_calls = atoi(argv[1]);
    const double native = times[0][MOST - 1];
    double taken = 0, most = 0;
    int calls = 0;
    while (calls < most_calls && !contest.is_decided) {
        bool has_tried = false;
        for (int i = 0; i < contest.count && calls < most_calls; i++) {
            struct contend_candidate *one = &contest.candidate[i];
            if (!one->is_trying)
                continue;
            const double seconds = times[i][used[i]++];
            one->seconds[one->trials++] = seconds;
            taken += seconds;
            most = fmax(most, taken - 1.02 * ++calls * native);
            has_tried = true;
        }
        if (!has_tried) {
            taken += contend_median(&contest.candidate[contend_leader(&contest)]);
            calls++;
        }
        contest.calls = calls;
        contend_judge(&contest, 0.02 * calls * contend_median(&contest.candidate[0]) -
                                    contend_contest_cost(&contest));
    }
    printf("{\"winner\": %d, \"decided\": %d, \"brief\": %d, \"trials\": [",
           contend_leader(&contest), contest.is_decided, contest.is_brief);
    for (int i = 0; i < contest.count; i++)
        printf("%s%d", i == 0 ? "" : ", ", contest.candidate[i].trials);
    printf("], \"calls\": %d, \"most\": %.9g}\n", calls, most);
    return 0;
}
