/* Which of a few algorithms is the fastest for blocks of a size, and how long that is asked. */
#ifndef CONTEND_CONTEST_H
#define CONTEND_CONTEST_H

#include <stdbool.h>

struct contend_choice;

enum { CONTEND_CANDIDATES = 4, CONTEND_TRIALS = 3 };

struct contend_candidate {
    const struct contend_choice *choice; /* NULL: the library's own */
    bool is_out;                         /* it cannot run here */
    bool is_trying;                      /* it has a trial in this round */
    int trials;
    double seconds[CONTEND_TRIALS]; /* from the last rank's begin to the last one's end */
};

/* The library's own stands first. `count` is 0 before the first call. */
struct contend_contest {
    struct contend_candidate candidate[CONTEND_CANDIDATES];
    int count;
    int calls; /* set: made so far */
    bool is_decided;
    bool is_brief; /* decided because a call is too short to gain */
    int winner;
    double asking_s; /* set: of all that the ranks told each other to find out */
    double bound_s;  /* set: no call takes less over the slow link; 0: unknown; HUGE_VAL: none is
                        worth a trial, as nothing crosses it */
    int first;       /* set: calls before the first trial; 0: as the link says */
    double likely_s; /* set: what the first of the others takes, by the link; 0: unknown */
    double setup_s;  /* set: what ranks agree on before the first trial of one, if nobody is sure */
    double excess_s; /* set: of all calls of the library's own, beyond its trials, in the mean */
};

/* Decides who has a trial in the next round, or who has won, while finding out may cost `left`
 * seconds more. Called after each round, and as long as nobody has a trial, when there is more. */
void contend_judge(struct contend_contest *contest, double left);

/* Whether the first trial of the first of the others took no longer than is likely. */
bool contend_is_as_likely(const struct contend_contest *contest);

/* Median of its trials, HUGE_VAL where it has none. */
double contend_median(const struct contend_candidate *candidate);

/* What a call takes the library alone: the median of its trials, and what all its calls took more
 * in the mean, as few calls wait for time-outs and take most of the time then. */
double contend_native_s(const struct contend_contest *contest);

/* Seconds of all trials beyond as many calls of the library's own, and of asking. */
double contend_contest_cost(const struct contend_contest *contest);

/* Index of the candidate that would win now. */
int contend_leader(const struct contend_contest *contest);

#endif
