/* A few calls of an operation and size are made by another algorithm, and what is faster serves.
 *
 * Sizes are classes, powers of two of a block's bytes, for each communicator; counts that vary for
 * each rank, of which it knows its own alone, are one class. challenge.c says who makes a call, and
 * when ranks tell each other what calls took: by an MPI_Iallreduce on the program's communicator,
 * begun and a few calls later completed inside blocking calls on it, where MPI lets a library wait
 * for all ranks.
 *
 * Why all ranks decide alike: MPI has all ranks of a communicator make the same calls in the same
 * order, and what decides is the number of a call and numbers out of reductions, which are whole,
 * so that all ranks have the same bits. What may differ, whether this library is there at all,
 * which version, whether memory is, is agreed when the ranks first tell each other anything.
 *
 * What is never touched: reductions that another order of operands could change (exact.c), calls in
 * place that all algorithms make alike, intercommunicators, communicators of processes that did not
 * begin together, programs whose threads call MPI at once. */
#include "try.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../communicators.h"
#include "../exchange/endings.h"
#include "../exchange/offered.h"
#include "../exchange/state.h"
#include "../exchange/transport/agree.h"
#include "../modes.h"
#include "challenge.h"
#include "exact.h"
#include "offers.h"
#include "report.h"

enum {
    CLASSES = 48,
    SIZES = 32,   /* of a communicator that are tried, at most */
    NUMBERS = 10, /* of offers, from 1 */
    STATES = 64,  /* communicators whose calls are tried, at most */
    PATIENCE_S = 60,
    TOGETHER_NS = 500000, /* longer than messages take, shorter than a wait for a processor */
    PATIENT = 8           /* times that a communicator is made later before that is doubled */
};

struct contend_tried_size {
    struct tried_comm *of;
    struct contend_tried_counts counts;                      /* what a report wants to know */
    const struct contend_offer *offers[CONTEND_CHALLENGERS]; /* 0: the library by itself */
    struct contend_challenge challenge;
    int postponed; /* times that a communicator was to be made later */
    MPI_Request telling;
    int64_t told[CONTEND_NUMBERS], heard[CONTEND_NUMBERS];
};

struct tried_comm {
    MPI_Comm owner;
    MPI_Comm offering[NUMBERS]; /* communicators of the offers of a number, with Open MPI */
    int ranks, rank, size_count;
    uint8_t at[CONTEND_OPERATIONS][CLASSES]; /* of `sizes`, from 1 */
    struct contend_tried_size *sizes[SIZES];
    struct tried_comm *next, **link; /* of all */
};

static bool is_on;
static int64_t host, plan; /* numbers of them */
static int keyval = MPI_KEYVAL_INVALID;
static MPI_Datatype numbers_type = MPI_DATATYPE_NULL;
static MPI_Op combining = MPI_OP_NULL;
static int state_count;
static struct tried_comm *all;
static struct tried_comm untried; /* stands for communicators that are left alone */

static void combine(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int k = 0; k < *count * CONTEND_NUMBERS; k++) {
        const int64_t one = ((const int64_t *)from)[k];
        int64_t *other = (int64_t *)into + k;
        if (k % CONTEND_NUMBERS < CONTEND_SUMS)
            *other += one;
        else if (one > *other)
            *other = one;
    }
}

/* Frees all but the state itself. */
static void empty(struct tried_comm *state)
{
    for (int i = 0; i < state->size_count; i++) {
        PMPI_Wait(&state->sizes[i]->telling, MPI_STATUS_IGNORE);
        free(state->sizes[i]);
    }
    for (int i = 0; i < NUMBERS; i++)
        contend_free_private(&state->offering[i]);
    state->size_count = 0;
}

static void report(const struct tried_comm *state)
{
    for (int i = 0; i < state->size_count && state->rank == 0; i++)
        contend_report_tried(&state->sizes[i]->counts, &state->sizes[i]->challenge,
                             state->sizes[i]->offers);
}

