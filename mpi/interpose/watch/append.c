/* Lines of several processes in one file.
 *
 * One write under the file's lock, of a file that is opened to append: neither processes of this
 * host nor, where the file system has locks, those of others tear lines apart. What a process that
 * was killed, or a full disk, left of a line is ended first, so that only that one is broken. */
#include "append.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MS = 5 };

static int lock(int file, int patience_ms)
{
    for (int waited = 0; flock(file, LOCK_EX | LOCK_NB) != 0; waited += PAUSE_MS) {
        if (errno == EINVAL || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP)
            return 0; /* of a pipe, or where there are no locks: the write alone has to do */
        if (errno != EWOULDBLOCK && errno != EINTR)
            return errno;
        if (waited >= patience_ms)
            return EWOULDBLOCK;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
    }
    return 0;
}

static int append(int file, const char *line, size_t length)
{
    struct stat before;
    char last = '\n';
    if (fstat(file, &before) == 0 && S_ISREG(before.st_mode) && before.st_size > 0 &&
        pread(file, &last, 1, before.st_size - 1) != 1)
        return errno != 0 ? errno : EIO;
    const int is_torn = last != '\n';
    const struct iovec parts[] = {{"\n", (size_t)is_torn}, {(void *)line, length}};
    errno = 0;
    const ssize_t written = writev(file, parts, 2);
    if (written == (ssize_t)length + is_torn)
        return 0;
    const int error = errno != 0 ? errno : ENOSPC;
    if (written > 0 && S_ISREG(before.st_mode))
        (void)!ftruncate(file, before.st_size);
    return error;
}

int contend_append_line(const char *path, const char *line, size_t length, int patience_ms)
{
    const int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (file < 0)
        return errno;
    int error = lock(file, patience_ms);
    if (error == 0)
        error = append(file, line, length);
    if (close(file) != 0 && error == 0)
        error = errno;
    return error;
}
