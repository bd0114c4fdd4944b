/* contend-switch CONFIG COUNTERS: the network of an emulated cluster in one process.
 *
 * It owns the fabric's ends of all hosts' cables and moves every frame as links of exact rates,
 * buffers and delays would. CONFIG: see configuration.h; COUNTERS: see counters.h. Prints "ready"
 * when all ports are open; ends with SIGTERM.
 */
#include <signal.h>
#include <stdio.h>

#include "../common/fail.h"
#include "forwarding.h"
#include "moment.h"
#include "namespace.h"
#include "waiting.h"

/* How often counters are brought up to date and the offset of the clocks is read: soon enough for
 * a reader, rare enough to cost nothing. */
#define REFRESH_NS INT64_C(5000000)

static volatile sig_atomic_t is_ended;

static void end(int signal_number)
{
    (void)signal_number;
    is_ended = 1;
}

static void end_on(int signal_number)
{
    struct sigaction action = {.sa_handler = end};
    if (sigaction(signal_number, &action, NULL) != 0)
        contend_fail_errno("cannot handle signal %d", signal_number);
}

static void run(struct contend_switch *device)
{
    struct contend_waiting waiting = contend_prepare_waiting(device);
    int64_t real_offset = 0, refresh_at = 0;
    while (!is_ended) {
        const int64_t now = contend_now();
        if (now >= refresh_at) {
            real_offset = contend_real_offset();
            contend_refresh(device, now);
            refresh_at = now + REFRESH_NS;
        }
        contend_receive(device, now, real_offset);
        contend_forward(device, now);
        contend_wait(&waiting, device, contend_next_moment(&device->events), refresh_at);
    }
    contend_refresh(device, contend_now());
    contend_end_waiting(&waiting);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        contend_fail(CONTEND_EXIT_CONFIGURATION,
                     "got %d arguments; write 'contend-switch CONFIG COUNTERS'", argc - 1);
    end_on(SIGTERM);
    end_on(SIGINT);
    struct contend_configuration configuration = contend_read_configuration(argv[1]);
    contend_require_own_network();
    struct contend_counters counters = contend_create_counters(argv[2], &configuration);
    struct contend_switch device = contend_open_switch(&configuration, &counters);
    if (puts("ready") == EOF || fflush(stdout) != 0)
        contend_fail_errno("cannot say that the switch is ready");
    run(&device);
    contend_close_switch(&device);
    contend_close_counters(&counters);
    contend_free_configuration(&configuration);
    return 0;
}
