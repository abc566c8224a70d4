// Lines of the kernel's GPIO character devices, through libgpiod 1.6 or 2.x, whose APIs differ.
// A function that fails returns −1 or NULL and sets errno.

#ifndef PIXELBOOP_GPIO_H
#define PIXELBOOP_GPIO_H

#include <stdbool.h>
#include <stdint.h>

// An open chip. Its requests have to be released before it is closed.
typedef struct gpiod_chip gpio_chip;

// Requested lines, exclusive until released.
typedef struct gpio_request gpio_request;

enum {
    gpio_name_bytes = 32,    // a name, label or consumer and its zero (GPIO_MAX_NAME_SIZE, linux/gpio.h)
    gpio_lines_max = 64,     // lines of one request (GPIO_V2_LINES_MAX)
    gpio_edges_max = 64,     // edges of one reading
};

// A chip.
struct gpio_chip_details {
    char path[gpio_name_bytes];
    char name[gpio_name_bytes];
    char label[gpio_name_bytes];
    uint32_t lines;
    int problem;  // errno of opening it, then without name, label or lines; else 0
};

// A line.
struct gpio_line_details {
    char name[gpio_name_bytes];      // empty for none
    char consumer[gpio_name_bytes];  // its user; empty if unknown
    bool is_used;
};

enum gpio_bias {
    gpio_bias_as_is,
    gpio_bias_pull_up,
    gpio_bias_pull_down,
};

// Settings of a requested line.
struct gpio_line_setting {
    uint32_t offset;
    bool is_active_low;
    enum gpio_bias bias;
    uint32_t debounce_us;   // of an input: shorter changes are not reported; 0 with libgpiod 1.6, which lacks it
};

// A change of an input.
struct gpio_edge {
    uint32_t offset;
    bool is_active;       // whether the line is active since then
    int64_t nanoseconds;  // CLOCK_MONOTONIC, taken in the interrupt
};

// Lists up to `count_max` chips in the order of their numbers; returns the number of chips.
int gpio_list_chips(struct gpio_chip_details *chips, int count_max);

// Opens the chip with this label, or name (gpiochip0), or path. ENOENT if there is none; EACCES if a chip that cannot
// be opened may be it.
gpio_chip *gpio_open(const char *chip);

void gpio_close(gpio_chip *chip);

// Returns the offset of the line with this name. ENOENT if there is none.
int gpio_find_line(gpio_chip *chip, const char *name);

// Reads the name and consumer of a line. EINVAL for an invalid offset.
int gpio_describe_line(gpio_chip *chip, uint32_t offset, struct gpio_line_details *details);

// Requests inputs, with both edges reported, or outputs, initially inactive. EBUSY if one of them is in use.
gpio_request *gpio_request_lines(
    gpio_chip *chip, const char *consumer, bool are_inputs, const struct gpio_line_setting *lines, int count);

// A descriptor that is readable while there are edges to read, or after the chip was removed.
int gpio_descriptor(const gpio_request *request);

// Reads up to `count_max` (maximum gpio_edges_max) edges, sorted by time; returns their number, 0 for none. Does not
// block or allocate. ENODEV after the chip was removed.
int gpio_read_edges(gpio_request *request, struct gpio_edge *edges, int count_max);

// Returns whether a requested line is active now: 0 or 1.
int gpio_value(gpio_request *request, uint32_t offset);

// Sets a requested output active or inactive.
int gpio_set_value(gpio_request *request, uint32_t offset, bool value);

void gpio_release(gpio_request *request);

// Sets the outputs, up to gpio_lines_max, that gpio_switch_off makes inactive, in this order; NULL clears them. Call it
// before releasing that request.
void gpio_at_death(gpio_request *request, const uint32_t *offsets, int count);

// Makes these outputs inactive. Safe in a dying process: it only makes system calls.
void gpio_switch_off(void);

#endif