static int delete_state(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    struct tried_comm *state = value;
    if (state == &untried)
        return MPI_SUCCESS;
    *state->link = state->next;
    if (state->next != NULL)
        state->next->link = state->link;
    state_count--;
    report(state);
    empty(state);
    free(state);
    return MPI_SUCCESS;
}

/* Of the host's name, as ranks of one have one clock. */
static int64_t host_number(void)
{
    char name[256] = "";
    uint64_t number = 14695981039346656037u; /* FNV-1a */
    gethostname(name, sizeof name - 1);
    for (const char *letter = name; *letter != '\0'; letter++)
        number = (number ^ (unsigned char)*letter) * 1099511628211u;
    return (int64_t)(number >> 1);
}

void contend_prepare_trying(void) { contend_prepare_offers(); }

void contend_start_trying(void)
{
    int level = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) {
        contend_say_nothing_is_tried("threads may call MPI at once");
        return;
    }
    contend_find_offers();
    host = host_number();
    plan = (int64_t)(contend_offer_portfolio() >> 1);
    is_on = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_state, &keyval, NULL) ==
                MPI_SUCCESS &&
            PMPI_Type_contiguous(CONTEND_NUMBERS, MPI_INT64_T, &numbers_type) == MPI_SUCCESS &&
            PMPI_Type_commit(&numbers_type) == MPI_SUCCESS &&
            PMPI_Op_create(combine, 1, &combining) == MPI_SUCCESS;
}

void contend_end_trying(void)
{
    if (!is_on)
        return;
    is_on = false;
    while (all != NULL && PMPI_Comm_delete_attr(all->owner, keyval) == MPI_SUCCESS)
        continue; /* each takes itself off the list */
    PMPI_Comm_free_keyval(&keyval);
    PMPI_Type_free(&numbers_type);
    PMPI_Op_free(&combining);
    contend_end_offers();
}

/* Leaves all calls on the communicator to the library, at all of its ranks. */
static void leave(struct tried_comm *state)
{
    PMPI_Comm_set_attr(state->owner, keyval, &untried); /* deletes the state */
}

static struct tried_comm *make_state(MPI_Comm comm)
{
    const int ranks = contend_processes(comm);
    struct tried_comm *state =
        ranks > 1 && contend_is_of_world(comm) ? calloc(1, sizeof *state) : NULL;
    if (state == NULL) {
        PMPI_Comm_set_attr(comm, keyval, &untried);
        return NULL;
    }
    state->owner = comm;
    state->ranks = ranks;
    PMPI_Comm_rank(comm, &state->rank);
    for (int i = 0; i < NUMBERS; i++)
        state->offering[i] = MPI_COMM_NULL;
    state->next = all;
    state->link = &all;
    if (all != NULL)
        all->link = &state->next;
    all = state;
    state_count++;
    PMPI_Comm_set_attr(comm, keyval, state);
    return state;
}

static struct tried_comm *state_of(MPI_Comm comm)
{
    void *value = NULL;
    int is_there = 0;
    if (comm == MPI_COMM_NULL || contend_is_ending(comm) ||
        PMPI_Comm_get_attr(comm, keyval, &value, &is_there) != MPI_SUCCESS)
        return NULL;
    if (!is_there)
        return make_state(comm);
    return value == &untried ? NULL : value;
}

void contend_stop_trying_on(const MPI_Comm *comm)
{
    void *value = NULL;
    int is_there = 0;
    if (is_on && comm != NULL && *comm != MPI_COMM_NULL &&
        PMPI_Comm_get_attr(*comm, keyval, &value, &is_there) == MPI_SUCCESS && is_there)
        PMPI_Comm_delete_attr(*comm, keyval);
}

/* Whether calls of its kind are tried, the same at all ranks by MPI's rules. */
static bool is_eligible(const struct contend_collective *call)
{
    switch (call->operation) {
    case CONTEND_ALLTOALL:
    case CONTEND_ALLTOALLV:
        return !call->is_in_place;
    case CONTEND_REDUCE:
    case CONTEND_ALLREDUCE:
    case CONTEND_REDUCE_SCATTER:
    case CONTEND_REDUCE_SCATTER_BLOCK:
        return contend_is_exact(call->op, call->sent.type);
    case CONTEND_BCAST:
    case CONTEND_SCATTER:
    case CONTEND_GATHER:
    case CONTEND_ALLGATHER:
    case CONTEND_ALLGATHERV:
    case CONTEND_BARRIER:
        return true;
    default:
        return false;
    }
}

