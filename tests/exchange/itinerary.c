/* The messages of algorithms of the exchange library, without MPI being started.
 *
 * reads lines   NAME LEADERS CHUNK BYTES GROUP,GROUP,...   with the group of every rank
 * prints        messages PHASE SRC DST CHUNK BYTES I:J,... of every rank, first those that it
 *               sends, in their order, then those that it receives; at the end of each line "end"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "ledger.h"
#include "schedule/parcels.h"
#include "choose/plan.h"

enum { MAX_RANKS = 2048, LINE = 16384 };

static void print_message(const struct contend_itinerary *way, int index, int which)
{
    const struct contend_leg *leg = &way->leg[index];
    const struct contend_parcel *parcel = &leg->parcel[which];
    const int is_out = index % 2 == 0;
    printf("%s %d %d %d %lld %lld ", is_out ? "out" : "in", index / 2,
           is_out ? way->rank : parcel->peer, is_out ? parcel->peer : way->rank,
           (long long)leg->chunk, (long long)parcel->bytes);
    for (size_t i = parcel->first; i < parcel->end; i++)
        printf("%s%d:%d", i > parcel->first ? "," : "", leg->block[i].src, leg->block[i].dst);
    printf("\n");
}

/* Every piece lies inside the message, one after the other; what is passed on has come before. */
static void check(const struct contend_itinerary *way, int index)
{
    const struct contend_leg *leg = &way->leg[index];
    for (int i = 0; i < leg->parcels; i++) {
        int64_t at = leg->parcel[i].at;
        for (size_t k = leg->parcel[i].first; k < leg->parcel[i].end; k++) {
            const struct contend_block *block = &leg->block[k];
            const struct contend_leg *in = &way->leg[index > 0 ? index - 1 : 0];
            if (block->at != at ||
                (index % 2 == 0 && (block->from == CONTEND_OWN) != (block->src == way->rank)) ||
                (index % 2 == 0 && block->from != CONTEND_OWN &&
                 (in->block[block->from].src != block->src ||
                  in->block[block->from].dst != block->dst)))
                exit(5);
            at += contend_piece(way, leg->bytes[k], leg->chunk);
        }
        if (at != leg->parcel[i].at + leg->parcel[i].bytes || at > way->bytes)
            exit(6);
    }
}

static void print_itinerary(struct contend_itinerary *way)
{
    for (int is_in = 0; is_in < 2; is_in++)
        for (int64_t chunk = 0; chunk < way->chunks; chunk++)
            for (int index = is_in; index < CONTEND_LEGS; index += 2) {
                contend_place_chunk(way, &way->leg[index], chunk);
                check(way, index);
                for (int i = 0; i < way->leg[index].parcels; i++)
                    print_message(way, index, i);
            }
}

static int parse_groups(char *text, struct contend_seat *seats)
{
    int ranks = 0;
    for (char *word = strtok(text, ",\n"); word != NULL; word = strtok(NULL, ",\n"))
        seats[ranks++].group[0] = atoi(word);
    return ranks;
}

int main(void)
{
    static struct contend_seat seats[MAX_RANKS];
    static struct contend_partition partitions[CONTEND_MAX_LEVELS + 1];
    const struct contend_plan plan = {.level_count = 1};
    char line[LINE], name[64], groups[LINE];
    long long chunk, bytes;
    int leaders;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "%63s %d %lld %lld %16383s", name, &leaders, &chunk, &bytes, groups) != 5)
            return 2;
        const struct contend_algorithm *algorithm = contend_algorithm_named(name);
        const int ranks = parse_groups(groups, seats);
        if (algorithm == NULL || !contend_partition_all(&plan, seats, ranks, partitions))
            return 3;
        for (int rank = 0; rank < ranks; rank++) {
            struct contend_itinerary *way =
                contend_plan_itinerary(&partitions[0], algorithm->route, leaders,
                                       algorithm->is_cut ? chunk : INT64_MAX, rank);
            if (way == NULL)
                return 4;
            contend_place_equal(way, bytes);
            print_itinerary(way);
            contend_free_itinerary(way);
        }
        contend_free_partitions(partitions);
        printf("end\n");
    }
    return contend_exchange_held("memory") == 0 ? 0 : 7;
}
