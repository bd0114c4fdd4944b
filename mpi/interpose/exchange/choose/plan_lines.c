/* One line of a plan: what it begins with decides how the rest is read. */
#include "plan_lines.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ledger.h"

#define MAX_WORDS 16
#define DIGITS "0123456789"

enum { LINK_WORDS = 4 };

struct words {
    int count;
    char *word[MAX_WORDS];
};

static bool fail(char *why, size_t size, const char *rule, const char *given)
{
    snprintf(why, size, "%s, got '%s'", rule, given);
    return false;
}

static char *copy(const char *text)
{
    char *copied = contend_take(strlen(text) + 1);
    return copied == NULL ? NULL : strcpy(copied, text);
}

/* Room for one more, with the old elements; NULL, and all as it was, without memory. */
static void *grown(void *old, int count, size_t element)
{
    void *fresh = contend_take((size_t)(count + 1) * element);
    if (fresh != NULL && count > 0)
        memcpy(fresh, old, (size_t)count * element);
    if (fresh != NULL)
        contend_release(old);
    return fresh;
}

/* Index of the level of that name, -1 where there is none. */
static int find_level(const struct contend_plan *plan, const char *name)
{
    if (strcmp(name, "node") == 0)
        return CONTEND_NODE;
    for (int i = 0; i < plan->level_count; i++)
        if (strcmp(plan->levels[i].name, name) == 0)
            return i;
    return -1;
}

static bool read_level(struct contend_plan *plan, const struct words *words, char *why, size_t size)
{
    if (words->count != 2 || find_level(plan, words->word[1]) >= 0 ||
        plan->level_count == CONTEND_MAX_LEVELS)
        return fail(why, size, "a level has one new name, and there are at most 16",
                    words->count > 1 ? words->word[1] : "nothing");
    struct contend_level *level = &plan->levels[plan->level_count];
    level->name = copy(words->word[1]);
    plan->level_count += level->name != NULL;
    return level->name != NULL || fail(why, size, "memory is needed", "none");
}

/* Digits alone, as what reads a plan in Python takes nothing else. */
static bool read_count(const char *text, int64_t most, int64_t *value)
{
    if (text[0] == '\0' || text[strspn(text, DIGITS)] != '\0')
        return false;
    errno = 0;
    const long long number = strtoll(text, NULL, 10);
    *value = number;
    return errno == 0 && number <= most;
}

/* A.B.C.D/N, or the same of IPv6 */
static bool read_subnet(struct contend_group_rule *rule, const char *text)
{
    char address[INET6_ADDRSTRLEN];
    const char *slash = strchr(text, '/');
    const size_t length = slash == NULL ? sizeof address : (size_t)(slash - text);
    int64_t bits = 0;
    if (length >= sizeof address || strlen(slash) > 4)
        return false;
    snprintf(address, sizeof address, "%.*s", (int)length, text);
    rule->family = strchr(address, ':') == NULL ? AF_INET : AF_INET6;
    if (!read_count(slash + 1, rule->family == AF_INET ? 32 : 128, &bits))
        return false;
    rule->prefix = (unsigned)bits;
    return inet_pton(rule->family, address, rule->address) == 1;
}

/* [^a] and classes like [[:alpha:]], which Python does not know. */
static bool is_pattern(const char *text)
{
    for (const char *open = strchr(text, '['); open != NULL; open = strchr(open + 1, '['))
        if (open[1] != '\0' && strchr("^:.=", open[1]) != NULL)
            return false;
    return true;
}

/* Of a group that was named before at this level, or the next. */
static int index_of_group(struct contend_plan *plan, const char *name)
{
    for (int i = 0; i < plan->rule_count; i++)
        if (plan->rules[i].level == plan->level_count - 1 &&
            strcmp(plan->rules[i].group, name) == 0)
            return plan->rules[i].index;
    return plan->levels[plan->level_count - 1].groups++;
}

static bool read_group(struct contend_plan *plan, const struct words *words, char *why, size_t size)
{
    if (words->count != 4 || plan->level_count == 0)
        return fail(why, size,
                    "a group is 'group NAME host PATTERN' or '... subnet ADDRESS/BITS' after "
                    "its level",
                    words->count > 1 ? words->word[1] : "nothing");
    struct contend_group_rule rule = {.level = plan->level_count - 1};
    const bool is_host = strcmp(words->word[2], "host") == 0;
    if (is_host && !is_pattern(words->word[3]))
        return fail(why, size, "a pattern has no [^a] and no classes; write [!a] and [a-z]",
                    words->word[3]);
    if (!is_host && (strcmp(words->word[2], "subnet") != 0 || !read_subnet(&rule, words->word[3])))
        return fail(why, size, "a group has a host pattern or a subnet", words->word[3]);
    struct contend_group_rule *rules = grown(plan->rules, plan->rule_count, sizeof rule);
    if (rules == NULL)
        return fail(why, size, "memory is needed", "none");
    plan->rules = rules;
    rule.index = index_of_group(plan, words->word[1]);
    rule.group = copy(words->word[1]);
    rule.pattern = is_host ? copy(words->word[3]) : NULL;
    plan->rules[plan->rule_count] = rule;
    plan->rule_count++;
    return (rule.group != NULL && (rule.pattern != NULL) == is_host) ||
           fail(why, size, "memory is needed", "none");
}

