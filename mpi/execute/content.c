/* What a rank's blocks contain before a run, and should contain after it.
 *
 * A block's bytes are the pattern of its number and of who contributed them; a reduction adds them,
 * modulo 256.
 */
#include "content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"
#include "require.h"

/* The block as it should be; scratch has room for it. */
static void expect(unsigned char *value, unsigned char *scratch, const struct contend_block *block,
                   int ranks, bool reduces)
{
    const size_t m = (size_t)block->bytes;
    contend_pattern_fill(value, m, (int)block->block, 0);
    for (int rank = 1; reduces && rank < ranks; rank++) {
        contend_pattern_fill(scratch, m, (int)block->block, rank);
        for (size_t i = 0; i < m; i++)
            value[i] = (unsigned char)(value[i] + scratch[i]);
    }
}

void contend_fill_content(const struct contend_program *program, unsigned char *memory, int rank,
                          bool reduces)
{
    const size_t input = (size_t)program->input_bytes;
    memset(memory + input, 0xA5, (size_t)(program->output_bytes + program->scratch_bytes));
    for (int64_t i = 0; i < program->n_wanted; i++) {
        const struct contend_block *block = program->wanted + i;
        contend_pattern_poison(memory + block->place, (size_t)block->bytes, (int)block->block, 0);
    }
    for (int64_t i = 0; i < program->n_held; i++) { /* last: a wanted block may be in its place */
        const struct contend_block *block = program->held + i;
        contend_pattern_fill(memory + block->place, (size_t)block->bytes, (int)block->block,
                             reduces ? rank : 0);
    }
}

bool contend_check_content(const struct contend_program *program, const unsigned char *memory,
                           int ranks, bool reduces, char *detail, size_t size)
{
    size_t most = 0;
    for (int64_t i = 0; i < program->n_wanted; i++)
        most = (size_t)program->wanted[i].bytes > most ? (size_t)program->wanted[i].bytes : most;
    unsigned char *value = contend_allocate(2 * most, "expected block");
    bool is_right = true;
    for (int64_t i = 0; is_right && i < program->n_wanted; i++) {
        const struct contend_block *block = program->wanted + i;
        const unsigned char *found = memory + block->place;
        expect(value, value + most, block, ranks, reduces);
        for (size_t at = 0; is_right && at < (size_t)block->bytes; at++) {
            is_right = found[at] == value[at];
            if (!is_right)
                snprintf(detail, size, "block %lld: byte %zu of %lld is %u, expected %u",
                         (long long)block->block, at, (long long)block->bytes, found[at],
                         value[at]);
        }
    }
    free(value);
    return is_right;
}
