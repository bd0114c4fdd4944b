/* Paced direct exchange: at most w messages of a rank on their way over a slow link.
 *
 * Source: this project; windows of outstanding messages as in MPICH's throttled all-to-all.
 * Idea: every block goes straight to its destination, but a rank has at most w synchronous sends
 * under way over the slow link, so that its buffer does not overflow. In turn t position p of a
 * group sends to position (t - p) mod S of the next group, then of the one after, where S is the
 * largest group. Blocks inside the group are not held back.
 * Cost: n1 n2 m over the bandwidth of the link, plus n2 / w round trips.
 * Restrictions: two groups or more. One message at a time where neither the plan nor the link says
 * how many. */
#include "../algorithm.h"
#include "../transport/direct.h"
#include "../transport/requests.h"

static atomic_long calls;

static bool suits(const struct contend_partition *groups) { return groups->groups > 1; }

static int send_next(struct contend_task *task, int index, bool is_synchronous,
                     MPI_Request *request)
{
    return contend_send_block(task, task->far_peers[index], is_synchronous, request);
}

/* All ranks of other groups in the order of their turns. */
static int list_far(struct contend_task *task)
{
    const struct contend_partition *groups = task->groups;
    const int own = groups->group_of[task->rank], place = groups->place_of[task->rank];
    int count = 0;
    for (int distance = 1; distance < groups->groups; distance++) {
        const int group = (own + distance) % groups->groups;
        for (int turn = 0; turn < groups->largest; turn++) {
            const int other = (turn - place + groups->largest) % groups->largest;
            if (other < contend_group_size(groups, group))
                task->far_peers[count++] = groups->members[groups->first[group] + other];
        }
    }
    return count;
}

/* To the ranks of the own group, the next one first; how many is one less than there are. */
static int send_near(struct contend_task *task, MPI_Request *near)
{
    const struct contend_partition *groups = task->groups;
    const int group = groups->group_of[task->rank], size = contend_group_size(groups, group);
    int code = MPI_SUCCESS;
    for (int i = 1; i < size && code == MPI_SUCCESS; i++) {
        const int other = (groups->place_of[task->rank] + i) % size;
        code = contend_send_block(task, groups->members[groups->first[group] + other], false,
                                  &near[i - 1]);
    }
    return code;
}

static int run(struct contend_task *task)
{
    MPI_Request *receiving = task->requests, *near = receiving + task->processes,
                *far = near + task->processes;
    const int size = contend_group_size(task->groups, task->groups->group_of[task->rank]);
    int code = contend_save_in_place(task);
    for (int i = 1; i < task->processes && code == MPI_SUCCESS; i++)
        code = contend_receive_block(task, (task->rank + task->processes - i) % task->processes,
                                     &receiving[i - 1]);
    if (code == MPI_SUCCESS)
        code = send_near(task, near);
    if (code == MPI_SUCCESS)
        code = contend_copy_own(task);
    const int window = contend_window(task, contend_largest_block(task), size, 1);
    if (contend_goes_on(code))
        contend_note_code(&code, contend_send_all(task, list_far(task), window, send_next, far));
    if (contend_goes_on(code))
        contend_note_code(&code, contend_wait_all(size - 1, near));
    if (contend_goes_on(code))
        contend_note_code(&code, contend_wait_all(task->processes - 1, receiving));
    task->is_over = contend_goes_on(code);
    return code;
}

const struct contend_algorithm contend_paced = {
    .name = "paced", .suits = suits, .run = run, .calls = &calls};
