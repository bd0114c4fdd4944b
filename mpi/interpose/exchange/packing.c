/* Blocks of any datatype as bytes without holes, and back. */
#include "packing.h"

#include <dlfcn.h>
#include <string.h>

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
    return PMPI_Pack(contend_block(side, other), (int)contend_elements(side, other), side->type,
                     bytes, (int)size, &position, comm);
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
                       (int)contend_elements(side, other), side->type, comm);
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

bool contend_has_devices(void)
{
    static const char *const drivers[] = {"libcuda.so.1", "libamdhip64.so", "libze_loader.so.1"};
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        void *driver = dlopen(drivers[i], RTLD_LAZY | RTLD_NOLOAD);
        if (driver == NULL)
            continue;
        dlclose(driver);
        return true;
    }
    return false;
}
