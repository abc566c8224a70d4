#include "pcm_negotiation.h"

#include <algorithm>
#include <cerrno>

#include "sample_format.h"

namespace alsa_output {

namespace {

// Suppresses alsa-lib's messages on standard error, which it also writes for expected failures.
void Discard(const char *, int, const char *, int, const char *, ...) {}

// Sets the channels: the fewest that are enough.
int SetChannels(snd_pcm_t *pcm, snd_pcm_hw_params_t *hardware, PcmSettings *settings)
{
    if (settings->pulse_channel == 0) {
        settings->channels = kChannels;
        return snd_pcm_hw_params_set_channels(pcm, hardware, settings->channels);
    }
    settings->channels = settings->pulse_channel;
    const int error = snd_pcm_hw_params_set_channels_min(pcm, hardware, &settings->channels);
    return error < 0 ? error : snd_pcm_hw_params_set_channels_first(pcm, hardware, &settings->channels);
}

int NegotiateHardware(snd_pcm_t *pcm, const PcmRequest &request, PcmSettings *settings)
{
    int error = 0;
    const HardwareParameters owned = AllParameters(pcm, &error);
    if (owned == nullptr) {
        return error;
    }
    snd_pcm_hw_params_t *hardware = owned.get();
    if ((error = snd_pcm_hw_params_set_rate_resample(pcm, hardware, 1)) < 0
        || (error = snd_pcm_hw_params_set_access(pcm, hardware, settings->access)) < 0) {
        return error;
    }
    const auto format = std::find_if(kFormats.begin(), kFormats.end(), [&](snd_pcm_format_t candidate) {
        return snd_pcm_hw_params_test_format(pcm, hardware, candidate) == 0;
    });
    if (format == kFormats.end()) {
        return -EINVAL;
    }
    settings->format = *format;
    settings->period = request.period;
    settings->buffer = static_cast<snd_pcm_uframes_t>(request.period) * request.periods;
    if ((error = snd_pcm_hw_params_set_format(pcm, hardware, settings->format)) < 0
        || (error = SetChannels(pcm, hardware, settings)) < 0
        || (error = snd_pcm_hw_params_set_rate(pcm, hardware, settings->rate, 0)) < 0
        || (error = snd_pcm_hw_params_set_period_size_near(pcm, hardware, &settings->period, nullptr)) < 0
        || (error = snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &settings->buffer)) < 0
        || (error = snd_pcm_hw_params(pcm, hardware)) < 0) {
        return error;
    }
    return settings->buffer < 2 * request.period || settings->period == 0 ? -EINVAL : 0;
}

int SetSoftware(snd_pcm_t *pcm, uint32_t block)
{
    snd_pcm_sw_params_t *software = nullptr;
    int error = snd_pcm_sw_params_malloc(&software);
    if (error < 0) {
        return error;
    }
    const SoftwareParameters owned(software);
    snd_pcm_uframes_t boundary = 0;
    // A start threshold at the boundary is never reached: the device is started explicitly, with a full buffer.
    if ((error = snd_pcm_sw_params_current(pcm, software)) < 0
        || (error = snd_pcm_sw_params_get_boundary(software, &boundary)) < 0
        || (error = snd_pcm_sw_params_set_start_threshold(pcm, software, boundary)) < 0
        || (error = snd_pcm_sw_params_set_avail_min(pcm, software, block)) < 0) {
        return error;
    }
    return std::min(snd_pcm_sw_params(pcm, software), 0);
}

}  // namespace

int OpenPcm(const char *name, snd_pcm_t **pcm)
{
    snd_lib_error_set_handler(Discard);
    const int error = snd_pcm_open(pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    // alsa-lib returns EINVAL for a card number above the maximum.
    return error == -EINVAL ? -ENODEV : error;
}

HardwareParameters AllParameters(snd_pcm_t *pcm, int *error)
{
    snd_pcm_hw_params_t *parameters = nullptr;
    *error = snd_pcm_hw_params_malloc(&parameters);
    if (*error < 0) {
        return nullptr;
    }
    HardwareParameters owned(parameters);
    *error = std::min(snd_pcm_hw_params_any(pcm, parameters), 0);
    return *error < 0 ? nullptr : std::move(owned);
}

int Negotiate(snd_pcm_t *pcm, const PcmRequest &request, PcmSettings *settings)
{
    settings->rate = request.rate;
    settings->pulse_channel = request.pulse_channel;
    int error = 0;
    // Some drivers and plugins offer mmap access but fail when it is configured.
    for (const snd_pcm_access_t access : {SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_ACCESS_RW_INTERLEAVED}) {
        settings->access = access;
        error = NegotiateHardware(pcm, request, settings);
        if (error == 0) {
            return SetSoftware(pcm, request.period);
        }
    }
    return error;
}

}  // namespace alsa_output
