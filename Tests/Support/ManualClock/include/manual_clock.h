// A clock for the audio thread that a test sets. No thread waits for real time: it sleeps until the test has advanced
// the clock.

#ifndef PIXELBOOP_MANUAL_CLOCK_H
#define PIXELBOOP_MANUAL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "audio_clock.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ManualClock ManualClock;

// NULL without memory.
ManualClock *manual_clock_create(void);

// Once no thread uses it any more.
void manual_clock_destroy(ManualClock *clock);

// The clock for one audio thread.
AudioClock manual_clock_audio(ManualClock *clock);

// The current time in nanoseconds: the one until which a thread slept last.
uint64_t manual_clock_now(ManualClock *clock);

// Lets `nanoseconds` pass; returns when the audio thread sleeps beyond them. False if it does not within ten seconds of
// real time.
bool manual_clock_advance(ManualClock *clock, uint64_t nanoseconds);

// Lets time pass without end, as fast as the audio thread does its work.
void manual_clock_release(ManualClock *clock);

#ifdef __cplusplus
}
#endif

#endif
