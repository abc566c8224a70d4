// The oscillators that the analogue and the acid model share.

#ifndef PIXELBOOP_SYNTH_SAW_AND_BELOW_H
#define PIXELBOOP_SYNTH_SAW_AND_BELOW_H

#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/oscillator.h"
#include "../lanes/waves.h"
#include "voice_generator.h"

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

}  // namespace synth

#endif
