/* The trace file of this rank: a header of text, then blocks of packed records and words.
 *
 * Idea: each block is written at once and says how long it is and what it sums up to, so that a
 * reader takes all that are whole, wherever the process was killed. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "pack.h"
#include "visit.h"

enum {
    RECORDS_MIN = 4,
    RECORDS = 4096,         /* 256 KiB */
    RECORDS_MOST = 1 << 20, /* more in a second are none */
    WORDS_MIN = 32768,      /* 256 KiB */
    WORDS_FEWEST = 4096,
    WORDS_OF_RANK = 4 /* a group, or counts of both sides, fit */
};

/* A poll that begins so soon after the one before is the same search: what a loop does by itself.
 */
#define SAME_POLL_NS 20000
#define NS_OF_INTERVAL 1000000000

/* Checksum as Fletcher's: 64-bit words summed up, plain and each times its place from 1. */
struct sums {
    uint64_t plain, weighted, count;
};

struct header {
    char mark[8];
    uint32_t records, words; /* 64-bit words of what is packed */
    uint64_t run;
    uint64_t sum, weighted; /* of run, records and words together, and all that follows */
};

static const char mark[8] = {'c', 'o', 'n', 't', 'b', 'l', '3', '\n'};

static struct {
    struct contend_record *records;
    int64_t *words;
    size_t records_max, words_max, record_count, word_count;
    int64_t written_at;
    uint64_t run;
    int file, rank;
    pid_t process;
} trace = {.file = -1};

static atomic_bool is_open;

bool contend_trace_is_open(void) { return atomic_load_explicit(&is_open, memory_order_relaxed); }

void contend_trace_stop(const char *why)
{
    atomic_store(&is_open, false);
    fprintf(stderr,
            "contend record: rank %d: %s; its trace ends here, and the program goes on without\n",
            trace.rank, why);
}

static bool write_parts(const struct iovec *parts, int count)
{
    for (int i = 0; i < count; i++)
        for (size_t done = 0; done < parts[i].iov_len;) {
            const char *from = (const char *)parts[i].iov_base + done;
            const ssize_t n = write(trace.file, from, parts[i].iov_len - done);
            if (n < 0 && errno != EINTR)
                return false;
            done += n > 0 ? (size_t)n : 0;
        }
    return true;
}

