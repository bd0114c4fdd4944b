/* Arguments as machine words, so that one body stands before many functions.
 *
 * Where integers and pointers are passed in registers and in stack slots of a word each (System V
 * on x86-64, AArch64 Linux, POWER, RISC-V), a function may take and hand on as many words as any of
 * them has: what it was not given is handed on as well, and the function behind never looks. */
#ifndef CONTEND_MACHINE_WORDS_H
#define CONTEND_MACHINE_WORDS_H

#include <stdint.h>

enum { CONTEND_WORDS_MOST = 12 }; /* the most: reduce by a chain has eleven */

#define WORDS                                                                                      \
    intptr_t w0, intptr_t w1, intptr_t w2, intptr_t w3, intptr_t w4, intptr_t w5, intptr_t w6,     \
        intptr_t w7, intptr_t w8, intptr_t w9, intptr_t w10, intptr_t w11
#define THE_WORDS w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11

#endif
