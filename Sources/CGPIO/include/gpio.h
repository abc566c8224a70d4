// Lines of the kernel's GPIO character devices, through libgpiod 1.6 or 2.x, whose interfaces have nothing in common.
// A function that fails returns −1 or NULL and sets errno.

#ifndef PIXELBOOP_GPIO_H
#define PIXELBOOP_GPIO_H

#include <stdbool.h>
#include <stdint.h>

// An open chip. Requests of its lines live no longer than it does.
typedef struct gpiod_chip gpio_chip;

// Requested lines, exclusive until they are released.
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
    int problem;  // the errno of opening it, with no name, label or lines then; 0 for none
};

// A line.
struct gpio_line_details {
    char name[gpio_name_bytes];      // empty for none
    char consumer[gpio_name_bytes];  // who has it; empty if that is not known
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
    uint32_t debounce_us;   // of an input: shorter changes are not reported. libgpiod 1.6 does not offer it: 0 there.
};

// A change of an input.
struct gpio_edge {
    uint32_t offset;
    bool is_active;       // whether the line is active since then
    int64_t nanoseconds;  // CLOCK_MONOTONIC, taken in the interrupt
};

// Every chip, at most `count_max`, in the order of their numbers: how many there are.
int gpio_list_chips(struct gpio_chip_details *chips, int count_max);

// Opens the chip with this label, or name (gpiochip0), or path. ENOENT where there is none; EACCES where there is none
// among those that may be opened.
gpio_chip *gpio_open(const char *chip);

void gpio_close(gpio_chip *chip);

// The offset of the line with this name. ENOENT for none.
int gpio_find_line(gpio_chip *chip, const char *name);

// Reads the name and consumer of a line. EINVAL for an offset that the chip does not have.
int gpio_describe_line(gpio_chip *chip, uint32_t offset, struct gpio_line_details *details);

// Requests inputs whose edges, both ways, are reported, or outputs, which are inactive at first. EBUSY where another has one
// of them.
gpio_request *gpio_request_lines(
    gpio_chip *chip, const char *consumer, bool are_inputs, const struct gpio_line_setting *lines, int count);

// A descriptor that is readable while there are edges to read, or once the chip is gone.
int gpio_descriptor(const gpio_request *request);

// Takes at most `count_max` (up to gpio_edges_max) edges, in order of time: how many; 0 if there is none. Does not block
// or allocate. ENODEV once the chip is gone.
int gpio_read_edges(gpio_request *request, struct gpio_edge *edges, int count_max);

// Whether a requested line is active now: 0 or 1.
int gpio_value(gpio_request *request, uint32_t offset);

// Sets a requested output active or inactive.
int gpio_set_value(gpio_request *request, uint32_t offset, bool value);

void gpio_release(gpio_request *request);

// Names the outputs, up to gpio_lines_max, that gpio_switch_off makes inactive, in this order; none with a request that
// is NULL. To be called before that request is released.
void gpio_at_death(gpio_request *request, const uint32_t *offsets, int count);

// Makes these outputs inactive. For a process that is dying: system calls only.
void gpio_switch_off(void);

#endif
