/* Reads the header and the part of one rank, and nothing else; trusts no number in them. */
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sound.h"

#define VERSION 1
#define MAGIC "CONTENDX"
#define COUNTS 8 /* words at the front of a part */

_Static_assert(sizeof(struct contend_slot) == 6 * sizeof(int64_t), "a slot has 6 words");
_Static_assert(sizeof(struct contend_header) == 4 * 8 + 64 + 64 + 256, "as in the file");

static bool fails(char *error, size_t size, const char *path, const char *what)
{
    snprintf(error, size, "%s %s; write it again with this version of contend", path, what);
    return false;
}

static bool read_at(FILE *file, long at, void *data, size_t bytes)
{
    return fseek(file, at, SEEK_SET) == 0 && fread(data, 1, bytes, file) == bytes;
}

bool contend_read_header(const char *path, struct contend_header *header, char *error, size_t size)
{
    char magic[sizeof MAGIC] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fails(error, size, path, "cannot be opened");
    const bool is_read = fread(magic, 1, strlen(MAGIC), file) == strlen(MAGIC) &&
                         fread(header, 1, sizeof *header, file) == sizeof *header;
    fclose(file);
    if (!is_read || strcmp(magic, MAGIC) != 0)
        return fails(error, size, path, "is no compiled schedule");
    if (header->version != VERSION)
        return fails(error, size, path, "has another version");
    if (header->ranks < 1 || header->ranks > INT_MAX || header->points < 1 ||
        header->points > INT_MAX)
        return fails(error, size, path, "has no ranks or no points");
    header->collective[sizeof header->collective - 1] = '\0';
    header->algorithm[sizeof header->algorithm - 1] = '\0';
    header->parameters[sizeof header->parameters - 1] = '\0';
    return true;
}

/* Where in the file the part of the rank begins and ends. */
static bool find_part(FILE *file, const struct contend_header *header, size_t m, int rank,
                      int64_t part[2])
{
    const long row = (long)sizeof(int64_t) * ((long)header->ranks + 2);
    long at = (long)strlen(MAGIC) + (long)sizeof *header;
    for (int64_t point = 0; point < header->points; point++, at += row) {
        int64_t size;
        if (!read_at(file, at, &size, sizeof size))
            return false;
        if (size == (int64_t)m)
            return read_at(file, at + (long)sizeof size * (1 + rank), part, 2 * sizeof *part);
    }
    return false;
}

static bool is_sum_right(const int64_t *words, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i + 1 < n; i++)
        sum += (uint64_t)words[i] * (2 * i + 1);
    return (uint64_t)words[n - 1] == sum;
}

/* Whether the lists fill the part, to its last word but one. */
static bool divide(struct contend_program *program, size_t n)
{
    int64_t *at = program->words;
    int64_t *counts[COUNTS] = {&program->input_bytes,   &program->output_bytes,
                               &program->scratch_bytes, &program->n_held,
                               &program->n_wanted,      &program->n_slots,
                               &program->n_extents,     &program->n_instructions};
    for (int i = 0; i < COUNTS; i++) {
        *counts[i] = *at++;
        if (*counts[i] < 0 || *counts[i] > INT64_MAX / 64 || (i > 2 && *counts[i] > (int64_t)n))
            return false;
    }
    program->held = (struct contend_block *)at;
    program->wanted = program->held + program->n_held;
    program->slots = (struct contend_slot *)(program->wanted + program->n_wanted);
    program->extents = (struct contend_extent *)(program->slots + program->n_slots);
    program->instructions = (struct contend_instruction *)(program->extents + program->n_extents);
    return COUNTS + 3 * (program->n_held + program->n_wanted + program->n_extents) +
               6 * program->n_slots + 2 * program->n_instructions + 1 ==
           (int64_t)n;
}

bool contend_read_program(const char *path, const struct contend_header *header, size_t m, int rank,
                          struct contend_program *program, char *error, size_t size)
{
    *program = (struct contend_program){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fails(error, size, path, "cannot be opened");
    int64_t part[2];
    if (!find_part(file, header, m, rank, part)) {
        fclose(file);
        snprintf(error, size,
                 "%s has no schedule for m=%zu; give the sizes that it was written for", path, m);
        return false;
    }
    const int64_t bytes = part[0] >= 0 && part[1] > part[0] ? part[1] - part[0] : 0;
    const size_t n = (size_t)bytes / sizeof(int64_t);
    bool is_good = bytes % (int64_t)sizeof(int64_t) == 0 && n > COUNTS;
    program->words = is_good ? malloc((size_t)bytes) : NULL;
    is_good = program->words != NULL && read_at(file, (long)part[0], program->words, (size_t)bytes);
    fclose(file);
    if (is_good && is_sum_right(program->words, n) && divide(program, n) &&
        contend_is_sound(program, header->ranks))
        return true;
    return fails(error, size, path, "is damaged");
}

void contend_free_program(struct contend_program *program)
{
    free(program->words);
    *program = (struct contend_program){0};
}
