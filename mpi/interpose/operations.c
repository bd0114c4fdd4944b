/* Collective operations by name. */
#include "collective.h"

const char *const contend_operation_names[] = {
#define OPERATION(operation, name) [CONTEND_##operation] = name,
#include "operations.def"
#undef OPERATION
};
