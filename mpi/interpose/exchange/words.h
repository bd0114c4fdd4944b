/* Sizes, times and choices in words, as people read them. */
#ifndef CONTEND_WORDS_H
#define CONTEND_WORDS_H

#include "plan.h"
#include "tally.h"

enum { CONTEND_WORDS = 160 };

/* Of bytes of a class, e.g. "1 KiB to 2 KiB". */
const char *contend_size_text(int size, char text[CONTEND_WORDS]);

/* E.g. "1.94 ms". */
const char *contend_seconds_text(double seconds, char text[CONTEND_WORDS]);

/* Algorithm and settings; "native" for NULL. */
const char *contend_choice_text(const struct contend_choice *choice, char text[CONTEND_WORDS]);

const char *contend_kind_text(enum contend_exchange_kind kind);

#endif
