// Parts common to all versions of libgpiod: finding chips, and the outputs that a dying process switches off.
#define _GNU_SOURCE
#include "chips.h"

#include <dirent.h>
#include <errno.h>
#include <gpiod.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_chip(const struct dirent *entry)
{
    // Skip links to a chip (Raspberry Pi OS has /dev/gpiochip4 for programs that expect that number).
    return entry->d_type != DT_LNK && strncmp(entry->d_name, "gpiochip", 8) == 0
        && strlen(entry->d_name) + sizeof "/dev/" <= gpio_name_bytes;
}

int gpio_list_chips(struct gpio_chip_details *chips, int count_max)
{
    struct dirent **entries;
    const int count = scandir("/dev", &entries, is_chip, versionsort);
    if (count < 0) {
        return -1;
    }
    for (int i = 0; i < count; ++i) {
        if (i < count_max) {
            memset(&chips[i], 0, sizeof chips[i]);
            snprintf(chips[i].path, sizeof chips[i].path, "/dev/%.20s", entries[i]->d_name);
            struct gpiod_chip *chip = gpiod_chip_open(chips[i].path);
            if (chip == NULL || describe_chip(chip, &chips[i]) < 0) {
                chips[i].problem = errno;
            }
            if (chip != NULL) {
                gpiod_chip_close(chip);
            }
        }
        free(entries[i]);
    }
    free(entries);
    return count < count_max ? count : count_max;
}

// The first chip with `text` at the offset `field`.
static const struct gpio_chip_details *find(
    const struct gpio_chip_details *chips, int count, size_t field, const char *text)
{
    for (int i = 0; i < count; ++i) {
        if (chips[i].problem == 0 && strcmp((const char *)&chips[i] + field, text) == 0) {
            return &chips[i];
        }
    }
    return NULL;
}

gpio_chip *gpio_open(const char *chip)
{
    if (chip[0] == '/') {
        return gpiod_chip_open(chip);
    }
    enum { chips_max = 64 };
    struct gpio_chip_details chips[chips_max];
    const int count = gpio_list_chips(chips, chips_max);
    if (count < 0) {
        return NULL;
    }
    const struct gpio_chip_details *found = find(chips, count, offsetof(struct gpio_chip_details, label), chip);
    if (found == NULL) {
        found = find(chips, count, offsetof(struct gpio_chip_details, name), chip);
    }
    if (found != NULL) {
        return gpiod_chip_open(found->path);
    }
    // A chip that cannot be opened may be the one.
    errno = ENOENT;
    for (int i = 0; i < count; ++i) {
        if (chips[i].problem == EACCES || chips[i].problem == EPERM) {
            errno = EACCES;
        }
    }
    return NULL;
}

void gpio_close(gpio_chip *chip)
{
    gpiod_chip_close(chip);
}

void copy_name(char *to, const char *from)
{
    snprintf(to, gpio_name_bytes, "%s", from == NULL ? "" : from);
}

// The outputs to switch off at death. The request is written last and read first: if it is visible, so is the rest.
static struct {
    _Atomic(gpio_request *) request;
    uint32_t offsets[gpio_lines_max];
    int count;
} last_outputs;

void gpio_at_death(gpio_request *request, const uint32_t *offsets, int count)
{
    atomic_store_explicit(&last_outputs.request, NULL, memory_order_release);
    if (request == NULL || count > gpio_lines_max) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        last_outputs.offsets[i] = offsets[i];
    }
    last_outputs.count = count;
    atomic_store_explicit(&last_outputs.request, request, memory_order_release);
}

void gpio_switch_off(void)
{
    gpio_request *request = atomic_load_explicit(&last_outputs.request, memory_order_acquire);
    for (int i = 0; request != NULL && i < last_outputs.count; ++i) {
        gpio_set_value(request, last_outputs.offsets[i], false);
    }
}
