// Eight table oscillators. The phase is 32 bits of a turn: the top 12 pick the sample, the other 20 are the
// fraction, which single precision holds exactly.

#ifndef PIXELBOOP_SYNTH_OSCILLATOR_H
#define PIXELBOOP_SYNTH_OSCILLATOR_H

#include "lanes.h"
#include "waves.h"

namespace synth {

class Oscillator {
  public:
    void Start(uint32_t lane, uint32_t table)
    {
        phase_[lane] = 0;
        table_[lane] = table;
    }

    void Next(const float *waves, const UintLanes &increment, FloatLanes &signal)
    {
        constexpr uint32_t kFractionBits = 32 - Waves::kIndexBits;
        constexpr uint32_t kFractionMask = (1u << kFractionBits) - 1;
        const UintLanes index = (phase_ >> kFractionBits) + table_;
        const IntLanes remainder = reinterpret_cast<IntLanes>(phase_ & kFractionMask);
        const FloatLanes fraction = __builtin_convertvector(remainder, FloatLanes) * (1.0f / (1u << kFractionBits));
        FloatLanes low;
        FloatLanes high;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            const float *sample = waves + index[lane];
            low[lane] = sample[0];
            high[lane] = sample[1];
        }
        signal = low + fraction * (high - low);
        phase_ += increment;
    }

  private:
    UintLanes phase_ = {};
    UintLanes table_ = {};
};

}  // namespace synth

#endif
