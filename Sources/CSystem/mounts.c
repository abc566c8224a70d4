#define _GNU_SOURCE
#include "mounts.h"

#include <errno.h>
#include <mntent.h>
#include <poll.h>

// Longer lines are cut. The mount point is the second field; long options, such as an overlay's, come after it.
enum { line_size = 1 << 14 };

FILE *system_mounts_open(const char *path)
{
    return setmntent(path, "re");
}

int system_mounts_changed(FILE *table)
{
    struct pollfd poll_table = {.fd = fileno(table), .events = POLLPRI};
    const int ready = poll(&poll_table, 1, 0);
    return ready <= 0 ? ready : (poll_table.revents & (POLLPRI | POLLERR)) != 0;
}

int system_mounts_list(FILE *table, void *context, void (*found)(void *context, const char *point))
{
    char line[line_size];
    struct mntent entry;
    rewind(table);
    while (getmntent_r(table, &entry, line, line_size) != NULL) {
        found(context, entry.mnt_dir);
    }
    if (ferror(table)) {
        errno = EIO;
        return -1;
    }
    return 0;
}

void system_mounts_close(FILE *table)
{
    endmntent(table);
}
