/* What an emulated network counted while a point was measured. For rank 0 alone.
 *
 * The network's switch keeps its counters in a file that it shares; see counters_file.h.
 * The file must not shrink while it is mapped. Gauges are left out. Knows no MPI.
 */
#include "counters.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counters_file.h"
#include "json.h"

static bool is_kind(const struct contend_counter *entry, const char *prefix)
{
    return strncmp(entry->name, prefix, strlen(prefix)) == 0;
}

static bool is_well_formed(const struct contend_counters_file *file, size_t size)
{
    if (memcmp(file->magic, CONTEND_COUNTERS_MAGIC, sizeof file->magic) != 0 ||
        file->count > (size - sizeof *file) / sizeof file->entries[0])
        return false;
    for (size_t i = 0; i < file->count; i++)
        if (memchr(file->entries[i].name, '\0', sizeof file->entries[i].name) == NULL)
            return false;
    return true;
}

static void map(struct contend_counters *counters, int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 ||
        status.st_size < (off_t)sizeof(struct contend_counters_file))
        return;
    const size_t size = (size_t)status.st_size;
    const int access = counters->is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void *file = mmap(NULL, size, access, MAP_SHARED, descriptor, 0);
    if (file == MAP_FAILED)
        return;
    counters->file = file;
    counters->size = size;
}

struct contend_counters contend_open_counters(void)
{
    struct contend_counters counters = {.is_writable = true};
    const char *path = getenv("CONTEND_COUNTERS");
    if (path == NULL || path[0] == '\0')
        return counters;
    /* without waiting for a writer, should it be a pipe */
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        counters.is_writable = false; /* peaks are then those of a longer time */
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (descriptor < 0)
        return counters;
    map(&counters, descriptor);
    close(descriptor);
    if (counters.file == NULL)
        return counters;
    if (is_well_formed(counters.file, counters.size)) {
        counters.count = counters.file->count;
        counters.before = calloc(counters.count + 1, sizeof *counters.before);
        counters.after = calloc(counters.count + 1, sizeof *counters.after);
    }
    if (counters.before == NULL || counters.after == NULL)
        contend_close_counters(&counters);
    return counters;
}

void contend_close_counters(struct contend_counters *counters)
{
    if (counters->file != NULL)
        munmap(counters->file, counters->size);
    free(counters->before);
    free(counters->after);
    *counters = (struct contend_counters){0};
}

static void read_values(const struct contend_counters *counters, uint64_t *values)
{
    for (size_t i = 0; i < counters->count; i++)
        values[i] = atomic_load_explicit(&counters->file->entries[i].value, memory_order_relaxed);
}

void contend_begin_counters(struct contend_counters *counters)
{
    if (counters->file == NULL)
        return;
    if (counters->is_writable)
        atomic_fetch_add_explicit(&counters->file->epoch, 1, memory_order_relaxed);
    read_values(counters, counters->before);
}

void contend_end_counters(struct contend_counters *counters)
{
    if (counters->file != NULL)
        read_values(counters, counters->after);
}

uint64_t contend_counted(const struct contend_counters *counters, const char *name)
{
    for (size_t i = 0; i < counters->count; i++)
        if (strcmp(counters->file->entries[i].name, name) == 0)
            return counters->after[i] - counters->before[i];
    return 0;
}

/* False when one has become smaller: another switch counts from 0 then. */
static bool has_only_grown(const struct contend_counters *counters)
{
    for (size_t i = 0; i < counters->count; i++) {
        const struct contend_counter *entry = &counters->file->entries[i];
        if (counters->after[i] < counters->before[i] && !is_kind(entry, "queue:") &&
            !is_kind(entry, "peak:"))
            return false;
    }
    return true;
}

void contend_print_counters(FILE *out, const struct contend_counters *counters)
{
    if (counters->file == NULL || !has_only_grown(counters))
        return;
    fputs(",\"counters\":{", out);
    bool is_first = true;
    for (size_t i = 0; i < counters->count; i++) {
        const struct contend_counter *entry = &counters->file->entries[i];
        const uint64_t before = is_kind(entry, "peak:") ? 0 : counters->before[i];
        const uint64_t value = counters->after[i] - before;
        if (value == 0 || is_kind(entry, "queue:"))
            continue;
        fputs(is_first ? "" : ",", out);
        contend_json_string(out, entry->name);
        fprintf(out, ":%" PRIu64, value);
        is_first = false;
    }
    fputs("}", out);
}
