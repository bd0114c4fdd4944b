/* What the calls of this process add up to, in a file of JSON lines for each process.
 *
 * $CONTEND_VERIFY names a folder that all ranks see. Each writes a file of its own, so that
 * no rank waits for another: at MPI_Finalize, or at the end of a program that never comes there.
 * Cost: a search by hashing for each call. Beyond ROWS different keys calls are only counted. */
#include "ledger.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 1 << 14, FILLED = ROWS / 2 };

struct row {
    struct contend_key key;
    double calls;
    double seconds;
};

static struct row *rows; /* ROWS of them, or NULL */
static int filled;
static double left_out;
static int rank = -1, ranks = 0;
static char library[MPI_MAX_LIBRARY_VERSION_STRING];
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static bool is_written;

static bool is_same(const struct contend_key *a, const struct contend_key *b)
{
    return a->m == b->m && a->operation == b->operation && a->n == b->n && a->asked == b->asked &&
           a->ran == b->ran && a->segment == b->segment && a->fanout == b->fanout &&
           a->is_in_parts == b->is_in_parts && a->is_ordered == b->is_ordered &&
           a->inner == b->inner && a->inner_ran == b->inner_ran;
}

/* Multiplication by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4). */
static unsigned place_of(const struct contend_key *key)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    uint64_t mixed = (uint64_t)key->m * golden;
    mixed = (mixed ^ (uint64_t)key->operation ^ ((uint64_t)key->n << 8)) * golden;
    mixed = (mixed ^ (uint64_t)(uintptr_t)key->ran ^ (uint64_t)key->segment) * golden;
    mixed = (mixed ^ (uint64_t)(uintptr_t)key->inner_ran) * golden;
    return (unsigned)(mixed >> 40) % ROWS;
}

static struct row *find(const struct contend_key *key)
{
    if (rows == NULL)
        rows = calloc(ROWS, sizeof *rows);
    if (rows == NULL)
        return NULL;
    unsigned at = place_of(key);
    while (rows[at].calls > 0 && !is_same(&rows[at].key, key))
        at = (at + 1) % ROWS;
    if (rows[at].calls > 0)
        return &rows[at];
    if (filled >= FILLED)
        return NULL;
    filled++;
    rows[at].key = *key;
    return &rows[at];
}

void contend_add(const struct contend_key *key, double seconds)
{
    pthread_mutex_lock(&adding);
    if (ranks == 0)
        contend_note_world(); /* a program may end without MPI_Finalize */
    struct row *row = find(key);
    if (row == NULL) {
        left_out++;
    } else {
        row->calls++;
        row->seconds += seconds;
    }
    pthread_mutex_unlock(&adding);
}

void contend_note_world(void)
{
    int length = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Get_library_version(library, &length);
}

static void write_word(FILE *file, const char *key, const char *word)
{
    fprintf(file, ", \"%s\": ", key);
    if (word == NULL) {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    for (; *word != '\0'; word++)
        if ((unsigned char)*word >= ' ' && *word != '"' && *word != '\\')
            fputc(*word, file);
        else
            fputc(' ', file);
    fputc('"', file);
}

static void write_number(FILE *file, const char *key, int64_t number)
{
    if (number < 0)
        fprintf(file, ", \"%s\": null", key);
    else
        fprintf(file, ", \"%s\": %" PRId64, key, number);
}

static void write_row(FILE *file, const struct row *row)
{
    const struct contend_key *key = &row->key;
    fprintf(file, "{\"operation\": \"%s\", \"n\": %d, \"m\": %" PRId64,
            contend_operation_names[key->operation], (int)key->n, key->m);
    fprintf(file, ", \"calls\": %.0f, \"seconds\": %.9g", row->calls, row->seconds);
    write_word(file, "asked", key->asked);
    write_word(file, "ran", key->ran);
    write_number(file, "segment", key->segment);
    write_number(file, "fanout", key->fanout);
    write_word(file, "inner", key->inner_ran != NULL ? contend_operation_names[key->inner] : NULL);
    write_word(file, "inner_ran", key->inner_ran);
    fprintf(file, ", \"is_in_parts\": %s", key->is_in_parts ? "true" : "false");
    fprintf(file, ", \"is_ordered\": %s}\n", key->is_ordered ? "true" : "false");
}

static void write_all(FILE *file)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    fprintf(file, "{\"rank\": %d, \"ranks\": %d, \"left_out\": %.0f", rank, ranks, left_out);
    write_word(file, "host", host);
    write_word(file, "library", library);
#ifdef OPEN_MPI
    fputs(", \"sees_algorithms\": true}\n", file);
#else
    fputs(", \"sees_algorithms\": false}\n", file);
#endif
    for (int i = 0; rows != NULL && i < ROWS; i++)
        if (rows[i].calls > 0)
            write_row(file, &rows[i]);
}

void contend_write_ledger(void)
{
    const char *folder = getenv("CONTEND_VERIFY");
    char path[4096], beside[4096 + 8];
    pthread_mutex_lock(&adding);
    const bool is_wanted = folder != NULL && ranks > 0 && !is_written;
    is_written = true;
    if (is_wanted) {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        snprintf(path, sizeof path, "%s/%s-%ld.jsonl", folder, host, (long)getpid());
        snprintf(beside, sizeof beside, "%s.part", path);
        FILE *file = fopen(beside, "we");
        if (file != NULL) {
            write_all(file);
            const bool is_ok = !ferror(file);
            if (fclose(file) != 0 || !is_ok || rename(beside, path) != 0)
                unlink(beside);
        }
    }
    pthread_mutex_unlock(&adding);
}

__attribute__((destructor)) static void at_the_end(void) { contend_write_ledger(); }
