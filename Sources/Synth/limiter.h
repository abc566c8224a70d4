// The last thing before the output: a look-ahead limiter on the true peak of both sides, which share one gain so that
// nothing moves to the side. Below the ceiling every sample goes through unchanged; above it the gain is already down
// when the peak arrives. The gain is kept in whole numbers
// (Q30), so it comes back to exactly 1 and no sum of it drifts.

#ifndef PIXELBOOP_SYNTH_LIMITER_H
#define PIXELBOOP_SYNTH_LIMITER_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "elementary.h"
#include "lanes.h"

namespace synth {

class Limiter {
  public:
    // Samples between input and output: half the interpolator and the length of the gain's average.
    static constexpr uint32_t kDelay = 72;

    explicit Limiter(uint32_t rate)
        // A time constant of 80 ms: short enough not to pump at 200 BPM (a step is 75 ms), long enough to leave
        // a 30 Hz kick its shape.
        : release_(static_cast<int64_t>(OneMinusExp(1.0 / (0.08 * rate)) * kOne))
    {
        // Windowed sinc at a quarter, a half and three quarters of a sample; the 12 taps straddle the point.
        for (uint32_t phase = 0; phase < kPhases; ++phase) {
            double sum = 0.0;
            std::array<double, kTaps> taps;
            for (uint32_t tap = 0; tap < kTaps; ++tap) {
                const double x = (tap + 1.0) - kTaps / 2.0 - (phase + 1.0) / 4.0;  // samples from the point
                const double window = HalfCosine(x / (kTaps / 2.0));
                taps[tap] = SineOfTurns(x / 2.0) / (kPi * x) * window;
                sum += taps[tap];
            }
            for (uint32_t tap = 0; tap < kTaps; ++tap) {
                taps_[tap][2 * phase] = taps_[tap][2 * phase + 1] = static_cast<float>(taps[tap] / sum);
            }
        }
        reductions_.fill(static_cast<int32_t>(kOne));
    }

    // True when the input has been zero for so long that more of it would change nothing but the time.
    bool AtRest() const
    {
        return zeros_ >= kHistory && IsOpen();
    }

    // Takes one frame and gives back the one that is due.
    void Next(float &left, float &right)
    {
        zeros_ = left == 0.0f && right == 0.0f ? std::min(zeros_ + 1, kHistory) : 0;
        // The history is written twice, so that any window of it is contiguous.
        position_ = position_ == 0 ? kHistory - 1 : position_ - 1;
        history_[position_] = history_[position_ + kHistory] = {left, right};
        const float louder = std::max(Absolute(left), Absolute(right));
        left = history_[position_ + kDelay].left;
        right = history_[position_ + kDelay].right;

        // No point between samples exceeds the largest of its 12 neighbours by more than the taps' absolute sum,
        // 2.04 at most, so quiet input needs no interpolation.
        hot_ = louder > kCeiling * 0.48f ? kTaps : hot_ - (hot_ > 0 ? 1 : 0);
        const int64_t wanted = hot_ > 0 ? WantedGain() : kOne;
        now_ += 1;
        if (wanted == kOne && IsOpen()) {
            return;
        }
        const float gain = Gain(wanted);
        left = Clamp(left * gain);
        right = Clamp(right * gain);
    }

  private:
    static constexpr uint32_t kTaps = 12;
    static constexpr uint32_t kPhases = 3;
    static constexpr uint32_t kAverage = kDelay - kTaps / 2;  // 66
    static constexpr uint32_t kHold = kAverage + 1;           // a minimum of this many covers every average
    static constexpr uint32_t kHistory = 128;                 // more than kDelay
    static constexpr int64_t kOne = int64_t(1) << 30;
    static constexpr float kCeiling = 0.891250938f;  // -1 dB: what the interpolator cannot see stays below 0

    static float Absolute(float x)
    {
        return x < 0.0f ? -x : x;
    }

    static float Clamp(float x)
    {
        return std::min(1.0f, std::max(-1.0f, x));
    }

