/* Throttled pairwise exchange.
 *
 * Source: pairwise exchange (Thakur, Rabenseifner, Gropp 2005, "Optimization of collective
 * communication operations in MPICH", section 3.3), with steps that may overlap.
 * Idea: in step s a rank sends to rank + s and receives from rank - s; at most w steps are under
 * way, so that every rank is the target of at most w messages. Where the plan says none, w is what
 * fills the slow link and its buffer, headers counted: each step that is waited for may cost a
 * round trip, whatever the order of the ranks, so that small blocks go all at once. One step at a
 * time where the link is unknown. Cost: (P - 1) / w (latency + w m / bandwidth of a rank).
 * Restrictions: none. */
#include "../algorithm.h"
#include "../schedule/spacing.h"
#include "../transport/direct.h"
#include "../transport/requests.h"

static atomic_long calls;

static bool suits(const struct contend_partition *groups) { return groups->processes > 1; }

static int begin_step(struct contend_task *task, int step, MPI_Request *pair)
{
    const int processes = task->processes;
    pair[1] = MPI_REQUEST_NULL;
    const int code =
        contend_receive_block(task, (task->rank + processes - step) % processes, &pair[0]);
    if (code != MPI_SUCCESS)
        return code;
    return contend_send_block(task, (task->rank + step) % processes, false, &pair[1]);
}

static int run(struct contend_task *task)
{
    const int last = task->processes - 1;
    const int64_t bytes = (int64_t)contend_on_link(contend_largest_block(task));
    const int wanted = contend_window(task, bytes, task->groups->largest, 1);
    const int window = wanted > 0 && wanted < last ? wanted : last;
    int code = contend_save_in_place(task);
    contend_note_code(&code, contend_copy_own(task));
    for (int step = 1; step <= last + window && contend_goes_on(code); step++) {
        if (step > window)
            contend_note_code(&code, contend_wait_all(2, &task->requests[2 * (step - window)]));
        if (step <= last && contend_goes_on(code))
            contend_note_code(&code, begin_step(task, step, &task->requests[2 * step]));
    }
    task->is_over = contend_goes_on(code);
    return code;
}

const struct contend_algorithm contend_throttled_pairwise = {
    .name = "throttled_pairwise", .suits = suits, .run = run, .calls = &calls};
