/* Throttled pairwise exchange.
 *
 * Source: pairwise exchange (Thakur, Rabenseifner, Gropp 2005, "Optimization of collective
 * communication operations in MPICH", section 3.3), with steps that may overlap.
 * Idea: in step s a rank sends to rank + s and receives from rank - s; at most w steps (1 where the
 * plan says none) are under way, so that every rank is the target of at most w messages.
 * Cost: (P - 1) / w (latency + w m / bandwidth of a rank).
 * Restrictions: none. */
#include "../algorithm.h"
#include "../direct.h"
#include "../wait.h"

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
    const int wanted = task->settings.window == CONTEND_ALL ? last : task->settings.window;
    const int window = wanted < 1 ? 1 : wanted < last ? wanted : last;
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
