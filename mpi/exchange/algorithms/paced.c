/* Paced direct exchange.
 *
 * Source: windows of outstanding messages, as in MPICH's throttled all-to-all, here for one link.
 * Idea: every block goes straight to its destination, but a rank has at most w synchronous sends
 * under way over the slow link, so that its buffer does not overflow. Blocks inside the group are
 * not held back.
 * Cost: n1 n2 m over the bandwidth of the link, plus n2 / w round trips.
 * Restrictions: two groups or more. */
#include "../algorithm.h"
#include "../direct.h"
#include "../wait.h"
#include "../window.h"

static atomic_long calls;

static bool suits(const struct contend_partition *groups) { return groups->groups > 1; }

static bool is_near(const struct contend_task *task, int peer)
{
    return task->groups->group_of[peer] == task->groups->group_of[task->rank];
}

static int send_next(struct contend_task *task, int index, bool is_synchronous,
                     MPI_Request *request)
{
    return contend_send_block(task, task->far_peers[index], is_synchronous, request);
}

static int64_t largest(const struct contend_task *task)
{
    int64_t most = 0;
    for (int peer = 0; peer < task->processes; peer++) {
        const int64_t bytes = contend_bytes(&task->call->sent, peer);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static int run(struct contend_task *task)
{
    MPI_Request *receiving = task->requests, *near = receiving + task->processes,
                *far = near + task->processes;
    int near_count = 0, far_count = 0, code = contend_save_in_place(task);
    for (int i = 1; i < task->processes && code == MPI_SUCCESS; i++)
        code = contend_receive_block(task, (task->rank + task->processes - i) % task->processes,
                                     &receiving[i - 1]);
    for (int i = 1; i < task->processes && code == MPI_SUCCESS; i++) {
        const int peer = (task->rank + i) % task->processes;
        if (is_near(task, peer))
            code = contend_send_block(task, peer, false, &near[near_count++]);
        else
            task->far_peers[far_count++] = peer;
    }
    if (code == MPI_SUCCESS)
        code = contend_copy_own(task);
    const int group = task->groups->group_of[task->rank];
    const int window =
        contend_window(task, largest(task), contend_group_size(task->groups, group), 1);
    if (code == MPI_SUCCESS)
        code = contend_send_all(task, far_count, window, send_next, far);
    if (code == MPI_SUCCESS)
        code = contend_wait_all(near_count, near);
    return code == MPI_SUCCESS ? contend_wait_all(task->processes - 1, receiving) : code;
}

const struct contend_algorithm contend_paced = {
    .name = "paced", .suits = suits, .run = run, .calls = &calls};
