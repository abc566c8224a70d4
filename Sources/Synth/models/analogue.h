// The analogue model: two band-limited oscillators from saw to square, a sine an octave below, and noise. The acid model
// uses the first oscillator and the sine only.
//
// Like every generator of a ModelSource, it is started on a lane, computes its numbers from the values of the controls
// (ModelSource interpolates them from update to update), and then makes one sample of eight lanes at a time.

#ifndef PIXELBOOP_SYNTH_ANALOGUE_H
#define PIXELBOOP_SYNTH_ANALOGUE_H

#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "model_source.h"

namespace synth {

class Analogue {
  public:
    static constexpr uint32_t kNumbers = 5;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        first_[lane] = start.phase;
        second_[lane] = start.phase + start.seed;
        below_[lane] = 0;
        noise_[lane] = start.seed;
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
        saw_[lane] = Waves::Offset(Wave::saw, start.highest_hertz);
        square_[lane] = Waves::Offset(Wave::square, start.highest_hertz);
    }

    void Clear(uint32_t lane)
    {
        first_[lane] = 0;
        second_[lane] = 0;
        below_[lane] = 0;
        noise_[lane] = 0;
        increment_[lane] = 0.0f;
        saw_[lane] = 0;
        square_[lane] = 0;
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

    // Leaves out the parts that are silent from `now` to `next`.
    void Notice(const FloatLanes *now, const FloatLanes *next)
    {
        shapes_ = AnyAudible(now[kShape]) || AnyAudible(next[kShape]);
        hisses_ = AnyAudible(now[kNoise]) || AnyAudible(next[kNoise]);
    }

    void Next(const float *waves, const FloatLanes *numbers, FloatLanes &signal)
    {
        FloatLanes first;
        FloatLanes second;
        LookUp<Waves::kIndexBits>(waves, first_, saw_, first);
        if (shapes_) {
            FloatLanes square;
            LookUp<Waves::kIndexBits>(waves, first_, square_, square);
            first += numbers[kShape] * (square - first);
        }
        LookUp<Waves::kIndexBits>(waves, second_, saw_, second);
        signal = 0.5f * (first + second) + numbers[kBelow] * SineOfPhase(below_);
        if (hisses_) {
            signal += numbers[kNoise] * Noise(noise_);
        }
        const UintLanes increment = Increment(numbers[kIncrement]);
        first_ += increment;
        second_ += Increment(numbers[kSecond]);
        below_ += increment >> 1;
    }

  private:
    enum { kIncrement, kSecond, kShape, kBelow, kNoise };

    UintLanes first_ = {};
    UintLanes second_ = {};
    UintLanes below_ = {};
    UintLanes noise_ = {};
    UintLanes saw_ = {};
    UintLanes square_ = {};
    FloatLanes increment_ = {};
    bool shapes_ = false;
    bool hisses_ = false;
};

// The acid model's oscillator.
class Acid {
  public:
    static constexpr uint32_t kNumbers = 3;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phase_[lane] = start.phase;
        below_[lane] = 0;
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
        saw_[lane] = Waves::Offset(Wave::saw, start.highest_hertz);
        square_[lane] = Waves::Offset(Wave::square, start.highest_hertz);
    }

    void Clear(uint32_t lane)
    {
        phase_[lane] = 0;
        below_[lane] = 0;
        increment_[lane] = 0.0f;
        saw_[lane] = 0;
        square_[lane] = 0;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        numbers[kIncrement] = increment_ * pitch;
        numbers[kShape] = parts[SynthTargetTimbre];
        numbers[kBelow] = parts[SynthTargetTimbre + 1];
    }

    void Notice(const FloatLanes *, const FloatLanes *) {}

    void Next(const float *waves, const FloatLanes *numbers, FloatLanes &signal)
    {
        FloatLanes saw;
        FloatLanes square;
        LookUp<Waves::kIndexBits>(waves, phase_, saw_, saw);
        LookUp<Waves::kIndexBits>(waves, phase_, square_, square);
        signal = saw + numbers[kShape] * (square - saw) + numbers[kBelow] * SineOfPhase(below_);
        const UintLanes increment = Increment(numbers[kIncrement]);
        phase_ += increment;
        below_ += increment >> 1;
    }

  private:
    enum { kIncrement, kShape, kBelow };

    UintLanes phase_ = {};
    UintLanes below_ = {};
    UintLanes saw_ = {};
    UintLanes square_ = {};
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
