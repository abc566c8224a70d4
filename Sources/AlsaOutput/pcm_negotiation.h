// Negotiates the settings of a PCM for the audio thread. Errors are negative errno values.

#ifndef PIXELBOOP_PCM_NEGOTIATION_H
#define PIXELBOOP_PCM_NEGOTIATION_H

#include <alsa/asoundlib.h>

#include <cstdint>
#include <memory>

#include "sample_format.h"

namespace alsa_output {

// A request of the audio thread for a PCM.
struct PcmRequest {
    uint32_t rate = 0;           // frames per second
    uint32_t period = 0;         // frames; a write has as many
    uint32_t periods = 0;        // in the device's buffer
    uint32_t pulse_channel = 0;  // the channel of the pulses from 3 on, 0 for none
};

// The negotiated settings.
struct PcmSettings {
    snd_pcm_access_t access = SND_PCM_ACCESS_RW_INTERLEAVED;
    snd_pcm_format_t format = SND_PCM_FORMAT_FLOAT;
    uint32_t rate = 0;             // frames per second
    uint32_t channels = 0;
    uint32_t pulse_channel = 0;    // as requested
    snd_pcm_uframes_t period = 0;  // frames
    snd_pcm_uframes_t buffer = 0;  // frames

    bool IsMapped() const
    {
        return access == SND_PCM_ACCESS_MMAP_INTERLEAVED;
    }

    // Signals that are written.
    uint32_t Signals() const
    {
        return pulse_channel == 0 ? kChannels : kSignalsMax;
    }

    uint32_t Periods() const
    {
        return static_cast<uint32_t>(buffer / period);
    }
};

// Opens `name` for playback, non-blocking. The caller closes *pcm.
int OpenPcm(const char *name, snd_pcm_t **pcm);

// Frees the parameter sets that alsa-lib allocates.
struct FreeParameters {
    void operator()(snd_pcm_hw_params_t *parameters) const
    {
        snd_pcm_hw_params_free(parameters);
    }

    void operator()(snd_pcm_sw_params_t *parameters) const
    {
        snd_pcm_sw_params_free(parameters);
    }
};

using HardwareParameters = std::unique_ptr<snd_pcm_hw_params_t, FreeParameters>;
using SoftwareParameters = std::unique_ptr<snd_pcm_sw_params_t, FreeParameters>;

// All parameters that `pcm` supports. Returns null and sets *error on failure.
HardwareParameters AllParameters(snd_pcm_t *pcm, int *error);

// Configures `pcm` for stereo, or the fewest channels that include the channel of the pulses, at exactly the rate, with
// the nearest period and buffer that it supports, mapped into memory if possible. It does not start by itself, and
// counts as ready when a requested period fits.
int Negotiate(snd_pcm_t *pcm, const PcmRequest &request, PcmSettings *settings);

}  // namespace alsa_output

#endif
