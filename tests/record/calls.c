/* Calls of every kind, with results that are checked: recording must not change one. Wants 4 ranks
 * or more; an even number of them. Argument: a file that may be written. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(claim)                                                                               \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            fprintf(stderr, "rank %d line %d: not %s\n", rank, __LINE__, #claim);                  \
            exit(9);                                                                               \
        }                                                                                          \
    } while (0)

enum { MOST = 4096 };

static int rank, n, next, before;
static char out[MOST], in[MOST];
static const MPI_Comm world = MPI_COMM_WORLD;

static void blocking(void)
{
    static char buffer[MOST + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(out, 10, MPI_CHAR, next, 1, world);
    MPI_Recv(in, MOST, MPI_CHAR, before, 1, world, MPI_STATUS_IGNORE);
    CHECK(in[0] == before);
    if (rank % 2 == 0) {
        MPI_Send(out, 20, MPI_CHAR, next, 2, world);
        MPI_Ssend(out, 30, MPI_CHAR, next, 3, world);
    } else {
        MPI_Status status;
        int count;
        MPI_Recv(in, MOST, MPI_CHAR, before, MPI_ANY_TAG, world, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        CHECK(status.MPI_TAG == 2 && count == 20);
        MPI_Recv(in, MOST, MPI_CHAR, MPI_ANY_SOURCE, 3, world, MPI_STATUS_IGNORE);
    }
    MPI_Request request;
    MPI_Irecv(in, MOST, MPI_CHAR, before, 4, world, &request);
    MPI_Barrier(world);
    MPI_Rsend(out, 40, MPI_CHAR, next, 4, world);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int size;
    void *attached;
    MPI_Buffer_detach(&attached, &size);
    CHECK(size == (int)sizeof buffer);
}

static void pairs(void)
{
    MPI_Status status;
    int count;
    MPI_Sendrecv(out, 50, MPI_CHAR, next, 5, in, MOST, MPI_CHAR, MPI_ANY_SOURCE, 5, world, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    CHECK(count == 50 && status.MPI_SOURCE == before && in[0] == before);
    MPI_Sendrecv(out, 60, MPI_CHAR, rank + 1 < n ? rank + 1 : MPI_PROC_NULL, 6, in, MOST, MPI_CHAR,
                 rank > 0 ? rank - 1 : MPI_PROC_NULL, 6, world, MPI_STATUS_IGNORE);
    memcpy(in, out, 70);
    MPI_Sendrecv_replace(in, 70, MPI_CHAR, next, 7, before, 7, world, MPI_STATUS_IGNORE);
    CHECK(in[0] == before);
    MPI_Send(out, 1, MPI_CHAR, MPI_PROC_NULL, 8, world);
    MPI_Recv(in, 1, MPI_CHAR, MPI_PROC_NULL, 8, world, MPI_STATUS_IGNORE);
}

/* Five messages to the next rank, ended in every way. */
static void requests(void)
{
    enum { COUNT = 5 };
    for (int way = 0; way < 8; way++) {
        MPI_Request all[2 * COUNT];
        for (int i = 0; i < COUNT; i++) {
            MPI_Irecv(in + i * 100, 100, MPI_CHAR, i % 2 ? before : MPI_ANY_SOURCE, 10 + i, world,
                      &all[2 * i]);
            MPI_Isend(out, i * 20, MPI_CHAR, next, 10 + i, world, &all[2 * i + 1]);
        }
        int at, over, is_over = 0, which[2 * COUNT];
        MPI_Status statuses[2 * COUNT];
        if (way == 0)
            for (int i = 0; i < 2 * COUNT; i++)
                MPI_Wait(&all[i], MPI_STATUS_IGNORE);
        else if (way == 1)
            MPI_Waitall(2 * COUNT, all, MPI_STATUSES_IGNORE);
        else if (way == 2)
            for (int i = 0; i < 2 * COUNT; i++)
                MPI_Waitany(2 * COUNT, all, &at, MPI_STATUS_IGNORE);
        else if (way == 3)
            for (int left = 2 * COUNT; left > 0; left -= over)
                MPI_Waitsome(2 * COUNT, all, &over, which, statuses);
        else if (way == 4)
            for (int i = 0; i < 2 * COUNT; i++)
                for (is_over = 0; !is_over; sched_yield())
                    MPI_Test(&all[i], &is_over, MPI_STATUS_IGNORE);
        else if (way == 5)
            for (; !is_over; sched_yield())
                MPI_Testall(2 * COUNT, all, &is_over, MPI_STATUSES_IGNORE);
        else if (way == 6)
            for (int left = 2 * COUNT; left > 0; left -= is_over, sched_yield())
                MPI_Testany(2 * COUNT, all, &at, &is_over, MPI_STATUS_IGNORE);
        else
            for (int left = 2 * COUNT; left > 0; left -= over, sched_yield())
                MPI_Testsome(2 * COUNT, all, &over, which, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 2 * COUNT; i++)
            CHECK(all[i] == MPI_REQUEST_NULL);
        CHECK(in[100] == before);
    }
    MPI_Request modes[8];
    MPI_Irecv(in, 80, MPI_CHAR, before, 30, world, &modes[0]);
    MPI_Irecv(in + 100, 80, MPI_CHAR, before, 31, world, &modes[1]);
    MPI_Barrier(world);
    MPI_Issend(out, 80, MPI_CHAR, next, 30, world, &modes[2]);
    MPI_Irsend(out, 80, MPI_CHAR, next, 31, world, &modes[3]);
    MPI_Isend(out, 0, MPI_CHAR, MPI_PROC_NULL, 32, world, &modes[4]);
    MPI_Irecv(in, 0, MPI_CHAR, MPI_PROC_NULL, 32, world, &modes[5]);
    modes[6] = modes[7] = MPI_REQUEST_NULL;
    MPI_Waitall(8, modes, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
    MPI_Request both[2];
    MPI_Recv_init(in, MOST, MPI_CHAR, MPI_ANY_SOURCE, 40, world, &both[0]);
    MPI_Send_init(out, 90, MPI_CHAR, next, 40, world, &both[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, both);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        CHECK(both[0] != MPI_REQUEST_NULL);
    }
    MPI_Start(&both[0]);
    MPI_Start(&both[1]);
    MPI_Wait(&both[1], MPI_STATUS_IGNORE);
    MPI_Wait(&both[0], MPI_STATUS_IGNORE);
    MPI_Wait(&both[0], MPI_STATUS_IGNORE); /* none is under way */
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
}

static void probes(void)
{
    MPI_Request sends[4];
    MPI_Status status;
    MPI_Message message;
    int is_there = 0, count;
    for (int i = 0; i < 4; i++)
        MPI_Isend(out, 25 * (rank + 1), MPI_CHAR, next, 50 + i, world, &sends[i]);
    MPI_Probe(MPI_ANY_SOURCE, 50, world, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    CHECK(count == 25 * (before + 1));
    MPI_Recv(in, count, MPI_CHAR, status.MPI_SOURCE, 50, world, MPI_STATUS_IGNORE);
    for (; !is_there; sched_yield())
        MPI_Iprobe(before, 51, world, &is_there, MPI_STATUS_IGNORE);
    MPI_Recv(in, MOST, MPI_CHAR, before, 51, world, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 52, world, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, MOST, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    for (is_there = 0; !is_there; sched_yield())
        MPI_Improbe(before, 53, world, &is_there, &message, &status);
    MPI_Request caught;
    MPI_Imrecv(in, MOST, MPI_CHAR, &message, &caught);
    MPI_Wait(&caught, MPI_STATUS_IGNORE);
    MPI_Waitall(4, sends, MPI_STATUSES_IGNORE);
    MPI_Request never;
    MPI_Irecv(in, 1, MPI_CHAR, before, 60, world, &never);
    MPI_Cancel(&never);
    MPI_Wait(&never, &status);
    int is_cancelled;
    MPI_Test_cancelled(&status, &is_cancelled);
    CHECK(is_cancelled);
}

/* All send to rank 0, which takes them as they come. */
static void wildcards(void)
{
    MPI_Status status;
    if (rank > 0) {
        MPI_Send(out, 100 * rank, MPI_CHAR, 0, 70 + rank, world);
        MPI_Send(out, 100 * rank + 1, MPI_CHAR, 0, 90, world);
        return;
    }
    for (int i = 1; i < n; i++) {
        MPI_Recv(in, MOST, MPI_CHAR, MPI_ANY_SOURCE, 70 + i, world, MPI_STATUS_IGNORE);
        CHECK(in[0] == i);
    }
    for (int i = 1; i < n; i++) {
        int count;
        MPI_Recv(in, MOST, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        CHECK(count == 100 * status.MPI_SOURCE + 1 && status.MPI_TAG == 90);
    }
}

static void collectives(MPI_Comm comm)
{
    int own, size, sum = 0, one = 1, four[4 * 64], many[4 * 64], counts[64], places[64];
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &size);
    MPI_Datatype types[64];
    int in_bytes[64];
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
        in_bytes[i] = 4 * i;
        types[i] = MPI_INT;
    }
    for (int i = 0; i < 4 * 64; i++)
        four[i] = i;
    int alike[64], offsets[64], ones[64];
    for (int i = 0; i < size; i++)
        alike[i] = own + i + 1, offsets[i] = 0, ones[i] = 1;
    MPI_Bcast(four, 8, MPI_INT, size - 1, comm);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
    CHECK(own != 0 || sum == size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size);
    sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size);
    MPI_Gather(&own, 1, MPI_INT, own == 1 ? many : NULL, 1, MPI_INT, 1, comm);
    MPI_Gatherv(four, own + 1, MPI_INT, own == 0 ? many : NULL, own == 0 ? counts : NULL,
                own == 0 ? places : NULL, MPI_INT, 0, comm);
    MPI_Scatter(own == 0 ? four : NULL, 2, MPI_INT, many, 2, MPI_INT, 0, comm);
    CHECK(many[0] == 2 * own);
    MPI_Scatterv(own == 0 ? four : NULL, own == 0 ? counts : NULL, own == 0 ? places : NULL,
                 MPI_INT, many, own + 1, MPI_INT, 0, comm);
    CHECK(many[0] == places[own]);
    MPI_Allgather(&own, 1, MPI_INT, many, 1, MPI_INT, comm);
    CHECK(many[size - 1] == size - 1);
    many[own] = own;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, 1, MPI_INT, comm);
    MPI_Allgatherv(four, own + 1, MPI_INT, many, counts, places, MPI_INT, comm);
    MPI_Alltoall(four, 2, MPI_INT, many, 2, MPI_INT, comm);
    CHECK(many[0] == 2 * own);
    MPI_Alltoallv(four, alike, offsets, MPI_INT, many, alike, offsets, MPI_INT, comm);
    MPI_Alltoallw(four, ones, in_bytes, types, many, ones, in_bytes, types, comm);
    MPI_Reduce_scatter(four, many, ones, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(four, many, 1, MPI_INT, MPI_SUM, comm);
    CHECK(many[0] == own * size);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == own + 1);
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
    MPI_Request all[4];
    MPI_Ibarrier(comm, &all[0]);
    MPI_Ibcast(four, 8, MPI_INT, 0, comm, &all[1]);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &all[2]);
    MPI_Ialltoallv(four, ones, offsets, MPI_INT, many, ones, places, MPI_INT, comm, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    CHECK(sum == size);
}

