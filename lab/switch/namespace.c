/* Whose network this is: every network namespace is owned by a user namespace. */
#include "namespace.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/fail.h"

#define INITIAL_USER_NAMESPACE 0xEFFFFFFDU /* PROC_USER_INIT_INO of the kernel */

/* The kernel names no owner that is above the caller's own user namespace. */
static bool is_own_network(void)
{
    struct stat status = {0};
    const int network = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (network < 0)
        contend_fail_errno("cannot read /proc/self/ns/net");
    const int owner = ioctl(network, NS_GET_USERNS);
    const bool is_own =
        owner >= 0 && fstat(owner, &status) == 0 && status.st_ino != INITIAL_USER_NAMESPACE;
    if (owner >= 0)
        close(owner);
    close(network);
    return is_own;
}

void contend_require_own_network(void)
{
    if (!is_own_network())
        contend_fail(CONTEND_EXIT_SYSTEM,
                     "this is the machine's own network, whose frames a switch would take; run it "
                     "in a lab ('contend lab') or in new user and network namespaces");
}
