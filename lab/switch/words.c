/* The words of a statement, each of which must be what the statement's form says. */
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *contend_next_word(struct contend_line *line)
{
    return strtok_r(NULL, CONTEND_BLANKS, &line->rest);
}

char *contend_require_word(struct contend_line *line, const char *what, const char *form)
{
    char *word = contend_next_word(line);
    if (word == NULL)
        CONTEND_REFUSE(line, "%s is missing; write '%s'", what, form);
    return word;
}

void contend_require_end(struct contend_line *line, const char *form)
{
    const char *word = contend_next_word(line);
    if (word != NULL)
        CONTEND_REFUSE(line, "'%s' is one word too many; write '%s'", word, form);
}

int64_t contend_require_number(struct contend_line *line, const char *what, const char *form)
{
    const char *word = contend_require_word(line, what, form);
    char *end;
    errno = 0;
    const long long number = strtoll(word, &end, 10);
    if (end == word || *end != '\0' || errno != 0 || number < 0)
        CONTEND_REFUSE(line, "%s is a whole number of at least 0, got '%s'; write '%s'", what, word,
                       form);
    return number;
}
