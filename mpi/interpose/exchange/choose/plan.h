/* The plan: levels, who belongs to which group, links, and which algorithm from which size. */
#ifndef CONTEND_PLAN_H
#define CONTEND_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../algorithm.h"

#define CONTEND_MAX_LEVELS 16           /* as many as a groups file may have */
#define CONTEND_NODE CONTEND_MAX_LEVELS /* the level that needs no declaration */
#define CONTEND_PATH 4096               /* characters of a file's name, as on Linux */

struct contend_group_rule {
    char *group, *pattern;     /* pattern: of host names; NULL where the rule is a subnet */
    int family;                /* of the subnet: AF_INET or AF_INET6 */
    unsigned char address[16]; /* as in a packet; of AF_INET the first 4 */
    unsigned prefix;           /* bits */
    int level, index;          /* index: of the group at its level */
};

struct contend_level {
    char *name; /* NULL for the node */
    int groups; /* named so far */
    bool has_link;
    double latency_s, bandwidth, buffer, timeout_s; /* bytes per second, bytes */
};

struct contend_choice {
    int level; /* -1: the outermost that divides the communicator */
    int64_t from_bytes;
    const struct contend_algorithm *algorithm;
    struct contend_settings settings;
};

struct contend_plan {
    struct contend_level levels[CONTEND_MAX_LEVELS + 1]; /* outermost first; at its end the node */
    int level_count;                                     /* declared */
    struct contend_group_rule *rules;
    int rule_count;
    struct contend_choice *choices;
    int choice_count;
    bool is_forced;  /* one algorithm is named by $CONTEND_EXCHANGE_ALGORITHM */
    bool is_own;     /* the plan has no choices: these are what the library tries */
    bool is_checked; /* the first calls time who is the fastest */
    bool is_met;     /* the ranks meet at the end of MPI_Init, else at an exchange */
    bool is_run;     /* by contend alltoall run without a plan, which can be given groups */
    bool is_site;    /* it is the site's, which knows all slow links that there are */
    char explain[CONTEND_PATH], summary[CONTEND_PATH]; /* where to say what; "": nowhere */
    int64_t memory;  /* bytes of scratch that a rank may take for a communicator */
    double patience; /* seconds after which a rank says that it waits for others to come at all */
    uint64_t digest; /* the same at all ranks that read the same */
    char error[512]; /* why the plan was refused, "" where it was not */
};

/* The plan of this process, read at the first call. */
const struct contend_plan *contend_read_plan(void);

/* Gives back its memory; it is read anew if it is asked for again. */
void contend_forget_plan(void);

/* FNV-1a of the bytes, continued from `digest`. */
uint64_t contend_digest(uint64_t digest, const void *bytes, size_t size);

#endif
