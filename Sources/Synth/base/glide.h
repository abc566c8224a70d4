// A gain that moves linearly to its target, sample by sample from the one on which it was set; the curve of a crossfade.

#ifndef PIXELBOOP_SYNTH_GLIDE_H
#define PIXELBOOP_SYNTH_GLIDE_H

#include <cstdint>

namespace synth {

// Glide time of controls in milliseconds: short enough for no audible lag, long enough for no audible step.
constexpr double kGlideTime = 20.0;

// A smooth way from 0 to 1, for `x` from 0 to 1.
inline float SmoothStep(float x)
{
    return x * x * (3.0f - 2.0f * x);
}

class Glide {
  public:
    explicit Glide(float value) : value_(value), target_(value) {}

    // Moves to `target` within `frames`, 0 for at once.
    void MoveTo(float target, uint32_t frames)
    {
        target_ = target;
        left_ = frames;
        if (frames == 0) {
            value_ = target;
            return;
        }
        step_ = (target - value_) / static_cast<float>(frames);
    }

    bool Moving() const
    {
        return left_ > 0;
    }

    float Value() const
    {
        return value_;
    }

    float Next()
    {
        if (left_ > 0) {
            left_ -= 1;
            value_ = left_ == 0 ? target_ : value_ + step_;
        }
        return value_;
    }

  private:
    float value_;
    float target_;
    float step_ = 0.0f;
    uint32_t left_ = 0;
};

}  // namespace synth

#endif
