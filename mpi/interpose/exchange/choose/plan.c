/* The plan: levels, who belongs to which group, links, and which algorithm from which size.
 *
 * A file of lines, named by $CONTEND_EXCHANGE_PLAN, else that of the site: $CONTEND_SITE ("0" for
 * none), else contend/site.plan in the user's folder of configurations, which counts only on hosts
 * that it names. One line that is not understood refuses the whole file. Without a file the only
 * level is the node. $CONTEND_EXCHANGE_ALGORITHM replaces all
 * choices: "NAME [window=W|all] [chunk=B] [leaders=L]", at the level $CONTEND_EXCHANGE_LEVEL or,
 * where that is not set, the outermost one that divides the communicator. $CONTEND_EXCHANGE_MEMORY
 * caps the bytes of scratch, $CONTEND_EXCHANGE_PATIENCE the seconds without a word of who waits for
 * ranks that never come. Where $CONTEND_EXCHANGE_MEET is 0, the ranks of each communicator meet at
 * its first exchange. $CONTEND_EXCHANGE_CHECK is 0 where the plan is to be obeyed as it is.
 * Whoever names an algorithm is obeyed too. $CONTEND_EXCHANGE_RUN is 1 under contend alltoall run
 * without a plan. */
#include "plan.h"

#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../ledger.h"
#include "../schedule/groups.h"
#include "candidates.h"
#include "plan_lines.h"

#define DEFAULT_MEMORY (1LL << 30)
#define DEFAULT_PATIENCE 60.0
/* Two names of 255 characters, each of four bytes at most, and what else is in a line. */
#define MAX_LINE 4095

static struct contend_plan plan;
static bool is_read;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

uint64_t contend_digest(uint64_t digest, const void *bytes, size_t size)
{
    digest ^= 14695981039346656037U; /* FNV's basis and prime */
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ ((const unsigned char *)bytes)[i]) * 1099511628211U;
    return digest;
}

void contend_refuse(struct contend_plan *refused, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refused->error, sizeof refused->error, format, arguments);
    va_end(arguments);
}

/* "0" says no; nothing, or nothing in it, says `otherwise`. */
static bool is_on(const char *text, bool otherwise)
{
    return text == NULL || text[0] == '\0' ? otherwise : strcmp(text, "0") != 0;
}

/* The next line, without its end; `is_text` says whether it is short enough and holds no null. */
static bool next_line(FILE *file, char line[MAX_LINE], bool *is_text)
{
    size_t length = 0;
    int next = getc(file);
    if (next == EOF)
        return false;
    for (*is_text = true; next != EOF && next != '\n'; next = getc(file)) {
        *is_text = *is_text && next != '\0' && length < MAX_LINE - 1;
        if (*is_text)
            line[length++] = (char)next;
    }
    line[length] = '\0';
    return true;
}

static void read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        contend_refuse(&plan,
                       "the plan %s cannot be read; mend CONTEND_EXCHANGE_PLAN or CONTEND_SITE, "
                       "which names it",
                       path);
        return;
    }
    char line[MAX_LINE];
    bool is_text = true;
    int number = 0;
    while (plan.error[0] == '\0' && next_line(file, line, &is_text)) {
        plan.digest = contend_digest(plan.digest, line, strlen(line) + 1);
        char why[256] = "a line is text of at most 4094 bytes";
        number++;
        if (!is_text || !contend_read_line(&plan, line, number == 1, why, sizeof why))
            contend_refuse(&plan, "%s line %d: %s; write the plan anew with contend", path, number,
                           why);
    }
    if (plan.error[0] == '\0' && (number == 0 || ferror(file)))
        contend_refuse(&plan, "the plan %s is empty or cannot be read; write it anew with contend",
                       path);
    fclose(file);
}

static void release_plan(void)
{
    for (int i = 0; i < plan.level_count; i++)
        contend_release(plan.levels[i].name);
    for (int i = 0; i < plan.rule_count; i++) {
        contend_release(plan.rules[i].group);
        contend_release(plan.rules[i].pattern);
    }
    contend_release(plan.rules);
    contend_release(plan.choices);
    plan = (struct contend_plan){0};
}

/* That of the user; false where there is none. */
static bool find_site_of_user(char path[CONTEND_PATH])
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (folder != NULL && folder[0] == '/')
        snprintf(path, CONTEND_PATH, "%s/contend/site.plan", folder);
    else if (home != NULL && home[0] == '/')
        snprintf(path, CONTEND_PATH, "%s/.config/contend/site.plan", home);
    else
        return false;
    return access(path, F_OK) == 0;
}

