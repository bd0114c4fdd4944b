/* The portfolio by name. */
#include "algorithm.h"

#include <string.h>

#define ALGORITHM(name) extern const struct contend_algorithm contend_##name;
#include "algorithms.def"
#undef ALGORITHM

static const struct contend_algorithm *const all[] = {
#define ALGORITHM(name) &contend_##name,
#include "algorithms.def"
#undef ALGORITHM
};

const struct contend_algorithm *contend_algorithm_named(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

const char *contend_algorithm_names(void)
{
#define ALGORITHM(name) ", " #name
    static const char names[] =
#include "algorithms.def"
        ;
#undef ALGORITHM
    return names + 2;
}
