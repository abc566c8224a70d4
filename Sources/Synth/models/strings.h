// The string machine: a saw and another an octave above, as from one divided oscillator. Its ensemble is an
// effect of the track.

#ifndef PIXELBOOP_SYNTH_STRINGS_H
#define PIXELBOOP_SYNTH_STRINGS_H

#include <array>
#include <cstdint>

#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "voice_generator.h"

namespace synth {

class Strings : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;
    static constexpr uint32_t kNumbers = 3;

    static float Ensemble(const Modulation &modulation)
    {
        return 0.8f * modulation.Shared(static_cast<SynthTarget>(SynthTargetTimbre + 1), 0.0f, 1.0f);
    }

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phases_[lane] = {start.phase, start.seed};
        highest_[lane] = start.highest_hertz;
        low_tables_.Start(lane, Waves::Offset(Wave::saw, start.highest_hertz * start.expression.ratio));
        high_tables_.Start(lane, Waves::Offset(Wave::saw, 2.06 * start.highest_hertz * start.expression.ratio));
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
    }

    void Advance()
    {
        low_tables_.Advance();
        high_tables_.Advance();
    }

    void Bend(uint32_t lane, double ratio)
    {
        low_tables_.MoveTo(lane, Waves::Offset(Wave::saw, highest_[lane] * ratio));
        high_tables_.MoveTo(lane, Waves::Offset(Wave::saw, 2.06 * highest_[lane] * ratio));
    }

    void Clear(uint32_t lane)
    {
        increment_[lane] = 0.0f;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        constexpr float kDetune = 50.0f / 1200.0f;  // octaves at most
        numbers[kIncrement] = increment_ * pitch;
        numbers[kHigh] = 2.0f * numbers[kIncrement] * Exp2(parts[SynthTargetTimbre + 2] * kDetune);
        numbers[kOctave] = parts[SynthTargetTimbre];
    }

    template <bool moving>
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        Octaves &phases = phases_[lane];
        FloatLanes low;
        FloatLanes high;
        const UintLanes low_phases = Phases<moving>(phases.low, Increment(numbers[kIncrement]), eight.count);
        low_tables_[lane].LookUpIn<moving>(eight.times, low, [&](uint32_t table, FloatLanes &found) {
            LookUp<Waves::kIndexBits>(waves, low_phases, table, found);
        });
        const UintLanes high_phases = Phases<moving>(phases.high, Increment(numbers[kHigh]), eight.count);
        high_tables_[lane].LookUpIn<moving>(eight.times, high, [&](uint32_t table, FloatLanes &found) {
            LookUp<Waves::kIndexBits>(waves, high_phases, table, found);
        });
        signal = low + numbers[kOctave] * (high - low);
    }

  private:
    enum { kIncrement, kHigh, kOctave };

    struct Octaves {
        uint32_t low;
        uint32_t high;
    };

    std::array<Octaves, kLanes> phases_ = {};
    LaneTables low_tables_;
    LaneTables high_tables_;
    std::array<double, kLanes> highest_ = {};  // hertz of each voice, with the modulation of its pitch
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
