// What the VFS in front of SQLite's own tells the recorder of a power cut.

#ifndef PIXELBOOP_RECORDER_H
#define PIXELBOOP_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

// Whether the file at `path` is in a folder that is recorded.
bool power_cut_records(const char *path);

// A file was opened, and made if it was not there. Returns the number by which the file system knows it.
uint64_t power_cut_opened(const char *path, bool was_there);

// Bytes were written to a file somewhere below `folder`, or its size was cut.
void power_cut_wrote(const char *folder, uint64_t file, const void *bytes, int64_t count, int64_t offset);
void power_cut_truncated(const char *folder, uint64_t file, int64_t size);

#endif