/* 0: no bytes, else k: at most 2^(k - 1), more than half of that. */
static int class_of(const struct contend_collective *call)
{
    if (call->operation == CONTEND_ALLTOALLV || call->operation == CONTEND_BARRIER)
        return 0;
    const int64_t bytes = contend_block_bytes(call);
    int class = 0;
    while (class + 1 < CLASSES && bytes > (class == 0 ? 0 : INT64_C(1) << (class - 1)))
        class++;
    return class;
}

/* Whether anybody may be tried, the same at all ranks, whose plans may differ. */
static bool is_possible(enum contend_operation operation, int own)
{
    return own > 1 || operation == CONTEND_ALLTOALL || operation == CONTEND_ALLTOALLV;
}

/* NULL where there are no offers, or too many sizes already. */
static struct contend_tried_size *size_of(struct tried_comm *state,
                                          const struct contend_collective *call)
{
    const int class = class_of(call);
    uint8_t *at = &state->at[call->operation][class];
    if (*at != 0)
        return *at == UINT8_MAX ? NULL : state->sizes[*at - 1];
    struct contend_tried_size *size = NULL;
    const struct contend_offer *offers[CONTEND_CHALLENGERS] = {NULL};
    const int own =
        1 + contend_offers_for(call->operation, state->ranks, CONTEND_CHALLENGERS - 1, offers + 1);
    const int count =
        own + contend_portfolio_for(call->operation, CONTEND_CHALLENGERS - own, offers + own);
    if (is_possible(call->operation, own) && state->size_count < SIZES)
        size = calloc(1, sizeof *size);
    *at = UINT8_MAX;
    if (size == NULL)
        return NULL;
    size->of = state;
    size->telling = MPI_REQUEST_NULL;
    size->counts = (struct contend_tried_counts){call->operation, state->ranks, class};
    memcpy(size->offers, offers, sizeof offers);
    contend_begin_challenge(&size->challenge, own, count);
    state->sizes[state->size_count++] = size;
    *at = (uint8_t)state->size_count;
    return size;
}

/* Whether calls by the offer are made on a communicator of its own, or by the library under another
 * setting: the others are made by the exchange. */
static bool is_private(const struct contend_offer *offer)
{
    return offer != NULL && offer->choice == NULL && contend_offers_by_communicator();
}

static bool is_forced(const struct contend_offer *offer)
{
    return offer != NULL && offer->choice == NULL && !contend_offers_by_communicator();
}

void contend_try_begin(struct contend_tried *tried, const struct contend_collective *call)
{
    struct tried_comm *state = is_on && is_eligible(call) ? state_of(call->comm) : NULL;
    *tried = (struct contend_tried){.size = state == NULL ? NULL : size_of(state, call),
                                    .comm = call->comm};
    if (tried->size == NULL)
        return;
    tried->offer = tried->size->offers[contend_server(&tried->size->challenge)];
    tried->begin_ns = contend_nanoseconds();
    if (is_private(tried->offer))
        tried->comm = state->offering[tried->offer->number];
    else if (is_forced(tried->offer))
        contend_take_offer(tried->offer);
}

void contend_try_stop(struct contend_tried *tried)
{
    if (is_forced(tried->offer))
        contend_give_back_offer(tried->offer);
    tried->end_ns = contend_nanoseconds();
}

/* Whether all ranks can have one more communicator, and whether they come to it together. One comes
 * late whose processor runs another process now; then each message of the making would wait so
 * long. That the others wait for it here is no cost, as their next call would do so. */
