// The organ: nine sines on six drawbars. The highest four share the last one, the mixture.

#ifndef PIXELBOOP_SYNTH_ORGAN_H
#define PIXELBOOP_SYNTH_ORGAN_H

#include <array>
#include <cstdint>

#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "voice_generator.h"

namespace synth {

class Organ : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;
    static constexpr uint32_t kNumbers = 1 + synth_timbres;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phases_[lane] = start.phase;
        // The 16' drawbar sounds an octave below the note.
        increment_[lane] = static_cast<float>(PhaseIncrement(0.5 * start.hertz, start.rate));
    }

    void Clear(uint32_t lane)
    {
        increment_[lane] = 0.0f;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        constexpr float kStep = 0.498289214f;  // 3 dB in octaves of gain
        numbers[0] = increment_ * pitch;
        for (uint32_t i = 0; i < synth_timbres; ++i) {
            const FloatLanes bar = Least(100.0f * parts[SynthTargetTimbre + i], FloatLanes{} + 8.0f);
            numbers[1 + i] = 0.5f * Exp2((bar - 8.0f) * kStep) * Least(bar, FloatLanes{} + 1.0f);
        }
        numbers[6] *= 0.5f;
    }

    // Only the 16' is computed from the phase; the others follow by the sums of angles.
    template <bool moving>
    void Make(const float *, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        constexpr uint32_t kQuarter = 1u << 30;
        const UintLanes phases = Phases<moving>(phases_[lane], Increment(numbers[0]), eight.count);
        const FloatLanes s1 = SineOfPhase(phases);
        const FloatLanes c1 = SineOfPhase(phases + kQuarter);
        const FloatLanes s2 = 2.0f * s1 * c1;
        const FloatLanes c2 = 1.0f - 2.0f * s1 * s1;
        const FloatLanes s3 = s2 * c1 + c2 * s1;
        const FloatLanes c3 = c2 * c1 - s2 * s1;
        const FloatLanes s4 = 2.0f * s2 * c2;
        const FloatLanes c4 = 1.0f - 2.0f * s2 * s2;
        const FloatLanes s6 = 2.0f * s3 * c3;
        const FloatLanes c6 = 1.0f - 2.0f * s3 * s3;
        const FloatLanes s8 = 2.0f * s4 * c4;
        const FloatLanes c8 = 1.0f - 2.0f * s4 * s4;
        const FloatLanes s10 = s6 * c4 + c6 * s4;
        const FloatLanes s12 = 2.0f * s6 * c6;
        const FloatLanes s16 = 2.0f * s8 * c8;
        signal = numbers[1] * s1 + numbers[2] * s3 + numbers[3] * s2 + numbers[4] * s4 + numbers[5] * s6
            + numbers[6] * ((s8 + s10) + (s12 + s16));
    }

  private:
    std::array<uint32_t, kLanes> phases_ = {};
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
