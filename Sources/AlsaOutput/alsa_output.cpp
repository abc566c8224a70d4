#include "alsa_output.h"

#include <pthread.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <new>
#include <vector>

#include "device_opener.h"
#include "heard_time.h"
#include "pcm_device.h"
#include "position.h"
#include "privileges.h"
#include "tap.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

using alsa_output::DeviceOpener;
using alsa_output::HeardTime;
using alsa_output::kChannels;
using alsa_output::kSignalsMax;
using alsa_output::PcmDevice;
using alsa_output::PcmRequest;
using alsa_output::PcmSettings;
using alsa_output::Position;
using alsa_output::Tap;

namespace {

constexpr uint64_t kSecond = 1000000000;

// Maximum delay that a late thread makes up by rendering without pause; the rest is skipped.
constexpr uint64_t kBehindMax = kSecond;

// Time in milliseconds after which a device that accepts no block is given up: eight of the longest periods at 96 kHz.
constexpr int kStallMilliseconds = 350;

// Number of consecutive periods that the device accepted at once or lost before the clock sets the pace; fewer could be
// a buffer that ran low.
constexpr uint32_t kUnpacedMax = 8;

// Only the audio thread increments a counter, so no atomic read-modify-write is needed.
void Count(std::atomic<uint64_t> &counter, uint64_t amount)
{
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

// Treats denormal numbers as zero on this thread. The engine produces none; alsa-lib plugins that run here might.
void FlushDenormals()
{
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // FTZ and DAZ
#elif defined(__aarch64__)
    uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" : : "r"(control | (uint64_t(1) << 24)));
#endif
}

}  // namespace

struct AudioThread {
    AudioThread(Synth *synth, const AudioThreadOptions &options)
        : synth_(synth),
          rate_(options.rate),
          period_(options.period),
          priority_(options.priority),
          core_(options.core),
          event_(options.event),
          clock_(options.clock),
          block_(options.period * kChannels),
          heard_(options.period, options.rate)
    {
        if (options.device != nullptr) {
            const PcmRequest request = {options.rate, options.period, options.periods, options.pulse_channel};
            opener_ = std::make_unique<DeviceOpener>(options.device, request, options.clock);
        }
        if (options.pulse_channel != 0) {
            pulses_.resize(options.period);
            signals_.resize(options.period * kSignalsMax);
        }
        if (options.tap) {
            tap_ = std::make_unique<Tap>(options.rate);
        }
    }

    // Starts the threads. Returns 0 or a positive errno.
    int Start()
    {
        refused_.memory_lock = alsa_output::LockMemory();
        if (opener_ != nullptr) {
            const int error = opener_->Start();
            if (error != 0) {
                return error;
            }
        }
        const int error = pthread_create(&thread_, nullptr, Main, this);
        if (error == 0) {
            refused_.real_time = alsa_output::AskForRealTime(thread_, priority_);
            refused_.core = alsa_output::AskForCore(thread_, core_);
        }
        return error;
    }

    void Stop()
    {
        if (!stopping_.exchange(true, std::memory_order_relaxed)) {
            pthread_join(thread_, nullptr);
        }
    }

    AudioThreadStatus Status() const
    {
        AudioThreadStatus status = {};
        status.device_open = device_open_.load(std::memory_order_acquire);
        status.refused = refused_;
        status.device_error = device_error_.load(std::memory_order_relaxed);
        if (status.device_error == 0 && opener_ != nullptr) {
            status.device_error = opener_->Error();
        }
        if (status.device_open) {
            status.device_rate = rate_;
            status.device_period = device_period_.load(std::memory_order_relaxed);
            status.device_periods = device_periods_.load(std::memory_order_relaxed);
            status.device_format = snd_pcm_format_name(device_format_.load(std::memory_order_relaxed));
            status.device_mapped = device_mapped_.load(std::memory_order_relaxed);
        }
        status.xruns = xruns_.load(std::memory_order_relaxed);
        status.xrun_frames = xrun_frames_.load(std::memory_order_relaxed);
        status.tap_lost = tap_lost_.load(std::memory_order_relaxed);
        return status;
    }

    const Position &HeardPosition() const
    {
        return position_;
    }

    uint32_t ReadTap(float *out, uint32_t frames)
    {
        return tap_ == nullptr ? 0 : tap_->Read(out, frames);
    }

  private:
    static void *Main(void *thread)
    {
        static_cast<AudioThread *>(thread)->Run();
        return nullptr;
    }

    void Run()
    {
        FlushDenormals();
        due_ = Now();
        dry_ = due_;
        while (!stopping_.load(std::memory_order_relaxed)) {
            Period(1.0f, 1.0f);
        }
        FadeOut();
    }

