// Two threads at the sequence lock of Sources/AlsaOutput/position.h.

#ifndef PIXELBOOP_POSITION_HAMMER_H
#define PIXELBOOP_POSITION_HAMMER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PositionHammering {
    uint64_t read;      // pairs
    uint64_t changes;   // of these, not the same as the one before
    uint64_t torn;      // halves of two pairs
    uint64_t reversed;  // older than the one before
} PositionHammering;

// One thread writes pairs; this one performs at least `reads` reads and sees at least `changes` changes: few enough if the two
// take turns on one core.
PositionHammering position_hammer(uint64_t reads, uint64_t changes);

#ifdef __cplusplus
}
#endif

#endif
