// Linux's spidev (Documentation/spi/spidev.rst).

#ifndef PIXELBOOP_SPI_H
#define PIXELBOOP_SPI_H

#include <stdint.h>

// Opens a spidev device for writing. −1 and errno on failure.
int system_spi_open(const char *path);

// Sets SPI mode (0-3), 8 bits per word, most significant bit first, and the clock. −1 and errno on failure; ENOTTY if
// it is not an SPI device.
int system_spi_configure(int descriptor, uint8_t mode, uint32_t hertz);

// Sends one message of `count` bytes; returns the number sent, or −1 and errno. EMSGSIZE for more than spidev's bufsiz.
// ESHUTDOWN once the process is crashing.
long system_spi_write(int descriptor, const uint8_t *bytes, uint32_t count);

#endif
