// What a process that dies of a signal still does: LEDs would show for ever what they were told last.

#ifndef PIXELBOOP_DEATH_H
#define PIXELBOOP_DEATH_H

#include <stdbool.h>
#include <stdint.h>

// Chains that can be darkened.
enum { system_spi_chains_max = 8 };

// Should the process die of a signal, `bytes` go out on `descriptor`, in messages of at most `chunk` bytes; the bytes
// stay where they are until another call for the same `chain`. A descriptor below 0 takes them back.
void system_spi_at_death(int chain, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk);

// Should the process die of a signal, `last` is called once these messages are out. It may make system calls, and nothing
// else (signal-safety(7)). NULL takes it back.
void system_at_death(void (*last)(void));

// Whether that has begun: what others send now would come in between.
bool system_is_dying(void);

#endif
