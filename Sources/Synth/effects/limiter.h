// The last stage before the output: a look-ahead limiter on the true peak of both channels, which share one gain to
// keep the stereo image. Below the ceiling every sample passes unchanged; above it the gain is already reduced when the
// peak arrives. The gain is an integer (Q30), so it returns to exactly 1 and its running sum does not drift.

#ifndef PIXELBOOP_SYNTH_LIMITER_H
#define PIXELBOOP_SYNTH_LIMITER_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../elementary.h"
#include "../lanes/lanes.h"
#include "true_peak.h"

namespace synth {

class Limiter {
  public:
    // Latency in samples: half the interpolator plus the length of the gain's moving average.
    static constexpr uint32_t kDelay = 72;

    explicit Limiter(uint32_t rate)
        // A time constant of 80 ms: short enough not to pump at 200 BPM (a step is 75 ms), long enough to keep the
        // shape of a 30 Hz kick.
        : release_(static_cast<int64_t>(OneMinusExp(1.0 / (0.08 * rate)) * kOne))
    {
        reductions_.fill(static_cast<int32_t>(kOne));
    }

    // Whether the input has been zero for so long that more zeros change nothing but the time.
    bool AtRest() const
    {
        return zeros_ >= kHistory && IsOpen(gain_);
    }

    // Processes `frames` interleaved frames in place, at most kBlock; the output is delayed by kDelay.
    void Process(float *samples, uint32_t frames)
    {
        if (end_ + frames > kRoom) {
            std::copy_n(history_.begin() + (end_ - kHistory), kHistory, history_.begin());
            end_ = kHistory;
        }
        float peak = 0.0f;
        for (uint32_t i = 0; i < frames; ++i) {
            const Frame frame = {samples[2 * i], samples[2 * i + 1]};
            history_[end_ + i] = frame;
            peak = std::max(peak, std::max(Absolute(frame.left), Absolute(frame.right)));
        }
        CountZeros(peak, frames);
        const bool is_loud = peak > kQuiet || loud_left_ > 0;
        loud_left_ = peak > kQuiet ? TruePeak::kTaps : loud_left_ - std::min(loud_left_, frames);
        if (is_loud) {
            true_peak_.Find(&history_[end_], frames, peaks_);
        } else if (IsOpen(gain_)) {
            Pass(samples, frames);
            return;
        } else {
            peaks_.fill(0.0f);
        }
        // In registers: the compiler has to fear that a store into a queue changes a member.
        Gain gain = gain_;
        for (uint32_t i = 0; i < frames; ++i) {
            const int64_t target = GainFor(std::max(peaks_[2 * i], peaks_[2 * i + 1]));
            gain.now += 1;
            Frame due = history_[end_ + i - kDelay];
            if (target < kOne || !IsOpen(gain)) {
                const float factor = Next(gain, target);
                due = {Clamp(due.left * factor), Clamp(due.right * factor)};
            }
            samples[2 * i] = due.left;
            samples[2 * i + 1] = due.right;
        }
        end_ += frames;
        gain_ = gain;
    }

  private:
    static constexpr uint32_t kAverage = kDelay - TruePeak::kTaps / 2;  // 66
    static constexpr uint32_t kHold = kAverage + 1;                     // a minimum of this length covers every average
    static constexpr uint32_t kHistory = 128;                           // more than kDelay
    static constexpr uint32_t kRoom = 1024;                             // so that the history is rarely moved
    static constexpr int64_t kOne = int64_t(1) << 30;
    static constexpr float kCeiling = 0.891250938f;  // -1 dB: margin for peaks that the interpolator misses
    static constexpr float kQuiet = kCeiling * TruePeak::kSafe;  // below this no interpolation is needed

    static float Absolute(float x)
    {
        return x < 0.0f ? -x : x;
    }

    static float Clamp(float x)
    {
        return std::min(1.0f, std::max(-1.0f, x));
    }

    // The gain on its way.
    struct Gain {
        uint32_t now = 0;
        uint32_t minima_begin = 0;
        uint32_t minima_end = 0;
        uint32_t reduction = 0;
        int64_t value = kOne;
        int64_t sum = kOne * kAverage;
    };

    // Whether the gain is 1, has been 1 for the length of the average, and no reduction is pending.
    static bool IsOpen(const Gain &gain)
    {
        return gain.minima_begin == gain.minima_end && gain.value == kOne && gain.sum == kOne * kAverage;
    }

    void CountZeros(float peak, uint32_t frames)
    {
        if (peak == 0.0f) {
            zeros_ = std::min(zeros_ + frames, kHistory);
            return;
        }
        zeros_ = 0;
        while (history_[end_ + frames - 1 - zeros_].left == 0.0f
               && history_[end_ + frames - 1 - zeros_].right == 0.0f) {
            zeros_ += 1;
        }
    }

    void Pass(float *samples, uint32_t frames)
    {
        gain_.now += frames;
        for (uint32_t i = 0; i < frames; ++i, ++end_) {
            samples[2 * i] = history_[end_ - kDelay].left;
            samples[2 * i + 1] = history_[end_ - kDelay].right;
        }
    }

    // The gain that reduces `peak` to the ceiling.
    static int64_t GainFor(float peak)
    {
        return peak > kCeiling ? static_cast<int64_t>(kCeiling / peak * static_cast<float>(kOne)) : kOne;
    }

    // The next factor.
    float Next(Gain &gain, int64_t target)
    {
        // Sliding minimum: the queue contains, oldest first, the gains below 1 that are lower than all later ones.
        if (gain.minima_begin != gain.minima_end && gain.now - minima_[gain.minima_begin % kHistory].time >= kHold) {
            gain.minima_begin += 1;
        }
        if (target < kOne) {
            while (gain.minima_begin != gain.minima_end && minima_[(gain.minima_end - 1) % kHistory].gain >= target) {
                gain.minima_end -= 1;
            }
            minima_[gain.minima_end % kHistory] = {target, gain.now};
            gain.minima_end += 1;
        }
        const int64_t lowest = gain.minima_begin != gain.minima_end ? minima_[gain.minima_begin % kHistory].gain : kOne;

        // The gain falls at once and rises exponentially; the moving average then rounds both corners.
        const int64_t risen = std::min(kOne, gain.value + 1 + (((kOne - gain.value) * release_) >> 30));
        gain.value = std::min(lowest, risen);
        gain.sum += gain.value - reductions_[gain.reduction];
        reductions_[gain.reduction] = static_cast<int32_t>(gain.value);
        gain.reduction = gain.reduction + 1 == kAverage ? 0 : gain.reduction + 1;
        return static_cast<float>(gain.sum / kAverage) * (1.0f / static_cast<float>(kOne));
    }

    struct Minimum {
        int64_t gain;
        uint32_t time;
    };

    const TruePeak true_peak_;
    std::array<Frame, kRoom + kLanes / 2> history_ = {};  // oldest first
    std::array<float, 2 * kBlock> peaks_ = {};            // of the current frames, left and right interleaved
    uint32_t end_ = kHistory;
    uint32_t zeros_ = kHistory;  // consecutive zero samples, saturating
    uint32_t loud_left_ = 0;  // frames whose taps still contain a loud frame
    std::array<Minimum, kHistory> minima_ = {};
    int64_t release_;
    Gain gain_;
    std::array<int32_t, kAverage> reductions_;
};

}  // namespace synth

#endif
