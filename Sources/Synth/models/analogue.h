// The analogue model: two band-limited oscillators from saw to square, a sine an octave below, and noise. The acid model
// uses the first oscillator and the sine only.

#ifndef PIXELBOOP_SYNTH_ANALOGUE_H
#define PIXELBOOP_SYNTH_ANALOGUE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "model_source.h"

namespace synth {

// An oscillator from saw to square and a sine an octave below, eight voices.
class SawAndBelow : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phases_[lane] = {start.phase, 0};
        highest_[lane] = start.highest_hertz;
        tables_.Start(lane, Waves::Offset(Wave::saw, start.highest_hertz * start.expression.ratio));
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
    }

    void Advance()
    {
        tables_.Advance();
    }

    void Bend(uint32_t lane, double ratio)
    {
        tables_.MoveTo(lane, Waves::Offset(Wave::saw, highest_[lane] * ratio));
    }

    void Clear(uint32_t lane)
    {
        increment_[lane] = 0.0f;
    }

  protected:
    // From a saw's table to the square's of the same band.
    static constexpr uint32_t kSquare = Waves::Offset(Wave::square, 1.0) - Waves::Offset(Wave::saw, 1.0);

    // Apart from the tables: a load of a table beside a phase would wait for the store of the phase.
    struct VoicePhases {
        uint32_t first;
        uint32_t below;
    };

    // The saw of the voice on `lane`.
    template <bool moving>
    void LookUpSaw(const float *waves, uint32_t lane, const UintLanes &phases, const FloatLanes &times,
                   FloatLanes &signal) const
    {
        tables_[lane].LookUpIn<moving>(times, signal, [&](uint32_t table, FloatLanes &found) {
            LookUp<Waves::kIndexBits>(waves, phases, table, found);
        });
    }

    // The wave of `shape`, 0 saw to 1 square.
    template <bool moving>
    void LookUpShape(const float *waves, uint32_t lane, const UintLanes &phases, const FloatLanes &shape,
                     const FloatLanes &times, FloatLanes &signal) const
    {
        LookUpSaw<moving>(waves, lane, phases, times, signal);
        if (AnyAudible(shape)) {
            FloatLanes square;
            tables_[lane].LookUpIn<moving>(times, square, [&](uint32_t table, FloatLanes &found) {
                LookUp<Waves::kIndexBits>(waves, phases, table + kSquare, found);
            });
            signal += shape * (square - signal);
        }
    }

    std::array<VoicePhases, kLanes> phases_ = {};
    LaneTables tables_;  // of the saws
    std::array<double, kLanes> highest_ = {};  // hertz of each voice, with the modulation of its pitch
    FloatLanes increment_ = {};
};

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

class Acid : public SawAndBelow {
  public:
    static constexpr uint32_t kNumbers = 3;

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        numbers[kIncrement] = increment_ * pitch;
        numbers[kShape] = parts[SynthTargetTimbre];
        numbers[kBelow] = parts[SynthTargetTimbre + 1];
    }

    template <bool moving>
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        VoicePhases &voice = phases_[lane];
        const UintLanes increments = Increment(numbers[kIncrement]);
        const UintLanes phases = Phases<moving>(voice.first, increments, eight.count);
        LookUpShape<moving>(waves, lane, phases, numbers[kShape], eight.times, signal);
        signal += numbers[kBelow] * SineOfPhase(Phases<moving>(voice.below, increments >> 1, eight.count));
    }

  private:
    enum { kIncrement, kShape, kBelow };
};

}  // namespace synth

#endif
