/* Which algorithm serves which calls, and why, in a line for each kind of call.
 *
 * $CONTEND_EXCHANGE_EXPLAIN is "1" for lines on standard error, or a file that they are added to.
 * "0" and nothing say nothing. */
#include "explain.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../choose/check.h"

#define MOST_SAID 512 /* lines of a process; a program with more kinds of calls knows enough */

static uint64_t said[MOST_SAID];
static int said_count;
static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;

static bool is_new(int ranks, enum contend_exchange_kind kind, int size)
{
    const int what[3] = {ranks, (int)kind, size};
    const uint64_t key = contend_digest(0, what, sizeof what);
    bool is_known = false;
    pthread_mutex_lock(&saying);
    for (int i = 0; i < said_count && !is_known; i++)
        is_known = said[i] == key;
    const bool is_room = said_count < MOST_SAID;
    if (!is_known && is_room)
        said[said_count++] = key;
    pthread_mutex_unlock(&saying);
    return !is_known && is_room;
}

/* One write for the whole line, so that those of several processes do not mix. */
static void say(const struct contend_plan *plan, const char *line)
{
    FILE *file = strcmp(plan->explain, "1") == 0 ? stderr : fopen(plan->explain, "ae");
    if (file == NULL)
        return;
    fprintf(file, "contend: %s\n", line);
    if (file != stderr)
        fclose(file);
}

static void explain_native(const struct contend_contest *contest, char *text, size_t size)
{
    char time[CONTEND_WORDS], name[CONTEND_WORDS];
    const double native = contend_native_s(contest);
    if (contest->count == 1) {
        snprintf(text, size, "no other algorithm suits its groups");
        return;
    }
    int at = snprintf(text, size, "%s %s", contest->is_brief ? "a call takes" : "measured:",
                      contend_seconds_text(native, time));
    if (contest->bound_s > 0 && !contest->is_brief && contest->candidate[1].trials == 0) {
        snprintf(text, size, "it takes %s, and the slow link alone %s",
                 contend_seconds_text(native, time), contend_seconds_text(contest->bound_s, name));
        return;
    }
    if (contest->is_brief) {
        snprintf(text + at, size - (size_t)at, ", too short to gain");
        return;
    }
    for (int i = 1; i < contest->count && (size_t)at + 2 * CONTEND_WORDS < size; i++) {
        const struct contend_candidate *one = &contest->candidate[i];
        contend_choice_text(one->choice, name);
        if (one->is_out)
            at += snprintf(text + at, size - (size_t)at, ", %s cannot run", name);
        else
            at += snprintf(text + at, size - (size_t)at, ", %s %s", name,
                           contend_seconds_text(contend_median(one), time));
    }
}

static void explain_measured(const struct contend_contest *contest, char *text, size_t size)
{
    char own[CONTEND_WORDS], native[CONTEND_WORDS];
    snprintf(text, size, "measured: %s instead of %s of the library",
             contend_seconds_text(contend_median(&contest->candidate[contest->winner]), own),
             contend_seconds_text(contend_native_s(contest), native));
}

static void explain_why(const struct contend_turn *turn, char *text, size_t size)
{
    const struct contend_plan *plan = turn->state->plan;
    if (turn->choice == NULL && turn->why[0] != '\0')
        snprintf(text, size, "%s", turn->why);
    else if (turn->asked == NULL)
        snprintf(text, size, "%s",
                 turn->given != NULL ? "a trial, or what trials say"
                 : plan->is_forced   ? "CONTEND_EXCHANGE_ALGORITHM"
                                     : "the plan");
    else if (turn->asked->contest.winner == 0)
        explain_native(&turn->asked->contest, text, size);
    else
        explain_measured(&turn->asked->contest, text, size);
}

void contend_explain(const struct contend_turn *turn)
{
    struct contend_turn served = *turn;
    if (turn->asked != NULL && !turn->asked->contest.is_decided)
        return;
    if (turn->is_trial) {
        const struct contend_contest *contest = &turn->asked->contest;
        served.choice = contest->candidate[contest->winner].choice;
        served.why = turn->state->is_native ? turn->state->why : "";
    }
    if (!is_new(turn->state->processes, turn->kind, turn->size))
        return;
    char why[1024], line[2048], size[CONTEND_WORDS], name[CONTEND_WORDS];
    explain_why(&served, why, sizeof why);
    snprintf(line, sizeof line, "%s of %d ranks, blocks of %s: %s (%s)",
             contend_kind_text(turn->kind), turn->state->processes,
             contend_size_text(turn->size, size), contend_choice_text(served.choice, name), why);
    say(turn->state->plan, line);
}

static void explain_open(const struct contend_state *state, enum contend_exchange_kind kind,
                         int class)
{
    const struct contend_asked *asked = &state->check->asked[kind][class];
    char line[1024], size[CONTEND_WORDS], name[CONTEND_WORDS], time[CONTEND_WORDS];
    const struct contend_contest *contest = &asked->contest;
    const int leader = contend_leader(contest);
    int at = snprintf(line, sizeof line, "%s of %d ranks, blocks of %s: %s so far (",
                      contend_kind_text(kind), state->processes, contend_size_text(class, size),
                      contend_choice_text(contest->candidate[leader].choice, name));
    if (contest->candidate[0].trials == 0)
        snprintf(line + at, sizeof line - (size_t)at,
                 "it takes %s, and the slow link alone %s; looking at the library's own would "
                 "have cost more than that may lose in %d calls)",
                 contend_seconds_text(contend_median(&contest->candidate[leader]), time),
                 contend_seconds_text(contest->bound_s, name), asked->calls);
    else
        snprintf(line + at, sizeof line - (size_t)at,
                 "the library takes %s; finding out more would have cost over 2 %% of %d calls)",
                 contend_seconds_text(contend_native_time(asked), time), asked->calls);
    say(state->plan, line);
}

