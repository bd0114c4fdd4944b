/* Sizes, times and choices in words, as people read them. */
#include "words.h"

#include <stdio.h>

static int append_bytes(char *text, int at, int64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; unit < 3 && bytes >= 1024 && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    const int length =
        snprintf(text + at, (size_t)(CONTEND_WORDS - at), "%lld %s", (long long)bytes, units[unit]);
    return at + length;
}

const char *contend_size_text(int size, char text[CONTEND_WORDS])
{
    int at = append_bytes(text, 0, 1LL << size);
    at += snprintf(text + at, (size_t)(CONTEND_WORDS - at), " to ");
    append_bytes(text, at, 1LL << (size + 1));
    return text;
}

const char *contend_seconds_text(double seconds, char text[CONTEND_WORDS])
{
    if (seconds < 1e-3)
        snprintf(text, CONTEND_WORDS, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, CONTEND_WORDS, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, CONTEND_WORDS, "%.4g s", seconds);
    return text;
}

const char *contend_choice_text(const struct contend_choice *choice, char text[CONTEND_WORDS])
{
    if (choice == NULL)
        return "native";
    const struct {
        const char *name;
        int value;
    } settings[] = {{"window", choice->settings.window},
                    {"chunk", choice->settings.chunk},
                    {"leaders", choice->settings.leaders}};
    int at = snprintf(text, CONTEND_WORDS, "%.40s", choice->algorithm->name);
    if (choice->settings.window == CONTEND_ALL)
        at += snprintf(text + at, (size_t)(CONTEND_WORDS - at), " window=all");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i].value > 0)
            at += snprintf(text + at, (size_t)(CONTEND_WORDS - at), " %s=%d", settings[i].name,
                           settings[i].value);
    return text;
}

const char *contend_kind_text(enum contend_exchange_kind kind)
{
    return kind == CONTEND_VARYING ? "MPI_Alltoallv" : "MPI_Alltoall";
}
