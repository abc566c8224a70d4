// Records all that a library does to its files, so that a test can cut the power after any of it: what SQLite writes, by the
// VFS of sqlite_faults.h, and what is renamed, removed and synchronised, by functions in front of the C library's. A
// synchronisation of a recorded file is recorded, and not done.

#ifndef PIXELBOOP_POWER_CUT_H
#define PIXELBOOP_POWER_CUT_H

#include <stdint.h>

enum PowerCutKind {
    PowerCutCreate,
    PowerCutWrite,
    PowerCutTruncate,
    PowerCutSync,        // what was done to the file until now survives
    PowerCutSyncFolder,  // and what was done to names
    PowerCutRename,
    PowerCutUnlink,
};

typedef struct PowerCutEvent {
    int32_t kind;
    uint64_t file;         // the number by which the file system knows the file
    int64_t offset, size;  // of a write; the new size of a file that is cut
    const uint8_t *bytes;
    const char *name, *new_name;
} PowerCutEvent;

// Records what is done below `folder`, which a watch of sqlite_faults.h is on. Returns the number of the recorder; -1 if there
// are too many.
int32_t power_cut_begin(const char *folder);

// How many events there are so far.
int64_t power_cut_count(int32_t recorder);

// One of them; what it points to lives until the end.
PowerCutEvent power_cut_event(int32_t recorder, int64_t index);

void power_cut_end(int32_t recorder);

#endif
