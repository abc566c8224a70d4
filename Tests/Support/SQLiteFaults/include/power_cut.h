// Records a library's file operations, so that a test can cut the power after any of them: SQLite's writes through the VFS of
// sqlite_faults.h, and renames, removals and syncs through wrappers of the C library's functions. A sync of a recorded file is
// recorded, but not performed.

#ifndef PIXELBOOP_POWER_CUT_H
#define PIXELBOOP_POWER_CUT_H

#include <stdint.h>

enum PowerCutKind {
    PowerCutCreate,
    PowerCutWrite,
    PowerCutTruncate,
    PowerCutSync,        // earlier changes of the file survive
    PowerCutSyncFolder,  // and earlier changes of names
    PowerCutRename,
    PowerCutUnlink,
};

typedef struct PowerCutEvent {
    int32_t kind;
    uint64_t file;         // the file's inode number
    int64_t offset, size;  // of a write; for a truncation, the new size
    const uint8_t *bytes;
    const char *name, *new_name;
} PowerCutEvent;

// Records operations below `folder`, which a watch of sqlite_faults.h covers. Returns the number of the recorder; -1 if there
// are too many.
int32_t power_cut_begin(const char *folder);

// Returns the number of events so far.
int64_t power_cut_count(int32_t recorder);

// Returns an event; its pointers are valid until power_cut_end.
PowerCutEvent power_cut_event(int32_t recorder, int64_t index);

void power_cut_end(int32_t recorder);

#endif