/* A ring on a communicator of n ranks. */
static void ring(MPI_Comm comm, int tag)
{
    int own, size;
    MPI_Request request;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &size);
    MPI_Irecv(in, MOST, MPI_CHAR, (own + size - 1) % size, tag, comm, &request);
    MPI_Send(out, tag, MPI_CHAR, (own + 1) % size, tag, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void communicators(void)
{
    MPI_Comm duplicate, backwards, created, grouped, grid, rows, node, both, merged, later;
    MPI_Group all, lower;
    MPI_Comm_dup(world, &duplicate);
    ring(duplicate, 101);
    MPI_Comm_split(world, rank % 2, -rank, &backwards);
    ring(backwards, 102);
    collectives(backwards);
    MPI_Comm_group(world, &all);
    MPI_Group_range_incl(all, 1, (int[1][3]){{0, n / 2 - 1, 1}}, &lower);
    MPI_Comm_create(world, lower, &created);
    if (created != MPI_COMM_NULL) {
        ring(created, 103);
        MPI_Comm_create_group(created, lower, 5, &grouped);
        ring(grouped, 104);
        MPI_Comm_free(&grouped);
        MPI_Comm_free(&created);
    }
    MPI_Cart_create(world, 2, (int[]){n / 2, 2}, (int[]){1, 1}, 0, &grid);
    MPI_Cart_sub(grid, (int[]){0, 1}, &rows);
    ring(rows, 105);
    int gathered[8] = {0};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, grid);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    ring(node, 106);
    MPI_Intercomm_create(backwards, 0, world, rank % 2 ? n - 2 : n - 1, 9, &both);
    int own;
    MPI_Comm_rank(both, &own);
    MPI_Sendrecv(out, 107, MPI_CHAR, own, 107, in, MOST, MPI_CHAR, MPI_ANY_SOURCE, 107, both,
                 MPI_STATUS_IGNORE);
    CHECK(in[0] == (rank % 2 ? rank - 1 : rank + 1));
    MPI_Bcast(in, 4, MPI_CHAR, rank % 2 ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL, both);
    MPI_Intercomm_merge(both, rank % 2, &merged);
    ring(merged, 108);
    MPI_Request request;
    MPI_Comm_idup(world, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ring(later, 109);
    MPI_Comm *freed[] = {&duplicate, &backwards, &grid, &rows, &node, &both, &merged, &later};
    for (size_t i = 0; i < sizeof freed / sizeof *freed; i++)
        MPI_Comm_free(freed[i]);
    MPI_Group_free(&all);
    MPI_Group_free(&lower);
}

static void windows_and_files(const char *name)
{
    MPI_Win window;
    MPI_File file;
    int shown = -1;
    MPI_Win_create(&shown, sizeof shown, sizeof shown, MPI_INFO_NULL, world, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(shown == before);
    MPI_Win_free(&window);
    MPI_File_open(world, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 64 * rank, out, 64, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_Request request;
    MPI_File_iread_at(file, 64 * rank, in, 64, MPI_CHAR, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in[0] == rank);
    MPI_File_close(&file);
}

static void derived(void)
{
    MPI_Datatype spread;
    MPI_Type_vector(10, 2, 5, MPI_INT, &spread);
    MPI_Type_commit(&spread);
    MPI_Sendrecv(out, 3, spread, next, 200, in, 3, spread, before, 200, world, MPI_STATUS_IGNORE);
    MPI_Type_free(&spread);
}

int main(int count, char **words)
{
    MPI_Init(&count, &words);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &n);
    next = (rank + 1) % n;
    before = (rank + n - 1) % n;
    memset(out, rank, sizeof out);
    blocking();
    pairs();
    requests();
    persistent();
    probes();
    wildcards();
    collectives(world);
    communicators();
    if (count > 1)
        windows_and_files(words[1]);
    derived();
    MPI_Finalize();
    puts("right");
    return 0;
}