static bool has_room(struct contend_tried_size *size, bool *is_together)
{
    const int64_t now = contend_nanoseconds();
    const int64_t own[] = {!contend_has_room_for_private() || contend_has_copied(), now, -now};
    int64_t most[] = {1, 0, 0};
    const int code = PMPI_Allreduce(own, most, 3, MPI_INT64_T, MPI_MAX, size->of->owner);
    const int64_t late = TOGETHER_NS * (1LL << size->postponed / PATIENT % 32);
    *is_together = !size->challenge.is_clocked || most[1] + most[2] <= late;
    size->postponed += !*is_together;
    return code == MPI_SUCCESS && most[0] == 0;
}

static bool is_ready(const struct contend_tried_size *size, const struct contend_offer *offer)
{
    const MPI_Comm owner = size->of->owner;
    if (offer == NULL || is_forced(offer))
        return true;
    return is_private(offer) ? size->of->offering[offer->number] != MPI_COMM_NULL
                             : contend_private_of(owner) != MPI_COMM_NULL &&
                                   contend_can_exchange(owner, offer->choice);
}

/* Makes the communicator of an offer; whether all ranks have theirs. */
static bool make_offering(struct tried_comm *state, int number)
{
    MPI_Comm *comm = &state->offering[number];
    *comm = contend_make_offering(state->owner, number);
    const bool has_all = contend_agree(state->owner, *comm != MPI_COMM_NULL, 0);
    if (!has_all)
        contend_free_private(comm);
    return has_all;
}

/* Makes what the offer needs; whether all ranks have it. */
static bool make_ready(struct contend_tried_size *size, const struct contend_offer *offer)
{
    const int64_t begin = contend_nanoseconds();
    const bool is_made = is_private(offer) ? make_offering(size->of, offer->number)
                                           : contend_can_exchange(size->of->owner, offer->choice);
    contend_note_asking(&size->challenge, contend_nanoseconds() - begin);
    return is_made;
}

/* Until the challenger of the next pair can run, or there is no pair now. Who needs a communicator
 * that cannot be made now waits, and others go before. */
static void prepare_pair(struct contend_tried_size *size)
{
    struct contend_challenge *challenge = &size->challenge;
    bool is_together = true;
    while (challenge->is_pair) {
        const struct contend_offer *offer = size->offers[challenge->trying];
        if (is_ready(size, offer))
            break;
        const bool is_possible = !is_together || has_room(size, &is_together);
        if (is_possible && !is_together)
            contend_postpone_challenger(challenge);
        else if (!is_possible || !make_ready(size, offer))
            contend_refuse_challenger(challenge);
    }
}

/* Begins to tell; false where MPI fails. */
static bool tell(struct contend_tried_size *size)
{
    const int64_t begin = contend_nanoseconds();
    size->challenge.own[CONTEND_FAILED] |= state_count > STATES;
    contend_take_numbers(&size->challenge, plan, host, size->told);
    const int code = PMPI_Iallreduce(size->told, size->heard, 1, numbers_type, combining,
                                     size->of->owner, &size->telling);
    contend_note_asking(&size->challenge, contend_nanoseconds() - begin);
    return code == MPI_SUCCESS;
}

/* Hears of all; false as before. */
static bool judge(struct contend_tried_size *size)
{
    const int64_t begin = contend_nanoseconds();
    const int code = contend_wait_patiently(&size->telling, size->of->owner, PATIENCE_S);
    if (code != MPI_SUCCESS)
        return false;
    contend_judge_challenge(&size->challenge, size->heard);
    contend_note_asking(&size->challenge, contend_nanoseconds() - begin);
    prepare_pair(size);
    return true;
}

void contend_try_end(struct contend_tried *tried, int code)
{
    struct contend_tried_size *size = tried->size;
    if (code != MPI_SUCCESS) {
        size->challenge.own[CONTEND_FAILED] = 1;
        if (tried->comm != size->of->owner) /* whose handler has not been called */
            PMPI_Comm_call_errhandler(size->of->owner, code);
    }
    switch (contend_note_served(&size->challenge, tried->begin_ns, tried->end_ns)) {
    case CONTEND_TELL:
        if (!tell(size))
            leave(size->of);
        break;
    case CONTEND_JUDGE:
        if (!judge(size))
            leave(size->of);
        break;
    case CONTEND_NOTHING:
        break;
    }
}
