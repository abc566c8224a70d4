// libgpiod 1.6 (Debian 12). Each line has its own descriptor, and edges lack their line's number.
#define _GNU_SOURCE
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES  // gone in 2.0

#include "chips.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

// The kernel queues this many edges per line (lib/gpiolib-cdev.c), and libgpiod reads no more at once.
enum { edges_per_line = 16 };

struct gpio_request {
    int epoll;
    int count;
    struct gpiod_line *lines[gpio_lines_max];
};

int describe_chip(struct gpiod_chip *chip, struct gpio_chip_details *details)
{
    copy_name(details->name, gpiod_chip_name(chip));
    copy_name(details->label, gpiod_chip_label(chip));
    details->lines = gpiod_chip_num_lines(chip);
    return 0;
}

int gpio_find_line(gpio_chip *chip, const char *name)
{
    errno = 0;
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    if (line == NULL) {
        if (errno == 0) {
            errno = ENOENT;
        }
        return -1;
    }
    return (int)gpiod_line_offset(line);
}

int gpio_describe_line(gpio_chip *chip, uint32_t offset, struct gpio_line_details *details)
{
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    // The cached state may predate another process's request.
    if (line == NULL || gpiod_line_update(line) < 0) {
        return -1;
    }
    copy_name(details->name, gpiod_line_name(line));
    copy_name(details->consumer, gpiod_line_consumer(line));
    details->is_used = gpiod_line_is_used(line);
    return 0;
}

static int flags(const struct gpio_line_setting *setting)
{
    const int polarity = setting->is_active_low ? (int)GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    switch (setting->bias) {
    case gpio_bias_pull_up:
        return polarity | (int)GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case gpio_bias_pull_down:
        return polarity | (int)GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    case gpio_bias_as_is:
        break;
    }
    return polarity;
}

static int add(
    gpio_request *request, gpio_chip *chip, const char *consumer, int type, const struct gpio_line_setting *setting)
{
    struct gpiod_line *line = gpiod_chip_get_line(chip, setting->offset);
    const struct gpiod_line_request_config config = {consumer, type, flags(setting)};
    if (line == NULL || gpiod_line_request(line, &config, 0) < 0) {
        return -1;
    }
    request->lines[request->count] = line;
    request->count += 1;
    if (type != GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES) {
        return 0;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)(request->count - 1)};
    const int descriptor = gpiod_line_event_get_fd(line);
    return descriptor < 0 ? -1 : epoll_ctl(request->epoll, EPOLL_CTL_ADD, descriptor, &event);
}

gpio_request *gpio_request_lines(
    gpio_chip *chip, const char *consumer, bool are_inputs, const struct gpio_line_setting *lines, int count)
{
    const int type = are_inputs ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES : GPIOD_LINE_REQUEST_DIRECTION_OUTPUT;
    if (count < 1 || count > gpio_lines_max) {
        errno = EINVAL;
        return NULL;
    }
    gpio_request *request = calloc(1, sizeof *request);
    if (request == NULL) {
        return NULL;
    }
    request->epoll = epoll_create1(EPOLL_CLOEXEC);
    bool is_whole = request->epoll >= 0;
    for (int i = 0; is_whole && i < count; ++i) {
        is_whole = add(request, chip, consumer, type, &lines[i]) == 0;
    }
    if (!is_whole) {
        const int problem = errno;
        gpio_release(request);
        errno = problem;
        return NULL;
    }
    return request;
}

int gpio_descriptor(const gpio_request *request)
{
    return request->epoll;
}

// Inserts `edge` into `count` edges sorted by time.
static void insert(struct gpio_edge *edges, int count, struct gpio_edge edge)
{
    int place = count;
    while (place > 0 && edges[place - 1].nanoseconds > edge.nanoseconds) {
        edges[place] = edges[place - 1];
        --place;
    }
    edges[place] = edge;
}

int gpio_read_edges(gpio_request *request, struct gpio_edge *edges, int count_max)
{
    struct epoll_event ready[gpio_lines_max];
    const int ready_count = epoll_wait(request->epoll, ready, gpio_lines_max, 0);
    int count = 0;
    for (int i = 0; i < ready_count; ++i) {
        struct gpiod_line *line = request->lines[ready[i].data.u32];
        if ((ready[i].events & EPOLLIN) == 0) {
            errno = ENODEV;
            return -1;
        }
        const int room = count_max - count;
        if (room == 0) {
            break;
        }
        struct gpiod_line_event events[edges_per_line];
        const unsigned wanted = (unsigned)(room < edges_per_line ? room : edges_per_line);
        const int read = gpiod_line_event_read_fd_multiple(gpiod_line_event_get_fd(line), events, wanted);
        if (read < 0) {
            return -1;
        }
        for (int j = 0; j < read; ++j) {
            const struct gpio_edge edge = {
                .offset = gpiod_line_offset(line),
                .is_active = events[j].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
                .nanoseconds = (int64_t)events[j].ts.tv_sec * 1000000000 + events[j].ts.tv_nsec,
            };
            insert(edges, count, edge);
            ++count;
        }
    }
    return ready_count < 0 ? -1 : count;
}

static struct gpiod_line *requested(gpio_request *request, uint32_t offset)
{
    for (int i = 0; i < request->count; ++i) {
        if (gpiod_line_offset(request->lines[i]) == offset) {
            return request->lines[i];
        }
    }
    errno = EINVAL;
    return NULL;
}

int gpio_value(gpio_request *request, uint32_t offset)
{
    struct gpiod_line *line = requested(request, offset);
    return line == NULL ? -1 : gpiod_line_get_value(line);
}

int gpio_set_value(gpio_request *request, uint32_t offset, bool value)
{
    struct gpiod_line *line = requested(request, offset);
    return line == NULL ? -1 : gpiod_line_set_value(line, value);
}

void gpio_release(gpio_request *request)
{
    for (int i = 0; i < request->count; ++i) {
        gpiod_line_release(request->lines[i]);
    }
    if (request->epoll >= 0) {
        close(request->epoll);
    }
    free(request);
}

#endif
