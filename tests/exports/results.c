/* What collective operations compute, against results that are known without MPI.
 *
 *     results OPERATIONS KINDS COUNTS RANKS
 *
 * Each is a list with commas; "all" stands for all operations or kinds. On communicators of so many
 * of the RANKS each operation is called for each kind of elements and each count, in place and not.
 * Rank 0 prints a line a case:
 *
 *     NAME DIGEST WRONG
 *
 * NAME is what was called, DIGEST of the bytes of all ranks' buffers, and WRONG how many elements
 * are not what they are to be. An element is the map x -> a x + b of whole numbers below 2^32; maps
 * compose from the left to the right, which is associative and does not commute. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 8, NAME = 96, CASES = 1 << 16 };

struct element {
    uint32_t a, b;
};

/* How elements lie in memory: a type, how many of it an element is, bytes from one to the next. */
struct layout {
    MPI_Datatype type;
    int each;
    size_t extent, at_b;
};

struct kind {
    const char *name;
    struct layout sent, received;
    MPI_Op op;
    struct element (*combine)(struct element, struct element);
};

struct result {
    char name[NAME];
    uint64_t digest;
    int64_t wrong;
};

static struct result *results;
static int cases;

static struct element composed(struct element left, struct element right)
{
    return (struct element){left.a * right.a, left.b * right.a + right.b};
}

static struct element added(struct element left, struct element right)
{
    return (struct element){left.a + right.a, left.b + right.b};
}

static struct element differing(struct element left, struct element right)
{
    return (struct element){left.a ^ right.a, left.b ^ right.b};
}

/* What a rank contributes. */
static struct element given(int rank, int index)
{
    const uint32_t mixed = 2654435761u * (uint32_t)(rank * 40503 + index * 97 + 1);
    return (struct element){(mixed >> 7) | 1u, mixed ^ (mixed >> 16)};
}

/* The reduction of ranks from `first` up to before `last`. */
static struct element reduced(const struct kind *kind, int first, int last, int index)
{
    struct element all = given(first, index);
    for (int rank = first + 1; rank < last; rank++)
        all = kind->combine(all, given(rank, index));
    return all;
}

static struct element get(const char *buffer, const struct layout *layout, int index)
{
    const char *at = buffer + (size_t)index * layout->extent;
    struct element one;
    memcpy(&one.a, at, sizeof one.a);
    memcpy(&one.b, at + layout->at_b, sizeof one.b);
    return one;
}

static void put(char *buffer, const struct layout *layout, int index, struct element one)
{
    char *at = buffer + (size_t)index * layout->extent;
    memcpy(at, &one.a, sizeof one.a);
    memcpy(at + layout->at_b, &one.b, sizeof one.b);
}

static void combine(const char *left, char *right, int count, MPI_Datatype type,
                    struct element (*of)(struct element, struct element))
{
    MPI_Aint least, extent;
    MPI_Type_get_extent(type, &least, &extent);
    const struct layout layout = {type, 1, (size_t)extent, (size_t)extent - sizeof(uint32_t)};
    for (int i = 0; i < count; i++)
        put(right, &layout, i, of(get(left, &layout, i), get(right, &layout, i)));
}

static void compose(void *left, void *right, int *count, MPI_Datatype *type)
{
    combine(left, right, *count, *type, composed);
}

static void add(void *left, void *right, int *count, MPI_Datatype *type)
{
    combine(left, right, *count, *type, added);
}

