/* One call of MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw or their forms of MPI-4, both sides in the
 * same terms. */
#include "call.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

/* A named type without holes. Others may order their bytes in memory as they like. */
static int find_plain(struct contend_side *side)
{
    int integers, addresses, types, combiner;
    const int code = PMPI_Type_get_envelope(side->type, &integers, &addresses, &types, &combiner);
    side->is_plain =
        code == MPI_SUCCESS && combiner == MPI_COMBINER_NAMED && side->extent == side->size;
    return code;
}

static bool has_arrays(const struct contend_side *side)
{
    return side->counts != NULL ? side->displacements != NULL
                                : side->large_counts != NULL && side->large_displacements != NULL;
}

/* The first page has no data: such a block is NULL or near it by mistake. MPI_BOTTOM is NULL too,
 * but then types or displacements hold addresses. */
static bool is_nowhere(const struct contend_side *side, int other)
{
    enum { PAGE = 4096 };
    return side->is_plain && (uintptr_t)contend_block(side, other) < PAGE;
}

/* What the type says, where all blocks have the same. */
static bool complete_type(struct contend_side *side)
{
    MPI_Aint lower;
    if (side->types != NULL) {
        side->extent = 1;
        return true;
    }
    return side->type != MPI_DATATYPE_NULL &&
           PMPI_Type_size_x(side->type, &side->size) == MPI_SUCCESS && side->size >= 0 &&
           PMPI_Type_get_extent(side->type, &lower, &side->extent) == MPI_SUCCESS &&
           find_plain(side) == MPI_SUCCESS;
}

static bool has_type(const struct contend_side *side, int other)
{
    return contend_elements(side, other) == 0 || contend_type(side, other) != MPI_DATATYPE_NULL;
}

/* Ranks may describe the same blocks by types of which one has more bytes than an int can say. */
static bool complete_side(struct contend_side *side, struct contend_call *call)
{
    if ((call->is_varying && !has_arrays(side)) || !complete_type(side))
        return false;
    for (int other = 0; other < (call->is_varying ? call->processes : 1); other++) {
        if (contend_elements(side, other) < 0 || !has_type(side, other))
            return false;
        const int64_t bytes = contend_side_bytes(side, other);
        if (bytes > 0 && is_nowhere(side, other))
            return false;
        call->is_huge = call->is_huge || bytes > INT_MAX;
    }
    return true;
}

/* Only what is wrong for sure: other ranks may have no doubt, and then they exchange. */
bool contend_complete_call(struct contend_call *call)
{
    if (call->received.buffer == MPI_IN_PLACE || !complete_side(&call->received, call))
        return false;
    if (call->is_in_place) {
        call->sent = call->received;
        return true;
    }
    if (!complete_side(&call->sent, call))
        return false;
    if (call->is_varying)
        return true;
    const int64_t bytes = contend_side_bytes(&call->sent, 0);
    return bytes == contend_side_bytes(&call->received, 0) &&
           (bytes == 0 || call->sent.buffer != call->received.buffer || !call->sent.is_plain ||
            !call->received.is_plain); /* the same bytes are an error that the library reports */
}

int contend_pack(const struct contend_side *side, int other, char *bytes, MPI_Comm comm)
{
    const int64_t size = contend_side_bytes(side, other);
    if (size == 0)
        return MPI_SUCCESS;
    if (side->is_plain) {
        memcpy(bytes, contend_block(side, other), (size_t)size);
        return MPI_SUCCESS;
    }
    int position = 0;
    return PMPI_Pack(contend_block(side, other), (int)contend_elements(side, other),
                     contend_type(side, other), bytes, (int)size, &position, comm);
}

int contend_unpack(const struct contend_side *side, int other, const char *bytes, MPI_Comm comm)
{
    const int64_t size = contend_side_bytes(side, other);
    if (size == 0)
        return MPI_SUCCESS;
    if (side->is_plain) {
        memcpy(contend_block(side, other), bytes, (size_t)size);
        return MPI_SUCCESS;
    }
    int position = 0;
    return PMPI_Unpack(bytes, (int)size, &position, contend_block(side, other),
                       (int)contend_elements(side, other), contend_type(side, other), comm);
}

bool contend_packs_plainly(MPI_Comm comm)
{
    const int probe[2] = {0x01020304, -5};
    char packed[2 * sizeof probe];
    int size = 0, position = 0;
    return PMPI_Pack_size(2, MPI_INT, comm, &size) == MPI_SUCCESS && size == sizeof probe &&
           PMPI_Pack(probe, 2, MPI_INT, packed, (int)sizeof packed, &position, comm) ==
               MPI_SUCCESS &&
           position == sizeof probe && memcmp(probe, packed, sizeof probe) == 0;
}

/* How many objects have been loaded so far, of which the first is asked. */
static int count_loaded(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    *(unsigned long long *)count = info->dlpi_adds;
    return 1;
}

/* A program may load one at any time, so that this is asked before each exchange. */
bool contend_has_devices(void)
{
    static const char *const drivers[] = {"libcuda.so.1", "libamdhip64.so", "libze_loader.so.1"};
    static _Atomic unsigned long long looked_at;
    static atomic_bool is_there;
    unsigned long long loaded = 0;
    dl_iterate_phdr(count_loaded, &loaded);
    if (is_there || (loaded != 0 && loaded == looked_at))
        return is_there;
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        void *driver = dlopen(drivers[i], RTLD_LAZY | RTLD_NOLOAD);
        if (driver == NULL)
            continue;
        dlclose(driver);
        is_there = true;
    }
    looked_at = loaded;
    return is_there;
}
