/* Which blocks a rank sends, receives and passes on, where blocks for other groups go through a
 * carrier. */
#include "itinerary.h"

#include <string.h>

#include "ledger.h"

/* What is known while an itinerary is made. */
struct survey {
    const struct contend_partition *groups;
    contend_carrier *carrier;
    int rank, group, members, *member;
};

static bool make_leg(struct contend_leg *leg, size_t parcels, size_t blocks)
{
    leg->parcel = contend_take(parcels * sizeof *leg->parcel);
    leg->other = contend_take(blocks * sizeof *leg->other);
    leg->at = contend_take((blocks + 1) * sizeof *leg->at);
    return leg->parcel != NULL && leg->other != NULL && leg->at != NULL;
}

static void begin_parcel(struct contend_leg *leg, int peer)
{
    leg->parcel[leg->parcels] = (struct contend_parcel){peer, leg->blocks, leg->blocks};
}

static void add_block(struct contend_leg *leg, int other) { leg->other[leg->blocks++] = other; }

/* Parcels without blocks are no messages. */
static void end_parcel(struct contend_leg *leg)
{
    leg->parcel[leg->parcels].end = leg->blocks;
    leg->parcels += leg->blocks > leg->parcel[leg->parcels].first;
}

/* Whether the block from src, of this group, to dst is in the local message to `carrier`. */
static bool is_taken_by(const struct survey *survey, int src, int dst, int carrier)
{
    if (survey->groups->group_of[dst] == survey->group)
        return dst == carrier;
    return survey->carrier(survey->groups, src, dst) == carrier;
}

static size_t count_taken(const struct survey *survey, int src, int carrier)
{
    size_t count = 0;
    for (int dst = 0; dst < survey->groups->processes; dst++)
        count += is_taken_by(survey, src, dst, carrier);
    return count;
}

static void fill_parcel(const struct survey *survey, struct contend_leg *leg, int peer, int src,
                        int carrier)
{
    begin_parcel(leg, peer);
    for (int dst = 0; dst < survey->groups->processes; dst++)
        if (is_taken_by(survey, src, dst, carrier))
            add_block(leg, dst);
    end_parcel(leg);
}

/* Of all in the group, this rank included, beginning after it so that not all ask the same first.
 */
static bool plan_local(const struct survey *survey, struct contend_itinerary *itinerary)
{
    size_t incoming = 0;
    for (int i = 0; i < survey->members; i++)
        incoming += count_taken(survey, survey->member[i], survey->rank);
    const size_t members = (size_t)survey->members;
    if (!make_leg(&itinerary->local_out, members, (size_t)survey->groups->processes) ||
        !make_leg(&itinerary->local_in, members, incoming))
        return false;
    const int place = survey->groups->place_of[survey->rank];
    for (int i = 1; i <= survey->members; i++) {
        const int to = survey->member[(place + i) % survey->members];
        const int from = survey->member[(place + survey->members - i) % survey->members];
        fill_parcel(survey, &itinerary->local_out, to, survey->rank, to);
        fill_parcel(survey, &itinerary->local_in, from, from, survey->rank);
    }
    return true;
}

/* Index in local_in of the next block for `dst` of the parcel, from `cursor` on; the parcel's end
 * where there is none. Destinations rise within a parcel. */
static size_t find_block(const struct contend_leg *leg, const struct contend_parcel *parcel,
                         int dst)
{
    size_t low = parcel->first, high = parcel->end;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (leg->other[middle] < dst)
            low = middle + 1;
        else
            high = middle;
    }
    return low < parcel->end && leg->other[low] == dst ? low : parcel->end;
}

/* The parcel of local_in from that member, NULL where it sends nothing. */
static const struct contend_parcel *parcel_from(const struct contend_leg *leg, int peer)
{
    for (int i = 0; i < leg->parcels; i++)
        if (leg->parcel[i].peer == peer)
            return &leg->parcel[i];
    return NULL;
}

static void add_passed(const struct survey *survey, struct contend_itinerary *itinerary,
                       const struct contend_parcel **parcels, int dst)
{
    begin_parcel(&itinerary->far_out, dst);
    for (int i = 0; i < survey->members; i++) {
        if (parcels[i] == NULL)
            continue;
        const size_t index = find_block(&itinerary->local_in, parcels[i], dst);
        if (index == parcels[i]->end)
            continue;
        itinerary->passed[itinerary->far_out.blocks] = index;
        add_block(&itinerary->far_out, survey->member[i]);
    }
    end_parcel(&itinerary->far_out);
}

