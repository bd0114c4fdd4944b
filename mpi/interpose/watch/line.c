/* The line of JSON of a job, or of a rank of it: see docs/watch.md for its fields. */
#include <ctype.h>
#include <inttypes.h>
#include <locale.h>

#include "sums.h"

/* Quoted, in the UTF-8 that it is in; control characters and what would need escapes are blanks. */
static void write_text(FILE *file, const char *text)
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

static void write_others(FILE *file, const struct contend_sums *sums,
                         const struct contend_job *job)
{
    const char *separator = "";
    fputs(", \"other_calls\": {", file);
    for (int i = 0; i < CONTEND_OTHERS; i++) {
        if (sums->head.others[i] == 0)
            continue;
        fputs(separator, file);
        fputc('"', file);
        for (const char *at = job->others[i]; *at != '\0'; at++)
            fputc(tolower((unsigned char)*at), file);
        fprintf(file, "\": %" PRIu64, sums->head.others[i]);
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
static bool is_whole(const struct contend_sums *sums, const struct contend_match *match,
                     int row, int thinned)
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

static void write_matched_samples(FILE *file, const struct contend_sums *sums, int row)
{
    const char *separator = "";
    const int thinned = thinning_of(sums, row);
    for (int i = 0; i < sums->head.match_count; i++) {
        const struct contend_match *match = sums->matches + i;
        if (!is_whole(sums, match, row, thinned))
            continue;
        const double ranks = match->ranks;
        const int64_t spread = match->last_begin - match->first_begin;
        fprintf(file, "%s[%.0f, %d, %.9g, %.9g, %.9g]", separator, (double)match->m / ranks,
                (int)match->ranks, 1e-9 * (double)spread,
                1e-9 * (double)(match->last_end - match->last_begin),
                1e-9 * ((double)spread - (double)match->lateness / ranks));
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
    write_text(file, sum->algorithm);
    fprintf(file, ", \"calls\": %" PRIu64 ", \"bytes\": %.0f, \"seconds\": %.9g", sum->calls,
            sum->bytes, 1e-9 * (double)sum->ns);
    write_bins(file, sum);
    fputs(", \"samples\": [", file);
    if (rank < 0)
        write_matched_samples(file, sums, row);
    else
        write_own_samples(file, sums, row);
    fputs("]}", file);
}

static void write_line(FILE *file, const struct contend_sums *sums, const struct contend_job *job,
                       int rank)
{
    fprintf(file, "{\"format\": \"contend-watch\", \"version\": 1, \"job\": \"%016" PRIx64 "\"",
            job->id);
    if (rank >= 0)
        fprintf(file, ", \"rank\": %d, \"complete\": false", rank);
    fputs(", \"name\": ", file);
    write_text(file, job->name);
    fprintf(file, ", \"began\": %.3f, \"seconds\": %.9g, \"ranks\": %d, \"nodes\": %d", job->began,
            sums->head.seconds, job->ranks, job->nodes);
    fputs(", \"library\": ", file);
    write_text(file, job->library);
    fprintf(file, ", \"clock_error\": %.9g, \"ended\": ", sums->head.clock_error);
    write_text(file, job->ended);
    fprintf(file, ", \"not_kept\": %" PRIu64, sums->head.not_kept);
    write_others(file, sums, job);
    fputs(", \"calls\": [", file);
    for (int row = 0; row < sums->head.row_count; row++) {
        fputs(row == 0 ? "" : ", ", file);
        write_row(file, sums, job, row, rank);
    }
    fputs("]}\n", file);
}

/* Numbers have the decimal point of JSON, whatever the program's locale. */
void contend_write_line(FILE *file, const struct contend_sums *sums, const struct contend_job *job,
                        int rank)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = plain == (locale_t)0 ? (locale_t)0 : uselocale(plain);
    write_line(file, sums, job, rank);
    if (plain == (locale_t)0)
        return;
    uselocale(before);
    freelocale(plain);
}
