/* The line of JSON of a job, or of a rank of it: see docs/watch.md for its fields. */
#include <inttypes.h>

#include "sums.h"

/* Quoted, in the UTF-8 that it is in; control characters and what would need escapes are blanks. */
void contend_write_text(FILE *file, const char *text)
{
    if (text == NULL || *text == '\0') {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++)
        fputc((unsigned char)*text < ' ' || *text == '"' || *text == '\\' ? ' ' : *text, file);
    fputc('"', file);
}

/* Whatever decimal point the program's locale has. */
void contend_write_seconds(FILE *file, int64_t ns)
{
    const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    fprintf(file, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000,
            size % 1000000000);
}

static void write_others(FILE *file, const struct contend_sums *sums, const struct contend_job *job)
{
    static const char *const behind[] = {[CONTEND_STARTED_LATER] = "_init",
                                         [CONTEND_BETWEEN_GROUPS] = " (intercommunicator)",
                                         [CONTEND_OF_SEVERAL_WORLDS] = " (several worlds)"};
    const char *separator = "";
    fputs(", \"other_calls\": {", file);
    for (int i = 0; i < CONTEND_OTHERS; i++) {
        const int form = i % CONTEND_FORMS;
        if (sums->head.others[i] == 0)
            continue;
        fprintf(file, "%s\"%s%s%s\": %" PRIu64, separator, form == CONTEND_BEGUN ? "i" : "",
                job->operations[i / CONTEND_FORMS], form > CONTEND_BEGUN ? behind[form] : "",
                sums->head.others[i]);
        separator = ", ";
    }
    fputc('}', file);
}

static void write_bins(FILE *file, const struct contend_sum *sum)
{
    const char *separator = "";
    fputs(", \"bins\": [", file);
    for (int bin = 0; bin < CONTEND_BINS; bin++) {
        if (sum->bins[bin] == 0)
            continue;
        fprintf(file, "%s[%d, %" PRIu64 "]", separator, bin, sum->bins[bin]);
        separator = ", ";
    }
    fputc(']', file);
}

static void write_own_samples(FILE *file, const struct contend_sums *sums, int row)
{
    const char *separator = "";
    for (int i = 0; i < sums->head.match_count; i++) {
        const struct contend_match *match = sums->matches + i;
        if (match->row != row)
            continue;
        fprintf(file, "%s[%" PRId64 ", \"%016" PRIx64 "\", %" PRIu32 ", %" PRId64 ", %" PRId64 "]",
                separator, match->m, match->comm, match->ordinal, match->first_begin,
                match->last_end);
        separator = ", ";
    }
}

/* Whether all ranks of the call have kept it, and it is drawn of 2^thinned. */
static bool is_whole(const struct contend_sums *sums, const struct contend_match *match, int row,
                     int thinned)
{
    return match->row == row && match->ranks == sums->rows[row].n &&
           contend_is_drawn(match->comm, match->ordinal, thinned);
}

/* Calls of several communicators may be more than one has. */
static int thinning_of(const struct contend_sums *sums, int row)
{
    int thinned = -1, count;
    do {
        thinned++;
        count = 0;
        for (int i = 0; i < sums->head.match_count; i++)
            count += is_whole(sums, sums->matches + i, row, thinned);
    } while (count > CONTEND_SAMPLES);
    return thinned;
}

static void write_more_seconds(FILE *file, int64_t ns)
{
    fputs(", ", file);
    contend_write_seconds(file, ns);
}

static void write_matched_samples(FILE *file, const struct contend_sums *sums, int row)
{
    const char *separator = "";
    const int thinned = thinning_of(sums, row);
    for (int i = 0; i < sums->head.match_count; i++) {
        const struct contend_match *match = sums->matches + i;
        if (!is_whole(sums, match, row, thinned))
            continue;
        const int64_t spread = match->last_begin - match->first_begin;
        fprintf(file, "%s[%.0f, %d", separator, (double)match->m / match->ranks, (int)match->ranks);
        write_more_seconds(file, spread);
        write_more_seconds(file, match->last_end - match->last_begin);
        write_more_seconds(file, spread - match->lateness / match->ranks);
        fputc(']', file);
        separator = ", ";
    }
}

static void write_row(FILE *file, const struct contend_sums *sums, const struct contend_job *job,
                      int row, int rank)
{
    const struct contend_sum *sum = sums->rows + row;
    fprintf(file, "{\"operation\": \"%s\", \"n\": %d, \"nodes\": %d, \"ppn\": ",
            job->operations[sum->operation], (int)sum->n, (int)sum->nodes);
    if (sum->ppn < 0)
        fputs("null", file);
    else
        fprintf(file, "%d", (int)sum->ppn);
    fprintf(file, ", \"size\": %" PRId64 ", \"algorithm\": ", sum->size);
    contend_write_text(file, sum->algorithm);
    fprintf(file, ", \"calls\": %" PRIu64 ", \"bytes\": %.0f, \"seconds\": ", sum->calls,
            sum->bytes);
    contend_write_seconds(file, sum->ns);
    write_bins(file, sum);
    fputs(", \"samples\": [", file);
    if (rank < 0)
        write_matched_samples(file, sums, row);
    else
        write_own_samples(file, sums, row);
    fputs("]}", file);
}

void contend_write_line(FILE *file, const struct contend_sums *sums, const struct contend_job *job,
                        int rank)
{
    fprintf(file, "{\"format\": \"contend-watch\", \"version\": 1, \"job\": \"%016" PRIx64 "\"",
            job->id);
    if (rank >= 0)
        fprintf(file, ", \"rank\": %d, \"complete\": false", rank);
    fputs(", \"name\": ", file);
    contend_write_text(file, job->name);
    fputs(", \"began\": ", file);
    contend_write_seconds(file, job->began_ns);
    fputs(", \"seconds\": ", file);
    contend_write_seconds(file, sums->head.ns);
    fprintf(file, ", \"ranks\": %d, \"nodes\": %d, \"library\": ", job->ranks, job->nodes);
    contend_write_text(file, job->library);
    fputs(", \"clock_error\": ", file);
    contend_write_seconds(file, sums->head.clock_error_ns);
    fputs(", \"ended\": ", file);
    contend_write_text(file, job->ended);
    fprintf(file, ", \"not_kept\": %" PRIu64, sums->head.not_kept);
    write_others(file, sums, job);
    fputs(", \"calls\": [", file);
    for (int row = 0; row < sums->head.row_count; row++) {
        fputs(row == 0 ? "" : ", ", file);
        write_row(file, sums, job, row, rank);
    }
    fputs("]}\n", file);
}
