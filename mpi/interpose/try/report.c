/* What was tried, what that cost, and what serves now, in words. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exchange/report/explain.h"
#include "../modes.h"
#include "offers.h"

enum { MOST_LINES = 64 }; /* of a process, whose communicators may be many */

static int trials_of(const struct contend_challenge *challenge, int *tried)
{
    int trials = 0;
    *tried = 0;
    for (int i = 0; i < challenge->count; i++) {
        trials += challenge->of[i].trials;
        *tried += i > 0 && challenge->of[i].trials > 0;
    }
    return trials;
}

/* "alltoall of 8 ranks, blocks of at most 4096 B" */
static void name_calls(char *text, size_t size, const struct contend_tried_counts *counts)
{
    const int at = snprintf(text, size, "%s of %d ranks",
                            contend_operation_names[counts->operation], counts->ranks);
    if (counts->class > 0)
        snprintf(text + at, size - (size_t)at, ", up to %lld B", 1LL << (counts->class - 1));
}

void contend_report_tried(const struct contend_tried_counts *counts,
                          const struct contend_challenge *challenge,
                          const struct contend_offer *const *offers)
{
    static int lines;
    const char *wanted = getenv("CONTEND_TRY_EXPLAIN");
    int tried = 0;
    const int trials = trials_of(challenge, &tried);
    if (wanted == NULL || wanted[0] == '\0' || strcmp(wanted, "0") == 0 || trials == 0 ||
        lines++ >= MOST_LINES)
        return;
    char calls[128], spent[CONTEND_WORDS], total[CONTEND_WORDS];
    name_calls(calls, sizeof calls, counts);
    const struct contend_offer *serving = offers[challenge->serving];
    FILE *file = strcmp(wanted, "1") == 0 ? stderr : fopen(wanted, "ae");
    if (file == NULL)
        return;
    fprintf(
        file,
        "contend: tried: %s: %s serves, %d changes; %d trials of %d algorithms cost %s, %.2f %% "
        "of %s in %lld calls, summed over the ranks\n",
        calls, serving == NULL ? "the library's default" : serving->name, challenge->changes,
        trials, tried, contend_seconds_text(1e-9 * (double)challenge->spent_ns, spent),
        100 * (double)challenge->spent_ns / (double)challenge->total_ns,
        contend_seconds_text(1e-9 * (double)challenge->total_ns, total),
        (long long)challenge->told);
    if (file != stderr)
        fclose(file);
}

void contend_say_nothing_is_tried(const char *why)
{
    if (contend_is_first_of_job())
        fprintf(stderr, "contend: no algorithms of the MPI library are tried: %s\n", why);
}
