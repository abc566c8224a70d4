// Negotiates the settings of a PCM for the audio thread. Errors are negative errno values.

#ifndef PIXELBOOP_PCM_NEGOTIATION_H
#define PIXELBOOP_PCM_NEGOTIATION_H

#include <alsa/asoundlib.h>

#include <cstdint>
#include <memory>

namespace alsa_output {

// The negotiated settings.
struct PcmSettings {
    snd_pcm_access_t access = SND_PCM_ACCESS_RW_INTERLEAVED;
    snd_pcm_format_t format = SND_PCM_FORMAT_FLOAT;
    uint32_t rate = 0;             // frames per second
    snd_pcm_uframes_t period = 0;  // frames
    snd_pcm_uframes_t buffer = 0;  // frames

    bool IsMapped() const
    {
        return access == SND_PCM_ACCESS_MMAP_INTERLEAVED;
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

// Configures `pcm` for stereo at exactly `rate`, with the nearest period and buffer that it supports, mapped into
// memory if possible. It does not start by itself, and counts as ready when `block` frames fit.
int Negotiate(snd_pcm_t *pcm, uint32_t rate, uint32_t block, uint32_t periods, PcmSettings *settings);

}  // namespace alsa_output

#endif
