// The sound devices of this machine and what they can do, without playing anything. May block: not for the audio
// thread.

#ifndef PIXELBOOP_AUDIO_DEVICES_H
#define PIXELBOOP_AUDIO_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Calls `found` with the name and description of each playback PCM: those of the configuration of ALSA that ask to be
// listed (snd_device_name_hint), then the cards' own as hw:CARD,DEVICE. The strings last as long as the call.
void audio_devices_list(void *context, void (*found)(void *context, const char *name, const char *description));

// What a PCM can play in stereo.
typedef struct AudioDeviceAbilities {
    uint32_t rates;       // bit n: the n-th of audio_rates
    uint32_t formats;     // bit n: the n-th of audio_formats
    uint32_t period_min;  // frames
} AudioDeviceAbilities;

// What the bits stand for, in order, the rates being the engine's; `index` beyond the last gives 0 and NULL.
uint32_t audio_rate(uint32_t index);
const char *audio_format(uint32_t index);

// Opens the PCM and asks what it can do. 0 or a negative errno.
int32_t audio_device_probe(const char *device, AudioDeviceAbilities *abilities);

// What a PCM and the audio thread agree on.
typedef struct AudioDeviceSettings {
    uint32_t period;     // frames
    uint32_t buffer;     // frames
    const char *format;  // ALSA's name of it, such as "S32_LE"
    bool mapped;         // the device's ring would be mapped into memory
} AudioDeviceSettings;

// Opens the PCM as the audio thread would, and closes it. 0 or a negative errno.
int32_t audio_device_negotiate(
    const char *device, uint32_t rate, uint32_t period, uint32_t periods, AudioDeviceSettings *settings);

#ifdef __cplusplus
}
#endif

#endif
