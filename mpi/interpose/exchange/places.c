/* Where the messages of an itinerary lie in scratch, for the sizes of a call.
 *
 * The legs lie one after the other, in each the parcels, in a parcel its chunks: so a message is a
 * piece of memory, and what is not cut takes as much as what is. */
#include "places.h"

static void place_leg(struct contend_leg *leg, int64_t *end)
{
    leg->chunk = -1;
    for (int i = 0; i < leg->parcels; i++) {
        leg->parcel[i].begin = *end;
        for (size_t k = leg->parcel[i].first; k < leg->parcel[i].end; k++)
            *end += leg->bytes[k];
    }
}

static void place_all(struct contend_itinerary *itinerary)
{
    int64_t longest = 0;
    itinerary->bytes = 0;
    for (int leg = 0; leg < CONTEND_LEGS; leg++) {
        place_leg(&itinerary->leg[leg], &itinerary->bytes);
        for (size_t i = 0; i < itinerary->leg[leg].blocks; i++)
            if (itinerary->leg[leg].bytes[i] > longest)
                longest = itinerary->leg[leg].bytes[i];
    }
    /* not (longest + segment - 1) / segment, which may overflow */
    itinerary->chunks = longest == 0 ? 1 : (longest - 1) / itinerary->segment + 1;
}

void contend_place_equal(struct contend_itinerary *itinerary, int64_t size)
{
    if (itinerary->size == size)
        return;
    for (int leg = 0; leg < CONTEND_LEGS; leg++)
        for (size_t i = 0; i < itinerary->leg[leg].blocks; i++)
            itinerary->leg[leg].bytes[i] = size;
    for (int other = 0; other <= itinerary->processes; other++)
        itinerary->sent[other] = itinerary->arrived[other] = size * other;
    place_all(itinerary);
    itinerary->size = size;
}

void contend_place_varying(struct contend_itinerary *itinerary, const struct contend_call *call)
{
    itinerary->sent[0] = itinerary->arrived[0] = 0;
    for (int other = 0; other < itinerary->processes; other++) {
        itinerary->sent[other + 1] =
            itinerary->sent[other] + contend_capped_bytes(&call->sent, other);
        itinerary->arrived[other + 1] =
            itinerary->arrived[other] + contend_capped_bytes(&call->received, other);
    }
    place_all(itinerary);
    itinerary->size = -1;
}

/* Bytes of the first chunks of the blocks of a parcel. */
static int64_t bytes_before(const struct contend_itinerary *itinerary,
                            const struct contend_leg *leg, const struct contend_parcel *parcel,
                            int64_t chunk)
{
    int64_t before = 0;
    for (size_t i = parcel->first; chunk > 0 && i < parcel->end; i++) {
        const int64_t most = chunk * itinerary->segment;
        before += leg->bytes[i] < most ? leg->bytes[i] : most;
    }
    return before;
}

void contend_place_chunk(const struct contend_itinerary *itinerary, struct contend_leg *leg,
                         int64_t chunk)
{
    if (leg->chunk == chunk)
        return;
    for (int i = 0; i < leg->parcels; i++) {
        struct contend_parcel *parcel = &leg->parcel[i];
        parcel->at = parcel->begin + bytes_before(itinerary, leg, parcel, chunk);
        int64_t end = parcel->at;
        for (size_t k = parcel->first; k < parcel->end; k++) {
            leg->block[k].at = end;
            end += contend_piece(itinerary, leg->bytes[k], chunk);
        }
        parcel->bytes = end - parcel->at;
    }
    leg->chunk = chunk;
}
