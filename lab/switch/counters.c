/* Counters in a file that anyone may map while the switch runs; see counters_file.h for the layout.
 */
#include "counters.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../mpi/common/counters_file.h"
#include "../common/fail.h"

/* Upper edges of the lateness histogram: 1 us * 2^(i / 4), the last one above 1 s. */
#define N_EDGES 81
#define N_BUCKETS (N_EDGES + 1)

static const char *const TOTAL_NAMES[CONTEND_N_TOTALS] = {[CONTEND_FRAMES] = "frames",
                                                          [CONTEND_BYTES] = "bytes",
                                                          [CONTEND_DROPS] = "drops",
                                                          [CONTEND_RETRANSMISSIONS] =
                                                              "retransmissions",
                                                          [CONTEND_TIMEOUTS] = "timeouts",
                                                          [CONTEND_UNREAD] = "unread",
                                                          [CONTEND_UNDELIVERED] = "undelivered",
                                                          [CONTEND_HOLDS] = "holds",
                                                          [CONTEND_OVERSIZED] = "oversized",
                                                          [CONTEND_LATE_NS] = "late_ns"};

static const char *const LINK_NAMES[CONTEND_N_PER_LINK] = {
    [CONTEND_LINK_FRAMES] = "frames", [CONTEND_LINK_DATA] = "data",
    [CONTEND_LINK_BYTES] = "bytes",   [CONTEND_LINK_DROPS] = "drops",
    [CONTEND_LINK_PAUSED] = "paused", [CONTEND_LINK_QUEUE] = "queue",
    [CONTEND_LINK_PEAK] = "peak"};

static int64_t edge(uint32_t i)
{
    static const int64_t first_octave[4] = {1000000, 1189207, 1414214, 1681793}; /* ps */
    return ((first_octave[i % 4] << (i / 4)) + 500) / 1000;
}

static uint32_t bucket_index(int64_t lateness)
{
    uint32_t low = 0, high = N_EDGES;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (lateness <= edge(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct contend_counter *link_entry(struct contend_counters *counters, uint32_t link,
                                          enum contend_per_link which)
{
    const uint32_t before = CONTEND_N_TOTALS + N_BUCKETS + link * CONTEND_N_PER_LINK;
    return &counters->file->entries[before + which];
}

static uint64_t value_of(struct contend_counter *entry)
{
    return atomic_load_explicit(&entry->value, memory_order_relaxed);
}

static void set(struct contend_counter *entry, uint64_t value)
{
    atomic_store_explicit(&entry->value, value, memory_order_relaxed);
}

static void add(struct contend_counter *entry, uint64_t more)
{
    set(entry, value_of(entry) + more); /* one writer: no locked instruction needed */
}

static void name_entries(struct contend_counters *counters,
                         const struct contend_configuration *configuration)
{
    struct contend_counter *entries = counters->file->entries;
    for (uint32_t i = 0; i < CONTEND_N_TOTALS; i++)
        snprintf(entries[i].name, sizeof entries[i].name, "%s", TOTAL_NAMES[i]);
    entries += CONTEND_N_TOTALS;
    for (uint32_t i = 0; i < N_EDGES; i++)
        snprintf(entries[i].name, sizeof entries[i].name, "late_le:%lld", (long long)edge(i));
    snprintf(entries[N_EDGES].name, sizeof entries[N_EDGES].name, "late_le:inf");
    for (uint32_t link = 0; link < configuration->n_links; link++) {
        for (uint32_t i = 0; i < CONTEND_N_PER_LINK; i++) {
            struct contend_counter *entry = link_entry(counters, link, i);
            snprintf(entry->name, sizeof entry->name, "%s:%s", LINK_NAMES[i],
                     configuration->links[link].name);
        }
    }
}

static size_t file_size(uint32_t n_links)
{
    const size_t count = CONTEND_N_TOTALS + N_BUCKETS + (size_t)n_links * CONTEND_N_PER_LINK;
    return sizeof(struct contend_counters_file) + count * sizeof(struct contend_counter);
}

struct contend_counters contend_create_counters(const char *path,
                                                const struct contend_configuration *configuration)
{
    struct contend_counters counters = {.n_links = configuration->n_links};
    const size_t size = file_size(counters.n_links);
    const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size) != 0)
        contend_fail_errno("cannot create the counters in %s", path);
    counters.file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (counters.file == MAP_FAILED || close(descriptor) != 0)
        contend_fail_errno("cannot map the counters in %s", path);
    counters.file->count =
        (uint32_t)((size - sizeof *counters.file) / sizeof(struct contend_counter));
    name_entries(&counters, configuration);
    memcpy(counters.file->magic, CONTEND_COUNTERS_MAGIC, sizeof counters.file->magic);
    return counters;
}

void contend_close_counters(struct contend_counters *counters)
{
    if (munmap(counters->file, file_size(counters->n_links)) != 0)
        contend_fail_errno("cannot unmap the counters");
    counters->file = NULL;
}

void contend_count(struct contend_counters *counters, enum contend_total which, uint64_t more)
{
    add(&counters->file->entries[which], more);
}

void contend_count_link(struct contend_counters *counters, uint32_t link,
                        enum contend_per_link which, uint64_t more)
{
    add(link_entry(counters, link, which), more);
}

void contend_show_queue(struct contend_counters *counters, uint32_t link, uint64_t bytes)
{
    struct contend_counter *peak = link_entry(counters, link, CONTEND_LINK_PEAK);
    set(link_entry(counters, link, CONTEND_LINK_QUEUE), bytes);
    if (bytes > value_of(peak))
        set(peak, bytes);
}

void contend_count_lateness(struct contend_counters *counters, int64_t lateness)
{
    contend_count(counters, CONTEND_LATE_NS, lateness > 0 ? (uint64_t)lateness : 0);
    add(&counters->file->entries[CONTEND_N_TOTALS + bucket_index(lateness)], 1);
}

void contend_follow_epoch(struct contend_counters *counters)
{
    const uint32_t epoch = atomic_load_explicit(&counters->file->epoch, memory_order_relaxed);
    if (epoch == counters->epoch)
        return;
    counters->epoch = epoch;
    for (uint32_t link = 0; link < counters->n_links; link++)
        set(link_entry(counters, link, CONTEND_LINK_PEAK),
            value_of(link_entry(counters, link, CONTEND_LINK_QUEUE)));
}
