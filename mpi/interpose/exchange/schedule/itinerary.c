/* Which blocks a rank sends, receives and passes on, where blocks for other groups go by way of
 * others. */
#include "itinerary.h"

#include <stdlib.h>
#include <string.h>

#include "../ledger.h"

/* What is known while an itinerary is made. Routes are asked for the blocks out of the own group
 * and into it: twice the ranks times those of the group. */
struct survey {
    const struct contend_partition *groups;
    contend_route *route;
    int leaders, rank, group;
    struct contend_hops hops[CONTEND_LEGS];
    bool *sends; /* [ranks of the group], whether it sends out */
    bool is_short;
};

static void add(struct survey *survey, int leg, int peer, int64_t order, int src, int dst,
                size_t from)
{
    const struct contend_hop hop = {peer, order, {.src = src, .dst = dst, .from = from}};
    survey->is_short = survey->is_short || !contend_add_hop(&survey->hops[leg], hop);
}

/* How far the later of two ranks of a group stands behind the other, in a circle. */
static int distance_inside(const struct contend_partition *groups, int from, int to)
{
    const int size = contend_group_size(groups, groups->group_of[from]);
    return (groups->place_of[to] - groups->place_of[from] + size) % size;
}

int contend_group_distance(const struct contend_partition *groups, int src, int dst)
{
    return (groups->group_of[dst] - groups->group_of[src] + groups->groups) % groups->groups;
}

int64_t contend_group_by_group(const struct contend_partition *groups, int src, int dst, int turn)
{
    return (int64_t)contend_group_distance(groups, src, dst) * groups->processes + turn;
}

static void send_inside(struct survey *survey, int leg, int peer, int src, int dst, size_t from)
{
    add(survey, leg, peer, distance_inside(survey->groups, survey->rank, peer), src, dst, from);
}

static void receive_inside(struct survey *survey, int leg, int peer, int src, int dst)
{
    add(survey, leg, peer, distance_inside(survey->groups, peer, survey->rank), src, dst,
        CONTEND_OWN);
}

/* Between two ranks of the own group. */
static void survey_local(struct survey *survey, int src, int dst)
{
    if (src == survey->rank)
        send_inside(survey, CONTEND_COLLECT_OUT, dst, src, dst, CONTEND_OWN);
    else if (dst == survey->rank)
        receive_inside(survey, CONTEND_COLLECT_IN, src, src, dst);
}

static void survey_leaving(struct survey *survey, int src, int dst)
{
    const struct contend_passage way = survey->route(survey->groups, survey->leaders, src, dst);
    survey->sends[survey->groups->place_of[way.leaves]] = true;
    if (src == survey->rank && way.leaves != src)
        send_inside(survey, CONTEND_COLLECT_OUT, way.leaves, src, dst, CONTEND_OWN);
    if (way.leaves != survey->rank)
        return;
    const size_t from = src == survey->rank ? CONTEND_OWN : survey->hops[CONTEND_COLLECT_IN].count;
    if (src != survey->rank)
        receive_inside(survey, CONTEND_COLLECT_IN, src, src, dst);
    add(survey, CONTEND_CROSS_OUT, way.enters, way.order, src, dst, from);
}

static void survey_coming(struct survey *survey, int src, int dst)
{
    const struct contend_passage way = survey->route(survey->groups, survey->leaders, src, dst);
    if (dst == survey->rank && way.enters != dst)
        receive_inside(survey, CONTEND_HAND_IN, way.enters, src, dst);
    if (way.enters != survey->rank)
        return;
    const size_t from = survey->hops[CONTEND_CROSS_IN].count;
    add(survey, CONTEND_CROSS_IN, way.leaves, way.order, src, dst, CONTEND_OWN);
    if (dst != survey->rank)
        send_inside(survey, CONTEND_HAND_OUT, dst, src, dst, from);
}

