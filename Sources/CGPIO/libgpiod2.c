// libgpiod 2.x (Debian 13, Raspberry Pi OS): one descriptor for all lines of a request.
#define _GNU_SOURCE
#include <gpiod.h>

#ifndef GPIOD_LINE_BULK_MAX_LINES  // defined up to 1.6

#include "chips.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

struct gpio_request {
    struct gpiod_line_request *lines;
    struct gpiod_edge_event_buffer *buffer;  // of inputs
};

int describe_chip(struct gpiod_chip *chip, struct gpio_chip_details *details)
{
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (info == NULL) {
        return -1;
    }
    copy_name(details->name, gpiod_chip_info_get_name(info));
    copy_name(details->label, gpiod_chip_info_get_label(info));
    details->lines = (uint32_t)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return 0;
}

int gpio_find_line(gpio_chip *chip, const char *name)
{
    return gpiod_chip_get_line_offset_from_name(chip, name);
}

int gpio_describe_line(gpio_chip *chip, uint32_t offset, struct gpio_line_details *details)
{
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (info == NULL) {
        return -1;
    }
    copy_name(details->name, gpiod_line_info_get_name(info));
    copy_name(details->consumer, gpiod_line_info_get_consumer(info));
    details->is_used = gpiod_line_info_is_used(info);
    gpiod_line_info_free(info);
    return 0;
}

static enum gpiod_line_bias bias(const struct gpio_line_setting *setting)
{
    switch (setting->bias) {
    case gpio_bias_pull_up:
        return GPIOD_LINE_BIAS_PULL_UP;
    case gpio_bias_pull_down:
        return GPIOD_LINE_BIAS_PULL_DOWN;
    case gpio_bias_as_is:
        break;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static int add(
    struct gpiod_line_config *config, struct gpiod_line_settings *settings, bool is_input,
    const struct gpio_line_setting *line)
{
    gpiod_line_settings_reset(settings);
    gpiod_line_settings_set_active_low(settings, line->is_active_low);
    if (gpiod_line_settings_set_bias(settings, bias(line)) < 0) {
        return -1;
    }
    if (is_input) {
        gpiod_line_settings_set_debounce_period_us(settings, line->debounce_us);
        if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0
            || gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) < 0
            || gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0) {
            return -1;
        }
    } else {
        if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) < 0
            || gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE) < 0) {
            return -1;
        }
    }
    return gpiod_line_config_add_line_settings(config, &line->offset, 1, settings);
}

gpio_request *gpio_request_lines(
    gpio_chip *chip, const char *consumer, bool are_inputs, const struct gpio_line_setting *lines, int count)
{
    if (count < 1 || count > gpio_lines_max) {
        errno = EINVAL;
        return NULL;
    }
    gpio_request *request = calloc(1, sizeof *request);
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *config = gpiod_line_config_new();
    struct gpiod_request_config *about = gpiod_request_config_new();
    bool is_whole = request != NULL && settings != NULL && config != NULL && about != NULL;
    for (int i = 0; is_whole && i < count; ++i) {
        is_whole = add(config, settings, are_inputs, &lines[i]) == 0;
    }
    if (is_whole && are_inputs) {
        request->buffer = gpiod_edge_event_buffer_new(gpio_edges_max);
        is_whole = request->buffer != NULL;
    }
    if (is_whole) {
        gpiod_request_config_set_consumer(about, consumer);
        request->lines = gpiod_chip_request_lines(chip, about, config);
        is_whole = request->lines != NULL;
    }
    const int problem = errno;
    gpiod_request_config_free(about);
    gpiod_line_config_free(config);
    gpiod_line_settings_free(settings);
    if (!is_whole && request != NULL) {
        gpio_release(request);
        request = NULL;
    }
    errno = problem;
    return request;
}

int gpio_descriptor(const gpio_request *request)
{
    return gpiod_line_request_get_fd(request->lines);
}

int gpio_read_edges(gpio_request *request, struct gpio_edge *edges, int count_max)
{
    // Reading would wait for the first edge.
    struct pollfd poll_descriptor = {.fd = gpio_descriptor(request), .events = POLLIN};
    const int ready = poll(&poll_descriptor, 1, 0);
    if (ready <= 0) {
        return ready;
    }
    if ((poll_descriptor.revents & POLLIN) == 0) {
        errno = ENODEV;
        return -1;
    }
    const int most = count_max < gpio_edges_max ? count_max : gpio_edges_max;
    const int count = gpiod_line_request_read_edge_events(request->lines, request->buffer, (size_t)most);
    for (int i = 0; i < count; ++i) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(request->buffer, (unsigned long)i);
        edges[i] = (struct gpio_edge){
            .offset = gpiod_edge_event_get_line_offset(event),
            .is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
            .nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event),
        };
    }
    return count;
}

int gpio_value(gpio_request *request, uint32_t offset)
{
    switch (gpiod_line_request_get_value(request->lines, offset)) {
    case GPIOD_LINE_VALUE_ACTIVE:
        return 1;
    case GPIOD_LINE_VALUE_INACTIVE:
        return 0;
    case GPIOD_LINE_VALUE_ERROR:
        break;
    }
    return -1;
}

int gpio_set_value(gpio_request *request, uint32_t offset, bool value)
{
    return gpiod_line_request_set_value(
        request->lines, offset, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

void gpio_release(gpio_request *request)
{
    if (request->lines != NULL) {
        gpiod_line_request_release(request->lines);
    }
    if (request->buffer != NULL) {
        gpiod_edge_event_buffer_free(request->buffer);
    }
    free(request);
}

#endif
