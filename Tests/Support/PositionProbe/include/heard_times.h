// The filter of Sources/AlsaOutput/heard_time.h.

#ifndef PIXELBOOP_HEARD_TIMES_H
#define PIXELBOOP_HEARD_TIMES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Replaces the measured times of the ends of consecutive periods, in nanoseconds, by the filtered ones. A measurement of 0 is a
// device that recovered: the filter restarts, and the next period follows.
void heard_times(uint64_t *times, uint32_t count, uint32_t frames, uint32_t rate);

#ifdef __cplusplus
}
#endif

#endif
