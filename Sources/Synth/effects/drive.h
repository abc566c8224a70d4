// A soft saturation, x / sqrt(1 + x^2), of one signal. Each sample is the mean of the curve between two inputs (the
// antiderivative method of Parker, Zavalishin and Le Bivic, "Reducing the aliasing of nonlinear waveshaping using
// continuous-time convolution", 2016): for this curve it needs no small differences, as (sqrt(1 + a^2) - sqrt(1 + b^2))
// / (a - b) = (a + b) / (sqrt(1 + a^2) + sqrt(1 + b^2)).

#ifndef PIXELBOOP_SYNTH_DRIVE_H
#define PIXELBOOP_SYNTH_DRIVE_H

#include <cstdint>

#include "../lanes/lanes.h"
#include "../lanes/ramp.h"

namespace synth {

class Drive {
  public:
    // Gains before and after the curve at `amount`, 0 to 1. A signal of the level `usual` keeps it.
    static float Before(float amount)
    {
        return 1.0f + 60.0f * amount * amount;
    }

    static float After(float before, float usual)
    {
        const float driven = usual * before;
        return __builtin_sqrtf((1.0f + driven * driven) / (1.0f + usual * usual)) / before;
    }

    // Saturates `frames` samples in place, the first of them `at` samples after the update from which the gain before
    // the curve goes along `before`. If `is_off` it only remembers the last sample.
    void Process(Block &signal, uint32_t frames, const Ramp &before, uint32_t at, bool is_off)
    {
        if (is_off) {
            last_ = signal[frames - 1];
            last_root_ = __builtin_sqrtf(1.0f + last_ * last_);
            return;
        }
        Block driven;
        for (uint32_t i = 0; i < frames; ++i) {
            driven[i] = signal[i] * before.At(at + i);
        }
        Block root;
        for (uint32_t i = 0; i < frames; ++i) {
            root[i] = __builtin_sqrtf(1.0f + driven[i] * driven[i]);
        }
        signal[0] = (driven[0] + last_) / (root[0] + last_root_);
        for (uint32_t i = 1; i < frames; ++i) {
            signal[i] = (driven[i] + driven[i - 1]) / (root[i] + root[i - 1]);
        }
        last_ = driven[frames - 1];
        last_root_ = root[frames - 1];
    }

    // Whether silence in gives silence out.
    bool AtRest() const
    {
        return last_ == 0.0f;
    }

  private:
    float last_ = 0.0f;
    float last_root_ = 1.0f;
};

}  // namespace synth

#endif
