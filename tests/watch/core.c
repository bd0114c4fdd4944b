/* The ledger, its line and its file without MPI.
 *
 *   core bins                          the bin of each number of standard input
 *   core ledger ROWS COUNTS SAMPLES    the line of calls of standard input, each
 *                                      OPERATION N SIZE NANOSECONDS M COMMUNICATOR ORDINAL BEGIN
 *   core ranks ROWS COUNTS SAMPLES     the line of a job; "rank" begins the calls of the next rank
 *   core append FILE TEXT LINES        so many lines "TEXT NUMBER aaa..." of several lengths
 *   core bytes ROWS COUNTS SAMPLES     of a ledger */
#include <inttypes.h>
#include <stdlib.h>

#include "append.h"
#include "sums.h"

static const char *const operations[] = {"bcast", "allreduce", "barrier"};

static struct contend_ledger *ledger_of(char **words)
{
    struct contend_ledger *ledger =
        contend_make_ledger(atoi(words[0]), atoi(words[1]), atoi(words[2]));
    if (ledger == NULL)
        exit(2);
    return ledger;
}

static void add(struct contend_ledger *ledger, const char *line)
{
    int operation, n;
    int64_t size, ns;
    struct contend_sample sample = {0};
    if (sscanf(line, "%d %d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNx64 " %" SCNu32 " %" SCNd64,
               &operation, &n, &size, &ns, &sample.m, &sample.comm, &sample.ordinal,
               &sample.begin) != 8)
        exit(3);
    const struct contend_key key = {
        .m = size, .operation = (uint8_t)operation, .n = n, .nodes = 1, .ppn = n};
    sample.end = sample.begin + ns;
    struct contend_row *row = contend_row_of(ledger, &key);
    if (row == NULL) {
        ledger->not_kept++;
        return;
    }
    contend_add(ledger, row, ns, sample.m);
    if (sample.comm != 0 && contend_is_drawn(sample.comm, sample.ordinal, row->thinned))
        contend_keep_sample(ledger, row, &sample);
}

static void end_rank(struct contend_sums *all, struct contend_ledger *ledger)
{
    const struct contend_clock_line clock = {{0, 1000}, {0, 0}};
    struct contend_sums own = {0};
    if (!contend_sum_up_ledger(&own, ledger, &clock) || !contend_make_room(all, &own))
        exit(2);
    contend_add_sums(all, &own);
    contend_free_sums(&own);
    free(ledger);
}

static void ledgers(char **words, bool is_job)
{
    const struct contend_job job = {
        .id = 1, .library = "none", .operations = operations};
    struct contend_ledger *ledger = ledger_of(words);
    struct contend_sums all = {0};
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL)
        if (line[0] != 'r') {
            add(ledger, line);
        } else {
            end_rank(&all, ledger);
            ledger = ledger_of(words);
        }
    end_rank(&all, ledger);
    contend_write_line(stdout, &all, &job, is_job ? -1 : 0);
    contend_free_sums(&all);
}

static int append(const char *path, const char *text, int lines)
{
    static char line[1 << 16];
    for (int i = 0; i < lines; i++) {
        int length = snprintf(line, sizeof line, "%s %d ", text, i);
        for (int more = i * 7919 % 50000; more > 0; more--)
            line[length++] = 'a';
        line[length++] = '\n';
        const int error = contend_append_line(path, line, (size_t)length, 20000);
        if (error != 0) {
            printf("%d\n", error);
            return 4;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    contend_prepare_bins();
    if (argc < 2)
        return 1;
    switch (argv[1][1]) {
    case 'i':
        for (int64_t ns; scanf("%" SCNd64, &ns) == 1;)
            printf("%d\n", contend_bin(ns));
        return 0;
    case 'e':
    case 'a':
        ledgers(argv + 2, argv[1][0] == 'r');
        return 0;
    case 'y':
        printf("%zu\n", CONTEND_LEDGER_BYTES((size_t)atoi(argv[2]), (size_t)atoi(argv[3]),
                                             (size_t)atoi(argv[4])));
        return 0;
    default:
        return append(argv[2], argv[3], atoi(argv[4]));
    }
}
