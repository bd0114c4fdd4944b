/* Packed records: shapes, which of them comes when, times.
 *
 * Idea: a program makes the same calls in each step. A shape is a record but for its times, with
 * requests counted from the newest one; the file has each shape once. The next shape is predicted
 * from the last three (finite context method: Sazeides, Smith 1997), and only misses are written.
 * Times are in steps of 16 ns, by shape. All numbers stand in columns: the least, a width, that
 * many bits of each above the least, and behind them what has no room (patched frame of reference:
 * Zukowski, Heman, Nes, Boncz 2006). pack.h has the layout.
 *
 * Restriction: shapes are kept from block to block, so that one is read after those before it. */
#include "pack.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHAPES_MOST = 8192, /* with more of them, or of their words, all are forgotten */
    WORDS_MOST = 32768,
    WORDS_OF_END = 4,
    CONTEXT_BITS = 15,
    SHAPE_BITS = 5,   /* of one shape in the context */
    TIME_BITS = 4,    /* 16 ns: below what a reading of the clock takes, some 20 to 40 ns */
    GROUP_LEAST = 16, /* records of a shape that has columns of its own */
    WIDTH_MOST = 32,
    SAMPLE = 256,
    NUMBER_MOST = 10,             /* bytes */
    VALUE_MOST = NUMBER_MOST + 4, /* of a column, without its width */
    COLUMNS_OF_RECORD = 16,       /* at most: fields, a miss, times */
    NAMES_MOST = 16384,
    ROOM_BETWEEN = 1024 /* bytes: kinds; counts, and what columns begin with */
};

enum field { KIND, FLAGS, COMM, PEER, TAG, BYTES, RECEIVED, REQUEST, THREAD, WORDS, FIELDS };

struct shape {
    int64_t of[FIELDS];
    size_t first;         /* of its words */
    uint32_t count, next; /* of its records in the block, and where the next one is sorted to */
};

const char *const contend_kind_names[CONTEND_KINDS] = {
    [CONTEND_KIND_flush] = "flush",
    [CONTEND_KIND_clock] = "clock",
    [CONTEND_KIND_communicator] = "communicator",
#define NAME(name) [CONTEND_KIND_##name] = #name,
#include "../names.def"
#undef NAME
};

/* What the reader knows too, from the blocks before. */
static struct {
    struct shape *shapes;
    int64_t *words;
    uint32_t *slots; /* number + 1 of a shape, 0: free */
    size_t slot_count, shape_count, word_count;
    uint32_t predicted[1 << CONTEXT_BITS], context;
    uint32_t newest; /* request */
    int64_t ended;   /* the record before */
    bool is_named[CONTEND_KINDS];
} known;

/* Of one block. */
static struct {
    uint64_t *bytes;
    uint32_t *shapes, *order;
    int64_t *before, *within; /* times between records, and in them */
    int64_t *hits, *missed, *column;
    size_t misses;
} block;

bool contend_pack_open(size_t records, size_t words)
{
    const size_t shapes = SHAPES_MOST + records + 1, longest = records > words ? records : words;
    const size_t values = records * COLUMNS_OF_RECORD + words;
    for (known.slot_count = 1; known.slot_count < 2 * shapes;)
        known.slot_count *= 2;
    known.shapes = calloc(shapes, sizeof *known.shapes);
    known.words = malloc((WORDS_MOST + words) * sizeof *known.words);
    known.slots = calloc(known.slot_count, sizeof *known.slots);
    block.bytes = malloc(NAMES_MOST + records * ROOM_BETWEEN / GROUP_LEAST + ROOM_BETWEEN +
                         values * VALUE_MOST);
    block.shapes = malloc(records * sizeof *block.shapes);
    block.order = malloc(records * sizeof *block.order);
    block.before = malloc(records * sizeof *block.before);
    block.within = malloc(records * sizeof *block.within);
    block.hits = malloc(records * sizeof *block.hits);
    block.missed = malloc(records * sizeof *block.missed);
    block.column = malloc(longest * sizeof *block.column);
    return known.shapes && known.words && known.slots && block.bytes && block.shapes &&
           block.order && block.before && block.within && block.hits && block.missed &&
           block.column;
}

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
static uint8_t *put_number(uint8_t *to, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *to++ = (uint8_t)(number | 128);
    *to++ = (uint8_t)number;
    return to;
}

