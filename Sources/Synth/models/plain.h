// The plain model with modulation, unison, drive or chorus: the wave of the track's recipe. Without them the recipe is
// played by MelodicSource.

#ifndef PIXELBOOP_SYNTH_PLAIN_H
#define PIXELBOOP_SYNTH_PLAIN_H

#include <array>
#include <cstdint>

#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "voice_generator.h"

namespace synth {

class Plain : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = true;
    static constexpr uint32_t kNumbers = 1;

    void Start(uint32_t lane, const VoiceStart &start)
    {
        phases_[lane] = start.phase;
        wave_[lane] = start.wave;
        highest_[lane] = start.highest_hertz;
        tables_.Start(lane, Table(lane, start.expression.ratio));
        increment_[lane] = static_cast<float>(PhaseIncrement(start.hertz, start.rate));
    }

    void Advance()
    {
        tables_.Advance();
    }

    void Bend(uint32_t lane, double ratio)
    {
        tables_.MoveTo(lane, Table(lane, ratio));
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
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        const UintLanes phases = Phases<moving>(phases_[lane], Increment(numbers[0]), eight.count);
        tables_[lane].LookUpIn<moving>(eight.times, signal, [&](uint32_t table, FloatLanes &found) {
            LookUp<Waves::kIndexBits>(waves, phases, table, found);
        });
    }

  private:
    uint32_t Table(uint32_t lane, double ratio) const
    {
        return Waves::Offset(wave_[lane], highest_[lane] * ratio);
    }

    std::array<uint32_t, kLanes> phases_ = {};
    LaneTables tables_;
    std::array<Wave, kLanes> wave_ = {};
    std::array<double, kLanes> highest_ = {};  // hertz of each voice, with the modulation of its pitch
    FloatLanes increment_ = {};
};

}  // namespace synth

#endif