/* A buffer of so many elements, filled with what no call is to touch. */
static char *filled(const struct layout *layout, int count)
{
    const size_t bytes = (size_t)(count + 1) * layout->extent;
    char *buffer = malloc(bytes);
    if (buffer == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    memset(buffer, 0xA5, bytes);
    return buffer;
}

static void put_all(char *buffer, const struct layout *layout, int count, int rank, int from)
{
    for (int i = 0; i < count; i++)
        put(buffer, layout, i, given(rank, from + i));
}

/* A case: its name, and the bytes of the buffer that holds its result. */
static struct result *noted(const char *name, const char *buffer, const struct layout *layout,
                            int count)
{
    struct result *result = &results[cases++];
    if (cases >= CASES)
        MPI_Abort(MPI_COMM_WORLD, 4);
    snprintf(result->name, NAME, "%s", name);
    result->digest = 14695981039346656037u; /* FNV-1a, Fowler, Noll, Vo 1991 */
    for (size_t i = 0; i < (size_t)(count + 1) * layout->extent; i++)
        result->digest = (result->digest ^ (unsigned char)buffer[i]) * 1099511628211u;
    return result;
}

static void expect(struct result *result, const char *buffer, const struct layout *layout, int at,
                   struct element expected)
{
    const struct element one = get(buffer, layout, at);
    result->wrong += one.a != expected.a || one.b != expected.b;
}

struct call {
    const char *operation;
    const struct kind *kind;
    int count, root, n, rank;
    bool is_in_place, is_uneven;
    MPI_Comm comm;
    char name[NAME];
};

/* Elements of the block of a rank: as many as `count`, or uneven and for some ranks none. */
static int block_of(const struct call *call, int rank)
{
    return call->is_uneven ? call->count * (rank % 3) : call->count;
}

static int before(const struct call *call, int rank)
{
    int sum = 0;
    for (int i = 0; i < rank; i++)
        sum += block_of(call, i);
    return sum;
}

static void of_reduction(const struct call *call)
{
    const struct kind *kind = call->kind;
    const struct layout *of = &kind->sent;
    const char *operation = call->operation;
    const int n = call->n, rank = call->rank;
    const bool is_cut = strncmp(operation, "reduce_scatter", 14) == 0;
    const int all = is_cut ? before(call, n) : call->count;
    char *sent = filled(of, all), *received = filled(of, all);
    put_all(sent, of, all, rank, 0);
    const bool is_root = strcmp(operation, "reduce") != 0 || rank == call->root;
    if (call->is_in_place && is_root)
        put_all(received, of, all, rank, 0);
    const void *from = call->is_in_place && is_root ? MPI_IN_PLACE : sent;
    int counts[MOST_RANKS];
    for (int i = 0; i < n; i++)
        counts[i] = block_of(call, i) * of->each;
    const int whole = call->count * of->each;
    int first = 0, last = n, from_element = 0, results_here = all;
    if (strcmp(operation, "allreduce") == 0) {
        MPI_Allreduce(from, received, whole, of->type, kind->op, call->comm);
    } else if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(from, received, whole, of->type, kind->op, call->root, call->comm);
        results_here = is_root ? all : 0;
    } else if (strcmp(operation, "reduce_scatter") == 0) {
        MPI_Reduce_scatter(from, received, counts, of->type, kind->op, call->comm);
        from_element = before(call, rank);
        results_here = block_of(call, rank);
    } else if (strcmp(operation, "reduce_scatter_block") == 0) {
        MPI_Reduce_scatter_block(from, received, whole, of->type, kind->op, call->comm);
        from_element = before(call, rank);
        results_here = call->count;
    } else if (strcmp(operation, "scan") == 0) {
        MPI_Scan(from, received, whole, of->type, kind->op, call->comm);
        last = rank + 1;
    } else {
        MPI_Exscan(from, received, whole, of->type, kind->op, call->comm);
        last = rank;
        results_here = rank > 0 ? all : 0;
    }
    /* Beyond its result the buffer of an operation in place is free to change. */
    const int kept = call->is_in_place ? results_here - 1 : all;
    struct result *result = noted(call->name, received, of, kept < 0 ? -1 : kept);
    for (int i = 0; i < results_here; i++)
        expect(result, received, of, i, reduced(kind, first, last, from_element + i));
    free(sent);
    free(received);
}

/* What a rank sends to another, from the same element on. */
static struct element moved(int from, int to, int index)
{
    return given(from * MOST_RANKS + to, index);
}

