#include "audio_devices.h"

#include <alsa/asoundlib.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "pcm_negotiation.h"
#include "sample_format.h"
#include "synth.h"

namespace {

using alsa_output::kFormats;

using Found = void (*)(void *, const char *, const char *);

// Closes or frees alsa-lib's objects.
struct Release {
    void operator()(char *text) const
    {
        std::free(text);
    }

    void operator()(snd_pcm_t *pcm) const
    {
        snd_pcm_close(pcm);
    }

    void operator()(snd_ctl_t *control) const
    {
        snd_ctl_close(control);
    }

    void operator()(snd_ctl_card_info_t *card) const
    {
        snd_ctl_card_info_free(card);
    }

    void operator()(snd_pcm_info_t *info) const
    {
        snd_pcm_info_free(info);
    }
};

template <class Type>
using Owned = std::unique_ptr<Type, Release>;

void ListHints(void *context, Found found)
{
    void **hints = nullptr;
    if (snd_device_name_hint(-1, "pcm", &hints) < 0) {
        return;
    }
    for (void **hint = hints; *hint != nullptr; ++hint) {
        const Owned<char> direction(snd_device_name_get_hint(*hint, "IOID"));
        // No IOID means both directions.
        if (direction != nullptr && std::strcmp(direction.get(), "Output") != 0) {
            continue;
        }
        const Owned<char> name(snd_device_name_get_hint(*hint, "NAME"));
        const Owned<char> description(snd_device_name_get_hint(*hint, "DESC"));
        // The cards' own devices are listed below, by number.
        if (name != nullptr && std::strncmp(name.get(), "hw:", 3) != 0) {
            found(context, name.get(), description == nullptr ? "" : description.get());
        }
    }
    snd_device_name_free_hint(hints);
}

void ListCard(int card, void *context, Found found)
{
    const std::string name = "hw:" + std::to_string(card);
    snd_ctl_t *opened = nullptr;
    if (snd_ctl_open(&opened, name.c_str(), SND_CTL_NONBLOCK) < 0) {
        // List the card anyway; opening it for playback will report the reason.
        found(context, name.c_str(), "");
        return;
    }
    const Owned<snd_ctl_t> control(opened);
    snd_ctl_card_info_t *card_info = nullptr;
    snd_pcm_info_t *pcm_info = nullptr;
    const bool allocated = snd_ctl_card_info_malloc(&card_info) == 0 && snd_pcm_info_malloc(&pcm_info) == 0;
    const Owned<snd_ctl_card_info_t> owned_card(card_info);
    const Owned<snd_pcm_info_t> owned_info(pcm_info);
    if (!allocated || snd_ctl_card_info(opened, card_info) < 0) {
        return;
    }
    int device = -1;
    while (snd_ctl_pcm_next_device(opened, &device) == 0 && device >= 0) {
        snd_pcm_info_set_device(pcm_info, static_cast<unsigned>(device));
        snd_pcm_info_set_subdevice(pcm_info, 0);
        snd_pcm_info_set_stream(pcm_info, SND_PCM_STREAM_PLAYBACK);
        if (snd_ctl_pcm_info(opened, pcm_info) < 0) {
            continue;  // capture only
        }
        const std::string description
            = std::string(snd_ctl_card_info_get_name(card_info)) + ", " + snd_pcm_info_get_name(pcm_info);
        found(context, (name + "," + std::to_string(device)).c_str(), description.c_str());
    }
}

int Probe(snd_pcm_t *pcm, AudioDeviceAbilities *abilities)
{
    int error = 0;
    const alsa_output::HardwareParameters parameters = alsa_output::AllParameters(pcm, &error);
    if (parameters == nullptr) {
        return error;
    }
    error = snd_pcm_hw_params_set_channels(pcm, parameters.get(), alsa_output::kChannels);
    if (error < 0) {
        return error;
    }
    for (uint32_t i = 0; audio_rate(i) != 0; ++i) {
        const bool can = snd_pcm_hw_params_test_rate(pcm, parameters.get(), audio_rate(i), 0) == 0;
        abilities->rates |= can ? 1u << i : 0;
    }
    for (size_t i = 0; i < kFormats.size(); ++i) {
        const bool can = snd_pcm_hw_params_test_format(pcm, parameters.get(), kFormats[i]) == 0;
        abilities->formats |= can ? 1u << i : 0;
    }
    snd_pcm_uframes_t period = 0;
    int direction = 0;
    error = snd_pcm_hw_params_get_period_size_min(parameters.get(), &period, &direction);
    // A positive direction means that the minimum is larger.
    abilities->period_min = static_cast<uint32_t>(period) + (direction > 0 ? 1 : 0);
    return error;
}

}  // namespace

void audio_devices_list(void *context, Found found)
{
    ListHints(context, found);
    int card = -1;
    while (snd_card_next(&card) == 0 && card >= 0) {
        ListCard(card, context, found);
    }
}

uint32_t audio_rate(uint32_t index)
{
    return synth_rate(index);
}

const char *audio_format(uint32_t index)
{
    return index < kFormats.size() ? snd_pcm_format_name(kFormats[index]) : nullptr;
}

int32_t audio_device_probe(const char *device, AudioDeviceAbilities *abilities)
{
    *abilities = {};
    snd_pcm_t *pcm = nullptr;
    const int error = alsa_output::OpenPcm(device, &pcm);
    if (error < 0) {
        return error;
    }
    const Owned<snd_pcm_t> owned(pcm);
    return Probe(pcm, abilities);
}

int32_t audio_device_negotiate(
    const char *device, uint32_t rate, uint32_t period, uint32_t periods, uint32_t pulse_channel,
    AudioDeviceSettings *settings)
{
    *settings = {};
    snd_pcm_t *pcm = nullptr;
    int error = alsa_output::OpenPcm(device, &pcm);
    if (error < 0) {
        return error;
    }
    const Owned<snd_pcm_t> owned(pcm);
    alsa_output::PcmSettings agreed;
    error = alsa_output::Negotiate(pcm, {rate, period, periods, pulse_channel}, &agreed);
    if (error < 0) {
        return error;
    }
    settings->period = static_cast<uint32_t>(agreed.period);
    settings->buffer = static_cast<uint32_t>(agreed.buffer);
    settings->format = snd_pcm_format_name(agreed.format);
    settings->mapped = agreed.IsMapped();
    return 0;
}
