// The mount table of this process, proc_pid_mounts(5), through getmntent(3).

#ifndef PIXELBOOP_MOUNTS_H
#define PIXELBOOP_MOUNTS_H

#include <stdio.h>

// Opens the table at `path`, such as /proc/self/mounts. NULL and errno on failure.
FILE *system_mounts_open(const char *path);

// poll(2): 1 if the table has changed since it was opened or since the last such answer, 0 if not, −1 and errno on
// failure.
int system_mounts_changed(FILE *table);

// Calls `found` with each mount point, in mount order. −1 and errno if the table cannot be read to its end.
int system_mounts_list(FILE *table, void *context, void (*found)(void *context, const char *point));

void system_mounts_close(FILE *table);

#endif
