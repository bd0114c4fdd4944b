/* contend-lab: makes the namespaces of an emulated cluster, keeps them, and takes them away.
 *
 *     contend-lab SECONDS PLACE HOST... -- BUILDER ARGUMENT...      contend-lab --probe PLACE
 *
 * Everything lives in one new user, process, mount, network, host-name and IPC namespace: no root
 * is needed, and nothing outside is touched. PLACE is an empty folder that a tmpfs covers inside:
 *     PLACE/ns/HOST/{net,uts,ipc}   the namespaces of each host
 *     PLACE/switch.conf             written by BUILDER, which sets up the network and ends
 *     PLACE/counters                written by the switch, which is started then
 * Standard input is the lifeline: at its end, the first process of the process namespace ends, and
 * the kernel ends all others and frees every namespace, mount and interface. The same happens when
 * the switch ends, and when the lab is not ready within SECONDS. Standard output says "init PID",
 * "ready", and in the end "ended WHY".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/capabilities.h"
#include "common/fail.h"

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout); /* nobody may be left to read it */
}

static void write_file(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0 || close(file) != 0)
        contend_fail_errno("writing %s", path);
}

/* The user keeps his own number and group inside, and gets all capabilities there. */
static void enter_namespaces(void)
{
    char map[64];
    const unsigned uid = geteuid(), gid = getegid();
    const int all =
        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC;
    if (unshare(all) != 0)
        contend_fail_errno("creating namespaces");
    write_file("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    write_file("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", gid, gid);
    write_file("/proc/self/gid_map", map);
}

static void cover(const char *place)
{
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        contend_fail_errno("making the mounts private");
    if (mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=256m") != 0)
        contend_fail_errno("mounting over %s", place);
    /* Inside some containers /proc may not be mounted again; the outer one serves as well. */
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0 &&
        errno != EPERM)
        contend_fail_errno("mounting /proc");
    /* Shared memory that killed ranks leave behind goes with the lab. */
    if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") != 0 &&
        errno != ENOENT && errno != EPERM)
        contend_fail_errno("mounting /dev/shm");
}

static void keep_namespace(const char *place, const char *host, const char *kind)
{
    char from[64], path[4096];
    snprintf(from, sizeof from, "/proc/self/ns/%s", kind);
    snprintf(path, sizeof path, "%s/ns/%s/%s", place, host, kind);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || close(file) != 0)
        contend_fail_errno("creating %s", path);
    if (mount(from, path, NULL, MS_BIND, NULL) != 0)
        contend_fail_errno("keeping the %s namespace of %s", kind, host);
}

static void wait_for(pid_t child, const char *what)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        contend_fail_errno("waiting for %s", what);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        exit(EXIT_FAILURE); /* it has said why */
}

static pid_t fork_or_fail(void)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        contend_fail_errno("fork");
    return child;
}

/* What the first process waits with. */
struct keeper {
    int children;        /* readable when a child has ended */
    time_t limit;        /* s of CLOCK_MONOTONIC: until then the lab is ready */
    const char *seconds; /* as it was asked for */
};

static time_t monotonic_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        contend_fail_errno("reading the clock");
    return now.tv_sec;
}

static struct keeper make_keeper(const char *seconds)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD); /* pending until somebody looks */
    struct keeper keeper = {.seconds = seconds, .limit = monotonic_seconds() + atol(seconds)};
    if (sigprocmask(SIG_BLOCK, &mask, NULL) != 0)
        contend_fail_errno("blocking SIGCHLD");
    keeper.children = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (keeper.children < 0)
        contend_fail_errno("signalfd");
    return keeper;
}

/* Whether a child has ended well. */
static bool has_ended(pid_t child)
{
    int status = 0;
    const pid_t found = waitpid(child, &status, WNOHANG);
    if (found < 0)
        contend_fail_errno("waiting for a child");
    if (found > 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
        exit(EXIT_FAILURE); /* it has said why */
    return found > 0;
}

/* Until the child has ended, or has said something on its channel (-1: it has none). With the
 * lifeline, or after the limit, this process ends instead, and all others with it. */
static void attend(const struct keeper *keeper, pid_t child, int channel, const char *what)
{
    struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = keeper->children, .events = POLLIN},
                               {.fd = channel, .events = POLLIN}};
    while (!has_ended(child)) {
        struct signalfd_siginfo ignored;
        const time_t left = keeper->limit - monotonic_seconds();
        if (left <= 0) {
            fprintf(stderr, "%s was not ready after %s s: this machine is too busy, or it hangs\n",
                    what, keeper->seconds);
            exit(EXIT_FAILURE);
        }
        if (poll(watched, 3, left < 1000 ? (int)left * 1000 : 1000000) < 0 && errno != EINTR)
            contend_fail_errno("poll");
        if (watched[0].revents != 0)
            exit(EXIT_SUCCESS); /* the owner has ended, or asks for it */
        if (watched[2].revents != 0)
            return;
        while (read(keeper->children, &ignored, sizeof ignored) > 0)
            ;
    }
}

