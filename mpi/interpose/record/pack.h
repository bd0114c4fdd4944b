/* Records and words as the bytes of a block. */
#ifndef CONTEND_PACK_H
#define CONTEND_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "record.h"

/* For blocks of at most that many records and words; false where there is no memory. */
bool contend_pack_open(size_t records, size_t words);

/* The content of the next block of the file, filled up with zeros to 64-bit words; `length` of
 * these. It lasts until the next call. */
const uint64_t *contend_pack_block(const struct contend_record *records, size_t count,
                                   const int64_t *words, size_t *length);

#endif
