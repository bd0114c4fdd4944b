/* Records and words as the bytes of a block.
 *
 * The file of a rank is a header of text, of which this is one of version 3,
 *
 *     contend trace of a rank 3
 *     rank 3
 *     ranks 16
 *     run 9a46c1d2708b3f51
 *     host node7
 *     bytes little
 *     sum 5b1e1d6ac63ef210 03c2b1ffb0a6e6de
 *     end
 *
 * and then blocks until the end of the file:
 *
 *     bytes 8        "contbl3" and a line feed
 *           4, 4     records, 64-bit words of what is packed
 *           8        number of the run
 *           8, 8     checksum
 *           8 each   what is packed, filled up with zeros
 *
 * The checksum is of the kind of Fletcher's: 64-bit words summed up, and summed up each times its
 * place from 1, modulo 2^64. It is taken of the number of the run, of records times 2^32 plus
 * words, and of all that follows; in the header of the lines before, filled up with zeros. No
 * single flipped bit escapes it, and it costs a fifth of a CRC-32 by eight tables. The first block
 * that is not whole, or does not sum up, ends the file.
 *
 * Packed numbers have seven bits a byte, the lowest first, and the eighth bit where more follow.
 * Signed ones are 0, -1, 1, -2 as 0, 1, 2, 3. A column of numbers is the least of them (signed; of
 * those that are not negative, if there are any), a byte for the width, that many bits of each
 * number less the least, the lowest first, and signed numbers for those whose bits are all set:
 * what is negative or has no room. A width of 0 is a column of equal numbers, a column of no
 * numbers is nothing.
 *
 * A shape is a record (record.h) but for its times. Its request is 0 for none, else one more than
 * its number less the newest so far, signed; words that are requests which ended (flag 16384) are
 * the newest less them. Of polls that found nothing `bytes` and `received` are 0. Shapes count from
 * 0 in the file. A block has, in this order,
 *
 * - a number: 1 where all shapes and predictions so far are forgotten, else 0;
 * - kinds that are new in the file (calls without "MPI_"): how many, and of each number, length and
 *   name;
 * - shapes that are new: how many, 10 columns (kind, flags, comm, peer, tag, bytes, received,
 *   request, thread, words), and 4 columns of all their words, by place modulo 4;
 * - records whose shape is not the one predicted: how many, and 2 columns: how many before each,
 *   since the one before it, are; its shape;
 * - 2 or 4 columns for each shape of at least 16 records here, by its number, then for the others
 *   together: steps of 16 ns from the end of the record before to the start, and from there to the
 *   end; of polls that found nothing, bytes and received.
 *
 * The shape predicted is the last one that came after the same context, and 0 before; the context
 * is 0, and after each record 32 times itself plus the shape, modulo 32768. The first time counts
 * from 0.
 *
 * Versions 1 and 2 have blocks of records of 64 B as in record.h and then words of 8 B, and a line
 * of the header for each kind ("kind 7 Send"). Version 1 ("contblk") has no number of a run, no
 * checksum of the header, and a checksum of blocks that is of records and words alone. */
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
