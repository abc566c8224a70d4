// The analogue model: two band-limited oscillators from saw to square, a sine an octave below, and noise.

#ifndef PIXELBOOP_SYNTH_ANALOGUE_H
#define PIXELBOOP_SYNTH_ANALOGUE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "saw_and_below.h"

namespace synth {

class Analogue : public SawAndBelow {
  public:
    static constexpr uint32_t kNumbers = 5;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        SawAndBelow::Start(lane, start);
        second_[lane] = start.phase + start.seed;
        noise_[lane] = start.seed;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        constexpr float kDetune = 50.0f / 1200.0f;  // octaves at most
        numbers[kIncrement] = increment_ * pitch;
        numbers[kSecond] = numbers[kIncrement] * Exp2(parts[SynthTargetTimbre + 1] * kDetune);
        numbers[kShape] = parts[SynthTargetTimbre];
        numbers[kBelow] = parts[SynthTargetTimbre + 2];
        numbers[kNoise] = 0.5f * parts[SynthTargetTimbre + 3];
    }

    // Makes the noises of all voices.
    void Before(const LaneRamp *numbers, uint32_t, uint32_t frames, VoiceWaves &noises)
    {
        if (numbers[kNoise].IsZero()) {
            return;
        }
        for (uint32_t done = 0; done < frames; done += kLanes) {
            std::array<FloatLanes, kLanes> &eight = noises[done / kLanes];
            for (uint32_t i = 0; i < std::min(kLanes, frames - done); ++i) {
                eight[i] = Noise(noise_);
            }
            Transpose(eight);
        }
    }

    template <bool moving>
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        VoicePhases &voice = phases_[lane];
        const UintLanes increments = Increment(numbers[kIncrement]);
        const UintLanes first_phases = Phases<moving>(voice.first, increments, eight.count);
        const UintLanes second_phases = Phases<moving>(second_[lane], Increment(numbers[kSecond]), eight.count);
        FloatLanes first;
        FloatLanes second;
        LookUpShape<moving>(waves, lane, first_phases, numbers[kShape], eight.times, first);
        LookUpSaw<moving>(waves, lane, second_phases, eight.times, second);
        FloatLanes sum = 0.5f * (first + second);
        const UintLanes below = Phases<moving>(voice.below, increments >> 1, eight.count);
        if (AnyAudible(numbers[kBelow])) {
            sum += numbers[kBelow] * SineOfPhase(below);
        }
        if (AnyAudible(numbers[kNoise])) {
            sum += numbers[kNoise] * signal;
        }
        signal = sum;
    }

  private:
    enum { kIncrement, kSecond, kShape, kBelow, kNoise };

    std::array<uint32_t, kLanes> second_ = {};
    UintLanes noise_ = {};
};

}  // namespace synth

#endif
