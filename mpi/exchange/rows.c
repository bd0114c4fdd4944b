/* Carriers by rows of a group, also where its last row is short. */
#include "rows.h"

int contend_row_carrier(const struct contend_partition *groups, int src, int dst)
{
    const int own = groups->group_of[src], other = groups->group_of[dst];
    const int size = contend_group_size(groups, own), far = contend_group_size(groups, other);
    const int width = size < far ? size : far;
    const int row = groups->place_of[src] / width * width;
    const int length = size - row < width ? size - row : width;
    return groups->members[groups->first[own] + row + groups->place_of[dst] % length];
}
