/* What MPI says of a communicator, and communicators of this library's own. */
#include "communicators.h"

#include <stdatomic.h>

#include "exchange/ledger.h"

enum {
    AT_ONCE = 128, /* ranks that are looked up, without memory that might not be there */
    MOST_PRIVATE =
        64 /* libraries have some 2000 in all; a program with so many needs them itself */
};

static atomic_int private_count;

int contend_processes(MPI_Comm comm)
{
    int is_between = 0, n = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_between) != MPI_SUCCESS ||
        is_between || PMPI_Comm_size(comm, &n) != MPI_SUCCESS)
        return 0;
    return n;
}

/* Of at most AT_ONCE ranks. */
static bool translate(MPI_Group group, MPI_Group world, int first, int count, int *ranks)
{
    int asked[AT_ONCE];
    for (int i = 0; i < count; i++)
        asked[i] = first + i;
    return PMPI_Group_translate_ranks(group, count, asked, world, ranks) == MPI_SUCCESS;
}

bool contend_world_ranks(MPI_Comm comm, int first, int count, int *ranks)
{
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    bool is_ok = PMPI_Comm_group(comm, &group) == MPI_SUCCESS &&
                 PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS;
    for (int i = 0; i < count && is_ok; i += AT_ONCE)
        is_ok = translate(group, world, first + i, count - i < AT_ONCE ? count - i : AT_ONCE,
                          ranks + i);
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (world != MPI_GROUP_NULL)
        PMPI_Group_free(&world);
    return is_ok;
}

/* Ranks of another world were spawned or have connected, and may be without this library, so that
 * nothing can be agreed with them. A rank finds that out without any message. Where the ranks are
 * of several worlds, each of them finds one that is not of its own, so all find the same. */
static bool is_of_world(MPI_Comm comm)
{
    int relation = MPI_UNEQUAL, n = 0, ranks[AT_ONCE];
    const int code = PMPI_Comm_compare(comm, MPI_COMM_WORLD, &relation);
    if (code != MPI_SUCCESS || relation != MPI_UNEQUAL)
        return code == MPI_SUCCESS;
    if (PMPI_Comm_size(comm, &n) != MPI_SUCCESS)
        return false;
    for (int first = 0; first < n; first += AT_ONCE) {
        const int count = n - first < AT_ONCE ? n - first : AT_ONCE;
        if (!contend_world_ranks(comm, first, count, ranks))
            return false;
        for (int i = 0; i < count; i++)
            if (ranks[i] == MPI_UNDEFINED)
                return false;
    }
    return true;
}

/* Lets errors on a communicator be returned; what was its handler is for end_returning. */
static bool begin_returning(MPI_Comm comm, MPI_Errhandler *before)
{
    return PMPI_Comm_get_errhandler(comm, before) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

static void end_returning(MPI_Comm comm, MPI_Errhandler before)
{
    PMPI_Comm_set_errhandler(comm, before);
    PMPI_Errhandler_free(&before);
}

/* A communicator of a session cannot be compared with that of MPI_Init, which is an error. */
bool contend_is_of_world(MPI_Comm comm)
{
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    if (!begin_returning(comm, &before))
        return false;
    const bool is_one = is_of_world(comm);
    end_returning(comm, before);
    return is_one;
}

bool contend_has_parent(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

bool contend_has_room_for_private(void) { return atomic_load(&private_count) < MOST_PRIVATE; }

/* A copy of attributes and of the error handler is not wanted, so that this is no MPI_Comm_dup. */
bool contend_make_private(MPI_Comm owner, MPI_Comm *made)
{
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    MPI_Group group;
    *made = MPI_COMM_NULL;
    if (PMPI_Comm_group(owner, &group) != MPI_SUCCESS)
        return false;
    if (begin_returning(owner, &before)) { /* there may be no more of them */
        if (PMPI_Comm_create(owner, group, made) != MPI_SUCCESS)
            *made = MPI_COMM_NULL;
        end_returning(owner, before);
    }
    PMPI_Group_free(&group);
    if (*made == MPI_COMM_NULL)
        return false;
    atomic_fetch_add(&private_count, 1);
    contend_hold(CONTEND_COMMUNICATORS, 1);
    return PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

void contend_free_private(MPI_Comm *comm)
{
    if (*comm == MPI_COMM_NULL)
        return;
    PMPI_Comm_free(comm);
    atomic_fetch_sub(&private_count, 1);
    contend_hold(CONTEND_COMMUNICATORS, -1);
}
