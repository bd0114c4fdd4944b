/* Bytes that say where they come from, where they go to and where in the message they stand. */
#include "pattern.h"

#include <stdint.h>
#include <stdio.h>

/* Odd multipliers keep the three coordinates apart, the shifts mix them into the low byte
 * (the finalizer of MurmurHash3, shortened). */
static unsigned char pattern_byte(uint32_t src, uint32_t dst, size_t offset)
{
    uint32_t x = src * 0x9E3779B1u ^ dst * 0x85EBCA77u ^ (uint32_t)offset * 0xC2B2AE3Du;
    x ^= x >> 16;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    return (unsigned char)(x ^ x >> 24);
}

void contend_pattern_fill(unsigned char *message, size_t m, int src, int dst)
{
    for (size_t i = 0; i < m; i++)
        message[i] = pattern_byte((uint32_t)src, (uint32_t)dst, i);
}

void contend_pattern_poison(unsigned char *message, size_t m, int src, int dst)
{
    for (size_t i = 0; i < m; i++)
        message[i] = (unsigned char)~pattern_byte((uint32_t)src, (uint32_t)dst, i);
}

bool contend_pattern_check(const unsigned char *message, size_t m, int src, int dst, char *detail,
                           size_t size)
{
    for (size_t i = 0; i < m; i++) {
        const unsigned char expected = pattern_byte((uint32_t)src, (uint32_t)dst, i);
        if (message[i] != expected) {
            snprintf(detail, size,
                     "message from rank %d to rank %d: byte %zu of %zu is %u, "
                     "expected %u",
                     src, dst, i, m, message[i], expected);
            return false;
        }
    }
    return true;
}
