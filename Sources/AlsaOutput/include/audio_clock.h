// The time of the audio thread, handed in so that a test can do without waiting.

#ifndef PIXELBOOP_AUDIO_CLOCK_H
#define PIXELBOOP_AUDIO_CLOCK_H

#include <semaphore.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A clock and the ways to wait for it. Times are in nanoseconds. The first two functions are called by the audio
// thread: they must not allocate or lock, except in a test.
typedef struct AudioClock {
    void *context;                                                  // passed to each function
    uint64_t (*now)(void *context);                                 // the current time
    void (*sleep_until)(void *context, uint64_t time);              // returns at `time`
    void (*wait_until)(void *context, sem_t *wake, uint64_t time);  // returns when `wake` is posted, or at `time`
} AudioClock;

// CLOCK_MONOTONIC, by which the kernel stamps touches too. The time of day would jump when a box without a
// battery-backed clock gets it from the network.
AudioClock audio_clock_monotonic(void);

#ifdef __cplusplus
}
#endif

#endif