/* Small numbers of either sign as small ones: 0, -1, 1, -2, ... */
static uint64_t folded(int64_t number) { return (uint64_t)number << 1 ^ (uint64_t)(number >> 63); }

static unsigned length_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* The width that takes the fewest bits, by a sample; what is below 0 or fills it goes behind. */
static unsigned best_width(const int64_t *offsets, size_t count)
{
    size_t of_length[66] = {0}, behind = 0, fewest = SIZE_MAX;
    unsigned best = WIDTH_MOST;
    const size_t step = 1 + count / SAMPLE;
    for (size_t i = 0; i < count; i += step)
        of_length[offsets[i] < 0 ? 65 : length_of((uint64_t)offsets[i] + 1)]++;
    for (unsigned width = 65; width > 0; width--) {
        const size_t bits = count * width + behind * step;
        if (width <= WIDTH_MOST && bits < fewest) {
            fewest = bits;
            best = width;
        }
        behind += of_length[width] * 8 * (width / 7 + 1);
    }
    return best;
}

static uint8_t *put_bits(uint8_t *to, const int64_t *offsets, size_t count, unsigned width)
{
    const uint64_t full = (1ULL << width) - 1;
    uint64_t held = 0;
    unsigned bits = 0;
    size_t behind = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_behind = (uint64_t)offsets[i] >= full;
        held |= (is_behind ? full : (uint64_t)offsets[i]) << bits;
        behind += is_behind;
        bits += width;
        if (bits >= 32) {
            const uint32_t low = htole32((uint32_t)held);
            memcpy(to, &low, sizeof low);
            to += sizeof low;
            held >>= 32;
            bits -= 32;
        }
    }
    for (; bits > 0; bits -= bits < 8 ? bits : 8, held >>= 8)
        *to++ = (uint8_t)held;
    for (size_t i = 0; behind > 0; i++)
        if ((uint64_t)offsets[i] >= full) {
            to = put_number(to, folded(offsets[i]));
            behind--;
        }
    return to;
}

