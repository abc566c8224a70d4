// The wavetable model: a position between 64 waves, a second oscillator detuned against the first, and a sine an octave
// below.

#ifndef PIXELBOOP_SYNTH_WAVETABLE_H
#define PIXELBOOP_SYNTH_WAVETABLE_H

#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "model_source.h"

namespace synth {

class Wavetable {
  public:
    static constexpr uint32_t kNumbers = 5;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        first_[lane] = start.phase;
        second_[lane] = start.phase + start.seed;
        below_[lane] = 0;
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
        table_[lane] = Waves::MorphOffset(start.highest_hertz);
    }

    void Clear(uint32_t lane)
    {
        first_[lane] = 0;
        second_[lane] = 0;
        below_[lane] = 0;
        increment_[lane] = 0.0f;
        table_[lane] = 0;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        constexpr float kDetune = 50.0f / 1200.0f;  // octaves at most
        const FloatLanes detune = parts[SynthTargetTimbre + 1];
        numbers[kIncrement] = increment_ * pitch;
        numbers[kSecond] = numbers[kIncrement] * Exp2(detune * kDetune);
        numbers[kPosition] = parts[SynthTargetTimbre] * (Waves::kMorphs - 1.01f);
        // Without detuning the second oscillator is silent, and the first twice as loud.
        numbers[kBlend] = 0.5f * Least(20.0f * detune, FloatLanes{} + 1.0f);
        numbers[kBelow] = parts[SynthTargetTimbre + 2];
    }

    // Leaves out the parts that are silent from `now` to `next`.
    void Notice(const FloatLanes *now, const FloatLanes *next)
    {
        blends_ = AnyAudible(now[kBlend]) || AnyAudible(next[kBlend]);
    }

    void Next(const float *waves, const FloatLanes *numbers, FloatLanes &signal)
    {
        const IntLanes wave = __builtin_convertvector(numbers[kPosition], IntLanes);
        const FloatLanes part = numbers[kPosition] - __builtin_convertvector(wave, FloatLanes);
        const UintLanes table = table_ + reinterpret_cast<UintLanes>(wave) * Waves::kMorphStride;
        FloatLanes first;
        FloatLanes next;
        LookUp<Waves::kMorphBits>(waves, first_, table, first);
        LookUp<Waves::kMorphBits>(waves, first_, table + Waves::kMorphStride, next);
        signal = first + part * (next - first);
        if (blends_) {
            FloatLanes second;
            LookUp<Waves::kMorphBits>(waves, second_, table, second);
            LookUp<Waves::kMorphBits>(waves, second_, table + Waves::kMorphStride, next);
            second += part * (next - second);
            signal += numbers[kBlend] * (second - signal);
        }
        signal += numbers[kBelow] * SineOfPhase(below_);
        const UintLanes increment = Increment(numbers[kIncrement]);
        first_ += increment;
        second_ += Increment(numbers[kSecond]);
        below_ += increment >> 1;
    }

  private:
    enum { kIncrement, kSecond, kPosition, kBlend, kBelow };

    UintLanes first_ = {};
    UintLanes second_ = {};
    UintLanes below_ = {};
    UintLanes table_ = {};
    FloatLanes increment_ = {};
    bool blends_ = false;
};

}  // namespace synth

#endif