static void survey_from(struct survey *survey, int src)
{
    const struct contend_partition *groups = survey->groups;
    if (groups->group_of[src] == survey->group) {
        for (int dst = 0; dst < groups->processes; dst++)
            if (groups->group_of[dst] != survey->group)
                survey_leaving(survey, src, dst);
            else if (dst != src)
                survey_local(survey, src, dst);
        return;
    }
    for (int i = groups->first[survey->group]; i < groups->first[survey->group + 1]; i++)
        survey_coming(survey, src, groups->members[i]);
}

/* Where the blocks that are sent came in, by their index in that leg. */
static void link_legs(struct contend_leg *out, const struct contend_hops *in)
{
    for (size_t i = 0; i < out->blocks; i++)
        if (out->block[i].from != CONTEND_OWN)
            out->block[i].from = in->hop[out->block[i].from].block.from;
}

static bool make_legs(struct contend_itinerary *itinerary, struct survey *survey)
{
    bool is_ok = true;
    for (int leg = 0; leg < CONTEND_LEGS; leg++)
        is_ok =
            contend_make_leg(&itinerary->leg[leg], &survey->hops[leg], survey->groups->processes) &&
            is_ok;
    if (!is_ok)
        return false;
    link_legs(&itinerary->leg[CONTEND_CROSS_OUT], &survey->hops[CONTEND_COLLECT_IN]);
    link_legs(&itinerary->leg[CONTEND_HAND_OUT], &survey->hops[CONTEND_CROSS_IN]);
    return true;
}

/* Room for the messages of all chunks under way, and for the blocks' own places. */
static bool make_room(struct contend_itinerary *itinerary, int groups)
{
    size_t parcels = 0;
    for (int leg = 0; leg < CONTEND_LEGS; leg++) {
        parcels += (size_t)itinerary->leg[leg].parcels;
        itinerary->most_blocks += (int64_t)itinerary->leg[leg].blocks;
    }
    const size_t places = (size_t)itinerary->processes + 1;
    itinerary->requests =
        contend_take(CONTEND_CHUNKS_UNDER_WAY * parcels * sizeof *itinerary->requests);
    itinerary->sent = contend_take(places * sizeof *itinerary->sent);
    itinerary->arrived = contend_take(places * sizeof *itinerary->arrived);
    itinerary->due_s = contend_take(2 * (size_t)groups * sizeof *itinerary->due_s);
    itinerary->byte_s = itinerary->due_s + groups;
    return itinerary->requests != NULL && itinerary->sent != NULL && itinerary->arrived != NULL &&
           itinerary->due_s != NULL;
}

static bool make_survey(struct survey *survey)
{
    const size_t members = (size_t)contend_group_size(survey->groups, survey->group);
    survey->sends = contend_take(members * sizeof *survey->sends);
    if (survey->sends == NULL)
        return false;
    memset(survey->sends, 0, members * sizeof *survey->sends);
    for (int src = 0; src < survey->groups->processes && !survey->is_short; src++)
        survey_from(survey, src);
    return !survey->is_short;
}

