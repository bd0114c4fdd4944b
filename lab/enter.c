/* contend-enter: runs a command on a host of an emulated cluster.
 *
 *     contend-enter INIT PLACE HOST COMMAND...     from outside; INIT is the lab's first process
 *     ssh [OPTION...] [USER@]HOST [COMMAND...]     inside, as the launchers of MPI libraries call
 * it
 *
 * From outside the command keeps the capabilities of the lab's own user namespace, for launchers
 * have to enter hosts. Inside, as ssh, it is an ordinary user's process on HOST (a name or an
 * address) and gives way to the switch (nice). A preloaded library (lab/shim) lets it wait
 * patiently for messages and shows it the clocks of the network that the lab stands for. PLACE is
 * the folder of the lab; inside it is $CONTEND_LAB.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/capabilities.h"
#include "common/fail.h"

#define NICE 10 /* of ranks: the switch, at 0, is then always served first */

static pid_t child = 0;

static void join(const char *path, int kind)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        contend_fail_errno("opening %s", path);
    if (setns(file, kind) != 0)
        contend_fail_errno("entering %s", path);
    close(file);
}

static void join_of(const char *init, const char *name, int kind)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/%s", init, name);
    join(path, kind);
}

static void join_host(const char *place, const char *host)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/ns/%s/net", place, host);
    if (strchr(host, '/') != NULL || access(path, F_OK) != 0) {
        fprintf(stderr, "no host of this lab is named %s; see /etc/hosts\n", host);
        exit(EXIT_FAILURE);
    }
    join(path, CLONE_NEWNET);
    snprintf(path, sizeof path, "%s/ns/%s/uts", place, host);
    join(path, CLONE_NEWUTS);
    snprintf(path, sizeof path, "%s/ns/%s/ipc", place, host);
    join(path, CLONE_NEWIPC);
}

static void forward(int number)
{
    if (child > 0)
        kill(child, number);
}

/* Wait for the command and end as it ended, with its exit code or by its signal. */
static _Noreturn void end_like_child(void)
{
    int status = 0;
    signal(SIGINT, SIG_IGN); /* the terminal sends these to the command as well */
    signal(SIGQUIT, SIG_IGN);
    signal(SIGTERM, forward);
    signal(SIGHUP, forward);
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            contend_fail_errno("waiting for the command");
    if (WIFEXITED(status))
        exit(WEXITSTATUS(status));
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    exit(128 + WTERMSIG(status));
}

static void preload_shim(void)
{
    static const char name[] = "libcontend-shim.so";
    char program[4096], value[8192];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - sizeof name);
    if (length < 0)
        contend_fail_errno("finding %s", name);
    program[length] = '\0';
    strcpy(strrchr(program, '/') + 1, name);
    const char *const others = getenv("LD_PRELOAD");
    if (others != NULL && strstr(others, program) != NULL)
        return;
    snprintf(value, sizeof value, "%s%s%s", program, others ? ":" : "", others ? others : "");
    if (setenv("LD_PRELOAD", value, 1) != 0)
        contend_fail_errno("setting LD_PRELOAD");
}

static void run_from_outside(char **argv)
{
    char *const folder = getcwd(NULL, 0);
    const char *const init = argv[1], *const place = argv[2], *const host = argv[3];
    join_of(init, "user", CLONE_NEWUSER);
    join_of(init, "pid", CLONE_NEWPID);
    join_of(init, "mnt", CLONE_NEWNS);
    join_host(place, host);
    if (folder == NULL || chdir(folder) != 0)
        fprintf(stderr, "contend-enter: the current folder is not there in the lab\n");
    free(folder);
    child = fork(); /* only a child is in the process namespace */
    if (child < 0)
        contend_fail_errno("fork");
    if (child > 0)
        end_like_child();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
        contend_fail_errno("binding the command to its owner");
    preload_shim();
    contend_lab_keep_capabilities();
    execvp(argv[4], argv + 4);
    contend_fail_errno("running %s", argv[4]);
}

/* The arguments joined by spaces, as ssh does; the user's shell splits them again. */
static char *joined(char **words)
{
    size_t length = 1;
    for (char **word = words; *word != NULL; word++)
        length += strlen(*word) + 1;
    char *const text = calloc(length, 1);
    if (text == NULL)
        contend_fail_errno("command line");
    for (char **word = words; *word != NULL; word++) {
        strcat(text, *word);
        if (word[1] != NULL)
            strcat(text, " ");
    }
    return text;
}

/* Sessions compete as groups where the kernel groups them, and nice counts within a group only. */
static void give_way(void)
{
    /* Whoever started the lab may give way even more; that cannot and need not be taken back. */
    if (getpriority(PRIO_PROCESS, 0) < NICE && setpriority(PRIO_PROCESS, 0, NICE) != 0)
        contend_fail_errno("setting the priority");
    FILE *const group = fopen("/proc/self/autogroup", "w");
    if (group == NULL)
        return;
    fprintf(group, "%d", NICE);
    fclose(group); /* may be refused as too frequent: a matter of accuracy only */
}

static void run_as_ssh(char **words)
{
    const char *const place = getenv("CONTEND_LAB");
    while (*words != NULL && **words == '-') {
        const bool takes_value = strlen(*words) == 2 && strchr("bcDEeFIiJLlmOopQRSWw", (*words)[1]);
        words += takes_value && words[1] != NULL ? 2 : 1;
    }
    if (place == NULL || *words == NULL) {
        fprintf(stderr, "usage, inside a lab: ssh HOST [COMMAND...]\n");
        exit(2);
    }
    const char *const at = strrchr(*words, '@');
    join_host(place, at ? at + 1 : *words);
    give_way();
    preload_shim();
    contend_lab_drop_capabilities();
    const char *const shell = getenv("SHELL");
    if (words[1] == NULL)
        execlp(shell ? shell : "sh", shell ? shell : "sh", (char *)NULL);
    else
        execl("/bin/sh", "sh", "-c", joined(words + 1), (char *)NULL);
    contend_fail_errno("running a shell");
}

int main(int argc, char **argv)
{
    const char *const slash = strrchr(argv[0], '/');
    if (strcmp(slash ? slash + 1 : argv[0], "ssh") == 0)
        run_as_ssh(argv + 1);
    if (argc < 5) {
        fprintf(stderr, "usage: contend-enter INIT PLACE HOST COMMAND...\n");
        return 2;
    }
    run_from_outside(argv);
}
