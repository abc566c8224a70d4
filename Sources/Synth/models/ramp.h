// A number that goes in a straight line from one update to the next. Its value depends only on the samples since the
// update, and so not on the block size.

#ifndef PIXELBOOP_SYNTH_RAMP_H
#define PIXELBOOP_SYNTH_RAMP_H

#include <cstdint>

#include "modulation.h"

namespace synth {

struct Ramp {
    float from = 0.0f;
    float to = 0.0f;
    float slope = 0.0f;  // a sample

    // The line ends, and stays until it is aimed again.
    void Arrive()
    {
        from = to;
        slope = 0.0f;
    }

    // Reaches `target` at the next update.
    void Aim(float target)
    {
        to = target;
        slope = (to - from) * (1.0f / kTick);
    }

    // The value `frames` after the update.
    float At(uint32_t frames) const
    {
        return from + slope * static_cast<float>(frames);
    }

    bool IsZero() const
    {
        return from == 0.0f && to == 0.0f;
    }
};

}  // namespace synth

#endif