static void of_move(const struct call *call)
{
    const struct layout *out = &call->kind->sent, *in = &call->kind->received;
    const char *operation = call->operation;
    const int n = call->n, rank = call->rank, root = call->root, count = call->count;
    const bool is_root = rank == root, is_in_place = call->is_in_place;
    const bool is_all = strncmp(operation, "all", 3) == 0;
    const bool is_bcast = strcmp(operation, "bcast") == 0;
    const bool is_exchange = strncmp(operation, "alltoall", 8) == 0;
    const bool is_scatter = strncmp(operation, "scatter", 7) == 0;
    int sent_counts[MOST_RANKS], received_counts[MOST_RANKS], sent_places[MOST_RANKS],
        received_places[MOST_RANKS], blocks[MOST_RANKS], places[MOST_RANKS], whole = 0;
    for (int i = 0; i < n; i++) {
        /* Of an uneven exchange a pair of ranks has a block of its own, the same both ways. */
        blocks[i] = is_exchange && call->is_uneven ? count * ((i + rank) % 3) : block_of(call, i);
        places[i] = whole;
        whole += blocks[i];
        sent_counts[i] = blocks[i] * out->each;
        received_counts[i] = blocks[i] * in->each;
        sent_places[i] = places[i] * out->each;
        received_places[i] = places[i] * in->each;
    }
    const int own = is_exchange ? 0 : blocks[rank];
    char *sent = filled(out, whole), *received = filled(in, whole);
    char *target = received; /* what holds the result */
    const struct layout *result_layout = in;
    int expected = whole; /* elements of it */
    if (is_bcast) {
        expected = count;
        if (is_root)
            put_all(received, in, count, root, 0);
        MPI_Bcast(received, count * in->each, in->type, root, call->comm);
    } else if (is_scatter) {
        expected = own;
        if (is_root)
            for (int i = 0; i < n; i++)
                for (int k = 0; k < blocks[i]; k++)
                    put(sent, out, places[i] + k, moved(root, i, k));
        void *into = is_in_place && is_root ? MPI_IN_PLACE : received;
        if (call->is_uneven)
            MPI_Scatterv(sent, sent_counts, sent_places, out->type, into, own * in->each, in->type,
                         root, call->comm);
        else
            MPI_Scatter(sent, count * out->each, out->type, into, count * in->each, in->type, root,
                        call->comm);
        if (is_in_place && is_root)
            expected = 0;
    } else if (is_exchange) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < blocks[i]; k++)
                put(is_in_place ? received : sent, is_in_place ? in : out, places[i] + k,
                    moved(rank, i, k));
        const void *from = is_in_place ? MPI_IN_PLACE : sent;
        if (call->is_uneven)
            MPI_Alltoallv(from, sent_counts, sent_places, out->type, received, received_counts,
                          received_places, in->type, call->comm);
        else
            MPI_Alltoall(from, count * out->each, out->type, received, count * in->each, in->type,
                         call->comm);
    } else { /* gathers */
        const bool has_place = is_in_place && (is_all || is_root);
        for (int k = 0; k < own; k++)
            put(has_place ? received : sent, has_place ? in : out,
                (has_place ? places[rank] : 0) + k, given(rank, k));
        const void *from = has_place ? MPI_IN_PLACE : sent;
        const int mine = own * out->each;
        if (is_all && call->is_uneven)
            MPI_Allgatherv(from, mine, out->type, received, received_counts, received_places,
                           in->type, call->comm);
        else if (is_all)
            MPI_Allgather(from, mine, out->type, received, count * in->each, in->type, call->comm);
        else if (call->is_uneven)
            MPI_Gatherv(from, mine, out->type, received, received_counts, received_places, in->type,
                        root, call->comm);
        else
            MPI_Gather(from, mine, out->type, received, count * in->each, in->type, root,
                       call->comm);
        if (!is_all && !is_root)
            expected = 0;
    }
    struct result *result = noted(call->name, target, result_layout, whole);
    if (is_bcast || is_scatter) {
        for (int k = 0; k < expected; k++)
            expect(result, target, in, k, is_bcast ? given(root, k) : moved(root, rank, k));
    } else if (expected > 0) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < blocks[i]; k++)
                expect(result, target, in, places[i] + k,
                       is_exchange ? moved(i, rank, k) : given(i, k));
    }
    free(sent);
    free(received);
}

static bool is_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    if (strcmp(list, "all") == 0)
        return true;
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* The number behind the next comma; NULL behind the last. */
static const char *next_of(const char *list)
{
    const char *comma = strchr(list, ',');
    return comma == NULL ? NULL : comma + 1;
}

static const struct operation {
    const char *name;
    bool reduces, has_root, has_in_place, is_uneven;
} operations[] = {
    {"bcast", false, true, false, false},        {"scatter", false, true, true, false},
    {"scatterv", false, true, true, true},       {"gather", false, true, true, false},
    {"gatherv", false, true, true, true},        {"allgather", false, false, true, false},
    {"allgatherv", false, false, true, true},    {"alltoall", false, false, true, false},
    {"alltoallv", false, false, true, true},     {"reduce", true, true, true, false},
    {"allreduce", true, false, true, false},     {"reduce_scatter", true, false, true, false},
    {"reduce_scatter", true, false, true, true}, {"reduce_scatter_block", true, false, true, false},
    {"scan", true, false, true, false},          {"exscan", true, false, true, false},
};

