// A number that goes in a straight line from one update to the next. Its value depends only on the samples since the
// update, and so not on the block size.

#ifndef PIXELBOOP_SYNTH_RAMP_H
#define PIXELBOOP_SYNTH_RAMP_H

#include <cstdint>

#include "filter.h"
#include "lanes.h"

namespace synth {

// Samples between two updates. Updates fall on multiples of it, counted from the engine's start, so that the sound does
// not depend on the block size.
constexpr uint32_t kTick = 64;

// `Number` is a float, or FloatLanes for the numbers of eight voices.
template <typename Number>
struct RampOf {
    Number from = {};
    Number to = {};
    Number slope = {};  // a sample

    // The line ends, and stays until it is aimed again.
    void Arrive()
    {
        from = to;
        slope = Number{};
    }

    // Reaches `target` at the next update.
    void Aim(const Number &target)
    {
        to = target;
        slope = (to - from) * (1.0f / kTick);
    }

    // Sets the voice on `lane` to `value`, until the next update.
    void Set(uint32_t lane, float value)
    {
        from[lane] = value;
        to[lane] = value;
        slope[lane] = 0.0f;
    }

    // Values of the voice on `lane` at eight times: frames after the update.
    FloatLanes OfVoice(uint32_t lane, const FloatLanes &times) const
    {
        return Splat(LaneOf(from, lane)) + Splat(LaneOf(slope, lane)) * times;
    }

    // The value `frames` after the update.
    Number At(uint32_t frames) const
    {
        // Signed: AVX2 has no conversion of unsigned numbers.
        return from + slope * static_cast<float>(static_cast<int32_t>(frames));
    }

    // Whether it is zero up to the next update.
    bool IsZero() const
    {
        return !AnyAudible(from) && !AnyAudible(to);
    }
};

typedef RampOf<float> Ramp;
typedef RampOf<FloatLanes> LaneRamp;

}  // namespace synth

#endif