/* The least of those that are not negative, if there are any. The values become offsets. */
static uint8_t *put_column(uint8_t *to, int64_t *values, size_t count)
{
    if (count == 0)
        return to;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = (uint64_t)values[i];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    to = put_number(to, folded((int64_t)least));
    if (least == most) {
        *to++ = 0;
        return to;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = (int64_t)((uint64_t)values[i] - least);
    const unsigned width = best_width(values, count);
    *to++ = (uint8_t)width;
    return put_bits(to, values, count, width);
}

static bool is_full(void)
{
    return known.shape_count > SHAPES_MOST || known.word_count > WORDS_MOST;
}

static void forget_shapes(void)
{
    memset(known.slots, 0, known.slot_count * sizeof *known.slots);
    memset(known.predicted, 0, sizeof known.predicted);
    known.shape_count = known.word_count = known.context = 0;
}

/* 0 for none, else one more than how far from the newest; a new one becomes the newest. */
static int64_t from_newest(uint32_t request)
{
    if (request == 0)
        return 0;
    const int32_t step = (int32_t)(request - known.newest);
    if (step > 0)
        known.newest = request;
    return (int64_t)folded(step) + 1;
}

static bool has_words(const struct shape *shape, const int64_t *words)
{
    for (int64_t i = 0; i < shape->of[WORDS]; i++)
        if (known.words[shape->first + (size_t)i] != words[i])
            return false;
    return true;
}

static uint64_t hash_of(const struct shape *shape)
{
    uint64_t hash = 0;
    for (int i = 0; i < FIELDS; i++)
        hash = (hash ^ hash >> 32 ^ (uint64_t)shape->of[i]) * 0x9E3779B97F4A7C15ULL;
    for (int64_t i = 0; i < shape->of[WORDS]; i++)
        hash = (hash ^ hash >> 32 ^ (uint64_t)known.words[shape->first + (size_t)i]) *
               0x9E3779B97F4A7C15ULL;
    return hash >> 32;
}

/* Its number, which is new where the shape is; its words then stay where they are. */
static uint32_t number_of(const struct shape *shape)
{
    const size_t last = known.slot_count - 1;
    size_t slot = hash_of(shape) & last;
    for (; known.slots[slot] != 0; slot = (slot + 1) & last) {
        const struct shape *other = known.shapes + known.slots[slot] - 1;
        if (memcmp(other->of, shape->of, sizeof shape->of) == 0 &&
            has_words(other, known.words + shape->first))
            return known.slots[slot] - 1;
    }
    known.shapes[known.shape_count] = *shape;
    known.word_count += (size_t)shape->of[WORDS];
    known.slots[slot] = (uint32_t)++known.shape_count;
    return known.slots[slot] - 1;
}

static bool is_poll(const struct contend_record *record)
{
    return record->flags & CONTEND_UNSUCCESSFUL;
}

/* Its words with requests counted from the newest one, behind those of all shapes. */
static int64_t *words_of(const struct contend_record *record, const int64_t *words)
{
    int64_t *own = known.words + known.word_count;
    for (uint32_t i = 0; i < record->words; i++) {
        const bool is_request = (record->flags & CONTEND_ENDS) && i % WORDS_OF_END == 0;
        own[i] = is_request ? known.newest - words[i] : words[i];
    }
    return own;
}

/* What polls count is kept with the times. */
static struct shape shape_of(const struct contend_record *record, int64_t request)
{
    return (struct shape){.first = known.word_count,
                          .of = {[KIND] = record->kind,
                                 [FLAGS] = record->flags,
                                 [COMM] = record->comm,
                                 [PEER] = record->peer,
                                 [TAG] = record->tag,
                                 [BYTES] = is_poll(record) ? 0 : record->bytes,
                                 [RECEIVED] = is_poll(record) ? 0 : record->received,
                                 [REQUEST] = request,
                                 [THREAD] = record->thread,
                                 [WORDS] = record->words}};
}

/* The same as to compare with shape_of, which takes longer than all else. */
static bool is_of_shape(const struct contend_record *record, int64_t request,
                        const struct shape *shape)
{
    const int64_t *of = shape->of;
    const bool is_counted = of[BYTES] == record->bytes && of[RECEIVED] == record->received;
    return of[KIND] == record->kind && of[PEER] == record->peer && of[TAG] == record->tag &&
           of[REQUEST] == request && of[FLAGS] == record->flags && of[COMM] == record->comm &&
           of[THREAD] == record->thread && of[WORDS] == record->words &&
           (is_counted || is_poll(record));
}

static void take_shapes(const struct contend_record *records, size_t count, const int64_t *words)
{
    size_t after_miss = 0;
    block.misses = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t request = from_newest(records[i].request);
        const int64_t *own = words_of(&records[i], words + records[i].first);
        uint32_t *predicted = &known.predicted[known.context];
        const struct shape *likely = known.shapes + *predicted;
        if (known.shape_count == 0 || !is_of_shape(&records[i], request, likely) ||
            !has_words(likely, own)) {
            const struct shape shape = shape_of(&records[i], request);
            *predicted = number_of(&shape);
            block.hits[block.misses] = (int64_t)(i - after_miss);
            block.missed[block.misses++] = *predicted;
            after_miss = i + 1;
        }
        block.shapes[i] = *predicted;
        known.context = ((known.context << SHAPE_BITS) + *predicted) & ((1 << CONTEXT_BITS) - 1);
    }
}

static void take_times(const struct contend_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t start = records[i].start >> TIME_BITS, end = records[i].end >> TIME_BITS;
        block.before[i] = start - known.ended;
        block.within[i] = end - start;
        known.ended = end;
    }
}

/* Kinds that come with new shapes, each in the file once. */
static uint8_t *put_names(uint8_t *to, size_t from)
{
    uint16_t kinds[CONTEND_KINDS];
    size_t count = 0;
    for (size_t i = from; i < known.shape_count; i++) {
        const int64_t kind = known.shapes[i].of[KIND];
        if (!known.is_named[kind])
            kinds[count++] = (uint16_t)kind;
        known.is_named[kind] = true;
    }
    to = put_number(to, count);
    for (size_t i = 0; i < count; i++) {
        const char *name = contend_kind_names[kinds[i]];
        to = put_number(put_number(to, kinds[i]), strlen(name));
        memcpy(to, name, strlen(name));
        to += strlen(name);
    }
    return to;
}