/* Without the signal that a file above its limit brings, which would end the program. */
static bool write_all(const struct iovec *parts, int count)
{
    sigset_t longer, before, pending;
    sigemptyset(&longer);
    sigaddset(&longer, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &longer, &before);
    sigpending(&pending);
    const bool was_pending = sigismember(&pending, SIGXFSZ);
    const bool is_written = write_parts(parts, count);
    const int error = errno;
    if (!was_pending)
        while (sigtimedwait(&longer, NULL, &(struct timespec){0}) == -1 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return is_written;
}

static void add_up(struct sums *sums, const void *data, size_t count)
{
    const uint64_t *words = data;
    for (size_t i = 0; i < count; i++) {
        sums->plain += words[i];
        sums->weighted += words[i] * ++sums->count;
    }
}

static void write_block(void)
{
    size_t length;
    const uint64_t *packed =
        contend_pack_block(trace.records, trace.record_count, trace.words, &length);
    struct header header = {
        .records = (uint32_t)trace.record_count, .words = (uint32_t)length, .run = trace.run};
    const uint64_t counts = (uint64_t)header.records << 32 | header.words;
    struct sums sums = {0};
    memcpy(header.mark, mark, sizeof mark);
    add_up(&sums, &header.run, 1);
    add_up(&sums, &counts, 1);
    add_up(&sums, packed, length);
    header.sum = sums.plain;
    header.weighted = sums.weighted;
    const struct iovec parts[] = {{.iov_base = &header, .iov_len = sizeof header},
                                  {.iov_base = (void *)packed, .iov_len = length * sizeof *packed}};
    if (!write_all(parts, 2)) {
        char why[128];
        snprintf(why, sizeof why, "the trace cannot be written: %s", strerror(errno));
        contend_trace_stop(why);
    }
}

void contend_trace_flush(void)
{
    /* A process that was forked has the buffer too, but none of its records is its own. */
    if (trace.record_count > 0 && contend_trace_is_open() && getpid() == trace.process)
        write_block();
    trace.record_count = trace.word_count = 0;
}

/* What is held goes to the file, and the time that this took to the next block. */
static void flush_marked(void)
{
    const int64_t start = contend_nanoseconds();
    contend_trace_flush();
    trace.written_at = contend_nanoseconds();
    trace.records[trace.record_count++] = (struct contend_record){.start = start,
                                                                  .end = trace.written_at,
                                                                  .kind = CONTEND_KIND_flush,
                                                                  .comm = -1,
                                                                  .peer = CONTEND_NO_PEER};
}

void contend_trace_begin(struct contend_record *record)
{
    record->first = (uint32_t)trace.word_count;
    record->words = 0;
}

size_t contend_trace_room(void) { return trace.words_max - trace.word_count; }

bool contend_trace_has_room(struct contend_record *record, size_t words)
{
    if (contend_trace_room() < words) {
        flush_marked();
        contend_trace_begin(record);
    }
    if (contend_trace_room() >= words)
        return true;
    record->flags |= CONTEND_CUT;
    return false;
}

void contend_trace_word(struct contend_record *record, int64_t word)
{
    trace.words[trace.word_count++] = word;
    record->words++;
}

/* Polls that find nothing, one after the other, are one record. */
static bool is_same_poll(const struct contend_record *before, const struct contend_record *record)
{
    return (record->flags & CONTEND_UNSUCCESSFUL) && before->flags == record->flags &&
           before->kind == record->kind && before->thread == record->thread &&
           before->comm == record->comm && record->start - before->end < SAME_POLL_NS;
}

void contend_trace_append(const struct contend_record *record)
{
    struct contend_record *last = trace.records + trace.record_count - 1;
    if (trace.record_count > 0 && is_same_poll(last, record)) {
        last->end = record->end;
        last->bytes += record->bytes;
        last->received += record->received;
    } else {
        trace.records[trace.record_count++] = *record;
    }
    if (trace.record_count == trace.records_max || record->end - trace.written_at > NS_OF_INTERVAL)
        flush_marked();
}

static size_t records_wished(void)
{
    const char *text = getenv("CONTEND_RECORD_BUFFER");
    const long long bytes = text == NULL ? 0 : atoll(text);
    if (bytes <= 0)
        return RECORDS;
    const size_t count = (size_t)bytes / sizeof(struct contend_record);
    if (count > RECORDS_MOST)
        return RECORDS_MOST;
    return count < RECORDS_MIN ? RECORDS_MIN : count;
}

static bool take_memory(int ranks)
{
    trace.records_max = records_wished();
    trace.words_max = trace.records_max < RECORDS ? WORDS_FEWEST : WORDS_MIN;
    if (trace.words_max < (size_t)ranks * WORDS_OF_RANK)
        trace.words_max = (size_t)ranks * WORDS_OF_RANK;
    trace.records = malloc(trace.records_max * sizeof *trace.records);
    trace.words = malloc(trace.words_max * sizeof *trace.words);
    if (trace.records == NULL || trace.words == NULL ||
        !contend_pack_open(trace.records_max, trace.words_max))
        return false;
    /* Touched now, not within calls that are timed. */
    memset(trace.records, 0, trace.records_max * sizeof *trace.records);
    memset(trace.words, 0, trace.words_max * sizeof *trace.words);
    return true;
}

/* The checksum of the lines so far, as if zeros filled the last word. */
static void end_header(FILE *stream, char *const *text, const size_t *length)
{
    struct sums sums = {0};
    fflush(stream);
    for (size_t at = 0; at < *length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, *text + at, *length - at < 8 ? *length - at : 8);
        add_up(&sums, &word, 1);
    }
    fprintf(stream, "sum %016llx %016llx\nend\n", (unsigned long long)sums.plain,
            (unsigned long long)sums.weighted);
}

static bool write_header(const struct contend_origin *origin)
{
    char host[256] = "unknown";
    gethostname(host, sizeof host - 1);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return false;
    fprintf(stream,
            "contend trace of a rank 3\nrank %d\nranks %d\nrun %016llx\nhost %s\nbytes %s\n",
            origin->rank, origin->ranks, (unsigned long long)origin->run, host,
            __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big");
    end_header(stream, &text, &length);
    if (fclose(stream) != 0)
        return false;
    const struct iovec part = {.iov_base = text, .iov_len = length};
    const bool is_written = write_all(&part, 1);
    free(text);
    return is_written;
}

bool contend_trace_open(const struct contend_origin *origin)
{
    char path[4096], why[4300];
    trace.rank = origin->rank;
    trace.run = origin->run;
    snprintf(path, sizeof path, "%s/rank-%d.trace", origin->folder, origin->rank);
    trace.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (trace.file < 0 || !take_memory(origin->ranks) || !write_header(origin)) {
        snprintf(why, sizeof why, "cannot write %s: %s", path, strerror(errno));
        contend_trace_stop(why);
        return false;
    }
    trace.process = getpid();
    trace.written_at = contend_nanoseconds();
    atomic_store(&is_open, true);
    return true;
}

void contend_trace_close(void)
{
    contend_trace_flush();
    atomic_store(&is_open, false);
    if (trace.file >= 0 && getpid() == trace.process)
        close(trace.file);
    trace.file = -1;
}