/* Of decimal digits, and finite. */
static bool read_positive(const char *text, double *value)
{
    char *end = NULL;
    if (text[strspn(text, DIGITS ".eE+-")] != '\0' || strchr(DIGITS ".", text[0]) == NULL)
        return false;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* A whole number. */
static bool read_bytes(const char *text, double *value)
{
    int64_t bytes = 0;
    const bool is_read = read_count(text, INT64_MAX, &bytes);
    *value = (double)bytes;
    return is_read;
}

/* One of what a link has, that was not there before. */
static bool read_property(struct contend_level *level, const char *name, const char *text,
                          unsigned *seen)
{
    const struct {
        const char *name;
        double *value;
        bool (*read)(const char *text, double *value);
    } known[LINK_WORDS] = {{"latency_s", &level->latency_s, read_positive},
                           {"bandwidth", &level->bandwidth, read_positive},
                           {"buffer", &level->buffer, read_bytes},
                           {"timeout_s", &level->timeout_s, read_positive}};
    for (unsigned i = 0; i < LINK_WORDS; i++)
        if (strcmp(name, known[i].name) == 0) {
            const bool is_new = (*seen & 1U << i) == 0;
            *seen |= 1U << i;
            return is_new && known[i].read(text, known[i].value);
        }
    return false;
}

static bool read_link(struct contend_plan *plan, const struct words *words, char *why, size_t size)
{
    const int index = words->count > 1 ? find_level(plan, words->word[1]) : -1;
    if (index < 0)
        return fail(why, size, "a link has a level that is declared before",
                    words->count > 1 ? words->word[1] : "nothing");
    struct contend_level *level = &plan->levels[index];
    unsigned seen = 0;
    bool is_read = words->count == 2 + 2 * LINK_WORDS;
    for (int i = 2; i < words->count && is_read; i += 2)
        is_read = read_property(level, words->word[i], words->word[i + 1], &seen);
    level->has_link = true;
    return is_read ||
           fail(why, size, "a link has latency_s, bandwidth, buffer and timeout_s, each a number",
                words->word[1]);
}

/* window=W, window=all, chunk=B or leaders=L; each once, so that it is not set yet */
static bool read_setting(struct contend_settings *settings, char *text)
{
    char *value = strchr(text, '=');
    int64_t number = CONTEND_ALL;
    if (value == NULL || (strcmp(text, "window=all") != 0 &&
                          (!read_count(value + 1, INT_MAX, &number) || number == 0)))
        return false;
    const size_t length = (size_t)(value - text);
    const struct {
        const char *name;
        int *value;
    } known[] = {{"window", &settings->window},
                 {"chunk", &settings->chunk},
                 {"leaders", &settings->leaders}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == length && strncmp(text, known[i].name, length) == 0) {
            const bool is_new = *known[i].value == 0;
            *known[i].value = (int)number;
            return is_new;
        }
    return false;
}

static bool read_choice(struct contend_plan *plan, const struct words *words, char *why,
                        size_t size)
{
    struct contend_choice choice = {0};
    if (words->count < 4)
        return fail(why, size, "a choice is 'choose LEVEL FROM_BYTES ALGORITHM ...'", "less");
    choice.level = find_level(plan, words->word[1]);
    if (choice.level < 0)
        return fail(why, size, "a choice has a level that is declared before", words->word[1]);
    if (!read_count(words->word[2], INT64_MAX, &choice.from_bytes))
        return fail(why, size, "a choice begins at a number of bytes", words->word[2]);
    choice.algorithm = contend_algorithm_named(words->word[3]);
    if (choice.algorithm == NULL) {
        snprintf(why, size, "there is no algorithm '%s'; choose from %s", words->word[3],
                 contend_algorithm_names());
        return false;
    }
    for (int i = 4; i < words->count; i++)
        if (!read_setting(&choice.settings, words->word[i]))
            return fail(why, size, "a setting is window=W, chunk=B or leaders=L, once",
                        words->word[i]);
    struct contend_choice *choices = grown(plan->choices, plan->choice_count, sizeof choice);
    if (choices == NULL)
        return fail(why, size, "memory is needed", "none");
    plan->choices = choices;
    plan->choices[plan->choice_count++] = choice;
    return true;
}

static bool split(char *line, struct words *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (words->count == MAX_WORDS)
            return false;
        words->word[words->count++] = word;
    }
    return true;
}

bool contend_read_line(struct contend_plan *plan, char *line, bool is_first, char *why, size_t size)
{
    struct words words = {0};
    if (!split(line, &words))
        return fail(why, size, "a line has at most 16 words", "more");
    if (is_first)
        return (words.count == 2 && strcmp(words.word[0], "contend-exchange") == 0 &&
                strcmp(words.word[1], "1") == 0) ||
               fail(why, size, "a plan begins with 'contend-exchange 1'",
                    words.count > 0 ? words.word[0] : "nothing");
    if (words.count == 0)
        return true;
    if (strcmp(words.word[0], "level") == 0)
        return read_level(plan, &words, why, size);
    if (strcmp(words.word[0], "group") == 0)
        return read_group(plan, &words, why, size);
    if (strcmp(words.word[0], "link") == 0)
        return read_link(plan, &words, why, size);
    if (strcmp(words.word[0], "choose") == 0)
        return read_choice(plan, &words, why, size);
    return fail(why, size, "a line begins with level, group, link or choose", words.word[0]);
}
