// Frequency modulation, in its usual form of phase modulation: two stacks of a modulator and a carrier. The first
// modulator feeds back into itself. The index is limited for each note so that the side bands that would fold below 16
// kHz stay 80 dB down.

#ifndef PIXELBOOP_SYNTH_FM_H
#define PIXELBOOP_SYNTH_FM_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../elementary.h"
#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "model_source.h"

namespace synth {

class Fm {
  public:
    static constexpr uint32_t kNumbers = 7;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        for (UintLanes &phase : phases_) {
            phase[lane] = start.phase;
        }
        last_[lane] = 0.0f;
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
        // Partials up to here fold to no frequency below 16 kHz.
        reach_[lane] = static_cast<float>((start.rate - 16000.0) / start.highest_hertz - 1.0);
        envelope_[lane] = start.velocity > 1 ? 1.3f : 1.0f;
        const float decay = start.parts[SynthTargetTimbre + 2];
        // 10 ms to 10 s to fall by 60 dB; none at the top of the range.
        const double milliseconds = 10.0 * Power(1.0 + 0.0715193, static_cast<uint32_t>(100.0f * decay + 0.5f));
        loss_[lane] =
            decay > 0.995f ? 0.0f : static_cast<float>(OneMinusExp(Logarithm(1000.0) / Frames(milliseconds, start.rate)));
    }

    void Clear(uint32_t lane)
    {
        for (UintLanes &phase : phases_) {
            phase[lane] = 0;
        }
        last_[lane] = 0.0f;
        increment_[lane] = 0.0f;
        reach_[lane] = 0.0f;
        envelope_[lane] = 0.0f;
        loss_[lane] = 0.0f;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        const FloatLanes index = kIndexMax * parts[SynthTargetTimbre + 1] * parts[SynthTargetTimbre + 1];
        const FloatLanes ratio = Ratio(parts[SynthTargetTimbre]);
        // Feedback makes harmonics of the modulator: high notes get less of both.
        const FloatLanes feedback = parts[SynthTargetTimbre + 3] * Least(reach_ / (60.0f * ratio), FloatLanes{} + 1.0f);
        const FloatLanes second_ratio = Ratio(parts[SynthTargetTimbre + 5]);
        numbers[kCarrier] = increment_ * pitch;
        numbers[kModulator] = Least(numbers[kCarrier] * ratio, FloatLanes{} + kNyquist);
        numbers[kIndex] = Least(index, Limit(reach_ / (ratio * (1.0f + 6.0f * feedback))));
        numbers[kFeedback] = feedback * 0.1f;
        numbers[kMix] = parts[SynthTargetTimbre + 4];
        numbers[kSecondModulator] = Least(numbers[kCarrier] * second_ratio, FloatLanes{} + kNyquist);
        numbers[kSecondIndex] = Least(index, Limit(reach_ / second_ratio));
    }

    // Leaves out the parts that are silent from `now` to `next`.
    void Notice(const FloatLanes *now, const FloatLanes *next)
    {
        feeds_back_ = AnyAudible(now[kFeedback]) || AnyAudible(next[kFeedback]);
        mixes_ = AnyAudible(now[kMix]) || AnyAudible(next[kMix]);
    }

    void Next(const float *, const FloatLanes *numbers, FloatLanes &signal)
    {
        // A sample waits for the one before only with feedback.
        UintLanes phase = phases_[1];
        if (feeds_back_) {
            phase += Turns(numbers[kFeedback] * last_);
        }
        const FloatLanes modulator = SineOfPhase(phase);
        last_ = modulator;
        const FloatLanes depth = envelope_ * (1.0f / 6.28318531f);
        signal = SineOfPhase(phases_[0] + Turns(numbers[kIndex] * depth * modulator));
        if (mixes_) {
            const FloatLanes second =
                SineOfPhase(phases_[0] + Turns(numbers[kSecondIndex] * depth * SineOfPhase(phases_[2])));
            signal += numbers[kMix] * (second - signal);
        }
        envelope_ -= envelope_ * loss_;
        phases_[0] += Increment(numbers[kCarrier]);
        phases_[1] += Increment(numbers[kModulator]);
        phases_[2] += Increment(numbers[kSecondModulator]);
    }

  private:
    enum { kCarrier, kModulator, kIndex, kFeedback, kMix, kSecondModulator, kSecondIndex };

    static constexpr float kIndexMax = 8.0f;
    static constexpr float kNyquist = 2147483000.0f;

    // The ratios of the modulators; a value between two of them is between their ratios.
    static constexpr std::array<float, 21> kRatios = {0.5f, 0.707f, 1.0f, 1.19f, 1.414f, 1.5f, 2.0f, 2.41f, 2.756f, 3.0f,
                                                      3.5f, 4.0f, 5.0f, 5.404f, 6.0f, 7.0f, 8.0f, 9.0f, 11.0f, 13.0f,
                                                      14.0f};

    static FloatLanes Ratio(const FloatLanes &value)
    {
        FloatLanes ratio;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            const float place = value[lane] * 20.0f;
            const uint32_t below = std::min(19u, static_cast<uint32_t>(place + 0.001f));
            const float part = std::max(0.0f, place - static_cast<float>(below));
            ratio[lane] = kRatios[below] + part * (kRatios[below + 1] - kRatios[below]);
        }
        return ratio;
    }

    // The largest index whose side bands from number `reach` + 1 on are 80 dB down, from the Bessel functions, divided by
    // the 1.3 of an accent.
    static FloatLanes Limit(const FloatLanes &reach)
    {
        constexpr std::array<float, 10> kLimits = {0.0001f, 0.018f, 0.12f, 0.31f, 0.58f, 0.91f, 1.27f, 1.66f, 2.05f, 2.5f};
        FloatLanes limit;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            const float number = std::min(std::max(reach[lane], 0.0f), 30.0f);
            const uint32_t whole = static_cast<uint32_t>(number);
            limit[lane] = whole < kLimits.size() ? kLimits[whole] : 2.5f + 0.42f * static_cast<float>(whole - 9);
        }
        return limit;
    }

    // `x` turns as a phase.
    static UintLanes Turns(const FloatLanes &x)
    {
        return reinterpret_cast<UintLanes>(__builtin_convertvector(x * 16777216.0f, IntLanes)) << 8;
    }

    std::array<UintLanes, 3> phases_ = {};
    FloatLanes last_ = {};
    FloatLanes increment_ = {};
    FloatLanes reach_ = {};
    FloatLanes envelope_ = {};
    FloatLanes loss_ = {};
    bool feeds_back_ = false;
    bool mixes_ = false;
};

}  // namespace synth

#endif
