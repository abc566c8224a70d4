// A sampler's converter: 12 bits at 26.04 kHz without any filter, as in the drum samplers of 1987. Aliases and steps
// are the sound.

#ifndef PIXELBOOP_SYNTH_CRUSHER_H
#define PIXELBOOP_SYNTH_CRUSHER_H

#include <algorithm>
#include <cstdint>

#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"

namespace synth {

class Crusher {
  public:
    explicit Crusher(uint32_t rate) : increment_(static_cast<uint32_t>(PhaseIncrement(26040.0, rate) + 0.5)) {}

    bool AtRest() const
    {
        return held_ == 0.0f;
    }

    // Adds `frames` of `in`, sampled and held, to `out`.
    void Add(const Block &in, Block &out, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            phase_ += increment_;
            if (phase_ < increment_) {
                held_ = Quantised(in[i]);
            }
            out[i] += held_;
        }
    }

    // Advances by `frames` of silence; only at rest. The sampling instants depend on the sample count alone.
    void Rest(uint32_t frames)
    {
        phase_ += increment_ * frames;
    }

  private:
    static constexpr float kSteps12Bits = 2048.0f;  // of each sign

    // The nearest step: values below half a step become 0, so every sound ends in silence.
    static float Quantised(float x)
    {
        const float steps = std::clamp(x, -1.0f, 1.0f) * kSteps12Bits;
        const int32_t nearest = static_cast<int32_t>(steps + (kSteps12Bits + 0.5f)) - 2048;
        return static_cast<float>(nearest) * (1.0f / kSteps12Bits);
    }

    const uint32_t increment_;
    uint32_t phase_ = 0;
    float held_ = 0.0f;
};

}  // namespace synth

#endif
