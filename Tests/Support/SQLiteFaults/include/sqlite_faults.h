// Makes SQLite's file layer fail on demand, as a worn or full card does: a VFS that wraps SQLite's default VFS and becomes the
// default of the process. It forwards every call that should not fail, and counts only calls for files in watched folders.
// power_cut.h records their effects.

#ifndef PIXELBOOP_SQLITE_FAULTS_H
#define PIXELBOOP_SQLITE_FAULTS_H

#include <stdint.h>

// Calls of a VFS and of its files, as bits of a set.
enum SQLiteCall {
    SQLiteCallOpen = 1 << 0,
    SQLiteCallDelete = 1 << 1,
    SQLiteCallAccess = 1 << 2,
    SQLiteCallRead = 1 << 3,
    SQLiteCallWrite = 1 << 4,  // a failed call has written its first half
    SQLiteCallTruncate = 1 << 5,
    SQLiteCallSync = 1 << 6,
    SQLiteCallSize = 1 << 7,
    SQLiteCallLock = 1 << 8,
    SQLiteCallUnlock = 1 << 9,  // a failed call has unlocked
    SQLiteCallReserved = 1 << 10,
    SQLiteCallShmMap = 1 << 11,
    SQLiteCallShmLock = 1 << 12,  // a failed call has unlocked, but not locked
    SQLiteCallFetch = 1 << 13,
};

// Watches the files in `folder` and below. Returns the number of the watch; -1 if there are too many.
int32_t sqlite_faults_watch(const char *folder);

// Ends a watch. Its files must be closed.
void sqlite_faults_forget(int32_t watch);

// Makes `count` of the watch's calls in the set `calls` fail, beginning with number `first`, counted from now and from 0. They
// fail with `result`, or if that is SQLITE_OK, with the error of a failing device. An open that fails with SQLITE_READONLY opens
// the file read-only, as SQLite does for a write-protected file.
void sqlite_faults_set(int32_t watch, uint32_t calls, int64_t first, int64_t count, int32_t result);

// Returns the number of calls in the set since it was set.
int64_t sqlite_faults_calls(int32_t watch);

// Return the number of bytes written and of syncs since the watch began.
int64_t sqlite_faults_bytes(int32_t watch);
int64_t sqlite_faults_syncs(int32_t watch);

#endif