/* It counts only on hosts that it names: a user may have one home on several sites. */
static void read_site(void)
{
    char path[CONTEND_PATH];
    const char *named = getenv("CONTEND_SITE");
    if (named == NULL ? !find_site_of_user(path) : !is_on(named, false))
        return;
    read_file(named == NULL ? path : named);
    plan.is_site = true;
    if (plan.error[0] == '\0' && !contend_names_host(&plan))
        release_plan();
}

static void read_forced(const char *text)
{
    char line[1024], why[256] = "";
    const char *level = getenv("CONTEND_EXCHANGE_LEVEL");
    const bool is_outermost = level == NULL || level[0] == '\0';
    snprintf(line, sizeof line, "choose %s 0 %s\n", is_outermost ? "node" : level, text);
    plan.digest = contend_digest(plan.digest, line, strlen(line));
    plan.digest = contend_digest(plan.digest, &is_outermost, sizeof is_outermost);
    plan.choice_count = 0;
    if (!contend_read_line(&plan, line, false, why, sizeof why)) {
        contend_refuse(&plan, "CONTEND_EXCHANGE_ALGORITHM: %s", why);
        return;
    }
    if (is_outermost)
        plan.choices[0].level = -1;
    plan.is_forced = true;
}

/* At most what an int can count, so that every packed message is one message. */
static void read_memory(void)
{
    const char *given = getenv("CONTEND_EXCHANGE_MEMORY");
    char *end = NULL;
    const long long number = given == NULL ? DEFAULT_MEMORY : strtoll(given, &end, 10);
    if (number < 0 || (given != NULL && (end == given || *end != '\0')))
        contend_refuse(&plan, "CONTEND_EXCHANGE_MEMORY is a number of bytes, got '%s'", given);
    plan.memory = number < INT_MAX ? number : INT_MAX;
    plan.digest = contend_digest(plan.digest, &plan.memory, sizeof plan.memory);
}

static void read_patience(void)
{
    const char *given = getenv("CONTEND_EXCHANGE_PATIENCE");
    char *end = NULL;
    plan.patience = given == NULL ? DEFAULT_PATIENCE : strtod(given, &end);
    if (given != NULL && (end == given || *end != '\0' || !(plan.patience >= 0)))
        contend_refuse(&plan, "CONTEND_EXCHANGE_PATIENCE is a number of seconds, got '%s'", given);
}

static void read_wish(const char *name, char text[CONTEND_PATH])
{
    const char *given = getenv(name);
    if (is_on(given, false))
        snprintf(text, CONTEND_PATH, "%s", given);
}

/* A plan without choices has those of the library, where they are checked. */
static void read_wishes(void)
{
    read_wish("CONTEND_EXCHANGE_EXPLAIN", plan.explain);
    read_wish("CONTEND_EXCHANGE_SUMMARY", plan.summary);
    plan.is_run = is_on(getenv("CONTEND_EXCHANGE_RUN"), false);
    plan.is_checked = !plan.is_forced && is_on(getenv("CONTEND_EXCHANGE_CHECK"), true);
    plan.is_met = is_on(getenv("CONTEND_EXCHANGE_MEET"), true);
    plan.digest = contend_digest(plan.digest, &plan.is_checked, sizeof plan.is_checked);
    plan.digest = contend_digest(plan.digest, &plan.is_met, sizeof plan.is_met);
    if (plan.error[0] == '\0' && plan.is_checked && plan.choice_count == 0 &&
        !contend_add_own_choices(&plan))
        contend_refuse(&plan, "there is no memory for a plan");
}

const struct contend_plan *contend_read_plan(void)
{
    pthread_mutex_lock(&reading);
    if (!is_read) {
        const char *path = getenv("CONTEND_EXCHANGE_PLAN");
        const char *forced = getenv("CONTEND_EXCHANGE_ALGORITHM");
        plan = (struct contend_plan){0};
        if (path != NULL && path[0] != '\0')
            read_file(path);
        else
            read_site();
        if (plan.error[0] == '\0' && forced != NULL && forced[0] != '\0')
            read_forced(forced);
        read_memory();
        read_patience();
        read_wishes();
        is_read = true;
    }
    pthread_mutex_unlock(&reading);
    return &plan;
}

void contend_forget_plan(void)
{
    pthread_mutex_lock(&reading);
    release_plan();
    is_read = false;
    pthread_mutex_unlock(&reading);
}
