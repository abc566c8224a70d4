// System calls that Swift's Glibc module does not import.

#ifndef PIXELBOOP_SYSTEM_CALLS_H
#define PIXELBOOP_SYSTEM_CALLS_H

#include <stdint.h>

// eventfd(2): a counter that wakes its poller; non-blocking, close-on-exec. −1 and errno on failure.
int system_eventfd(void);

// ppoll(2) for one descriptor to become readable: 1 if it is, 0 after `nanoseconds`, −1 and errno on failure.
int system_wait_readable(int descriptor, int64_t nanoseconds);

// epoll_create1(2): a descriptor that is readable while one of its watched descriptors is; close-on-exec. −1 and errno
// on failure.
int system_epoll(void);

// epoll_ctl(2): starts or stops watching whether `descriptor` is readable. −1 and errno on failure.
int system_epoll_watch(int epoll, int descriptor);
int system_epoll_unwatch(int epoll, int descriptor);

// syncfs(2) of the file system of the folder `path`: returns when everything is on the medium. −1 and errno on failure.
int system_sync_file_system(const char *path);

// mallopt(3), M_MMAP_THRESHOLD: fixes the size from which on a block has pages of its own at its default, 128 KiB.
void system_return_large_blocks(void);

#endif
