// The power of the last 64 samples of a stereo signal: the same wherever the blocks begin.

#ifndef PIXELBOOP_SYNTH_TICK_POWER_H
#define PIXELBOOP_SYNTH_TICK_POWER_H

#include <cstdint>
#include <cstring>

#include "../lanes/lanes.h"
#include "../lanes/ramp.h"

namespace synth {

class TickPower {
  public:
    // Adds `frames` samples, the first of which is `at` samples after the update. Each lane has every eighth sample.
    void Add(const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        uint32_t i = 0;
        while (i < frames) {
            const uint32_t lane = (at + i) % kLanes;
            if (lane == 0 && i + kLanes <= frames) {
                FloatLanes lefts;
                FloatLanes rights;
                std::memcpy(&lefts, left + i, sizeof(lefts));
                std::memcpy(&rights, right + i, sizeof(rights));
                sums_ += lefts * lefts + rights * rights;
                i += kLanes;
            } else {
                sums_[lane] += left[i] * left[i] + right[i] * right[i];
                i += 1;
            }
        }
    }

    // The mean power of a channel since the last update, which this one is.
    float Take()
    {
        const float mean = AddLanes(sums_) * (0.5f / kTick);
        sums_ = FloatLanes{};
        return mean;
    }

    bool IsZero() const
    {
        return !AnyAudible(sums_);
    }

  private:
    FloatLanes sums_ = {};
};

}  // namespace synth

#endif
