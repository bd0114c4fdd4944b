/* What the host of this process is. Rank 0 tells it: the host that launches may be another. */
#include "host.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* Line without its end; "" when the file cannot be read. */
static void read_line(const char *path, char *line, size_t size)
{
    line[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    if (fgets(line, (int)size, file) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

static void find_model(char *model, size_t size)
{
    model[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    char line[512];
    while (model[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(model, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        }
    }
    fclose(file);
}

struct contend_host contend_find_host(void)
{
    struct contend_host host = {0};
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(host.kernel, sizeof host.kernel, "%.64s %.64s %.64s", name.sysname, name.release,
                 name.machine);
    find_model(host.cpu, sizeof host.cpu);
    read_line("/proc/sys/net/ipv4/tcp_congestion_control", host.congestion_control,
              sizeof host.congestion_control);
    return host;
}
