// The plain model with modulation, unison, drive or chorus: the wave of the track's recipe. Without them the recipe is
// played by MelodicSource.

#ifndef PIXELBOOP_SYNTH_PLAIN_H
#define PIXELBOOP_SYNTH_PLAIN_H

#include <array>
#include <cstdint>

#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "model_source.h"

namespace synth {

class Plain : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;
    static constexpr uint32_t kNumbers = 1;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phases_[lane] = start.phase;
        tables_[lane] = Waves::Offset(start.wave, start.highest_hertz);
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
    }

    void Clear(uint32_t lane)
    {
        increment_[lane] = 0.0f;
    }

    void Compute(const LaneParts &, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        numbers[0] = increment_ * pitch;
    }

    template <bool moving>
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const FloatLanes &, uint32_t count,
              FloatLanes &signal)
    {
        const UintLanes phases = Phases<moving>(phases_[lane], Increment(numbers[0]), count);
        LookUp<Waves::kIndexBits>(waves, phases, UintLanes{} + tables_[lane], signal);
    }

  private:
    std::array<uint32_t, kLanes> phases_ = {};
    std::array<uint32_t, kLanes> tables_ = {};
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