void contend_explain_undecided(const struct contend_state *state)
{
    char line[512];
    if (state->check == NULL || state->rank != 0 || state->plan->explain[0] == '\0')
        return;
    for (enum contend_exchange_kind kind = 0; kind < CONTEND_EXCHANGE_KINDS; kind++) {
        for (int class = 0; class < CONTEND_SIZES; class++) {
            const struct contend_asked *asked = &state->check->asked[kind][class];
            const struct contend_candidate *tried = asked->contest.candidate;
            if (tried[0].trials + tried[1].trials > 0 && contend_is_open(asked) &&
                is_new(state->processes, kind, class))
                explain_open(state, kind, class);
        }
        const int unasked = state->check->unasked[kind].calls;
        snprintf(line, sizeof line,
                 "%s of %d ranks: native in %d calls, for whose sizes nobody asked, as that would "
                 "not have paid",
                 contend_kind_text(kind), state->processes, unasked);
        if (unasked > 0 && is_new(state->processes, kind, -1))
            say(state->plan, line);
    }
}

void contend_explain_totals(const struct contend_plan *plan, const struct contend_totals *totals)
{
    char line[512], size[CONTEND_WORDS], time[CONTEND_WORDS];
    for (int i = 0; i < CONTEND_EXCHANGE_KINDS * CONTEND_SIZES; i++) {
        const enum contend_exchange_kind kind = (enum contend_exchange_kind)(i / CONTEND_SIZES);
        const struct contend_tally *tallies = totals->of[kind][i % CONTEND_SIZES];
        for (int k = 0; contend_algorithm_at(k) != NULL; k++) {
            if (tallies[k].saved_calls <= 0)
                continue;
            const bool is_less = tallies[k].saved_s >= 0;
            snprintf(line, sizeof line,
                     "%s, blocks of %s: %s took %s %s than the library would have, in %.0f calls",
                     contend_kind_text(kind), contend_size_text(i % CONTEND_SIZES, size),
                     contend_algorithm_at(k)->name,
                     contend_seconds_text(fabs(tallies[k].saved_s), time),
                     is_less ? "less" : "more", tallies[k].saved_calls);
            say(plan, line);
        }
    }
    for (int i = 0; i < CONTEND_OPERATIONS * CONTEND_FORMS; i++) {
        const double calls = totals->unserved[i / CONTEND_FORMS][i % CONTEND_FORMS];
        contend_form_text(i / CONTEND_FORMS, i % CONTEND_FORMS, time);
        snprintf(line, sizeof line, "%s: %.0f calls, which are the library's own", time, calls);
        if (calls > 0)
            say(plan, line);
    }
    if (totals->checked_sizes <= 0)
        return;
    snprintf(line, sizeof line, "finding out took %s in all, for %.0f sizes",
             contend_seconds_text(totals->check_s, time), totals->checked_sizes);
    say(plan, line);
}

static int append_bytes(char *text, int at, int64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; unit < 3 && bytes >= 1024 && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    const int length =
        snprintf(text + at, (size_t)(CONTEND_WORDS - at), "%lld %s", (long long)bytes, units[unit]);
    return at + length;
}

const char *contend_size_text(int size, char text[CONTEND_WORDS])
{
    int at = append_bytes(text, 0, 1LL << size);
    at += snprintf(text + at, (size_t)(CONTEND_WORDS - at), " to ");
    append_bytes(text, at, 1LL << (size + 1));
    return text;
}

const char *contend_seconds_text(double seconds, char text[CONTEND_WORDS])
{
    if (seconds < 1e-3)
        snprintf(text, CONTEND_WORDS, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, CONTEND_WORDS, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, CONTEND_WORDS, "%.4g s", seconds);
    return text;
}

const char *contend_choice_text(const struct contend_choice *choice, char text[CONTEND_WORDS])
{
    if (choice == NULL)
        return "native";
    const struct {
        const char *name;
        int value;
    } settings[] = {{"window", choice->settings.window},
                    {"chunk", choice->settings.chunk},
                    {"leaders", choice->settings.leaders}};
    int at = snprintf(text, CONTEND_WORDS, "%.40s", choice->algorithm->name);
    if (choice->settings.window == CONTEND_ALL)
        at += snprintf(text + at, (size_t)(CONTEND_WORDS - at), " window=all");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i].value > 0)
            at += snprintf(text + at, (size_t)(CONTEND_WORDS - at), " %s=%d", settings[i].name,
                           settings[i].value);
    return text;
}

const char *contend_kind_text(enum contend_exchange_kind kind)
{
    static const char *const names[] = {"MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw"};
    return names[kind];
}

const char *contend_form_text(enum contend_operation operation, enum contend_form form,
                              char text[CONTEND_WORDS])
{
    enum { AFTER_MPI = 4 };
    snprintf(text, CONTEND_WORDS, "MPI_%s%s%s", form == CONTEND_BEGUN ? "i" : "",
             contend_operation_names[operation], form == CONTEND_STARTED_LATER ? "_init" : "");
    text[AFTER_MPI] = (char)toupper(text[AFTER_MPI]);
    return text;
}
