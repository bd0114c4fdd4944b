/* The command line, the same for every experiment. Knows no MPI. */
#include "arguments.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const contend_start_names[] = {"auto", "window", "barrier", "believed", "local"};

struct parser {
    struct contend_arguments *arguments;
    char *error;
    size_t error_size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct parser *parser, const char *format,
                                                         ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(parser->error, parser->error_size, format, values);
    va_end(values);
    return false;
}

/* Reads the digits at text; *end is what follows them. */
static bool read_whole(const char *text, char **end, size_t *value)
{
    if (!isdigit((unsigned char)*text))
        return false; /* strtoull would take blanks and signs */
    errno = 0;
    const unsigned long long number = strtoull(text, end, 10);
    *value = (size_t)number;
    return errno == 0;
}

static bool parse_sizes(struct parser *parser, const char *text)
{
    size_t commas = 0;
    for (const char *c = text; *c != '\0'; c++)
        commas += *c == ',';
    free(parser->arguments->sizes);
    parser->arguments->n_sizes = 0;
    parser->arguments->sizes = malloc((commas + 1) * sizeof *parser->arguments->sizes);
    if (parser->arguments->sizes == NULL)
        return refuse(parser, "no memory for %zu sizes", commas + 1);
    const char *at = text;
    for (size_t i = 0; i <= commas; i++) {
        char *end = NULL;
        size_t size = 0;
        if (!read_whole(at, &end, &size) || *end != (i < commas ? ',' : '\0'))
            return refuse(parser,
                          "--sizes needs whole numbers of bytes separated by commas, "
                          "such as 0,1024,65536; got '%s'",
                          text);
        if (size > INT_MAX)
            return refuse(parser,
                          "--sizes: %zu bytes do not fit the int that MPI counts with; "
                          "at most %d",
                          size, INT_MAX);
        parser->arguments->sizes[i] = size;
        parser->arguments->n_sizes = i + 1;
        at = end + 1;
    }
    return true;
}

static bool parse_count(struct parser *parser, const char *option, const char *text, size_t least,
                        size_t *value)
{
    char *end = NULL;
    if (!read_whole(text, &end, value) || *end != '\0' || *value < least || *value > INT_MAX)
        return refuse(parser, "%s needs a whole number from %zu to %d; got '%s'", option, least,
                      INT_MAX, text);
    return true;
}

/* Above 0 (or 0 itself, if allowed) and below high. */
static bool parse_real(struct parser *parser, const char *option, const char *text, double high,
                       bool is_zero_allowed, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    const bool is_number = end != text && *end == '\0' && isfinite(*value);
    if (!is_number || *value >= high || !(*value > 0 || (is_zero_allowed && *value == 0)))
        return refuse(parser, "%s needs a number %s 0%s; got '%s'", option,
                      is_zero_allowed ? "of at least" : "above", high == 1.0 ? " and below 1" : "",
                      text);
    return true;
}

static bool parse_start(struct parser *parser, const char *text)
{
    for (int start = CONTEND_START_AUTO; start < CONTEND_START_LOCAL; start++) {
        if (strcmp(text, contend_start_names[start]) == 0) {
            parser->arguments->start = start;
            return true;
        }
    }
    return refuse(parser, "--start needs auto, window, barrier or believed; got '%s'", text);
}

static bool parse_option(struct parser *parser, const char *option, const char *text)
{
    struct contend_arguments *arguments = parser->arguments;
    struct contend_limits *limits = &arguments->limits;
    if (strcmp(option, "--sizes") == 0)
        return parse_sizes(parser, text);
    if (strcmp(option, "--min-repetitions") == 0)
        return parse_count(parser, option, text, 1, &limits->min_repetitions);
    if (strcmp(option, "--max-repetitions") == 0)
        return parse_count(parser, option, text, 1, &limits->max_repetitions);
    if (strcmp(option, "--warmup") == 0)
        return parse_count(parser, option, text, 0, &arguments->warmup);
    if (strcmp(option, "--max-seconds") == 0)
        return parse_real(parser, option, text, INFINITY, false, &limits->max_seconds);
    if (strcmp(option, "--precision") == 0)
        return parse_real(parser, option, text, INFINITY, true, &limits->precision);
    if (strcmp(option, "--confidence") == 0)
        return parse_real(parser, option, text, 1.0, false, &limits->confidence);
    if (strcmp(option, "--start") == 0)
        return parse_start(parser, text);
    return refuse(parser,
                  "unknown option '%s'; known: --describe --sizes --min-repetitions "
                  "--max-repetitions --max-seconds --precision --confidence --warmup --start "
                  "--per-rank",
                  option);
}

static bool has_no_value(struct contend_arguments *arguments, const char *option)
{
    bool *flag = strcmp(option, "--describe") == 0   ? &arguments->is_describe
                 : strcmp(option, "--per-rank") == 0 ? &arguments->is_per_rank
                                                     : NULL;
    if (flag != NULL)
        *flag = true;
    return flag != NULL;
}

static bool parse_all(struct parser *parser, int argc, char *const argv[])
{
    for (int i = 1; i < argc; i++) {
        if (has_no_value(parser->arguments, argv[i]))
            continue;
        if (!parse_option(parser, argv[i], i + 1 < argc ? argv[i + 1] : ""))
            return false;
        i++;
    }
    const struct contend_limits *limits = &parser->arguments->limits;
    if (parser->arguments->n_sizes == 0 && !parser->arguments->is_describe)
        return refuse(parser, "--sizes is missing; give bytes such as --sizes 0,1024,65536");
    if (limits->max_repetitions < limits->min_repetitions)
        return refuse(parser, "--max-repetitions %zu is below --min-repetitions %zu",
                      limits->max_repetitions, limits->min_repetitions);
    return true;
}

bool contend_parse_arguments(int argc, char *const argv[], struct contend_arguments *arguments,
                             char *error, size_t error_size)
{
    *arguments = (struct contend_arguments){
        .limits = {.min_repetitions = 20,
                   .max_repetitions = 500,
                   .max_seconds = 0.5,
                   .precision = 0.05,
                   .confidence = 0.95},
        .warmup = 3,
        .start = CONTEND_START_AUTO,
    };
    struct parser parser = {arguments, error, error_size};
    return parse_all(&parser, argc, argv);
}

void contend_free_arguments(struct contend_arguments *arguments)
{
    free(arguments->sizes);
    arguments->sizes = NULL;
    arguments->n_sizes = 0;
}
