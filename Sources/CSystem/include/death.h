// Last actions of a crashing process: without them the LEDs would keep their last light.

#ifndef PIXELBOOP_DEATH_H
#define PIXELBOOP_DEATH_H

#include <stdbool.h>
#include <stdint.h>

// Maximum number of chains.
enum { system_spi_chains_max = 8 };

// Registers `bytes` to be sent on `descriptor`, in messages of at most `chunk` bytes, if a signal ends the process. The
// bytes have to stay in place until the next call for the same `chain`. A descriptor below 0 clears the registration.
void system_spi_at_death(int chain, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk);

// Registers a function to be called after these messages. It may only make async-signal-safe calls (signal-safety(7)).
// NULL clears the registration.
void system_at_death(void (*last)(void));

// Whether the process is crashing: other threads must not send any more.
bool system_is_dying(void);

#endif
