// The sound devices of this machine and their abilities, determined without playing. May block: not for the audio
// thread.

#ifndef PIXELBOOP_AUDIO_DEVICES_H
#define PIXELBOOP_AUDIO_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Calls `found` with the name and description of each playback PCM: the PCMs of ALSA's configuration with a hint
// (snd_device_name_hint), then the cards' own as hw:CARD,DEVICE. The strings are valid during the call only.
void audio_devices_list(void *context, void (*found)(void *context, const char *name, const char *description));

// Stereo playback abilities of a PCM.
typedef struct AudioDeviceAbilities {
    uint32_t rates;       // bit n: the n-th of audio_rates
    uint32_t formats;     // bit n: the n-th of audio_formats
    uint32_t period_min;  // frames
} AudioDeviceAbilities;

// Meaning of the bits, in order; the rates are the engine's. 0 and NULL for an `index` beyond the last.
uint32_t audio_rate(uint32_t index);
const char *audio_format(uint32_t index);

// Opens the PCM and queries its abilities. Returns 0 or a negative errno.
int32_t audio_device_probe(const char *device, AudioDeviceAbilities *abilities);

// The settings that a PCM and the audio thread would use.
typedef struct AudioDeviceSettings {
    uint32_t period;     // frames
    uint32_t buffer;     // frames
    const char *format;  // ALSA's name of the sample format, such as "S32_LE"
    bool mapped;         // whether the device's ring would be mapped into memory
} AudioDeviceSettings;

// `pulse_channel` is the channel of the pulses from 3 on, 0 for none. Opens the PCM like the audio thread, negotiates
// its settings and closes it. Returns 0 or a negative errno.
int32_t audio_device_negotiate(
    const char *device, uint32_t rate, uint32_t period, uint32_t periods, uint32_t pulse_channel,
    AudioDeviceSettings *settings);

#ifdef __cplusplus
}
#endif

#endif