    // sin(2 pi `turns`) for `turns` in -4...4.
    static double SineOfTurns(double turns)
    {
        while (turns > 0.5) {
            turns -= 1.0;
        }
        while (turns < -0.5) {
            turns += 1.0;
        }
        if (turns > 0.25) {
            turns = 0.5 - turns;
        } else if (turns < -0.25) {
            turns = -0.5 - turns;
        }
        return Sine(2.0 * kPi * turns);
    }

    // Cosine window, 1 at 0 and 0 at -1 and 1.
    static double HalfCosine(double x)
    {
        return Sine(kPi / 2.0 * (1.0 - (x < 0.0 ? -x : x)));
    }

    // The gain is 1, has been for the length of the average, and nothing on the way will lower it.
    bool IsOpen() const
    {
        return minima_begin_ == minima_end_ && gain_ == kOne && sum_ == kOne * kAverage;
    }

    // The gain that would bring the newest interval between two frames, six frames ago, to the ceiling: three points
    // of two sides in six lanes.
    int64_t WantedGain() const
    {
        const Frame *x = &history_[position_];
        FloatLanes sums = {};
        for (uint32_t tap = 0; tap < kTaps; ++tap) {
            const float l = x[tap].left;
            const float r = x[tap].right;
            sums += taps_[tap] * FloatLanes{l, r, l, r, l, r, 0.0f, 0.0f};
        }
        const Frame &older = x[kTaps / 2];
        const Frame &newer = x[kTaps / 2 - 1];
        float peak = std::max(std::max(Absolute(older.left), Absolute(older.right)),
                              std::max(Absolute(newer.left), Absolute(newer.right)));
        for (uint32_t lane = 0; lane < 2 * kPhases; ++lane) {
            peak = std::max(peak, Absolute(sums[lane]));
        }
        return peak > kCeiling ? static_cast<int64_t>(kCeiling / peak * static_cast<float>(kOne)) : kOne;
    }

    float Gain(int64_t wanted)
    {
        // Sliding minimum: the queue holds, oldest first, the gains below 1 that no later one undercuts.
        if (minima_begin_ != minima_end_ && now_ - minima_[minima_begin_ % kHistory].time >= kHold) {
            minima_begin_ += 1;
        }
        if (wanted < kOne) {
            while (minima_begin_ != minima_end_ && minima_[(minima_end_ - 1) % kHistory].gain >= wanted) {
                minima_end_ -= 1;
            }
            minima_[minima_end_ % kHistory] = {wanted, now_};
            minima_end_ += 1;
        }
        const int64_t lowest = minima_begin_ != minima_end_ ? minima_[minima_begin_ % kHistory].gain : kOne;

        // Down at once, up by a part of the way; the average then rounds off both corners.
        const int64_t risen = std::min(kOne, gain_ + 1 + (((kOne - gain_) * release_) >> 30));
        gain_ = std::min(lowest, risen);
        sum_ += gain_ - reductions_[reduction_];
        reductions_[reduction_] = static_cast<int32_t>(gain_);
        reduction_ = reduction_ + 1 == kAverage ? 0 : reduction_ + 1;
        return static_cast<float>(sum_ / kAverage) * (1.0f / static_cast<float>(kOne));
    }

    struct Frame {
        float left;
        float right;
    };

    struct Minimum {
        int64_t gain;
        uint32_t time;
    };

    std::array<FloatLanes, kTaps> taps_ = {};
    std::array<Frame, 2 * kHistory> history_ = {};
    uint32_t position_ = 0;
    uint32_t zeros_ = kHistory;  // zero samples in a row, as far as they matter
    uint32_t hot_ = 0;
    uint32_t now_ = 0;
    std::array<Minimum, kHistory> minima_ = {};
    uint32_t minima_begin_ = 0;
    uint32_t minima_end_ = 0;
    int64_t release_;
    int64_t gain_ = kOne;
    std::array<int32_t, kAverage> reductions_;
    uint32_t reduction_ = 0;
    int64_t sum_ = kOne * kAverage;
};

}  // namespace synth

#endif