struct contend_itinerary *contend_plan_itinerary(const struct contend_partition *groups,
                                                 contend_route *route, int leaders, int64_t segment,
                                                 int rank)
{
    struct contend_itinerary *made = contend_take(sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (struct contend_itinerary){
        .rank = rank, .processes = groups->processes, .segment = segment, .size = -1};
    struct survey survey = {.groups = groups,
                            .route = route,
                            .leaders = leaders,
                            .rank = rank,
                            .group = groups->group_of[rank]};
    const bool is_ok =
        make_survey(&survey) && make_legs(made, &survey) && make_room(made, groups->groups);
    for (int i = 0; is_ok && i < contend_group_size(groups, survey.group); i++)
        made->senders += survey.sends[i];
    for (int leg = 0; leg < CONTEND_LEGS; leg++)
        contend_release(survey.hops[leg].hop);
    contend_release(survey.sends);
    if (is_ok)
        return made;
    contend_free_itinerary(made);
    return NULL;
}

void contend_free_itinerary(struct contend_itinerary *itinerary)
{
    if (itinerary == NULL)
        return;
    for (int leg = 0; leg < CONTEND_LEGS; leg++)
        contend_free_leg(&itinerary->leg[leg]);
    contend_release(itinerary->requests);
    contend_release(itinerary->sent);
    contend_release(itinerary->arrived);
    contend_release(itinerary->due_s);
    contend_release(itinerary);
}

struct contend_passage contend_balanced_route(const struct contend_partition *groups, int leaders,
                                              int src, int dst)
{
    (void)leaders;
    const int group = groups->group_of[src];
    const int own = contend_group_size(groups, group);
    const int other = contend_group_size(groups, groups->group_of[dst]);
    const int p = groups->place_of[src], j = groups->place_of[dst];
    const int full = own / other * other, rest = own - full;
    int carrier = j % own, turn = j / own; /* to a group as large or larger */
    if (own > other && p < full) {
        carrier = p / other * other + j;
        turn = p / other;
    } else if (own > other) {
        const int piece = (int)(((int64_t)j * rest + p - full) / other);
        carrier = full + piece;
        turn = own / other + j - (int)((int64_t)piece * other / rest);
    }
    return (struct contend_passage){groups->members[groups->first[group] + carrier], dst,
                                    contend_group_by_group(groups, src, dst, turn)};
}

bool contend_add_hop(struct contend_hops *hops, struct contend_hop hop)
{
    if (hops->count == hops->room) {
        const size_t room = 2 * hops->room + 16;
        struct contend_hop *fresh = contend_take(room * sizeof *fresh);
        if (fresh == NULL)
            return false;
        if (hops->count > 0)
            memcpy(fresh, hops->hop, hops->count * sizeof *fresh);
        contend_release(hops->hop);
        *hops = (struct contend_hops){fresh, hops->count, room};
    }
    hops->hop[hops->count++] = hop;
    return true;
}

static int compare_parcels(const void *left, const void *right)
{
    const struct contend_parcel *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->peer - b->peer;
}

/* One per peer, in order; `count` is of the blocks by peer. */
static void list_parcels(struct contend_leg *leg, const struct contend_hops *hops, size_t *count)
{
    for (size_t i = 0; i < hops->count; i++) {
        const struct contend_hop *hop = &hops->hop[i];
        if (count[hop->peer]++ == 0)
            leg->parcel[leg->parcels++] =
                (struct contend_parcel){.peer = hop->peer, .order = hop->order};
    }
    qsort(leg->parcel, (size_t)leg->parcels, sizeof *leg->parcel, compare_parcels);
    size_t end = 0;
    for (int i = 0; i < leg->parcels; i++) {
        leg->parcel[i].first = end;
        end += count[leg->parcel[i].peer];
        leg->parcel[i].end = end;
    }
}

static void list_blocks(struct contend_leg *leg, struct contend_hops *hops, size_t *next)
{
    for (int i = 0; i < leg->parcels; i++)
        next[leg->parcel[i].peer] = leg->parcel[i].first;
    for (size_t i = 0; i < hops->count; i++) {
        struct contend_hop *hop = &hops->hop[i];
        const size_t index = next[hop->peer]++;
        leg->block[index] = hop->block;
        hop->block.from = index;
    }
}

bool contend_make_leg(struct contend_leg *leg, struct contend_hops *hops, int processes)
{
    const size_t peers = (size_t)processes;
    const size_t parcels = hops->count < peers ? hops->count : peers;
    size_t *by_peer = contend_take(peers * sizeof *by_peer);
    leg->chunk = -1;
    leg->blocks = hops->count;
    leg->parcel = contend_take(parcels * sizeof *leg->parcel);
    leg->block = contend_take(hops->count * sizeof *leg->block);
    leg->bytes = contend_take(hops->count * sizeof *leg->bytes);
    const bool is_ok =
        by_peer != NULL && leg->parcel != NULL && leg->block != NULL && leg->bytes != NULL;
    if (is_ok) {
        memset(by_peer, 0, peers * sizeof *by_peer);
        list_parcels(leg, hops, by_peer);
        list_blocks(leg, hops, by_peer);
    }
    contend_release(by_peer);
    return is_ok;
}

void contend_free_leg(struct contend_leg *leg)
{
    contend_release(leg->parcel);
    contend_release(leg->block);
    contend_release(leg->bytes);
}
