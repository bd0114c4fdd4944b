/* Whether a reduction has the same bits in whatever order its operands are combined.
 *
 * Sums and products of integers wrap, and do so alike in any order; the greatest, the least and
 * what is done bit by bit do not ask for one. Floating point has none of these: sums round, and of
 * 0 and -0, or of a number and a NaN, the greatest is whichever comes first. What a program has
 * made itself, types and operations, is unknown. */
#include "exact.h"

#include <stddef.h>

bool contend_is_exact(MPI_Op op, MPI_Datatype type)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX,  MPI_MIN,  MPI_PROD, MPI_BAND,
                          MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR,  MPI_LXOR};
    const MPI_Datatype types[] = {MPI_INT,
                                  MPI_LONG,
                                  MPI_LONG_LONG,
                                  MPI_SHORT,
                                  MPI_SIGNED_CHAR,
                                  MPI_UNSIGNED,
                                  MPI_UNSIGNED_LONG,
                                  MPI_UNSIGNED_LONG_LONG,
                                  MPI_UNSIGNED_SHORT,
                                  MPI_UNSIGNED_CHAR,
                                  MPI_INT8_T,
                                  MPI_INT16_T,
                                  MPI_INT32_T,
                                  MPI_INT64_T,
                                  MPI_UINT8_T,
                                  MPI_UINT16_T,
                                  MPI_UINT32_T,
                                  MPI_UINT64_T,
                                  MPI_AINT,
                                  MPI_OFFSET,
                                  MPI_COUNT,
                                  MPI_C_BOOL,
                                  MPI_BYTE,
                                  MPI_INTEGER,
                                  MPI_INTEGER1,
                                  MPI_INTEGER2,
                                  MPI_INTEGER4,
                                  MPI_INTEGER8,
                                  MPI_LOGICAL};
    bool is_known_op = false, is_known_type = false;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        is_known_op = is_known_op || op == ops[i];
    for (size_t i = 0; is_known_op && i < sizeof types / sizeof types[0]; i++)
        is_known_type = is_known_type || type == types[i];
    return is_known_op && is_known_type && type != MPI_DATATYPE_NULL;
}
