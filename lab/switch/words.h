/* The words of a statement, each of which must be what the statement's form says. */
#ifndef CONTEND_WORDS_H
#define CONTEND_WORDS_H

#include <stdint.h>

#include "../common/fail.h"

#define CONTEND_BLANKS " \t\r\n"

struct contend_line {
    const char *path;
    unsigned number;
    char *rest; /* for strtok_r */
};

/* Exits with the line, the rule and the remedy. */
#define CONTEND_REFUSE(line, format, ...)                                                          \
    contend_fail(CONTEND_EXIT_CONFIGURATION, "%s:%u: " format, (line)->path, (line)->number,       \
                 __VA_ARGS__)

/* NULL behind the last word. */
char *contend_next_word(struct contend_line *line);

/* `what` names the word, `form` the whole statement in the message. */
char *contend_require_word(struct contend_line *line, const char *what, const char *form);
int64_t contend_require_number(struct contend_line *line, const char *what, const char *form);
void contend_require_end(struct contend_line *line, const char *form);

#endif
