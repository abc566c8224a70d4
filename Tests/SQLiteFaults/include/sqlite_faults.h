// Makes the file layer below SQLite fail on demand: what a worn or full card does. A VFS that stands in front of the
// one that SQLite chose by itself, and becomes the default of the process. It passes on every call that is not to fail,
// and counts only those for files in folders that are watched. power_cut.h records what they do.

#ifndef PIXELBOOP_SQLITE_FAULTS_H
#define PIXELBOOP_SQLITE_FAULTS_H

#include <stdint.h>

// Calls of a VFS and of its files, each a bit of a set.
enum SQLiteCall {
    SQLiteCallOpen = 1 << 0,
    SQLiteCallDelete = 1 << 1,
    SQLiteCallAccess = 1 << 2,
    SQLiteCallRead = 1 << 3,
    SQLiteCallWrite = 1 << 4,  // one that fails has written its first half
    SQLiteCallTruncate = 1 << 5,
    SQLiteCallSync = 1 << 6,
    SQLiteCallSize = 1 << 7,
    SQLiteCallLock = 1 << 8,
    SQLiteCallUnlock = 1 << 9,  // one that fails has unlocked
    SQLiteCallReserved = 1 << 10,
    SQLiteCallShmMap = 1 << 11,
    SQLiteCallShmLock = 1 << 12,  // one that fails has unlocked, but not locked
    SQLiteCallFetch = 1 << 13,
};

// Watches the files in `folder` and below. Returns the number of the watch; -1 if there are too many.
int32_t sqlite_faults_watch(const char *folder);

// Ends a watch; none of its files is open any more.
void sqlite_faults_forget(int32_t watch);

// Of the watch's calls in the set `calls`, counted from now and from 0, those from `first` on, `count` of them, fail:
// with `result`, or with what each fails with when the device does, if that is SQLITE_OK. An open that fails with
// SQLITE_READONLY opens for reading only, as SQLite does where it may not write.
void sqlite_faults_set(int32_t watch, uint32_t calls, int64_t first, int64_t count, int32_t result);

// How many calls in the set have been made since it was set.
int64_t sqlite_faults_calls(int32_t watch);

// How many bytes have been written, and how many syncs made, since the watch began.
int64_t sqlite_faults_bytes(int32_t watch);
int64_t sqlite_faults_syncs(int32_t watch);

#endif
