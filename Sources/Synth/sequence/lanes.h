// The lanes of one track in the engine's copy of a pattern, and how the track runs through its steps.

#ifndef PIXELBOOP_SYNTH_SEQUENCE_LANES_H
#define PIXELBOOP_SYNTH_SEQUENCE_LANES_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "synth.h"

namespace synth {

class Lanes {
  public:
    Lanes()
    {
        for (auto &lane : values_) {
            lane.fill(synth_no_value);
        }
    }

    // Sets the value of `lane` at `step`; `synth_no_value` removes it. Other values are clamped to the lane's range.
    void Set(uint32_t lane, uint32_t step, int16_t value)
    {
        int16_t &place = values_[lane][step];
        count_ -= place != synth_no_value;
        place = value == synth_no_value ? value : Clamped(lane, value);
        count_ += place != synth_no_value;
    }

    // `value`, clamped to the range of `lane`.
    static int16_t Clamped(uint32_t lane, int16_t value)
    {
        return std::clamp(value, kLowest[lane], kHighest[lane]);
    }

    bool Empty() const
    {
        return count_ == 0;
    }

    bool Has(SynthLaneKind lane, uint32_t step) const
    {
        return values_[lane][step] != synth_no_value;
    }

    // The value of `lane` at `step`, or `otherwise`.
    int32_t Value(SynthLaneKind lane, uint32_t step, int32_t otherwise) const
    {
        return Has(lane, step) ? values_[lane][step] : otherwise;
    }

  private:
    static constexpr std::array<int16_t, synth_lanes> kLowest = {1, 0, 1, 1, -1, 5, -50, 0, -100, -100, -100, -100, -100};
    static constexpr std::array<int16_t, synth_lanes> kHighest = {127, 100, 41, 8, 1, 400, 50, 1, 100, 100, 100, 100, 100};

    std::array<std::array<int16_t, synth_steps>, synth_lanes> values_;
    uint32_t count_ = 0;
};

// How a track runs through its steps.
struct Shape {
    uint32_t length = 0;     // steps; 0: the pattern's
    uint32_t twelfths = 12;  // duration of a track's step in twelfths of the pattern's
    uint32_t direction = SynthForward;
    uint32_t seed = 0;  // 0: the pattern's

    // The shape of a command; every value is clamped to its range.
    static Shape Of(const SynthShapeCommand &command)
    {
        Shape shape;
        shape.length = std::min<uint32_t>(command.length, synth_steps);
        for (uint32_t known : {3u, 6u, 8u, 18u, 24u, 48u}) {
            shape.twelfths = command.twelfths == known ? known : shape.twelfths;
        }
        shape.direction = std::min<uint32_t>(command.direction, SynthRandom);
        shape.seed = command.seed;
        return shape;
    }

    bool IsPlain() const
    {
        return length == 0 && twelfths == 12 && direction == SynthForward;
    }
};

}  // namespace synth

#endif
