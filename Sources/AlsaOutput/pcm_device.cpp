#include "pcm_device.h"

#include <algorithm>
#include <cerrno>

namespace alsa_output {

PcmDevice *PcmDevice::Open(const char *name, const PcmRequest &request, int *error)
{
    snd_pcm_t *pcm = nullptr;
    *error = OpenPcm(name, &pcm);
    if (*error < 0) {
        return nullptr;
    }
    PcmSettings settings;
    *error = Negotiate(pcm, request, &settings);
    if (*error < 0) {
        snd_pcm_close(pcm);
        return nullptr;
    }
    return new PcmDevice(pcm, settings, request.period);
}

PcmDevice::~PcmDevice()
{
    snd_pcm_close(pcm_);
}

int PcmDevice::Prepare()
{
    running_ = false;
    const int error = snd_pcm_prepare(pcm_);
    if (error < 0) {
        return error;
    }
    for (snd_pcm_uframes_t filled = block_; filled + block_ <= settings_.buffer; filled += block_) {
        const int written = writer_.Write(nullptr, block_, 0);
        if (written < 0) {
            return written;
        }
    }
    return 0;
}

int PcmDevice::Fits(snd_pcm_sframes_t available) const
{
    return available < 0 ? static_cast<int>(available) : available >= static_cast<snd_pcm_sframes_t>(block_);
}

int PcmDevice::Wait(int milliseconds)
{
    int fits = running_ ? Fits(snd_pcm_avail_update(pcm_)) : 1;
    if (fits == 0) {
        fits = snd_pcm_wait(pcm_, milliseconds);
    }
    if (fits == 0) {
        // The whole machine may have been suspended for so long: check the device's current state.
        fits = Fits(snd_pcm_avail(pcm_));
    }
    return fits == 0 ? -ETIMEDOUT : std::min(fits, 0);
}

int PcmDevice::Write(const float *frames, int milliseconds)
{
    int error = writer_.Write(frames, block_, milliseconds);
    if (error == 0 && !running_) {
        error = snd_pcm_start(pcm_);
        running_ = error == 0;
    }
    return error;
}

uint32_t PcmDevice::Delay()
{
    snd_pcm_sframes_t delay = 0;
    if (snd_pcm_delay(pcm_, &delay) < 0 || delay < 0) {
        return 0;
    }
    return static_cast<uint32_t>(std::min<snd_pcm_sframes_t>(delay, 10 * settings_.rate));
}

bool PcmDevice::IsDiscarding()
{
    const snd_pcm_sframes_t available = snd_pcm_avail_update(pcm_);
    return available > static_cast<snd_pcm_sframes_t>(settings_.buffer - block_ / 2);
}

int PcmDevice::Recover(int error)
{
    if (error == -ESTRPIPE) {
        // Only one attempt: a device that is not awake yet is reopened while the clock continues without it.
        const int resumed = snd_pcm_resume(pcm_);
        return resumed == -EAGAIN ? -ESTRPIPE : Prepare();
    }
    return error == -EPIPE ? Prepare() : error;
}

void PcmDevice::Drop()
{
    snd_pcm_drop(pcm_);
}

}  // namespace alsa_output
