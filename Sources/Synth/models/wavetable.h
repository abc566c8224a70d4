// The wavetable model: a position between 64 waves, a second oscillator detuned against the first, and a sine an octave
// below.

#ifndef PIXELBOOP_SYNTH_WAVETABLE_H
#define PIXELBOOP_SYNTH_WAVETABLE_H

#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "voice_generator.h"

namespace synth {

class Wavetable : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;
    static constexpr uint32_t kNumbers = 5;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        voices_[lane] = {start.phase, start.phase + start.seed, 0};
        highest_[lane] = start.highest_hertz;
        tables_.Start(lane, Waves::MorphOffset(start.highest_hertz * start.expression.ratio));
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
    }

    void Advance()
    {
        tables_.Advance();
    }

    void Bend(uint32_t lane, double ratio)
    {
        tables_.MoveTo(lane, Waves::MorphOffset(highest_[lane] * ratio));
    }

    void Clear(uint32_t lane)
    {
        increment_[lane] = 0.0f;
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

    template <bool moving>
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        Voice &voice = voices_[lane];
        const UintLanes increments = Increment(numbers[kIncrement]);
        const IntLanes wave = __builtin_convertvector(numbers[kPosition], IntLanes);
        const FloatLanes part = numbers[kPosition] - __builtin_convertvector(wave, FloatLanes);
        const UintLanes offset = reinterpret_cast<UintLanes>(wave) * Waves::kMorphStride;
        const UintLanes phases = Phases<moving>(voice.first, increments, eight.count);
        tables_[lane].LookUpIn<moving>(eight.times, signal, [&](uint32_t table, FloatLanes &found) {
            LookUpBetween(waves, phases, table + offset, part, found);
        });
        const UintLanes second_phases = Phases<moving>(voice.second, Increment(numbers[kSecond]), eight.count);
        if (AnyAudible(numbers[kBlend])) {
            FloatLanes second;
            tables_[lane].LookUpIn<moving>(eight.times, second, [&](uint32_t table, FloatLanes &found) {
                LookUpBetween(waves, second_phases, table + offset, part, found);
            });
            signal += numbers[kBlend] * (second - signal);
        }
        signal += numbers[kBelow] * SineOfPhase(Phases<moving>(voice.below, increments >> 1, eight.count));
    }

  private:
    enum { kIncrement, kSecond, kPosition, kBlend, kBelow };

    struct Voice {
        uint32_t first;
        uint32_t second;
        uint32_t below;
    };

    // Between the wave at `table` and the next.
    static void LookUpBetween(const float *waves, const UintLanes &phases, const UintLanes &table, const FloatLanes &part,
                              FloatLanes &signal)
    {
        FloatLanes next;
        LookUp<Waves::kMorphBits>(waves, phases, table, signal);
        LookUp<Waves::kMorphBits>(waves + Waves::kMorphStride, phases, table, next);
        signal += part * (next - signal);
    }

    std::array<Voice, kLanes> voices_ = {};  // phases
    LaneTables tables_;
    std::array<double, kLanes> highest_ = {};  // hertz of each voice, with the modulation of its pitch
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
