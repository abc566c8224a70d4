// A crashing process, for tests of its last messages.

#ifndef PIXELBOOP_DEATH_PROBE_H
#define PIXELBOOP_DEATH_PROBE_H

#include <stdint.h>

// Starts a child that registers `bytes` for `descriptor`, in messages of `chunk`, and is ended by signal `number`. Returns the
// signal that ended it, 0 if none, −1 if there is no child.
int die_of(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk);

// The same with a last call that sends `mark` after them.
int die_calling(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk, uint8_t mark);

#endif