    // Renders one period and waits for its duration: in the device, or by the clock without one. The output gain
    // changes from `from` to `to`.
    void Period(float from, float to)
    {
        AcquireDevice();
        if (device_ != nullptr) {
            const int error = device_->Wait(kStallMilliseconds);
            if (error < 0) {
                DeviceFailed(error);
            }
        }
        synth_render(synth_, block_.data(), period_);
        rendered_ += period_;
        if (from != 1.0f || to != 1.0f) {
            Scale(from, to);
        }
        if (tap_ != nullptr) {
            Count(tap_lost_, tap_->Write(block_.data(), period_));
        }
        if (device_ != nullptr) {
            const float *signals = Signals();
            int error = device_->Write(signals, kStallMilliseconds);
            if (error < 0 && DeviceFailed(error)) {
                error = device_->Write(signals, kStallMilliseconds);
                if (error < 0) {
                    LoseDevice(error);
                }
            }
        }
        Pace();
        SignalReports();
    }

    // Signals that the engine has made reports. Call it when the position is known, by which their reader tells when
    // they are heard.
    void SignalReports()
    {
        const uint64_t reports = synth_counters(synth_).reports;
        if (event_ >= 0 && reports != reports_) {
            // Without blocking: a full counter is signalled already.
            eventfd_write(event_, 1);
        }
        reports_ = reports;
    }

    // The rendered period for the device: the music, and the pulses beside it if they have a channel.
    const float *Signals()
    {
        if (pulses_.empty()) {
            return block_.data();
        }
        synth_render_pulses(synth_, pulses_.data(), period_);
        for (uint32_t i = 0; i < period_; ++i) {
            signals_[kSignalsMax * i] = block_[kChannels * i];
            signals_[kSignalsMax * i + 1] = block_[kChannels * i + 1];
            signals_[kSignalsMax * i + 2] = pulses_[i];
        }
        return signals_.data();
    }

    uint64_t Now() const
    {
        return clock_.now(clock_.context);
    }

    // Duration of `frames` in nanoseconds.
    uint64_t Duration(uint64_t frames) const
    {
        return frames * kSecond / rate_;
    }

    void Pace()
    {
        due_ += Duration(period_);
        uint32_t delay = 0;
        if (device_ != nullptr) {
            unpaced_ = recovered_ || device_->IsDiscarding() ? unpaced_ + 1 : 0;
            recovered_ = false;
            delay = device_->Delay();
        }
        uint64_t now = Now();
        dry_ = now + Duration(delay);
        const bool paced = device_ != nullptr && unpaced_ < kUnpacedMax;
        if (paced != paced_) {
            heard_.Restart();
            paced_ = paced;
        }
        if (!paced) {
            if (due_ > now) {
                clock_.sleep_until(clock_.context, due_);
            } else if (now - due_ > kBehindMax) {
                due_ = now;
            }
            now = due_;
        } else if (unpaced_ == 0) {
            due_ = now;  // the device sets the pace; if it fails, the clock continues from here
        }
        position_.Write(rendered_, heard_.Smooth(now + Duration(static_cast<uint64_t>(delay) + synth_latency(synth_))));
    }

    void AcquireDevice()
    {
        if (device_ != nullptr || opener_ == nullptr) {
            return;
        }
        device_ = opener_->Acquire();
        if (device_ == nullptr) {
            return;
        }
        unpaced_ = 0;
        const int error = device_->Prepare();
        if (error < 0) {
            LoseDevice(error);
            return;
        }
        const PcmSettings &settings = device_->Settings();
        device_period_.store(static_cast<uint32_t>(settings.period), std::memory_order_relaxed);
        device_periods_.store(settings.Periods(), std::memory_order_relaxed);
        device_format_.store(settings.format, std::memory_order_relaxed);
        device_mapped_.store(settings.IsMapped(), std::memory_order_relaxed);
        device_open_.store(true, std::memory_order_release);
    }

    // Handles a device error. Returns whether the device is ready for writing again.
    bool DeviceFailed(int error)
    {
        const int recovered = device_->Recover(error);
        if (error == -EPIPE || error == -ESTRPIPE) {
            // Measured by this thread's clock: alsa-lib's plugins abort the program if asked for their status now
            // (pcm_plugin.c of 1.2.14 asserts that their slave has got as far as they have).
            const uint64_t now = Now();
            Count(xruns_, 1);
            Count(xrun_frames_, now > dry_ ? (now - dry_) * rate_ / kSecond : 0);
        }
        if (recovered < 0) {
            LoseDevice(recovered);
            return false;
        }
        recovered_ = true;
        heard_.Restart();
        return true;
    }

