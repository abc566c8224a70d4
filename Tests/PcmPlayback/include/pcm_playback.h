// Plays what a test gives on a PcmDevice, as the audio thread plays what the engine renders, without its thread: the same
// calls each time.

#ifndef PIXELBOOP_PCM_PLAYBACK_H
#define PIXELBOOP_PCM_PLAYBACK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What was agreed on with the device, and what became of it.
typedef struct PcmPlayback {
    int32_t error;    // negative errno, 0 if all was played
    uint32_t period;  // frames
    uint32_t buffer;  // frames
    bool mapped;
} PcmPlayback;

// Plays `blocks` blocks of `period` interleaved stereo frames.
PcmPlayback pcm_play(
    const char *device, uint32_t rate, uint32_t period, uint32_t periods, const float *samples, uint32_t blocks);

#ifdef __cplusplus
}
#endif

#endif
