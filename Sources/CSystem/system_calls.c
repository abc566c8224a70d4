#define _GNU_SOURCE
#include "system_calls.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int system_eventfd(void)
{
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

int system_wait_readable(int descriptor, int64_t nanoseconds)
{
    struct pollfd poll = {.fd = descriptor, .events = POLLIN};
    struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return ppoll(&poll, 1, &timeout, NULL);
}

int system_epoll(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

int system_epoll_watch(int epoll, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int system_epoll_unwatch(int epoll, int descriptor)
{
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int system_sync_file_system(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return -1;
    }
    int result = syncfs(descriptor);
    close(descriptor);
    return result;
}

void system_return_large_blocks(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}
