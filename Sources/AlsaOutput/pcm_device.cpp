#include "pcm_device.h"

#include <algorithm>
#include <memory>
#include <new>

namespace alsa_output {

namespace {

// alsa-lib writes to standard error whatever goes wrong, also what the caller expects.
void Discard(const char *, int, const char *, int, const char *, ...) {}

// Frees the parameter sets that alsa-lib allocates.
struct Deleter {
    void operator()(snd_pcm_hw_params_t *parameters) const
    {
        snd_pcm_hw_params_free(parameters);
    }

    void operator()(snd_pcm_sw_params_t *parameters) const
    {
        snd_pcm_sw_params_free(parameters);
    }
};

int OpenPcm(const char *name, snd_pcm_t **pcm)
{
    snd_lib_error_set_handler(Discard);
    return snd_pcm_open(pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
}

}  // namespace

PcmDevice *PcmDevice::Open(const char *name, uint32_t rate, uint32_t period, uint32_t periods, int *error)
{
    snd_pcm_t *pcm = nullptr;
    *error = OpenPcm(name, &pcm);
    if (*error < 0) {
        return nullptr;
    }
    std::unique_ptr<PcmDevice> device(new (std::nothrow) PcmDevice(pcm, rate, period));
    if (device == nullptr) {
        snd_pcm_close(pcm);
        *error = -ENOMEM;
        return nullptr;
    }
    *error = device->Configure(periods);
    return *error < 0 ? nullptr : device.release();
}

int PcmDevice::TryOpen(const char *name)
{
    snd_pcm_t *pcm = nullptr;
    const int error = OpenPcm(name, &pcm);
    if (error == 0) {
        snd_pcm_close(pcm);
    }
    return error;
}

PcmDevice::~PcmDevice()
{
    snd_pcm_close(pcm_);
}

int PcmDevice::Configure(uint32_t periods)
{
    snd_pcm_hw_params_t *hardware_pointer = nullptr;
    int error = snd_pcm_hw_params_malloc(&hardware_pointer);
    if (error < 0) {
        return error;
    }
    const std::unique_ptr<snd_pcm_hw_params_t, Deleter> owned_hardware(hardware_pointer);
    snd_pcm_hw_params_t *hardware = hardware_pointer;
    if ((error = snd_pcm_hw_params_any(pcm_, hardware)) < 0) {
        return error;
    }
    const auto format = std::find_if(kFormats.begin(), kFormats.end(), [&](snd_pcm_format_t candidate) {
        return snd_pcm_hw_params_test_format(pcm_, hardware, candidate) == 0;
    });
    if (format == kFormats.end()) {
        return -EINVAL;
    }
    period_ = block_;
    buffer_ = static_cast<snd_pcm_uframes_t>(block_) * periods;
    if ((error = snd_pcm_hw_params_set_rate_resample(pcm_, hardware, 1)) < 0
        || (error = snd_pcm_hw_params_set_access(pcm_, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0
        || (error = snd_pcm_hw_params_set_format(pcm_, hardware, *format)) < 0
        || (error = snd_pcm_hw_params_set_channels(pcm_, hardware, kChannels)) < 0
        || (error = snd_pcm_hw_params_set_rate(pcm_, hardware, rate_, 0)) < 0
        || (error = snd_pcm_hw_params_set_period_size_near(pcm_, hardware, &period_, nullptr)) < 0
        || (error = snd_pcm_hw_params_set_buffer_size_near(pcm_, hardware, &buffer_)) < 0
        || (error = snd_pcm_hw_params(pcm_, hardware)) < 0) {
        return error;
    }
    if (buffer_ < 2 * block_ || period_ == 0) {
        return -EINVAL;
    }

    snd_pcm_sw_params_t *software_pointer = nullptr;
    if ((error = snd_pcm_sw_params_malloc(&software_pointer)) < 0) {
        return error;
    }
    const std::unique_ptr<snd_pcm_sw_params_t, Deleter> owned_software(software_pointer);
    snd_pcm_sw_params_t *software = software_pointer;
    snd_pcm_uframes_t boundary = 0;
    // A start threshold at the boundary is never reached: the device is started by hand, with a full buffer.
    // Time stamps, on the clock that the positions use, tell how much an xrun lost.
    if ((error = snd_pcm_sw_params_current(pcm_, software)) < 0
        || (error = snd_pcm_sw_params_get_boundary(software, &boundary)) < 0
        || (error = snd_pcm_sw_params_set_start_threshold(pcm_, software, boundary)) < 0
        || (error = snd_pcm_sw_params_set_avail_min(pcm_, software, block_)) < 0
        || (error = snd_pcm_sw_params_set_tstamp_mode(pcm_, software, SND_PCM_TSTAMP_ENABLE)) < 0
        || (error = snd_pcm_sw_params_set_tstamp_type(pcm_, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)) < 0
        || (error = snd_pcm_sw_params(pcm_, software)) < 0) {
        return error;
    }
    converter_ = SampleConverter(*format);
    bytes_.resize(block_ * kChannels * converter_.SampleSize());
    return 0;
}

int PcmDevice::Prepare()
{
    running_ = false;
    const int error = snd_pcm_prepare(pcm_);
    if (error < 0) {
        return error;
    }
    // All the formats are signed: silence is zeros.
    std::fill(bytes_.begin(), bytes_.end(), uint8_t(0));
    for (snd_pcm_uframes_t filled = block_; filled + block_ <= buffer_; filled += block_) {
        const int written = WriteBytes(bytes_.data(), block_, 0);
        if (written < 0) {
            return written;
        }
    }
    return 0;
}

int PcmDevice::Wait(int milliseconds)
{
    if (!running_) {
        return 0;
    }
    const snd_pcm_sframes_t available = snd_pcm_avail_update(pcm_);
    if (available < 0) {
        return static_cast<int>(available);
    }
    if (available >= static_cast<snd_pcm_sframes_t>(block_)) {
        return 0;
    }
    const int ready = snd_pcm_wait(pcm_, milliseconds);
    return ready == 0 ? -ETIMEDOUT : std::min(ready, 0);
}

int PcmDevice::Write(const float *frames, int milliseconds)
{
    converter_.Convert(frames, bytes_.data(), block_ * kChannels);
    int error = WriteBytes(bytes_.data(), block_, milliseconds);
    if (error == 0 && !running_) {
        error = snd_pcm_start(pcm_);
        running_ = error == 0;
    }
    return error;
}

int PcmDevice::WriteBytes(const uint8_t *bytes, uint32_t frames, int milliseconds)
{
    while (frames > 0) {
        const snd_pcm_sframes_t written = snd_pcm_writei(pcm_, bytes, frames);
        if (written == -EAGAIN || written == 0) {
            const int ready = snd_pcm_wait(pcm_, milliseconds);
            if (ready <= 0) {
                return ready == 0 ? -ETIMEDOUT : ready;
            }
        } else if (written == -EINTR) {
            continue;
        } else if (written < 0) {
            return static_cast<int>(written);
        } else {
            bytes += static_cast<size_t>(written) * kChannels * converter_.SampleSize();
            frames -= static_cast<uint32_t>(written);
        }
    }
    return 0;
}

uint32_t PcmDevice::Delay()
{
    snd_pcm_sframes_t delay = 0;
    if (snd_pcm_delay(pcm_, &delay) < 0 || delay < 0) {
        return 0;
    }
    return static_cast<uint32_t>(std::min<snd_pcm_sframes_t>(delay, 10 * rate_));
}

bool PcmDevice::Swallows()
{
    const snd_pcm_sframes_t available = snd_pcm_avail_update(pcm_);
    return available > static_cast<snd_pcm_sframes_t>(buffer_ - block_ / 2);
}

int PcmDevice::Recover(int error, uint64_t *lost)
{
    *lost = 0;
    if (error == -EPIPE) {
        *lost = LostFrames();
        return Prepare();
    }
    if (error == -ESTRPIPE) {
        *lost = LostFrames();
        // Asked once: a device that is not awake yet is opened anew, while the time goes on without it.
        const int resumed = snd_pcm_resume(pcm_);
        return resumed == -EAGAIN ? -ESTRPIPE : Prepare();
    }
    return error;
}

uint64_t PcmDevice::LostFrames()
{
    snd_pcm_status_t *status = nullptr;
    snd_pcm_status_alloca(&status);
    if (snd_pcm_status(pcm_, status) < 0) {
        return 0;
    }
    snd_htimestamp_t now = {};
    snd_htimestamp_t stopped = {};
    snd_pcm_status_get_htstamp(status, &now);
    snd_pcm_status_get_trigger_htstamp(status, &stopped);
    const int64_t nanoseconds = (static_cast<int64_t>(now.tv_sec) - stopped.tv_sec) * 1000000000
        + (now.tv_nsec - stopped.tv_nsec);
    if (nanoseconds <= 0) {
        return 0;
    }
    // A time stamp of zero means that the plugin keeps none.
    constexpr int64_t kLongest = 60ll * 1000000000;
    return nanoseconds > kLongest ? 0 : static_cast<uint64_t>(nanoseconds) * rate_ / 1000000000;
}

void PcmDevice::Drop()
{
    snd_pcm_drop(pcm_);
}

}  // namespace alsa_output
