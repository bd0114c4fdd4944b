/* Whether a program as it was read can be run without reaching beyond its memory. Knows no MPI. */
#include "sound.h"

#include <limits.h>
#include <stdlib.h>

static bool is_within(int64_t place, int64_t bytes, int64_t room)
{
    return place >= 0 && bytes >= 0 && place <= room && bytes <= room - place;
}

static bool are_blocks_sound(const struct contend_block *blocks, int64_t n, int64_t room)
{
    for (int64_t i = 0; i < n; i++)
        if (!is_within(blocks[i].place, blocks[i].bytes, room) || blocks[i].bytes > INT_MAX)
            return false;
    return true;
}

/* Of extents that are within the memory and together as long as the message. */
static bool are_extents_sound(const struct contend_slot *slot, const struct contend_extent *extents,
                              int64_t room)
{
    int64_t left = slot->bytes;
    for (int64_t i = 0; i < slot->extents; i++) {
        const struct contend_extent *extent = extents + i;
        if (!is_within(extent->from, extent->bytes, room) ||
            !is_within(extent->to, extent->bytes, room) || extent->bytes > left)
            return false;
        left -= extent->bytes;
    }
    return left == 0;
}

static bool are_slots_sound(const struct contend_program *program, int64_t ranks, int64_t room)
{
    const struct contend_extent *extent = program->extents, *end = extent + program->n_extents;
    for (int64_t i = 0; i < program->n_slots; i++) {
        const struct contend_slot *slot = program->slots + i;
        const bool is_message = slot->kind != CONTEND_COPY;
        if (slot->kind < CONTEND_SEND || slot->kind > CONTEND_COPY || slot->bytes < 0 ||
            slot->extents < 0 || slot->extents > end - extent || slot->peer < 0 ||
            slot->peer >= ranks || slot->tag < 0 || slot->tag > INT_MAX ||
            (is_message && (slot->bytes > INT_MAX || slot->extents > INT_MAX)) ||
            (slot->kind == CONTEND_REDUCE && !is_within(slot->scratch, slot->bytes, room)) ||
            !are_extents_sound(slot, extent, room))
            return false;
        extent += slot->extents;
    }
    return extent == end;
}

/* Whether the slot can be told this; is_under_way says whether it has been begun. */
static bool is_instruction_sound(const struct contend_slot *slot, int64_t what, bool *is_under_way)
{
    if (what == CONTEND_COMBINE) /* only these have a place of their own for what came */
        return slot->kind == CONTEND_REDUCE && !*is_under_way;
    if (what == CONTEND_BEGIN && *is_under_way)
        return false;
    *is_under_way = what == CONTEND_BEGIN && slot->kind != CONTEND_COPY;
    return true;
}

static bool are_instructions_sound(const struct contend_program *program)
{
    bool *is_under_way = calloc((size_t)program->n_slots + 1, sizeof *is_under_way);
    bool is_sound = is_under_way != NULL;
    for (int64_t i = 0; is_sound && i < program->n_instructions; i++) {
        const struct contend_instruction *one = program->instructions + i;
        is_sound = one->what >= CONTEND_BEGIN && one->what <= CONTEND_WAIT_ALL && one->slot >= 0;
        if (is_sound && one->what == CONTEND_WAIT_ALL)
            for (int64_t slot = 0; slot < program->n_slots; slot++)
                is_under_way[slot] = false;
        else if (is_sound)
            is_sound = one->slot < program->n_slots &&
                       is_instruction_sound(program->slots + one->slot, one->what,
                                            is_under_way + one->slot);
    }
    for (int64_t slot = 0; is_sound && slot < program->n_slots; slot++)
        is_sound = !is_under_way[slot]; /* else a message arrives in memory that has been freed */
    free(is_under_way);
    return is_sound;
}

bool contend_is_sound(const struct contend_program *program, int64_t ranks)
{
    const int64_t room = program->input_bytes + program->output_bytes + program->scratch_bytes;
    return program->n_slots <= INT_MAX && are_slots_sound(program, ranks, room) &&
           are_instructions_sound(program) &&
           are_blocks_sound(program->held, program->n_held, room) &&
           are_blocks_sound(program->wanted, program->n_wanted, room);
}
