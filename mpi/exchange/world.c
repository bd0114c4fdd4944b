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

bool contend_is_of_world(MPI_Comm comm)
{
    int relation = MPI_UNEQUAL;
    if (PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation) == MPI_SUCCESS &&
        relation != MPI_UNEQUAL)
        return true;
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

bool contend_has_parent(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}