static bool plan_far_out(const struct survey *survey, struct contend_itinerary *itinerary)
{
    const int processes = survey->groups->processes;
    const size_t blocks = itinerary->local_in.blocks;
    itinerary->passed = contend_take(blocks * sizeof *itinerary->passed);
    const struct contend_parcel **parcels =
        contend_take((size_t)survey->members * sizeof(*parcels));
    const bool is_ok = make_leg(&itinerary->far_out, (size_t)processes, blocks) &&
                       itinerary->passed != NULL && parcels != NULL;
    for (int i = 0; is_ok && i < survey->members; i++)
        parcels[i] = parcel_from(&itinerary->local_in, survey->member[i]);
    for (int i = 1; is_ok && i < processes; i++) {
        const int dst = (survey->rank + i) % processes;
        if (survey->groups->group_of[dst] != survey->group)
            add_passed(survey, itinerary, parcels, dst);
    }
    contend_release(parcels);
    return is_ok;
}

/* Sources of a far group, by who carries their block to this rank. */
static bool plan_far_in(const struct survey *survey, struct contend_itinerary *itinerary)
{
    const struct contend_partition *groups = survey->groups;
    const size_t processes = (size_t)groups->processes;
    if (!make_leg(&itinerary->far_in, processes, processes))
        return false;
    for (int peer = 0; peer < groups->processes; peer++) {
        const int group = groups->group_of[peer];
        if (group == survey->group)
            continue;
        begin_parcel(&itinerary->far_in, peer);
        for (int i = groups->first[group]; i < groups->first[group + 1]; i++)
            if (survey->carrier(groups, groups->members[i], survey->rank) == peer)
                add_block(&itinerary->far_in, groups->members[i]);
        end_parcel(&itinerary->far_in);
    }
    return true;
}

struct contend_itinerary *contend_plan_itinerary(const struct contend_partition *groups,
                                                 contend_carrier *carrier, int rank)
{
    struct contend_itinerary *made = contend_take(sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (struct contend_itinerary){.size = -1};
    const int group = groups->group_of[rank];
    const struct survey survey = {.groups = groups,
                                  .carrier = carrier,
                                  .rank = rank,
                                  .group = group,
                                  .members = contend_group_size(groups, group),
                                  .member = groups->members + groups->first[group]};
    if (plan_local(&survey, made) && plan_far_out(&survey, made) && plan_far_in(&survey, made)) {
        made->most_blocks = (int64_t)(made->local_out.blocks + made->local_in.blocks +
                                      made->far_out.blocks + made->far_in.blocks);
        return made;
    }
    contend_free_itinerary(made);
    return NULL;
}

/* The legs lie in scratch one after the other. */
static int64_t place_leg(struct contend_leg *leg, int64_t begin, int64_t size)
{
    for (size_t i = 0; i < leg->blocks; i++) {
        const int64_t bytes = size < 0 ? leg->at[i] : size;
        leg->at[i] = begin;
        begin += bytes;
    }
    leg->at[leg->blocks] = begin;
    return begin;
}

static void place_all(struct contend_itinerary *itinerary, int64_t size)
{
    int64_t end = place_leg(&itinerary->local_out, 0, size);
    end = place_leg(&itinerary->local_in, end, size);
    end = place_leg(&itinerary->far_out, end, size);
    itinerary->bytes = place_leg(&itinerary->far_in, end, size);
    itinerary->size = size;
}

void contend_place_equal(struct contend_itinerary *itinerary, int64_t size)
{
    if (itinerary->size != size)
        place_all(itinerary, size);
}

void contend_place_varying(struct contend_itinerary *itinerary) { place_all(itinerary, -1); }

static void free_leg(struct contend_leg *leg)
{
    contend_release(leg->parcel);
    contend_release(leg->other);
    contend_release(leg->at);
}

void contend_free_itinerary(struct contend_itinerary *itinerary)
{
    if (itinerary == NULL)
        return;
    free_leg(&itinerary->local_out);
    free_leg(&itinerary->local_in);
    free_leg(&itinerary->far_out);
    free_leg(&itinerary->far_in);
    contend_release(itinerary->passed);
    contend_release(itinerary);
}
