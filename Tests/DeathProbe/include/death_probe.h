// A process that dies, to see what it sends when it does.

#ifndef PIXELBOOP_DEATH_PROBE_H
#define PIXELBOOP_DEATH_PROBE_H

#include <stdint.h>

// Starts a child that is to send `bytes` to `descriptor` at its death, in messages of `chunk`, and lets signal `number`
// end it. Returns the signal that it died of, 0 if it did not, −1 if there could be no child.
int die_of(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk);

// The same with a last call that sends `mark` after them.
int die_calling(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk, uint8_t mark);

#endif
