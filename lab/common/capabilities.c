#include "capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail.h"

static void get(struct __user_cap_header_struct *header, struct __user_cap_data_struct *data)
{
    *header = (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3};
    if (syscall(SYS_capget, header, data) != 0)
        contend_fail_errno("capget");
}

void contend_lab_keep_capabilities(void)
{
    struct __user_cap_header_struct header;
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    get(&header, data);
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        data[i].inheritable = data[i].permitted;
    if (syscall(SYS_capset, &header, data) != 0)
        contend_fail_errno("capset");
    for (unsigned capability = 0; capability < 64; capability++) {
        const unsigned word = capability / 32, bit = 1U << (capability % 32);
        if ((data[word].permitted & bit) == 0)
            continue;
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0)
            contend_fail_errno("keeping capability %u", capability);
    }
}

void contend_lab_drop_capabilities(void)
{
    struct __user_cap_header_struct header;
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    /* Else the next program would get them again where the user is root. */
    if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0) != 0)
        contend_fail_errno("setting the secure bits");
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
        contend_fail_errno("clearing ambient capabilities");
    get(&header, data);
    memset(data, 0, sizeof data);
    if (syscall(SYS_capset, &header, data) != 0)
        contend_fail_errno("capset");
}
