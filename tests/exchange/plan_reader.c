/* Whether the exchange library takes plans, without MPI being started.
 *
 * arguments   files of plans
 * prints      for each file a line: "taken", or why it is refused
 */
#include <stdio.h>
#include <stdlib.h>

#include "algorithm.h"
#include "ledger.h"
#include "choose/plan.h"

/* Names are all that a reader needs of algorithms. */
#define ALGORITHM(word)                                                                            \
    static atomic_long word##_calls;                                                               \
    const struct contend_algorithm contend_##word = {.name = #word, .calls = &word##_calls};
#include "algorithms.def"
#undef ALGORITHM

int main(int count, char **files)
{
    for (int i = 1; i < count; i++) {
        if (setenv("CONTEND_EXCHANGE_PLAN", files[i], 1) != 0)
            return 1;
        const struct contend_plan *plan = contend_read_plan();
        printf("%s\n", plan->error[0] == '\0' ? "taken" : plan->error);
        contend_forget_plan();
    }
    return contend_exchange_held("memory") == 0 ? 0 : 2;
}
