#include "pcm_playback.h"

#include <algorithm>
#include <memory>

#include "pcm_device.h"

PcmPlayback pcm_play(
    const char *device, uint32_t rate, uint32_t period, uint32_t periods, uint32_t pulse_channel, const float *samples,
    uint32_t blocks)
{
    PcmPlayback playback = {};
    const std::unique_ptr<alsa_output::PcmDevice> opened(
        alsa_output::PcmDevice::Open(device, {rate, period, periods, pulse_channel}, &playback.error));
    if (opened == nullptr) {
        return playback;
    }
    playback.period = static_cast<uint32_t>(opened->Settings().period);
    playback.buffer = static_cast<uint32_t>(opened->Settings().buffer);
    playback.mapped = opened->Settings().IsMapped();
    playback.error = opened->Prepare();
    constexpr int kMilliseconds = 1000;
    for (uint32_t block = 0; playback.error == 0 && block < blocks; ++block) {
        playback.error = std::min(opened->Wait(kMilliseconds), 0);
        if (playback.error == 0) {
            const size_t start = static_cast<size_t>(block) * period * opened->Settings().Signals();
            playback.error = opened->Write(samples + start, kMilliseconds);
        }
    }
    return playback;
}