    void LoseDevice(int error)
    {
        device_error_.store(error, std::memory_order_relaxed);
        device_open_.store(false, std::memory_order_release);
        opener_->Return(device_);
        device_ = nullptr;
    }

    void Scale(float from, float to)
    {
        for (uint32_t i = 0; i < period_; ++i) {
            const float gain = from + (to - from) * (static_cast<float>(i + 1) / static_cast<float>(period_));
            block_[kChannels * i] *= gain;
            block_[kChannels * i + 1] *= gain;
        }
    }

    // Fades out for 5 ms or one period, whichever is longer, then outputs silence until the fade has been heard.
    void FadeOut()
    {
        const uint32_t fade_periods = std::max(1u, (rate_ / 200 + period_ - 1) / period_);
        for (uint32_t i = 0; i < fade_periods; ++i) {
            const float from = 1.0f - static_cast<float>(i) / static_cast<float>(fade_periods);
            const float to = 1.0f - static_cast<float>(i + 1) / static_cast<float>(fade_periods);
            Period(from, to);
        }
        if (device_ == nullptr) {
            return;
        }
        const uint64_t end = Now() + std::min(Duration(device_->Delay()), kSecond);
        while (Now() < end && device_ != nullptr) {
            Period(0.0f, 0.0f);
        }
        device_open_.store(false, std::memory_order_release);
        if (device_ != nullptr) {
            device_->Drop();
            opener_->Return(device_);
            device_ = nullptr;
        }
    }

    Synth *const synth_;
    const uint32_t rate_;
    const uint32_t period_;
    const int32_t priority_;
    const int32_t core_;
    const int32_t event_;
    const AudioClock clock_;
    pthread_t thread_ = {};
    AudioPrivilegeErrors refused_ = {};  // final when Start returns
    std::atomic<bool> stopping_ = {false};

    // Used by the audio thread only.
    std::vector<float> block_;    // one period, interleaved
    std::vector<float> pulses_;   // one period, if the pulses have a channel
    std::vector<float> signals_;  // both, interleaved
    uint64_t rendered_ = 0;       // frames
    uint64_t reports_ = 0;        // of the engine so far
    uint64_t due_ = 0;            // time at which the frames rendered so far have been played
    uint64_t dry_ = 0;            // time at which the device will have played all written frames
    uint32_t unpaced_ = 0;        // consecutive periods that the device accepted without playing
    bool recovered_ = false;      // from an xrun, in this period
    bool paced_ = false;          // by the device
    HeardTime heard_;
    PcmDevice *device_ = nullptr;

    std::unique_ptr<DeviceOpener> opener_;
    std::unique_ptr<Tap> tap_;
    Position position_;
    std::atomic<bool> device_open_ = {false};
    std::atomic<int32_t> device_error_ = {0};
    std::atomic<uint32_t> device_period_ = {0};
    std::atomic<uint32_t> device_periods_ = {0};
    std::atomic<snd_pcm_format_t> device_format_ = {SND_PCM_FORMAT_UNKNOWN};
    std::atomic<bool> device_mapped_ = {false};
    std::atomic<uint64_t> xruns_ = {0};
    std::atomic<uint64_t> xrun_frames_ = {0};
    std::atomic<uint64_t> tap_lost_ = {0};
};

AudioThread *audio_thread_start(Synth *synth, const AudioThreadOptions *options, int32_t *error)
{
    const bool valid = options->rate > 0 && options->period >= 16 && options->period <= 4096 && options->periods >= 2
        && options->periods <= 8
        && (options->pulse_channel == 0
            || (options->pulse_channel > kChannels && options->pulse_channel <= synth_channels));
    if (!valid) {
        *error = EINVAL;
        return nullptr;
    }
    AudioThread *thread = new (std::nothrow) AudioThread(synth, *options);
    *error = thread == nullptr ? ENOMEM : thread->Start();
    if (*error != 0) {
        delete thread;
        return nullptr;
    }
    return thread;
}

void audio_thread_stop(AudioThread *thread)
{
    thread->Stop();
}

void audio_thread_free(AudioThread *thread)
{
    thread->Stop();
    delete thread;
}

AudioThreadStatus audio_thread_status(const AudioThread *thread)
{
    return thread->Status();
}

bool audio_thread_position(const AudioThread *thread, uint64_t *frame, uint64_t *nanoseconds)
{
    return thread->HeardPosition().Read(frame, nanoseconds);
}

uint32_t audio_thread_read_tap(AudioThread *thread, float *out, uint32_t frames)
{
    return thread->ReadTap(out, frames);
}
