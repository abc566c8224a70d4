// The string machine: a saw and another an octave above, as from one divided oscillator. The ensemble is an effect of the
// track.

#ifndef PIXELBOOP_SYNTH_STRINGS_H
#define PIXELBOOP_SYNTH_STRINGS_H

#include <cstdint>

#include "../lane_math.h"
#include "../model_source.h"
#include "../oscillator.h"
#include "../waves.h"

namespace synth {

class Strings {
  public:
    static constexpr uint32_t kNumbers = 3;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        low_[lane] = start.phase;
        high_[lane] = start.seed;
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
        low_table_[lane] = Waves::Offset(Wave::saw, start.highest_hertz);
        high_table_[lane] = Waves::Offset(Wave::saw, 2.06 * start.highest_hertz);
    }

    void Clear(uint32_t lane)
    {
        low_[lane] = 0;
        high_[lane] = 0;
        increment_[lane] = 0.0f;
        low_table_[lane] = 0;
        high_table_[lane] = 0;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        constexpr float kDetune = 50.0f / 1200.0f;  // octaves at most
        numbers[kIncrement] = increment_ * pitch;
        numbers[kHigh] = 2.0f * numbers[kIncrement] * Exp2(parts[SynthTargetTimbre + 2] * kDetune);
        numbers[kOctave] = parts[SynthTargetTimbre];
    }

    void Notice(const FloatLanes *, const FloatLanes *) {}

    void Next(const float *waves, const FloatLanes *numbers, FloatLanes &signal)
    {
        FloatLanes low;
        FloatLanes high;
        LookUp<Waves::kIndexBits>(waves, low_, low_table_, low);
        LookUp<Waves::kIndexBits>(waves, high_, high_table_, high);
        signal = low + numbers[kOctave] * (high - low);
        low_ += Increment(numbers[kIncrement]);
        high_ += Increment(numbers[kHigh]);
    }

  private:
    enum { kIncrement, kHigh, kOctave };

    UintLanes low_ = {};
    UintLanes high_ = {};
    UintLanes low_table_ = {};
    UintLanes high_table_ = {};
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
