/* What is written of the calls of a program that is verified, see contend.tune.verification.calls.
 *
 * $CONTEND_VERIFY names a folder that all ranks see. Each writes a file of JSON lines of its own,
 * so that no rank waits for another. */
#include "verified.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "../collective.h"
#include "sums.h"

static int own_rank, all_ranks;
static char own_library[MPI_MAX_LIBRARY_VERSION_STRING];

void contend_name_verified(int rank, int ranks, const char *library)
{
    own_rank = rank;
    all_ranks = ranks;
    snprintf(own_library, sizeof own_library, "%s", library);
}

static void write_word(FILE *file, const char *key, const char *word)
{
    fprintf(file, ", \"%s\": ", key);
    contend_write_text(file, word);
}

static void write_number(FILE *file, const char *key, int64_t number)
{
    if (number < 0)
        fprintf(file, ", \"%s\": null", key);
    else
        fprintf(file, ", \"%s\": %" PRId64, key, number);
}

static void write_row(FILE *file, const struct contend_row *row)
{
    const struct contend_key *key = &row->key;
    const char *inner = key->inner_ran != NULL ? contend_operation_names[key->inner] : NULL;
    fprintf(file, "{\"operation\": \"%s\", \"n\": %d, \"m\": %" PRId64,
            contend_operation_names[key->operation], (int)key->n, key->m);
    fprintf(file, ", \"calls\": %" PRIu64 ", \"seconds\": ", row->calls);
    contend_write_seconds(file, row->ns);
    write_word(file, "asked", key->asked);
    write_word(file, "ran", key->ran);
    write_number(file, "segment", key->segment);
    write_number(file, "fanout", key->fanout);
    write_word(file, "inner", inner);
    write_word(file, "inner_ran", key->inner_ran);
    fprintf(file, ", \"is_in_parts\": %s", key->is_in_parts ? "true" : "false");
    fprintf(file, ", \"is_ordered\": %s}\n", key->is_ordered ? "true" : "false");
}

static void write_all(FILE *file, const struct contend_ledger *ledger, const char *host)
{
    fprintf(file, "{\"rank\": %d, \"ranks\": %d, \"left_out\": %" PRIu64, own_rank, all_ranks,
            ledger->not_kept);
    write_word(file, "host", host);
    write_word(file, "library", own_library);
#ifdef OPEN_MPI
    fputs(", \"sees_algorithms\": true}\n", file);
#else
    fputs(", \"sees_algorithms\": false}\n", file);
#endif
    for (int i = 0; i < ledger->rows_used; i++)
        write_row(file, ledger->rows + i);
}

void contend_write_verified(const struct contend_ledger *ledger)
{
    char host[256] = "", path[4096], beside[4096 + 8];
    gethostname(host, sizeof host - 1);
    snprintf(path, sizeof path, "%s/%s-%ld.jsonl", getenv("CONTEND_VERIFY"), host, (long)getpid());
    snprintf(beside, sizeof beside, "%s.part", path);
    FILE *file = fopen(beside, "we");
    if (file == NULL)
        return;
    write_all(file, ledger, host);
    const bool is_ok = !ferror(file);
    if (fclose(file) != 0 || !is_ok || rename(beside, path) != 0)
        unlink(beside);
}
