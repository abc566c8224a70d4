// Plays the test's samples on a PcmDevice like the audio thread, but without the thread: always the same calls.

#ifndef PIXELBOOP_PCM_PLAYBACK_H
#define PIXELBOOP_PCM_PLAYBACK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The parameters agreed with the device, and the result.
typedef struct PcmPlayback {
    int32_t error;    // negative errno, 0 if all was played
    uint32_t period;  // frames
    uint32_t buffer;  // frames
    bool mapped;
} PcmPlayback;

// Plays `blocks` blocks of `period` interleaved frames: stereo, or stereo and pulses for the channel `pulse_channel`.
PcmPlayback pcm_play(
    const char *device, uint32_t rate, uint32_t period, uint32_t periods, uint32_t pulse_channel, const float *samples,
    uint32_t blocks);

#ifdef __cplusplus
}
#endif

#endif
