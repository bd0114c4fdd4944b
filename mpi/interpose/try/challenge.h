/* Who serves the calls of an operation and size, and when another one has a trial. */
#ifndef CONTEND_CHALLENGE_H
#define CONTEND_CHALLENGE_H

#include <stdbool.h>
#include <stdint.h>

/* Changes with the rules by which ranks decide, which must be the same at all of them. */
#define CONTEND_TRY_RULES 2

enum { CONTEND_CHALLENGERS = 16 }; /* most that serve an operation, with the library's default */

/* What ranks tell each other: sums over them, then what the greatest counts of. */
enum contend_number {
    CONTEND_SUM_CALLS,   /* ns in calls since they last told each other */
    CONTEND_SUM_ASKING,  /* ns of telling and of making communicators, since then */
    CONTEND_SUM_SERVING, /* ns in the call of a pair that who serves made */
    CONTEND_SUM_TRIAL,   /* ns in the one that the challenger made */
    CONTEND_SUMS,
    CONTEND_BEGIN_SERVING = CONTEND_SUMS, /* by the common clock, ns */
    CONTEND_END_SERVING,
    CONTEND_BEGIN_TRIAL,
    CONTEND_END_TRIAL,
    CONTEND_FAILED, /* 1: a call failed, or a rank cannot take part */
    CONTEND_RULES, /* by which a rank decides, its plan and its host: two numbers each, which all */
    CONTEND_NOT_RULES, /* have alike where the greatest are each other's complement */
    CONTEND_PLAN,
    CONTEND_NOT_PLAN,
    CONTEND_HOST,
    CONTEND_NOT_HOST,
    CONTEND_NUMBERS
};

struct contend_challenger {
    double score;    /* logarithm of the likelihood that it is faster over that it is not */
    int64_t due;     /* call from which on it is looked at */
    int losses;      /* matches in a row, that its pauses grow with */
    int trials;      /* calls that it made as one */
    bool is_out;     /* it cannot run */
    int64_t cost_ns; /* of its trials, beyond what who serves took: below 0 where they gained */
};

/* What a rank knows of the calls of an operation and size on a communicator. All but `own` and
 * `is_failed` is the same at all ranks. */
struct contend_challenge {
    struct contend_challenger of[CONTEND_CHALLENGERS]; /* 0: the library's default */
    int common, count, serving, trying;
    int64_t calls;          /* made so far */
    int64_t at;             /* calls after which ranks tell each other */
    int64_t told;           /* calls that they have told each other of */
    bool is_pair, is_first; /* the two calls up to `at` are one; the challenger begins */
    bool is_clocked;        /* ranks have one clock */
    int64_t total_ns, spent_ns, ask_ns; /* sums over ranks; `ask_ns`: of the last telling */
    double usual_ns, quick_ns; /* sums over ranks for a call: as it was lately, and at its best */
    int64_t own[CONTEND_NUMBERS];
    int changes; /* times that another came to serve */
};

/* All zero before. All ranks have the first `common` challengers, and perhaps all of them. */
void contend_begin_challenge(struct contend_challenge *challenge, int common, int count);

/* Index of who makes the next call. */
int contend_server(const struct contend_challenge *challenge);

enum contend_turn_of_ranks { CONTEND_NOTHING, CONTEND_TELL, CONTEND_JUDGE };

/* After the call, with its begin and end by the common clock. CONTEND_TELL where ranks are to tell
 * each other what contend_take_numbers gives, while they go on: sums of the first CONTEND_SUMS, the
 * greatest of the others. CONTEND_JUDGE, a few calls later, where they are to know of it. */
enum contend_turn_of_ranks contend_note_served(struct contend_challenge *challenge,
                                               int64_t begin_ns, int64_t end_ns);

/* Takes what a rank has to tell. Challengers that not all ranks may have are tried where all have
 * one `plan`. Ranks of one `host` have one clock; else the times of a pair are means over the
 * ranks. */
void contend_take_numbers(struct contend_challenge *challenge, int64_t plan, int64_t host,
                          int64_t *numbers);

/* The challenger of the pair that was to come cannot run, as all ranks know. */
void contend_refuse_challenger(struct contend_challenge *challenge);

/* It can do so later, as all ranks know. */
void contend_postpone_challenger(struct contend_challenge *challenge);

/* With what all ranks have told, the same at all of them. Who serves may be another one then. */
void contend_judge_challenge(struct contend_challenge *challenge, const int64_t *all);

/* Adds what this rank took to tell, or to make a communicator, to what it will tell next. */
static inline void contend_note_asking(struct contend_challenge *challenge, int64_t ns)
{
    challenge->own[CONTEND_SUM_ASKING] += ns;
}

#endif
