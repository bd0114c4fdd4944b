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

_Static_assert(sizeof all / sizeof all[0] <= CONTEND_MAX_ALGORITHMS, "tallies have room for all");

const struct contend_algorithm *contend_algorithm_at(int index)
{
    return index < (int)(sizeof all / sizeof all[0]) ? all[index] : NULL;
}

int contend_algorithm_index(const struct contend_algorithm *algorithm)
{
    int index = 0;
    while (all[index] != algorithm)
        index++;
    return index;
}