static void make_host(const struct keeper *keeper, const char *place, const char *host)
{
    const pid_t child = fork_or_fail();
    if (child == 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/ns/%s", place, host);
        if (mkdir(path, 0755) != 0)
            contend_fail_errno("creating %s", path);
        /* By the last of these MPI libraries tell whose memory they can share. */
        if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC) != 0 ||
            sethostname(host, strlen(host)) != 0)
            contend_fail_errno("making host %s", host);
        keep_namespace(place, host, "net");
        keep_namespace(place, host, "uts");
        keep_namespace(place, host, "ipc");
        exit(EXIT_SUCCESS);
    }
    attend(keeper, child, -1, host);
}

static void build(const struct keeper *keeper, char **builder)
{
    const pid_t child = fork_or_fail();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, 1) < 0)
            contend_fail_errno("standard input of %s", builder[0]);
        execvp(builder[0], builder);
        contend_fail_errno("starting %s", builder[0]);
    }
    attend(keeper, child, -1, builder[0]);
}

/* The switch lies beside this program; it is ready when it says so. */
static pid_t start_switch(const struct keeper *keeper, const char *place)
{
    char program[4096], configuration[4096], counters[4096], said[16];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 32);
    if (length < 0)
        contend_fail_errno("finding contend-switch");
    program[length] = '\0';
    strcpy(strrchr(program, '/') + 1, "contend-switch");
    snprintf(configuration, sizeof configuration, "%s/switch.conf", place);
    snprintf(counters, sizeof counters, "%s/counters", place);
    int channel[2];
    if (pipe2(channel, O_CLOEXEC) != 0)
        contend_fail_errno("pipe");
    const pid_t child = fork_or_fail();
    if (child == 0) {
        if (dup2(channel[1], STDOUT_FILENO) < 0)
            contend_fail_errno("standard output of the switch");
        close(STDIN_FILENO);
        execl(program, program, configuration, counters, (char *)NULL);
        contend_fail_errno("starting %s", program);
    }
    close(channel[1]);
    attend(keeper, child, channel[0], "the switch");
    if (read(channel[0], said, sizeof said) <= 0)
        attend(keeper, child, -1, "the switch"), exit(EXIT_FAILURE);
    close(channel[0]);
    return child;
}

/* Reap whatever ends; true when the switch is among them, with its reason said. */
static bool has_switch_ended(pid_t of_switch)
{
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
        if (child != of_switch)
            continue;
        if (WIFSIGNALED(status))
            say("ended the switch was ended by signal %d\n", WTERMSIG(status));
        else
            say("ended the switch ended with exit code %d\n", WEXITSTATUS(status));
        return true;
    }
    return false;
}

static void keep(const struct keeper *keeper, pid_t of_switch)
{
    struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = keeper->children, .events = POLLIN}};
    while (!has_switch_ended(of_switch)) {
        struct signalfd_siginfo ignored;
        if (poll(watched, 2, -1) < 0 && errno != EINTR)
            contend_fail_errno("poll");
        if (watched[0].revents != 0)
            return; /* the owner has ended, or asks for it */
        while (read(keeper->children, &ignored, sizeof ignored) > 0)
            ;
    }
}

static void be_init(const char *seconds, const char *place, int n_hosts, char **hosts,
                    char **builder)
{
    char path[4096];
    const struct keeper keeper = make_keeper(seconds);
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0)
        contend_fail_errno("preparing the first process");
    cover(place);
    snprintf(path, sizeof path, "%s/ns", place);
    if (mkdir(path, 0755) != 0)
        contend_fail_errno("creating %s", path);
    for (int i = 0; i < n_hosts; i++)
        make_host(&keeper, place, hosts[i]);
    contend_lab_keep_capabilities();
    build(&keeper, builder);
    const pid_t of_switch = start_switch(&keeper, place);
    say("ready\n");
    keep(&keeper, of_switch);
}

/* What a lab needs, tried in a process that ends at once. */
static void probe(const char *place)
{
    enter_namespaces();
    const pid_t child = fork_or_fail();
    if (child == 0) {
        cover(place);
        const int packets = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
        if (packets < 0)
            contend_fail_errno("opening a packet socket");
        close(packets);
        exit(EXIT_SUCCESS);
    }
    wait_for(child, "the trial");
}

int main(int argc, char **argv)
{
    int last = 3;
    if (argc == 3 && strcmp(argv[1], "--probe") == 0) {
        probe(argv[2]);
        return EXIT_SUCCESS;
    }
    while (last < argc && strcmp(argv[last], "--") != 0)
        last++;
    if (last < 4 || last + 1 >= argc || atol(argv[1]) <= 0) {
        fprintf(stderr, "usage: contend-lab SECONDS PLACE HOST... -- BUILDER ARGUMENT...\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    enter_namespaces();
    const pid_t child = fork_or_fail();
    if (child == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
            contend_fail_errno("binding the lab to its owner");
        be_init(argv[1], argv[2], last - 3, argv + 3, argv + last + 1);
        return EXIT_SUCCESS;
    }
    close(STDIN_FILENO);
    say("init %d\n", child);
    int status = 0;
    if (waitpid(child, &status, 0) != child)
        contend_fail_errno("waiting for the lab");
    if (WIFSIGNALED(status))
        say("ended its first process was ended by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