static uint8_t *put_shapes(uint8_t *to, size_t from)
{
    to = put_number(to, known.shape_count - from);
    for (int field = 0; field < FIELDS; field++) {
        for (size_t i = from; i < known.shape_count; i++)
            block.column[i - from] = known.shapes[i].of[field];
        to = put_column(to, block.column, known.shape_count - from);
    }
    for (int place = 0; place < WORDS_OF_END; place++) {
        size_t count = 0;
        for (size_t i = from; i < known.shape_count; i++)
            for (int64_t k = place; k < known.shapes[i].of[WORDS]; k += WORDS_OF_END)
                block.column[count++] = known.words[known.shapes[i].first + (size_t)k];
        to = put_column(to, block.column, count);
    }
    return to;
}

static uint8_t *put_misses(uint8_t *to)
{
    to = put_number(to, block.misses);
    to = put_column(to, block.hits, block.misses);
    return put_column(to, block.missed, block.misses);
}

/* Sorts records by shape, those of rare shapes behind all others. Returns where these begin. */
static size_t sort_by_shape(size_t count)
{
    size_t first = 0;
    for (size_t i = 0; i < known.shape_count; i++)
        known.shapes[i].count = 0;
    for (size_t i = 0; i < count; i++)
        known.shapes[block.shapes[i]].count++;
    for (size_t i = 0; i < known.shape_count; i++) {
        known.shapes[i].next = (uint32_t)first;
        first += known.shapes[i].count >= GROUP_LEAST ? known.shapes[i].count : 0;
    }
    size_t rare = first;
    for (size_t i = 0; i < count; i++) {
        struct shape *shape = known.shapes + block.shapes[i];
        block.order[shape->count >= GROUP_LEAST ? shape->next++ : rare++] = (uint32_t)i;
    }
    return first;
}

static uint8_t *put_group(uint8_t *to, const struct contend_record *records, const uint32_t *order,
                          size_t count)
{
    size_t polls = 0;
    for (size_t i = 0; i < count; i++)
        block.column[i] = block.before[order[i]];
    to = put_column(to, block.column, count);
    for (size_t i = 0; i < count; i++)
        block.column[i] = block.within[order[i]];
    to = put_column(to, block.column, count);
    for (size_t i = 0; i < count; i++)
        if (is_poll(&records[order[i]]))
            block.column[polls++] = records[order[i]].bytes;
    to = put_column(to, block.column, polls);
    for (size_t i = polls = 0; i < count; i++)
        if (is_poll(&records[order[i]]))
            block.column[polls++] = records[order[i]].received;
    return put_column(to, block.column, polls);
}

static uint8_t *put_times(uint8_t *to, const struct contend_record *records, size_t count)
{
    const size_t rare = sort_by_shape(count);
    for (size_t first = 0; first < rare;) {
        const size_t of_shape = known.shapes[block.shapes[block.order[first]]].count;
        to = put_group(to, records, block.order + first, of_shape);
        first += of_shape;
    }
    return put_group(to, records, block.order + rare, count - rare);
}

const uint64_t *contend_pack_block(const struct contend_record *records, size_t count,
                                   const int64_t *words, size_t *length)
{
    uint8_t *to = (uint8_t *)block.bytes;
    const bool is_forgotten = is_full();
    if (is_forgotten)
        forget_shapes();
    const size_t before = known.shape_count;
    take_shapes(records, count, words);
    take_times(records, count);
    to = put_number(to, is_forgotten);
    to = put_names(to, before);
    to = put_shapes(to, before);
    to = put_misses(to);
    to = put_times(to, records, count);
    for (*length = 0; (uint8_t *)(block.bytes + *length) < to;)
        ++*length;
    memset(to, 0, (size_t)((uint8_t *)(block.bytes + *length) - to));
    return block.bytes;
}
