/* Reads the emulated network from its text file; see configuration.h for the statements. */
#include "configuration.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/fail.h"
#include "routes.h"
#include "words.h"

#define DEFAULT_RTO INT64_C(200000000) /* of Linux: TCP_RTO_MIN */

struct reader {
    struct contend_line line;
    struct contend_configuration *configuration;
};

static void require_name(struct reader *reader, char name[CONTEND_NAME_SIZE], const char *form)
{
    const char *word = contend_require_word(&reader->line, "NAME", form);
    if (strlen(word) >= CONTEND_NAME_SIZE)
        CONTEND_REFUSE(&reader->line, "a name has at most %d bytes, got '%s'; shorten it",
                       CONTEND_NAME_SIZE - 1, word);
    strcpy(name, word);
}

static void read_link(struct reader *reader)
{
    static const char form[] = "link NAME RATE BUFFER DELAY";
    struct contend_configuration *into = reader->configuration;
    struct contend_link_statement link;
    uint32_t other;
    require_name(reader, link.name, form);
    link.rate = (uint64_t)contend_require_number(&reader->line, "RATE (bits/s)", form);
    link.buffer = (uint64_t)contend_require_number(&reader->line, "BUFFER (bytes)", form);
    link.delay = contend_require_number(&reader->line, "DELAY (ns)", form);
    contend_require_end(&reader->line, form);
    if (contend_find_link(into, link.name, &other))
        CONTEND_REFUSE(&reader->line, "link '%s' is declared twice; rename one", link.name);
    if (link.buffer != 0 && link.buffer < ETH_FRAME_LEN)
        CONTEND_REFUSE(&reader->line,
                       "a buffer holds at least one frame of %d bytes, got %llu; enlarge it or "
                       "write 0 for an unlimited one",
                       ETH_FRAME_LEN, (unsigned long long)link.buffer);
    into->links = contend_reallocate(into->links, (size_t)into->n_links + 1, sizeof link, "links");
    into->links[into->n_links++] = link;
}

static void read_mac(struct reader *reader, unsigned char mac[ETH_ALEN], const char *form)
{
    const char *word = contend_require_word(&reader->line, "MAC", form);
    int length = 0;
    const int n = sscanf(word, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &mac[0], &mac[1], &mac[2],
                         &mac[3], &mac[4], &mac[5], &length);
    if (n != ETH_ALEN || word[length] != '\0' || mac[0] % 2 != 0)
        CONTEND_REFUSE(&reader->line,
                       "MAC is a unicast address, got '%s'; write it as 02:00:00:00:00:01", word);
}

static void refuse_twin(struct reader *reader, const struct contend_host_statement *host)
{
    const struct contend_configuration *configuration = reader->configuration;
    for (uint32_t i = 0; i < configuration->n_hosts; i++) {
        const struct contend_host_statement *other = &configuration->hosts[i];
        if (strcmp(other->name, host->name) == 0)
            CONTEND_REFUSE(&reader->line, "host '%s' is declared twice; rename one", host->name);
        if (strcmp(other->interface, host->interface) == 0 ||
            memcmp(other->mac, host->mac, ETH_ALEN) == 0)
            CONTEND_REFUSE(&reader->line,
                           "hosts '%s' and '%s' have the same interface or MAC; give each its own",
                           other->name, host->name);
    }
}

static void read_host(struct reader *reader)
{
    static const char form[] = "host NAME INTERFACE MAC";
    struct contend_configuration *into = reader->configuration;
    struct contend_host_statement host = {.network = NULL};
    if (into->routes != NULL)
        CONTEND_REFUSE(&reader->line, "all hosts come before the first route; move '%s' up", form);
    require_name(reader, host.name, form);
    const char *interface = contend_require_word(&reader->line, "INTERFACE", form);
    if (strlen(interface) >= sizeof host.interface)
        CONTEND_REFUSE(&reader->line,
                       "an interface has at most %zu bytes, got '%s'; write the name that the "
                       "kernel knows",
                       sizeof host.interface - 1, interface);
    strcpy(host.interface, interface);
    read_mac(reader, host.mac, form);
    contend_require_end(&reader->line, form);
    refuse_twin(reader, &host);
    into->hosts = contend_reallocate(into->hosts, (size_t)into->n_hosts + 1, sizeof host, "hosts");
    into->hosts[into->n_hosts++] = host;
}

