#include "sqlite_faults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "recorder.h"

enum { watches_max = 16, folder_max = 256 };

typedef struct Watch {
    char folder[folder_max];  // empty: not in use
    uint32_t calls;
    int64_t first, count, made, bytes, syncs;
    int32_t result;
} Watch;

// Tests run in parallel, each with its own watch.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Watch watches[watches_max];

static sqlite3_vfs *device;
static sqlite3_vfs faulty;

// An open file: its methods and watch, followed by the device's own file.
typedef struct File {
    sqlite3_file base;
    sqlite3_io_methods methods;
    Watch *watch;
    uint64_t recorded;  // the file's inode number if a power cut is recorded; otherwise 0
} File;

static sqlite3_file *real(sqlite3_file *file)
{
    return (sqlite3_file *)((File *)file + 1);
}

static Watch *watch_of(sqlite3_file *file)
{
    return ((File *)file)->watch;
}

static uint64_t recorded(sqlite3_file *file)
{
    return ((File *)file)->recorded;
}

static Watch *find(const char *path)
{
    Watch *found = NULL;
    pthread_mutex_lock(&mutex);
    for (int i = 0; path != NULL && i < watches_max; ++i) {
        const size_t length = strlen(watches[i].folder);
        if (length > 0 && strncmp(path, watches[i].folder, length) == 0 && path[length] == '/') {
            found = &watches[i];
        }
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

// Returns the error of a call on a failing device.
static int natural(uint32_t call)
{
    switch (call) {
    case SQLiteCallOpen: return SQLITE_CANTOPEN;
    case SQLiteCallDelete: return SQLITE_IOERR_DELETE;
    case SQLiteCallAccess: return SQLITE_IOERR_ACCESS;
    case SQLiteCallRead: return SQLITE_IOERR_READ;
    case SQLiteCallWrite: return SQLITE_IOERR_WRITE;
    case SQLiteCallTruncate: return SQLITE_IOERR_TRUNCATE;
    case SQLiteCallSync: return SQLITE_IOERR_FSYNC;
    case SQLiteCallSize: return SQLITE_IOERR_FSTAT;
    case SQLiteCallLock: return SQLITE_IOERR_LOCK;
    case SQLiteCallUnlock: return SQLITE_IOERR_UNLOCK;
    case SQLiteCallReserved: return SQLITE_IOERR_CHECKRESERVEDLOCK;
    case SQLiteCallShmMap: return SQLITE_IOERR_SHMMAP;
    case SQLiteCallShmLock: return SQLITE_IOERR_SHMLOCK;
    default: return SQLITE_IOERR_MMAP;
    }
}

// Counts a call; returns its error, or SQLITE_OK.
static int fault(Watch *watch, uint32_t call)
{
    if (watch == NULL) {
        return SQLITE_OK;
    }
    int result = SQLITE_OK;
    pthread_mutex_lock(&mutex);
    if (watch->calls & call) {
        const int64_t number = watch->made++;
        if (number >= watch->first && number - watch->first < watch->count) {
            result = watch->result == SQLITE_OK ? natural(call) : watch->result;
        }
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

static void count_bytes(Watch *watch, int bytes)
{
    if (watch != NULL) {
        pthread_mutex_lock(&mutex);
        watch->bytes += bytes;
        pthread_mutex_unlock(&mutex);
    }
}

// MARK: Files

static int file_close(sqlite3_file *file)
{
    return real(file)->pMethods->xClose(real(file));
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset)
{
    const int error = fault(watch_of(file), SQLiteCallRead);
    return error ? error : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset)
{
    const int error = fault(watch_of(file), SQLiteCallWrite);
    const int written = error ? count / 2 : count;
    const int result = real(file)->pMethods->xWrite(real(file), bytes, written, offset);
    count_bytes(watch_of(file), written);
    if (result == SQLITE_OK && recorded(file) != 0) {
        power_cut_wrote(watch_of(file)->folder, recorded(file), bytes, written, offset);
    }
    return error ? error : result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    const int error = fault(watch_of(file), SQLiteCallTruncate);
    const int result = error ? error : real(file)->pMethods->xTruncate(real(file), size);
    if (result == SQLITE_OK && recorded(file) != 0) {
        power_cut_truncated(watch_of(file)->folder, recorded(file), size);
    }
    return result;
}

static int file_sync(sqlite3_file *file, int flags)
{
    Watch *watch = watch_of(file);
    const int error = fault(watch, SQLiteCallSync);
    if (error || watch == NULL) {
        return error ? error : real(file)->pMethods->xSync(real(file), flags);
    }
    pthread_mutex_lock(&mutex);
    ++watch->syncs;
    pthread_mutex_unlock(&mutex);
    // Only power-cut scenarios sync: the others run some thousand times.
    return recorded(file) != 0 ? real(file)->pMethods->xSync(real(file), flags) : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    const int error = fault(watch_of(file), SQLiteCallSize);
    return error ? error : real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level)
{
    const int error = fault(watch_of(file), SQLiteCallLock);
    return error ? error : real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level)
{
    const int error = fault(watch_of(file), SQLiteCallUnlock);
    const int result = real(file)->pMethods->xUnlock(real(file), level);
    return error ? error : result;
}

static int file_check_reserved(sqlite3_file *file, int *is_reserved)
{
    const int error = fault(watch_of(file), SQLiteCallReserved);
    return error ? error : real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int file_control(sqlite3_file *file, int operation, void *argument)
{
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file)
{
    return real(file)->pMethods->xSectorSize(real(file));
}

static int file_characteristics(sqlite3_file *file)
{
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory)
{
    const int error = fault(watch_of(file), SQLiteCallShmMap);
    return error ? error : real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    const int error = fault(watch_of(file), SQLiteCallShmLock);
    // A lock that stays after a failure could never be released.
    if (error && (flags & SQLITE_SHM_LOCK)) {
        return error;
    }
    const int result = real(file)->pMethods->xShmLock(real(file), offset, count, flags);
    return error ? error : result;
}

static void file_shm_barrier(sqlite3_file *file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}

static int file_shm_unmap(sqlite3_file *file, int deletes)
{
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int size, void **memory)
{
    const int error = fault(watch_of(file), SQLiteCallFetch);
    return error ? error : real(file)->pMethods->xFetch(real(file), offset, size, memory);
}

static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory)
{
    return real(file)->pMethods->xUnfetch(real(file), offset, memory);
}

static const sqlite3_io_methods methods = {
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
    .xFetch = file_fetch,
    .xUnfetch = file_unfetch,
};

// MARK: The file system

static int faulty_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_given)
{
    (void)vfs;
    File *opened = (File *)file;
    memset(opened, 0, sizeof *opened);
    opened->watch = find(path);
    const int error = fault(opened->watch, SQLiteCallOpen);
    if (error == SQLITE_READONLY) {
        flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    } else if (error) {
        return error;
    }
    const bool records = opened->watch != NULL && power_cut_records(path);
    const bool was_there = records && access(path, F_OK) == 0;
    const int result = device->xOpen(device, path, real(file), flags, flags_given);
    if (records && result == SQLITE_OK) {
        opened->recorded = power_cut_opened(path, was_there);
    }
    if (real(file)->pMethods != NULL) {
        // The version of a file selects its methods.
        opened->methods = methods;
        opened->methods.iVersion = real(file)->pMethods->iVersion;
        file->pMethods = &opened->methods;
    }
    return result;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *path, int syncs)
{
    (void)vfs;
    const int error = fault(find(path), SQLiteCallDelete);
    return error ? error : device->xDelete(device, path, syncs);
}

static int faulty_access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
    (void)vfs;
    const int error = fault(find(path), SQLiteCallAccess);
    return error ? error : device->xAccess(device, path, flags, result);
}

static void begin(void)
{
    device = sqlite3_vfs_find(NULL);
    // Functions without a file stay the device's own; they do not depend on the VFS that is passed.
    faulty = *device;
    faulty.zName = "faulty";
    faulty.pNext = NULL;
    faulty.szOsFile = (int)sizeof(File) + device->szOsFile;
    faulty.xOpen = faulty_open;
    faulty.xDelete = faulty_delete;
    faulty.xAccess = faulty_access;
    sqlite3_vfs_register(&faulty, 1);
}

// MARK: Watches

int32_t sqlite_faults_watch(const char *folder)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
    const size_t length = strlen(folder);
    int32_t number = -1;
    pthread_mutex_lock(&mutex);
    for (int32_t i = watches_max - 1; i >= 0 && length < folder_max; --i) {
        number = watches[i].folder[0] == '\0' ? i : number;
    }
    if (number >= 0) {
        memset(&watches[number], 0, sizeof watches[number]);
        memcpy(watches[number].folder, folder, length + 1);
    }
    pthread_mutex_unlock(&mutex);
    return number;
}

void sqlite_faults_forget(int32_t watch)
{
    pthread_mutex_lock(&mutex);
    watches[watch].folder[0] = '\0';
    pthread_mutex_unlock(&mutex);
}

void sqlite_faults_set(int32_t watch, uint32_t calls, int64_t first, int64_t count, int32_t result)
{
    pthread_mutex_lock(&mutex);
    watches[watch].calls = calls;
    watches[watch].first = first;
    watches[watch].count = count;
    watches[watch].result = result;
    watches[watch].made = 0;
    pthread_mutex_unlock(&mutex);
}

static int64_t look(const int64_t *number)
{
    pthread_mutex_lock(&mutex);
    const int64_t value = *number;
    pthread_mutex_unlock(&mutex);
    return value;
}

int64_t sqlite_faults_calls(int32_t watch)
{
    return look(&watches[watch].made);
}

int64_t sqlite_faults_bytes(int32_t watch)
{
    return look(&watches[watch].bytes);
}

int64_t sqlite_faults_syncs(int32_t watch)
{
    return look(&watches[watch].syncs);
}