static void of_operation(const struct operation *operation, const struct kind *kind, int count,
                         MPI_Comm comm)
{
    struct call call = {.operation = operation->name,
                        .kind = kind,
                        .count = count,
                        .comm = comm,
                        .is_uneven = operation->is_uneven};
    MPI_Comm_size(comm, &call.n);
    MPI_Comm_rank(comm, &call.rank);
    const int roots[] = {0, call.n - 1, call.n / 2};
    for (int place = 0; place <= operation->has_in_place; place++)
        for (int which = 0; which < (operation->has_root ? 3 : 1); which++) {
            call.root = roots[which];
            call.is_in_place = place == 1;
            snprintf(call.name, NAME, "%s%s,n=%d,count=%d,%s,root=%d%s", operation->name,
                     operation->is_uneven ? "/uneven" : "", call.n, count, kind->name, call.root,
                     call.is_in_place ? ",in-place" : "");
            (operation->reduces ? of_reduction : of_move)(&call);
        }
}

/* All results at rank 0, by messages alone, so that no rule for a collective operation acts. */
static void print_all(int rank, int n)
{
    enum { TAG = 7 };
    if (rank != 0) {
        MPI_Send(&cases, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
        MPI_Send(results, cases * (int)sizeof *results, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        return;
    }
    struct result *theirs = calloc(CASES, sizeof *theirs);
    if (theirs == NULL)
        MPI_Abort(MPI_COMM_WORLD, 5);
    for (int from = 1; from < n; from++) {
        int count, at = 0;
        MPI_Recv(&count, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(theirs, count * (int)sizeof *theirs, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) {
            while (strcmp(results[at].name, theirs[i].name) != 0)
                at++; /* a rank takes no part in smaller communicators */
            results[at].digest = results[at].digest * 31 + theirs[i].digest;
            results[at].wrong += theirs[i].wrong;
        }
    }
    for (int i = 0; i < cases; i++)
        printf("%s %016llx %lld\n", results[i].name, (unsigned long long)results[i].digest,
               (long long)results[i].wrong);
    free(theirs);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    results = calloc(CASES, sizeof *results);
    if (argc != 5 || n > MOST_RANKS || results == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);

    MPI_Datatype pair, gaps, later;
    MPI_Type_contiguous(2, MPI_UINT32_T, &pair);
    MPI_Type_vector(2, 1, 2, MPI_UINT32_T, &gaps);
    MPI_Type_create_resized(gaps, 0, 16, &later);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&gaps);
    MPI_Type_commit(&later);
    MPI_Op composing, adding;
    MPI_Op_create(compose, 0, &composing);
    MPI_Op_create(add, 1, &adding);
    const struct layout bytes = {MPI_BYTE, 8, 8, 4}, words = {MPI_UINT32_T, 2, 8, 4},
                        pairs = {pair, 1, 8, 4}, wide = {gaps, 1, 12, 8}, wider = {later, 1, 16, 8};
    const struct kind kinds[] = {
        {"sum", words, words, MPI_SUM, added},      {"bxor", bytes, bytes, MPI_BXOR, differing},
        {"added", pairs, wider, adding, added},     {"composed", pairs, pairs, composing, composed},
        {"gaps", wide, pairs, composing, composed},
    };
    for (const char *sizes = argv[4]; sizes != NULL; sizes = next_of(sizes)) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, rank < atoi(sizes) ? 0 : MPI_UNDEFINED, rank, &comm);
        for (size_t o = 0; comm != MPI_COMM_NULL && o < sizeof operations / sizeof *operations; o++)
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
                for (const char *count = argv[3]; count != NULL; count = next_of(count))
                    if (is_listed(argv[1], operations[o].name) && is_listed(argv[2], kinds[k].name))
                        of_operation(&operations[o], &kinds[k], atoi(count), comm);
        if (comm != MPI_COMM_NULL)
            MPI_Barrier(comm);
        if (comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm);
    }
    print_all(rank, n);
    free(results);
    MPI_Op_free(&composing);
    MPI_Op_free(&adding);
    MPI_Type_free(&later);
    MPI_Type_free(&pair);
    MPI_Type_free(&gaps);
    MPI_Finalize();
    return 0;
}
