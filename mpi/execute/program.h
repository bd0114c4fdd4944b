/* What one rank does, as read from the file that contend.schedules.programfile writes. */
#ifndef CONTEND_PROGRAM_H
#define CONTEND_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum contend_slot_kind { CONTEND_SEND, CONTEND_RECEIVE, CONTEND_REDUCE, CONTEND_COPY };

enum contend_do { CONTEND_BEGIN, CONTEND_WAIT, CONTEND_COMBINE, CONTEND_WAIT_ALL };

/* The members of these are words of the file, in its order. Places count bytes from the beginning
 * of the rank's memory: input, output, scratch. */
struct contend_block {
    int64_t block, place, bytes;
};

struct contend_slot {
    int64_t kind, peer, tag, bytes, scratch, extents;
};

struct contend_extent {
    int64_t from, to, bytes;
};

struct contend_instruction {
    int64_t what, slot;
};

struct contend_header {
    int64_t version, ranks, points, reduces;
    char collective[64], algorithm[64], parameters[256]; /* each ends with a zero byte */
};

struct contend_program {
    int64_t *words; /* what all of these are in */
    int64_t input_bytes, output_bytes, scratch_bytes;
    int64_t n_held, n_wanted, n_slots, n_extents, n_instructions;
    struct contend_block *held, *wanted;
    struct contend_slot *slots;
    struct contend_extent *extents; /* those of the first slot, of the second, ... */
    struct contend_instruction *instructions;
};

/* False: error says what is wrong with the file. */
bool contend_read_header(const char *path, struct contend_header *header, char *error, size_t size);

/* The part of one rank at the size m, checked; likewise. */
bool contend_read_program(const char *path, const struct contend_header *header, size_t m, int rank,
                          struct contend_program *program, char *error, size_t size);

void contend_free_program(struct contend_program *program);

#endif
