// The tone of the mix: a tilt about 700 Hz, of 6 dB on each side at the most: (g s + w) / (s + g w).

#ifndef PIXELBOOP_SYNTH_TONE_H
#define PIXELBOOP_SYNTH_TONE_H

#include <cstdint>

#include "elementary.h"
#include "filter.h"
#include "glide.h"
#include "mix.h"

namespace synth {

class Tone {
  public:
    explicit Tone(uint32_t rate) : rate_(rate), part_(FirstOrder(kPivot, rate)), glide_frames_(Frames(kGlideTime, rate)) {}

    // Sets the tilt, -100 dark to 100 bright; 0 is off.
    void Set(int32_t tilt)
    {
        constexpr double kHundredth = 1.00695554;  // 10^(6 / 20 / 100), 6 dB in 100 steps
        const double gain = Power(kHundredth, static_cast<uint32_t>(tilt < 0 ? -tilt : tilt));
        const double high = tilt < 0 ? 1.0 / gain : gain;
        const uint32_t frames = high_.Value() == static_cast<float>(high) ? 0 : glide_frames_;
        high_.MoveTo(static_cast<float>(high), frames);
        low_.MoveTo(static_cast<float>(1.0 / high), frames);
        // With the pole here the gain at the pivot is 1.
        part_.MoveTo(FirstOrder(kPivot * high, rate_), frames);
    }

    bool AtRest() const
    {
        return left_ == 0.0f && right_ == 0.0f && !high_.Moving();
    }

    void Process(Mix &mix, uint32_t frames)
    {
        if (high_.Value() == 1.0f && !high_.Moving()) {
            left_ = 0.0f;
            right_ = 0.0f;
            return;
        }
        for (uint32_t i = 0; i < frames; ++i) {
            const float high = high_.Next();
            const float low = low_.Next();
            const float part = part_.Next();
            left_ = Audible(left_ + part * (mix.left[i] - left_));
            right_ = Audible(right_ + part * (mix.right[i] - right_));
            mix.left[i] = high * (mix.left[i] - left_) + low * left_;
            mix.right[i] = high * (mix.right[i] - right_) + low * right_;
        }
    }

  private:
    static constexpr double kPivot = 700.0;

    const uint32_t rate_;
    Glide part_;
    const uint32_t glide_frames_;
    Glide high_ = Glide(1.0f);
    Glide low_ = Glide(1.0f);
    float left_ = 0.0f;
    float right_ = 0.0f;
};

}  // namespace synth

#endif
