// Linux's spidev (Documentation/spi/spidev.rst), and what a dying process still sends.

#ifndef PIXELBOOP_SPI_H
#define PIXELBOOP_SPI_H

#include <stdint.h>

// Opens a spidev device for writing. −1 and errno on failure.
int system_spi_open(const char *path);

// Sets SPI mode (0-3), 8 bits a word, most significant first, and the clock. −1 and errno on failure; ENOTTY for what
// is no SPI device.
int system_spi_configure(int descriptor, uint8_t mode, uint32_t hertz);

// The clock that the device was set to; 0 if it does not say.
uint32_t system_spi_hertz(int descriptor);

// One message of `count` bytes: how many went out, or −1 and errno. EMSGSIZE for more than spidev's bufsiz. ESHUTDOWN
// once the process is dying.
long system_spi_write(int descriptor, const uint8_t *bytes, uint32_t count);

// Chains that can be darkened.
enum { system_spi_chains_max = 8 };

// Should the process die of a signal, `bytes` go out on `descriptor`, in messages of at most `chunk` bytes; the bytes
// stay where they are until another call for the same `chain`. A descriptor below 0 takes them back.
void system_spi_at_death(int chain, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk);

// Should the process die of a signal, `last` is called once these messages are out. It may make system calls, and nothing
// else (signal-safety(7)). NULL takes it back.
void system_at_death(void (*last)(void));

#endif
