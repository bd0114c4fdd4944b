/* Whether the ranks of a communicator began together, in one MPI_COMM_WORLD.
 *
 * Those of another were spawned or have connected, and may be without this library, so that nothing
 * can be agreed with them. A rank finds that out without any message. Where the ranks are of
 * several worlds, each of them finds one that is not of its own, so all find the same. */
#include "world.h"

enum { AT_ONCE = 128 }; /* ranks, without memory that might not be there */

static bool has_all(MPI_Group world, MPI_Group group)
{
    int ranks = 0, asked[AT_ONCE], found[AT_ONCE];
    if (PMPI_Group_size(group, &ranks) != MPI_SUCCESS)
        return false;
    for (int first = 0; first < ranks; first += AT_ONCE) {
        const int count = ranks - first < AT_ONCE ? ranks - first : AT_ONCE;
        for (int i = 0; i < count; i++)
            asked[i] = first + i;
        if (PMPI_Group_translate_ranks(group, count, asked, world, found) != MPI_SUCCESS)
            return false;
        for (int i = 0; i < count; i++)
            if (found[i] == MPI_UNDEFINED)
                return false;
    }
    return true;
}

static bool is_of_world(MPI_Comm comm)
{
    int relation = MPI_UNEQUAL;
    const int code = PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    if (code != MPI_SUCCESS || relation != MPI_UNEQUAL)
        return code == MPI_SUCCESS;
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    const bool is_all = PMPI_Comm_group(comm, &group) == MPI_SUCCESS &&
                        PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
                        has_all(world, group);
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (world != MPI_GROUP_NULL)
        PMPI_Group_free(&world);
    return is_all;
}

/* A communicator of a session cannot be compared with that of MPI_Init, which is an error. */
bool contend_is_of_world(MPI_Comm comm)
{
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(comm, &before) != MPI_SUCCESS)
        return false;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const bool is_one = is_of_world(comm);
    PMPI_Comm_set_errhandler(comm, before);
    PMPI_Errhandler_free(&before);
    return is_one;
}

bool contend_has_parent(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}
