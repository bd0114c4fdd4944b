/* Blocks of any datatype as bytes without holes, and back. */
#ifndef CONTEND_PACKING_H
#define CONTEND_PACKING_H

#include "call.h"

/* `bytes` has room for contend_side_bytes(side, other), which an int can say. */
int contend_pack(const struct contend_side *side, int other, char *bytes, MPI_Comm comm);

int contend_unpack(const struct contend_side *side, int other, const char *bytes, MPI_Comm comm);

/* Whether the library packs data as they are, without headers or other representations. */
bool contend_packs_plainly(MPI_Comm comm);

/* Whether the program has loaded the driver of a GPU: then MPI packs all that users' buffers hold.
 */
bool contend_has_devices(void);

#endif
