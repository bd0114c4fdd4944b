/* The blocking collective operations, for the counts of MPI-3 and once more for those of MPI-4.
 *
 * Included with NAME (what a function is called), COUNT and PLACE (types of counts and of
 * displacements). Bytes are those of a block of one rank; of calls whose blocks differ their mean,
 * where a rank knows it, and else its own. */

#define SERVED(operation, comm, m, call) REDUCED(operation, comm, m, MPI_OP_NULL, call)
#define REDUCED(operation, comm, m, op, call)                                                      \
    struct contend_call own;                                                                       \
    contend_begin(&own, CONTEND_##operation, comm, m, op);                                         \
    const int code = call;                                                                         \
    contend_end(&own);                                                                             \
    return code

static int64_t NAME(mean)(const COUNT *counts, MPI_Datatype type, MPI_Comm comm)
{
    const int n = contend_processes(comm);
    MPI_Count sum = 0;
    for (int i = 0; counts != NULL && i < n; i++)
        sum += counts[i];
    return n > 0 ? contend_bytes(sum, type) / n : 0;
}

CONTEND_EXPORTED int MPI_NAME(Bcast)(void *buffer, COUNT count, MPI_Datatype type, int root,
                                     MPI_Comm comm)
{
    SERVED(BCAST, comm, contend_bytes(count, type),
           PMPI_NAME(Bcast)(buffer, count, type, root, comm));
}

CONTEND_EXPORTED int MPI_NAME(Scatter)(const void *sent, COUNT sent_count, MPI_Datatype sent_type,
                                       void *received, COUNT received_count,
                                       MPI_Datatype received_type, int root, MPI_Comm comm)
{
    const bool is_in_place = received == MPI_IN_PLACE;
    SERVED(SCATTER, comm,
           is_in_place ? contend_bytes(sent_count, sent_type)
                       : contend_bytes(received_count, received_type),
           PMPI_NAME(Scatter)(sent, sent_count, sent_type, received, received_count, received_type,
                              root, comm));
}

CONTEND_EXPORTED int MPI_NAME(Scatterv)(const void *sent, const COUNT *sent_counts,
                                        const PLACE *sent_places, MPI_Datatype sent_type,
                                        void *received, COUNT received_count,
                                        MPI_Datatype received_type, int root, MPI_Comm comm)
{
    SERVED(SCATTERV, comm,
           received == MPI_IN_PLACE ? 0 : contend_bytes(received_count, received_type),
           PMPI_NAME(Scatterv)(sent, sent_counts, sent_places, sent_type, received, received_count,
                               received_type, root, comm));
}

CONTEND_EXPORTED int MPI_NAME(Gather)(const void *sent, COUNT sent_count, MPI_Datatype sent_type,
                                      void *received, COUNT received_count,
                                      MPI_Datatype received_type, int root, MPI_Comm comm)
{
    const bool is_in_place = sent == MPI_IN_PLACE;
    SERVED(GATHER, comm,
           is_in_place ? contend_bytes(received_count, received_type)
                       : contend_bytes(sent_count, sent_type),
           PMPI_NAME(Gather)(sent, sent_count, sent_type, received, received_count, received_type,
                             root, comm));
}

CONTEND_EXPORTED int MPI_NAME(Gatherv)(const void *sent, COUNT sent_count, MPI_Datatype sent_type,
                                       void *received, const COUNT *received_counts,
                                       const PLACE *received_places, MPI_Datatype received_type,
                                       int root, MPI_Comm comm)
{
    SERVED(GATHERV, comm, sent == MPI_IN_PLACE ? 0 : contend_bytes(sent_count, sent_type),
           PMPI_NAME(Gatherv)(sent, sent_count, sent_type, received, received_counts,
                              received_places, received_type, root, comm));
}

CONTEND_EXPORTED int MPI_NAME(Alltoall)(const void *sent, COUNT sent_count, MPI_Datatype sent_type,
                                        void *received, COUNT received_count,
                                        MPI_Datatype received_type, MPI_Comm comm)
{
    SERVED(ALLTOALL, comm, contend_bytes(received_count, received_type),
           PMPI_NAME(Alltoall)(sent, sent_count, sent_type, received, received_count, received_type,
                               comm));
}

CONTEND_EXPORTED int MPI_NAME(Alltoallv)(const void *sent, const COUNT *sent_counts,
                                         const PLACE *sent_places, MPI_Datatype sent_type,
                                         void *received, const COUNT *received_counts,
                                         const PLACE *received_places, MPI_Datatype received_type,
                                         MPI_Comm comm)
{
    SERVED(ALLTOALLV, comm, NAME(mean)(received_counts, received_type, comm),
           PMPI_NAME(Alltoallv)(sent, sent_counts, sent_places, sent_type, received,
                                received_counts, received_places, received_type, comm));
}

CONTEND_EXPORTED int MPI_NAME(Allgather)(const void *sent, COUNT sent_count, MPI_Datatype sent_type,
                                         void *received, COUNT received_count,
                                         MPI_Datatype received_type, MPI_Comm comm)
{
    SERVED(ALLGATHER, comm, contend_bytes(received_count, received_type),
           PMPI_NAME(Allgather)(sent, sent_count, sent_type, received, received_count,
                                received_type, comm));
}

CONTEND_EXPORTED int MPI_NAME(Allgatherv)(const void *sent, COUNT sent_count,
                                          MPI_Datatype sent_type, void *received,
                                          const COUNT *received_counts,
                                          const PLACE *received_places, MPI_Datatype received_type,
                                          MPI_Comm comm)
{
    SERVED(ALLGATHERV, comm, NAME(mean)(received_counts, received_type, comm),
           PMPI_NAME(Allgatherv)(sent, sent_count, sent_type, received, received_counts,
                                 received_places, received_type, comm));
}

CONTEND_EXPORTED int MPI_NAME(Reduce)(const void *sent, void *received, COUNT count,
                                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    REDUCED(REDUCE, comm, contend_bytes(count, type), op,
            PMPI_NAME(Reduce)(sent, received, count, type, op, root, comm));
}

CONTEND_EXPORTED int MPI_NAME(Allreduce)(const void *sent, void *received, COUNT count,
                                         MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REDUCED(ALLREDUCE, comm, contend_bytes(count, type), op,
            PMPI_NAME(Allreduce)(sent, received, count, type, op, comm));
}

CONTEND_EXPORTED int MPI_NAME(Reduce_scatter)(const void *sent, void *received, const COUNT *counts,
                                              MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REDUCED(REDUCE_SCATTER, comm, NAME(mean)(counts, type, comm), op,
            PMPI_NAME(Reduce_scatter)(sent, received, counts, type, op, comm));
}

CONTEND_EXPORTED int MPI_NAME(Reduce_scatter_block)(const void *sent, void *received, COUNT count,
                                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REDUCED(REDUCE_SCATTER_BLOCK, comm, contend_bytes(count, type), op,
            PMPI_NAME(Reduce_scatter_block)(sent, received, count, type, op, comm));
}

#undef SERVED
#undef REDUCED
