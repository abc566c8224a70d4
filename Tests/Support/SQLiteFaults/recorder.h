// Calls of the faulty VFS to the recorder of power cuts.

#ifndef PIXELBOOP_RECORDER_H
#define PIXELBOOP_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

// Returns whether the file at `path` is in a recorded folder.
bool power_cut_records(const char *path);

// A file was opened, and created if it did not exist. Returns its inode number.
uint64_t power_cut_opened(const char *path, bool was_there);

// Bytes were written to a file below `folder`, or it was truncated.
void power_cut_wrote(const char *folder, uint64_t file, const void *bytes, int64_t count, int64_t offset);
void power_cut_truncated(const char *folder, uint64_t file, int64_t size);

#endif
