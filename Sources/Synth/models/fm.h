// Frequency modulation, in its usual form of phase modulation: two stacks of a modulator and a carrier. The first
// modulator feeds back into itself. The index is limited for each note so that the side bands that would fold below 16
// kHz stay 80 dB down.

#ifndef PIXELBOOP_SYNTH_FM_H
#define PIXELBOOP_SYNTH_FM_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/ramp.h"
#include "voice_generator.h"

namespace synth {

class Fm : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;
    static constexpr uint32_t kNumbers = 7;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        voices_[lane] = {start.phase, start.phase, start.phase};
        last_[lane] = 0.0f;
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
        highest_[lane] = start.highest_hertz;
        // Partials up to here fold to no frequency below 16 kHz.
        folding_hertz_ = start.rate - 16000.0;
        Bend(lane, start.expression.ratio);
        depth_.Set(lane, start.velocity > 1 ? 1.3f : 1.0f);
        const float decay = start.parts[SynthTargetTimbre + 2];
        // 10 ms to 10 s to fall by 60 dB; none at the top of the range.
        const double milliseconds = 10.0 * Power(1.0 + 0.0715193, static_cast<uint32_t>(100.0f * decay + 0.5f));
        const double nepers = kTick * Logarithm(1000.0) / Frames(milliseconds, start.rate);
        loss_[lane] = decay > 0.995f ? 0.0f : static_cast<float>(OneMinusExp(nepers));
    }

    void Clear(uint32_t lane)
    {
        last_[lane] = 0.0f;
        increment_[lane] = 0.0f;
        reach_[lane] = 0.0f;
        depth_.Set(lane, 0.0f);
        loss_[lane] = 0.0f;
    }

    void Bend(uint32_t lane, double ratio)
    {
        reach_[lane] = static_cast<float>(folding_hertz_ / (highest_[lane] * ratio) - 1.0);
    }

    // The depth of the modulation decays.
    void Advance()
    {
        FloatLanes depth = depth_.to - depth_.to * loss_;
        DropInaudible(depth);
        depth_.Arrive();
        depth_.Aim(depth);
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
        numbers[kIndex] = kRadian * Least(index, Limit(reach_ / (ratio * (1.0f + 6.0f * feedback))));
        numbers[kFeedback] = feedback * (0.1f * kTurn);
        numbers[kMix] = parts[SynthTargetTimbre + 4];
        numbers[kSecondModulator] = Least(numbers[kCarrier] * second_ratio, FloatLanes{} + kNyquist);
        numbers[kSecondIndex] = kRadian * Least(index, Limit(reach_ / second_ratio));
    }

    // Makes the first modulators if they feed back.
    void Before(const LaneRamp *numbers, uint32_t at, uint32_t frames, VoiceWaves &modulators)
    {
        feeds_back_ = !numbers[kFeedback].IsZero();
        for (uint32_t done = 0; done < frames && feeds_back_; done += kLanes) {
            FeedBack(numbers, at + done, std::min(kLanes, frames - done), modulators[done / kLanes]);
        }
    }

    // Makes the modulators.
    template <bool moving>
    void Modulate(uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &modulator)
    {
        Voice &voice = voices_[lane];
        if (!feeds_back_) {
            modulator = SineOfPhase(Phases<moving>(voice.modulator, Increment(numbers[kModulator]), eight.count));
        }
        const UintLanes phases = Phases<moving>(voice.second, Increment(numbers[kSecondModulator]), eight.count);
        if (HasSecond<moving>(numbers)) {
            second_modulators_[eight.number] = SineOfPhase(phases);
        }
    }

    // Makes the phases of the carriers.
    template <bool moving>
    void Make(const float *, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &modulator)
    {
        const FloatLanes depth = depth_.OfVoice(lane, eight.times);
        const UintLanes phases = Phases<moving>(voices_[lane].carrier, Increment(numbers[kCarrier]), eight.count);
        carriers_[eight.number] = phases + Turns(numbers[kIndex] * depth * modulator);
        if (HasSecond<moving>(numbers)) {
            const FloatLanes second = second_modulators_[eight.number];
            second_carriers_[eight.number] = phases + Turns(numbers[kSecondIndex] * depth * second);
        }
    }

    // Makes the carriers.
    template <bool moving>
    void Finish(const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        signal = SineOfPhase(carriers_[eight.number]);
        if (HasSecond<moving>(numbers)) {
            signal += numbers[kMix] * (SineOfPhase(second_carriers_[eight.number]) - signal);
        }
    }

  private:
    enum { kCarrier, kModulator, kIndex, kFeedback, kMix, kSecondModulator, kSecondIndex };

    static constexpr float kIndexMax = 8.0f;
    static constexpr float kTurn = 16777216.0f;  // the unit of the indices
    static constexpr float kRadian = kTurn / 6.28318531f;
    static constexpr float kNyquist = 2147483000.0f;

    // `count` samples, at most eight, of the first modulators of all voices, each of which waits for its last sample.
    void FeedBack(const LaneRamp *numbers, uint32_t at, uint32_t count, std::array<FloatLanes, kLanes> &modulators)
    {
        UintLanes phases;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            phases[lane] = voices_[lane].modulator;
        }
        for (uint32_t i = 0; i < count; ++i) {
            last_ = SineOfPhase(phases + Turns(numbers[kFeedback].At(at + i) * last_));
            modulators[i] = last_;
            phases += Increment(numbers[kModulator].At(at + i));
        }
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            voices_[lane].modulator = phases[lane];
        }
        Transpose(modulators);
    }

    // Whether the second stack is heard, or may be.
    template <bool moving>
    static bool HasSecond(const FloatLanes *numbers)
    {
        return moving || numbers[kMix][0] != 0.0f;
    }

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

    // The largest index whose side bands from number `reach` + 1 on are 80 dB down, from the Bessel functions, divided
    // by the 1.3 of an accent.
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

    // `x`, in 2^-24 turns, as a phase.
    static UintLanes Turns(const FloatLanes &x)
    {
        return reinterpret_cast<UintLanes>(__builtin_convertvector(x, IntLanes)) << 8;
    }

    struct Voice {
        uint32_t carrier;
        uint32_t modulator;
        uint32_t second;
    };

    std::array<Voice, kLanes> voices_ = {};
    FloatLanes last_ = {};  // sample of the first modulators
    FloatLanes increment_ = {};
    FloatLanes reach_ = {};
    std::array<double, kLanes> highest_ = {};  // hertz of each voice, with the modulation of its pitch
    double folding_hertz_ = 0.0;
    LaneRamp depth_;
    FloatLanes loss_ = {};  // of the depth, from update to update
    bool feeds_back_ = false;
    // Values of the voice that is being made.
    std::array<FloatLanes, kTick / kLanes> second_modulators_;
    std::array<UintLanes, kTick / kLanes> carriers_;  // phases
    std::array<UintLanes, kTick / kLanes> second_carriers_;
};

}  // namespace synth

#endif
