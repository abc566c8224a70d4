// The audio thread, entirely in C++. It renders the engine period by period to an ALSA device or, without a device, at
// the same pace to nothing, so that the sequencer keeps time with or without a sound card.

#ifndef PIXELBOOP_ALSA_OUTPUT_H
#define PIXELBOOP_ALSA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audio_clock.h"
#include "audio_privileges.h"
#include "synth.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AudioThread AudioThread;

typedef struct AudioThreadOptions {
    const char *device;  // ALSA PCM name ("default", "hw:0"), or NULL for none
    uint32_t rate;       // frames per second, the same as the engine's
    uint32_t period;     // frames per period, 16-4096
    uint32_t periods;    // periods in the device's buffer, 2-8
    int32_t priority;    // SCHED_FIFO priority 1-99, or 0 for ordinary scheduling
    int32_t core;       // CPU core of the thread, 0-1023, or -1 for any
    uint32_t pulse_channel;  // the device's channel of the pulses, 3-32, or 0 for none
    bool tap;            // keep a copy of the rendered sound for audio_thread_read_tap
    int32_t event;       // an eventfd(2) to signal after a period with reports of the engine, or -1 for none
    AudioClock clock;    // the thread's time
} AudioThreadOptions;

typedef struct AudioThreadStatus {
    bool device_open;           // whether the device is open and playing
    int32_t device_error;       // negative errno of the last failure of the device, 0 if none
    uint32_t device_rate;       // the device's rate, 0 while closed
    uint32_t device_period;
    uint32_t device_periods;
    const char *device_format;  // ALSA's name of the sample format, such as "S32_LE"; NULL while closed
    bool device_mapped;         // whether its ring is mapped into memory and written in place
    AudioPrivilegeErrors refused;
    uint64_t xruns;
    uint64_t xrun_frames;  // frames lost in xruns
    uint64_t tap_lost;     // frames lost because the tap was full
} AudioThreadStatus;

// Starts the thread on `synth`, which must outlive it. NULL if the thread cannot be created (*error: errno). A device
// that is missing or fails is retried every second; the sequencer continues meanwhile.
AudioThread *audio_thread_start(Synth *synth, const AudioThreadOptions *options, int32_t *error);

// Fades, drains, closes the device and ends the thread; does nothing if it has ended. Its status, its last position and
// the rest of the tap stay readable.
void audio_thread_stop(AudioThread *thread);

// Stops the thread and frees it.
void audio_thread_free(AudioThread *thread);

AudioThreadStatus audio_thread_status(const AudioThread *thread);

// The newest position: engine frame *frame is heard at *nanoseconds of its clock. False before the first period.
bool audio_thread_position(const AudioThread *thread, uint64_t *frame, uint64_t *nanoseconds);

// Reads up to `frames` interleaved stereo frames of the rendered sound, oldest first; returns their number. One reader
// thread only.
uint32_t audio_thread_read_tap(AudioThread *thread, float *out, uint32_t frames);

#ifdef __cplusplus
}
#endif

#endif
