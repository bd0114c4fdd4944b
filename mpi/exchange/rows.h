/* Carriers by rows of a group, also where its last row is short. */
#ifndef CONTEND_ROWS_H
#define CONTEND_ROWS_H

#include "groups.h"

/* The group of src is cut into rows as long as the smaller of both groups; the carrier is the rank
 * of src's row at the place of dst, modulo the length of the row. A short row has a carrier for
 * every destination too, and its ranks carry equal numbers of blocks, as near as they divide. */
int contend_row_carrier(const struct contend_partition *groups, int src, int dst);

#endif
