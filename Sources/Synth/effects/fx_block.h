// The frames that a performance effect processes at once.

#ifndef PIXELBOOP_SYNTH_FX_BLOCK_H
#define PIXELBOOP_SYNTH_FX_BLOCK_H

#include <array>
#include <cstdint>

#include "../lanes/lanes.h"
#include "../lanes/ramp.h"

namespace synth {

struct FxBlock {
    const float *left;
    const float *right;
    uint32_t frames;
    uint32_t at;  // frames since the update of ramps; the block ends with the next one at the latest
    std::array<FloatPair, kTick> wet;  // what the effect makes of them
    std::array<float, kTick> x;        // the finger's place, 0 to 1
    std::array<float, kTick> y;
    std::array<float, kTick> weights;  // of what the effect makes, 0 to 1

    FloatPair In(uint32_t i) const
    {
        return FloatPair{left[i], right[i]};
    }
};

}  // namespace synth

#endif