static void read_hold(struct reader *reader)
{
    static const char form[] = "hold NAME NETWORK";
    struct contend_configuration *into = reader->configuration;
    const uint32_t host = contend_require_host(&reader->line, into, "NAME", form);
    const char *network = contend_require_word(&reader->line, "NETWORK", form);
    if (into->hosts[host].network != NULL)
        CONTEND_REFUSE(&reader->line, "host '%s' is held twice; remove one",
                       into->hosts[host].name);
    const size_t size = strlen(network) + 1;
    into->hosts[host].network = contend_reallocate(NULL, size, 1, "path of a namespace");
    memcpy(into->hosts[host].network, network, size);
    contend_require_end(&reader->line, form);
}

static void read_route(struct reader *reader)
{
    contend_read_route(&reader->line, reader->configuration);
}

static void read_rto(struct reader *reader)
{
    reader->configuration->rto =
        contend_require_number(&reader->line, "NANOSECONDS", "rto NANOSECONDS");
    contend_require_end(&reader->line, "rto NANOSECONDS");
}

static void read_flow_control(struct reader *reader)
{
    static const char form[] = "flow_control none|credits";
    const char *word = contend_require_word(&reader->line, "the kind", form);
    reader->configuration->has_credits = strcmp(word, "credits") == 0;
    if (!reader->configuration->has_credits && strcmp(word, "none") != 0)
        CONTEND_REFUSE(&reader->line, "flow control is 'none' or 'credits', got '%s'", word);
    contend_require_end(&reader->line, form);
}

static void read_statement(struct reader *reader, char *line)
{
    static const struct {
        const char *word;
        void (*read)(struct reader *reader);
    } statements[] = {{"link", read_link}, {"host", read_host},
                      {"hold", read_hold}, {"route", read_route},
                      {"rto", read_rto},   {"flow_control", read_flow_control}};
    line[strcspn(line, "#")] = '\0';
    const char *word = strtok_r(line, CONTEND_BLANKS, &reader->line.rest);
    if (word == NULL)
        return;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (strcmp(word, statements[i].word) == 0) {
            statements[i].read(reader);
            return;
        }
    }
    CONTEND_REFUSE(&reader->line,
                   "no statement '%s'; write link, host, hold, route, rto or flow_control", word);
}

struct contend_configuration contend_read_configuration(const char *path)
{
    struct contend_configuration configuration = {.rto = DEFAULT_RTO};
    struct reader reader = {.line = {.path = path}, .configuration = &configuration};
    FILE *file = fopen(path, "r");
    if (file == NULL)
        contend_fail(CONTEND_EXIT_CONFIGURATION, "cannot read %s: %s; name a configuration", path,
                     strerror(errno));
    char *line = NULL;
    size_t size = 0;
    for (reader.line.number = 1; getline(&line, &size, file) >= 0; reader.line.number++)
        read_statement(&reader, line);
    if (ferror(file))
        contend_fail_errno("cannot read %s to its end", path);
    free(line);
    fclose(file);
    contend_require_all_routes(&configuration, path);
    return configuration;
}

void contend_free_configuration(struct contend_configuration *configuration)
{
    const size_t n_pairs = (size_t)configuration->n_hosts * configuration->n_hosts;
    for (size_t i = 0; i < n_pairs; i++)
        free(configuration->routes[i].links);
    for (uint32_t i = 0; i < configuration->n_hosts; i++)
        free(configuration->hosts[i].network);
    free(configuration->routes);
    free(configuration->hosts);
    free(configuration->links);
    *configuration = (struct contend_configuration){0};
}
