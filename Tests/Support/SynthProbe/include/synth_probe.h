// The engine's parts separately, for measurements: with the headers and compiler flags of Sources/Synth.

#ifndef PIXELBOOP_SYNTH_PROBE_H
#define PIXELBOOP_SYNTH_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "synth.h"

#ifdef __cplusplus
extern "C" {
#endif

// Waves, numbered as in Sources/Synth/lanes/waves.h.
enum SynthProbeWave {
    SynthProbeSine = 0,
    SynthProbeTriangle = 1,
    SynthProbeSaw = 2,
    SynthProbeSquare = 3,
};

// Renders `frames` of an oscillator from phase 0: the table of `hertz`, `increment` in 2^-32 turns.
void synth_probe_oscillator(uint32_t wave, double hertz, uint32_t increment, float *out, uint32_t frames);

// Frequency in hertz of `note`, as in commands, of a melodic `track`, with A4 at `reference` thousandths of a hertz and the twelve
// `offsets` of pitch classes in thousandths of a cent.
double synth_probe_hertz(const int32_t *offsets, int32_t reference, uint32_t track, int32_t note);

// Renders `frames` of one voice of `model`, without its envelopes, at `hertz`; `timbre` are its own six controls.
void synth_probe_model(
    uint32_t model, const int32_t *timbre, double hertz, uint32_t rate, float *out, uint32_t frames);

// Renders `frames` of the engine that is compiled for every processor, after `commands`.
void synth_probe_engine(
    uint32_t rate, const SynthCommand *commands, uint32_t count, float *out, uint32_t frames);
// Renders `frames` of a drum's metal without its envelope: the squares of `hertz`, six of them, band-passed at `band` hertz and
// high-passed at `high`.
void synth_probe_metal(const double *hertz, double band, double high, uint32_t rate, float *out, uint32_t frames);

// The limiter of the master.
typedef struct SynthProbeLimiter SynthProbeLimiter;

// NULL if memory is short.
SynthProbeLimiter *synth_probe_limiter_create(uint32_t rate);

void synth_probe_limiter_destroy(SynthProbeLimiter *limiter);

// Limits `frames` frames, interleaved left and right, in place.
void synth_probe_limiter_run(SynthProbeLimiter *limiter, float *frames, uint32_t count);

// Whether more silence would change nothing: the gain is exactly 1.
bool synth_probe_limiter_at_rest(const SynthProbeLimiter *limiter);

// Frames from the limiter's input to its output.
uint32_t synth_probe_limiter_delay(void);

// The queue between the threads, of 16 numbers.
typedef struct SynthProbeRing SynthProbeRing;

enum { synth_probe_ring_capacity = 16 };

// An empty ring with both indices at `index`. NULL if memory is short.
SynthProbeRing *synth_probe_ring_create(uint32_t index);

void synth_probe_ring_destroy(SynthProbeRing *ring);

// Writes all of `count` numbers or none.
bool synth_probe_ring_write(SynthProbeRing *ring, const uint64_t *numbers, uint32_t count);

// The oldest number; false when there is none.
bool synth_probe_ring_front(const SynthProbeRing *ring, uint64_t *number);

// Drops the oldest number. There must be one.
void synth_probe_ring_drop(SynthProbeRing *ring);

// The observations of two threads.
typedef struct SynthProbeHammering {
    uint64_t read;
    uint64_t wrong;    // out of order, or corrupted
    uint64_t refused;  // batches that found the ring full
} SynthProbeHammering;

// One thread writes `records` records with checksums in batches of random size, another reads them, through a ring of 64 with
// indices starting at `index`.
SynthProbeHammering synth_probe_hammer(uint64_t records, uint32_t index, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
