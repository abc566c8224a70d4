// The last stage before the output: a look-ahead limiter on the true peak of both channels, which share one gain to
// keep the stereo image. Below the ceiling every sample passes unchanged; above it the gain is already reduced when the
// peak arrives. The gain is an integer (Q30), so it returns to exactly 1 and its running sum does not drift.

#ifndef PIXELBOOP_SYNTH_LIMITER_H
#define PIXELBOOP_SYNTH_LIMITER_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
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

    static constexpr float kCeiling = 0.891250938f;  // -1 dB: margin for peaks that the interpolator misses
    // Ceiling of a compressed mix, which reaches it more often: peaks that the interpolator misses stay below -1 dB.
    static constexpr float kLowCeiling = 0.881048873f;

    // The gain's way to 1 in a block without a peak. Each sample waits for the last one, so it is stepped together with
    // the effects, before the peaks are known. Process uses it if there are none.
    class Recursion {
      public:
        explicit Recursion(Limiter &limiter) : limiter_(limiter), missing_(limiter.last_missing_) {}

        template <bool drops>
        void Step(uint32_t i)
        {
            missing_ = limiter_.Fallen(missing_);
            limiter_.missing_[i] = missing_;
        }

        bool IsAudible() const
        {
            return true;
        }

        void Commit()
        {
            limiter_.last_missing_ = missing_;
        }

      private:
        Limiter &limiter_;
        int64_t missing_;
    };

    // Begins `frames` samples of Recursion.
    void Begin(uint32_t frames)
    {
        last_missing_ = kOne - gain_.value;
        missing_count_ = frames;
    }

    // Processes `frames` interleaved frames in place, at most kBlock; the output is delayed by kDelay.
    void Process(float *samples, uint32_t frames, float ceiling = kCeiling)
    {
        ceiling_ = ceiling;
        if (end_ + frames > kRoom) {
            std::copy_n(history_.begin() + (end_ - kHistory), kHistory, history_.begin());
            end_ = kHistory;
        }
        const float peak = Store(samples, frames);
        CountZeros(peak, frames);
        const float highest = peak > kQuiet || loud_left_ > 0 ? FindPeaks(frames) : 0.0f;
        loud_left_ = peak > kQuiet ? TruePeak::kTaps : loud_left_ - std::min(loud_left_, frames);
        if (highest > ceiling_ || gain_.minima_begin != gain_.minima_end) {
            Limit(samples, frames, highest);
        } else if (IsOpen(gain_)) {
            Pass(samples, frames);
        } else if (kOne - gain_.value > 4 * kBlock) {
            Release(samples, frames);
        } else {
            Limit(samples, frames, highest);
        }
        missing_count_ = 0;
        end_ += frames;
    }

  private:
    static constexpr uint32_t kAverage = kDelay - TruePeak::kTaps / 2;  // 66
    static constexpr uint32_t kHold = kAverage + 1;                     // a minimum of this length covers every average
    static constexpr uint32_t kHistory = 128;                           // more than kDelay
    static constexpr uint32_t kRoom = 1024;                             // so that the history is rarely moved
    static constexpr uint32_t kGroup = kLanes / 2;                      // frames in a vector
    static constexpr int64_t kOne = int64_t(1) << 30;
    static constexpr float kQuiet = kLowCeiling * TruePeak::kSafe;      // below this no interpolation is needed

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

    // Stores `frames` samples behind the history. Returns the largest magnitude, and the largest of every four frames
    // in `groups_`.
    float Store(const float *samples, uint32_t frames)
    {
        std::memcpy(&history_[end_], samples, frames * sizeof(Frame));
        // Zeros instead of samples from long ago.
        std::fill_n(history_.begin() + end_ + frames, kGroup, Frame{0.0f, 0.0f});
        FloatLanes highest = {};
        for (uint32_t first = 0; first < frames; first += kGroup) {
            FloatLanes group;
            std::memcpy(&group, &history_[end_ + first], sizeof(group));
            group = Magnitude(group);
            groups_[first / kGroup] = group;
            highest = Most(highest, group);
        }
        return Highest(highest);
    }

    static float Highest(const FloatLanes &lanes)
    {
        float highest = 0.0f;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            highest = std::max(highest, lanes[lane]);
        }
        return highest;
    }

    // Finds the peaks of the frames whose neighbours are loud; the others are far below the ceiling, and count as 0.
    // Returns the highest.
    float FindPeaks(uint32_t frames)
    {
        FloatLanes highest = {};
        uint32_t loud_until = loud_left_;
        for (uint32_t first = 0; first < frames; first += kGroup) {
            if (AnyOver(groups_[first / kGroup], kQuiet)) {
                loud_until = first + kGroup + TruePeak::kTaps - 1;
            }
            FloatLanes peaks = {};
            if (first < loud_until) {
                peaks = true_peak_.Find(&history_[end_ + first]);
                highest = Most(highest, peaks);
            }
            std::memcpy(&peaks_[2 * first], &peaks, sizeof(peaks));
        }
        // Peaks beyond the last frame belong to the silence that follows it, and may be higher.
        return Highest(highest);
    }

    void Pass(float *samples, uint32_t frames)
    {
        gain_.now += frames;
        std::memcpy(samples, &history_[end_ - kDelay], frames * sizeof(Frame));
    }

    // The gain's distance from 1 one sample after the distance `missing`.
    int64_t Fallen(int64_t missing) const
    {
        return missing - 1 - ((missing * release_) >> 30);
    }

    // Without a peak, the gain rises, and is far from 1.
    void Release(float *samples, uint32_t frames)
    {
        if (missing_count_ != frames) {
            int64_t missing = kOne - gain_.value;
            for (uint32_t i = 0; i < frames; ++i) {
                missing = Fallen(missing);
                missing_[i] = missing;
            }
        }
        // In steps: only one of them has to wait for the sample before.
        std::array<int64_t, kBlock> sums;
        uint32_t done = 0;
        while (done < frames) {
            const uint32_t run = std::min(frames - done, kAverage - gain_.reduction);
            int32_t *const reductions = reductions_.data() + gain_.reduction;
            for (uint32_t i = 0; i < run; ++i) {
                const int32_t value = static_cast<int32_t>(kOne - missing_[done + i]);
                sums[done + i] = value - reductions[i];
                reductions[i] = value;
            }
            done += run;
            gain_.reduction = gain_.reduction + run == kAverage ? 0 : gain_.reduction + run;
        }
        int64_t sum = gain_.sum;
        for (uint32_t i = 0; i < frames; ++i) {
            sum += sums[i];
            sums[i] = sum;
        }
        gain_.value = kOne - missing_[frames - 1];
        gain_.sum = sum;
        gain_.now += frames;
        std::array<float, kBlock> factors;
        for (uint32_t i = 0; i < frames; ++i) {
            factors[i] = ReleasedFactor(sums[i]);
        }
        const float *const due = &history_[end_ - kDelay].left;
        for (uint32_t i = 0; i < frames; ++i) {
            samples[2 * i] = Clamp(due[2 * i] * factors[i]);
            samples[2 * i + 1] = Clamp(due[2 * i + 1] * factors[i]);
        }
    }

    // With peaks up to `highest`.
    void Limit(float *samples, uint32_t frames, float highest)
    {
        // In registers: the compiler has to fear that a store into a queue changes a member.
        Gain gain = gain_;
        for (uint32_t i = 0; i < frames; ++i) {
            const int64_t target = highest > ceiling_ ? GainFor(std::max(peaks_[2 * i], peaks_[2 * i + 1])) : kOne;
            gain.now += 1;
            Frame due = history_[end_ + i - kDelay];
            if (target < kOne || !IsOpen(gain)) {
                const float factor = Next(gain, target);
                due = {Clamp(due.left * factor), Clamp(due.right * factor)};
            }
            samples[2 * i] = due.left;
            samples[2 * i + 1] = due.right;
        }
        gain_ = gain;
    }

    // The gain that reduces `peak` to the ceiling.
    int64_t GainFor(float peak) const
    {
        return peak > ceiling_ ? static_cast<int64_t>(ceiling_ / peak * static_cast<float>(kOne)) : kOne;
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
        return Factor(gain.sum);
    }

    // The mean of the gains that add up to `sum`.
    static float Factor(int64_t sum)
    {
        return static_cast<float>(sum / kAverage) * (1.0f / static_cast<float>(kOne));
    }

    // The same in numbers of which a processor divides several at once. The half keeps a whole quotient from falling
    // below itself; a quotient that is not whole is at least 1/66 away from the next, and the error of the product is
    // 2^-22.
    static float ReleasedFactor(int64_t sum)
    {
        // `sum`, below 2^37, as the last bits of a number from 2^52 on.
        constexpr double kBase = 4503599627370496.0;
        const uint64_t bits = static_cast<uint64_t>(sum) | 0x4330000000000000u;
        double number;
        std::memcpy(&number, &bits, sizeof(number));
        const int32_t mean = static_cast<int32_t>((number - kBase + 0.5) * (1.0 / kAverage));
        return static_cast<float>(mean) * (1.0f / static_cast<float>(kOne));
    }

    struct Minimum {
        int64_t gain;
        uint32_t time;
    };

    const TruePeak true_peak_;
    std::array<Frame, kRoom + kGroup> history_ = {};      // oldest first
    std::array<FloatLanes, kBlock / kGroup> groups_;      // magnitudes of the current frames
    std::array<float, 2 * kBlock> peaks_ = {};            // of the current frames, left and right interleaved
    uint32_t end_ = kHistory;
    uint32_t zeros_ = kHistory;  // consecutive zero samples, saturating
    uint32_t loud_left_ = 0;  // frames whose taps still contain a loud frame
    std::array<Minimum, kHistory> minima_ = {};
    int64_t release_;
    float ceiling_ = kCeiling;
    Gain gain_;
    std::array<int32_t, kAverage> reductions_;
    std::array<int64_t, kBlock> missing_;  // distance of each sample's gain from 1, without a peak
    int64_t last_missing_ = 0;             // the last of them
    uint32_t missing_count_ = 0;           // samples for which Recursion has computed it
};

}  // namespace synth

#endif
