/* The portfolio as it is offered to be tried.
 *
 * The choices of the plan, or those of the library where it has none. Which suit the groups of a
 * communicator is found out, and agreed by its ranks, when one of them is to be tried there. */
#include "offered.h"

#include "choose/candidates.h"
#include "report/explain.h"

enum { OFFERED = 8, OPERATIONS = 2 };

static struct contend_offer offers[OPERATIONS][OFFERED];
static char names[OFFERED][CONTEND_WORDS];
static int count;

static bool has_offer(const struct contend_choice *choice)
{
    for (int i = 0; i < count; i++)
        if (contend_is_alike(offers[0][i].choice, choice))
            return true;
    return false;
}

uint64_t contend_offer_portfolio(void)
{
    static const enum contend_operation operations[OPERATIONS] = {CONTEND_ALLTOALL,
                                                                  CONTEND_ALLTOALLV};
    const struct contend_plan *plan = contend_read_plan();
    const int most = plan->is_checked && plan->error[0] == '\0' ? plan->choice_count : 0;
    count = 0;
    for (int i = 0; i < most && count < OFFERED; i++) {
        const struct contend_choice *choice = &plan->choices[i];
        if (choice->algorithm == &contend_native || has_offer(choice))
            continue;
        const char *name = contend_choice_text(choice, names[count]);
        for (int k = 0; k < OPERATIONS; k++)
            offers[k][count] = (struct contend_offer){operations[k], name, 0, choice};
        count++;
    }
    return contend_digest(plan->digest, &count, sizeof count);
}

int contend_portfolio_for(enum contend_operation operation, int most,
                          const struct contend_offer **into)
{
    const bool is_served = operation == CONTEND_ALLTOALL || operation == CONTEND_ALLTOALLV;
    const int offered = !is_served ? 0 : count < most ? count : most;
    for (int i = 0; i < offered; i++)
        into[i] = &offers[operation == CONTEND_ALLTOALLV][i];
    return offered;
}

bool contend_can_exchange(MPI_Comm comm, const struct contend_choice *choice)
{
    const struct contend_state *state = contend_state_of(comm);
    return state != NULL && !state->is_native && contend_is_fit(state, choice);
}
