#define _GNU_SOURCE

#include "power_cut.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder.h"

enum { recorders_max = 16, folder_max = 256 };

typedef struct Recorder {
    char folder[folder_max];  // empty: not in use
    PowerCutEvent *events;
    int64_t count, room;
} Recorder;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Recorder recorders[recorders_max];
// Keeps the calls of all other tests fast.
static int32_t active;

static Recorder *find(const char *path)
{
    for (int i = 0; path != NULL && i < recorders_max; ++i) {
        const size_t length = strlen(recorders[i].folder);
        if (length > 0 && strncmp(path, recorders[i].folder, length) == 0 &&
            (path[length] == '/' || path[length] == '\0')) {
            return &recorders[i];
        }
    }
    return NULL;
}

static bool is_active(void)
{
    return __atomic_load_n(&active, __ATOMIC_ACQUIRE) > 0;
}

static void add(const char *path, PowerCutEvent event, const void *bytes)
{
    pthread_mutex_lock(&mutex);
    Recorder *recorder = find(path);
    if (recorder != NULL) {
        if (recorder->count == recorder->room) {
            recorder->room = recorder->room == 0 ? 256 : 2 * recorder->room;
            recorder->events = realloc(recorder->events, (size_t)recorder->room * sizeof *recorder->events);
        }
        if (bytes != NULL) {
            uint8_t *copy = malloc((size_t)event.size);
            memcpy(copy, bytes, (size_t)event.size);
            event.bytes = copy;
        }
        recorder->events[recorder->count++] = event;
    }
    pthread_mutex_unlock(&mutex);
}

// Returns the inode number of the file at `path`; 0 if there is none.
static uint64_t file_at(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_ino : 0;
}

// MARK: Calls of the VFS

bool power_cut_records(const char *path)
{
    if (!is_active() || path == NULL) {
        return false;
    }
    pthread_mutex_lock(&mutex);
    const bool found = find(path) != NULL;
    pthread_mutex_unlock(&mutex);
    return found;
}

uint64_t power_cut_opened(const char *path, bool was_there)
{
    const uint64_t file = file_at(path);
    if (!was_there && file != 0) {
        add(path, (PowerCutEvent){.kind = PowerCutCreate, .file = file, .name = strdup(path)}, NULL);
    }
    return file;
}

void power_cut_wrote(const char *folder, uint64_t file, const void *bytes, int64_t count, int64_t offset)
{
    add(folder, (PowerCutEvent){.kind = PowerCutWrite, .file = file, .offset = offset, .size = count}, bytes);
}

void power_cut_truncated(const char *folder, uint64_t file, int64_t size)
{
    add(folder, (PowerCutEvent){.kind = PowerCutTruncate, .file = file, .size = size}, NULL);
}

// MARK: Wrappers of the C library's functions

// They replace the C library's own functions for the Swift code and for SQLite.

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int unlink(const char *path)
{
    const uint64_t file = is_active() ? file_at(path) : 0;
    const int result = ((int (*)(const char *))next("unlink"))(path);
    if (result == 0 && file != 0) {
        add(path, (PowerCutEvent){.kind = PowerCutUnlink, .file = file, .name = strdup(path)}, NULL);
    }
    return result;
}

int rename(const char *from, const char *to)
{
    const uint64_t file = is_active() ? file_at(from) : 0;
    const int result = ((int (*)(const char *, const char *))next("rename"))(from, to);
    if (result == 0 && file != 0) {
        const PowerCutEvent event = {
            .kind = PowerCutRename, .file = file, .name = strdup(from), .new_name = strdup(to)};
        add(from, event, NULL);
    }
    return result;
}

static int synchronise(int descriptor, const char *name)
{
    if (is_active()) {
        char link[32], path[512];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        const ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = '\0';
        struct stat status;
        if (power_cut_records(path) && fstat(descriptor, &status) == 0) {
            const int32_t kind = S_ISDIR(status.st_mode) ? PowerCutSyncFolder : PowerCutSync;
            add(path, (PowerCutEvent){.kind = kind, .file = status.st_ino}, NULL);
            // The power cut is only simulated.
            return 0;
        }
    }
    return ((int (*)(int))next(name))(descriptor);
}

int fsync(int descriptor)
{
    return synchronise(descriptor, "fsync");
}

int fdatasync(int descriptor)
{
    return synchronise(descriptor, "fdatasync");
}

// MARK: Recorders

int32_t power_cut_begin(const char *folder)
{
    const size_t length = strlen(folder);
    int32_t number = -1;
    pthread_mutex_lock(&mutex);
    for (int32_t i = recorders_max - 1; i >= 0 && length < folder_max; --i) {
        number = recorders[i].folder[0] == '\0' ? i : number;
    }
    if (number >= 0) {
        recorders[number] = (Recorder){0};
        memcpy(recorders[number].folder, folder, length + 1);
        __atomic_add_fetch(&active, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&mutex);
    return number;
}

int64_t power_cut_count(int32_t recorder)
{
    pthread_mutex_lock(&mutex);
    const int64_t count = recorders[recorder].count;
    pthread_mutex_unlock(&mutex);
    return count;
}

PowerCutEvent power_cut_event(int32_t recorder, int64_t index)
{
    pthread_mutex_lock(&mutex);
    const PowerCutEvent event = recorders[recorder].events[index];
    pthread_mutex_unlock(&mutex);
    return event;
}

void power_cut_end(int32_t recorder)
{
    pthread_mutex_lock(&mutex);
    Recorder *ended = &recorders[recorder];
    for (int64_t i = 0; i < ended->count; ++i) {
        free((void *)ended->events[i].bytes);
        free((void *)ended->events[i].name);
        free((void *)ended->events[i].new_name);
    }
    free(ended->events);
    *ended = (Recorder){0};
    __atomic_sub_fetch(&active, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
}
