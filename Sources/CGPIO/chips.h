// Between this target's files.

#ifndef PIXELBOOP_GPIO_CHIPS_H
#define PIXELBOOP_GPIO_CHIPS_H

#include "gpio.h"

// Fills in name, label and lines of an open chip.
int describe_chip(struct gpiod_chip *chip, struct gpio_chip_details *details);

// Copies a name that may be NULL, or longer than there is room for.
void copy_name(char *to, const char *from);

#endif
