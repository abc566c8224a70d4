// The plain model with modulation, unison, drive or chorus: the wave of the track's recipe. Without them the recipe is
// played by MelodicSource.

#ifndef PIXELBOOP_SYNTH_PLAIN_H
#define PIXELBOOP_SYNTH_PLAIN_H

#include <cstdint>

#include "../lane_math.h"
#include "../model_source.h"
#include "../oscillator.h"
#include "../waves.h"

namespace synth {

class Plain {
  public:
    static constexpr uint32_t kNumbers = 1;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phase_[lane] = start.phase;
        table_[lane] = Waves::Offset(start.wave, start.highest_hertz);
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
    }

    void Clear(uint32_t lane)
    {
        phase_[lane] = 0;
        table_[lane] = 0;
        increment_[lane] = 0.0f;
    }

    void Compute(const LaneParts &, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        numbers[0] = increment_ * pitch;
    }

    void Notice(const FloatLanes *, const FloatLanes *) {}

    void Next(const float *waves, const FloatLanes *numbers, FloatLanes &signal)
    {
        LookUp<Waves::kIndexBits>(waves, phase_, table_, signal);
        phase_ += Increment(numbers[0]);
    }

  private:
    UintLanes phase_ = {};
    UintLanes table_ = {};
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
