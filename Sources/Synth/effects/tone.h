// The tone of the mix: a tilt about 700 Hz, of 6 dB on each side at the most: (g s + w) / (s + g w).

#ifndef PIXELBOOP_SYNTH_TONE_H
#define PIXELBOOP_SYNTH_TONE_H

#include <cstdint>

#include "../elementary.h"
#include "../glide.h"
#include "../lanes/filter.h"
#include "../mix.h"

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
        return states_[0] == 0.0f && states_[1] == 0.0f && !high_.Moving();
    }

    // Whether it changes nothing.
    bool IsOff()
    {
        const bool is_off = high_.Value() == 1.0f && !high_.Moving();
        if (is_off) {
            states_ = {};
        }
        return is_off;
    }

    // Tilts `mix`.
    class Recursion {
      public:
        Recursion(Tone &tone, Mix &mix)
            : tone_(tone), mix_(mix), part_(tone.part_), high_(tone.high_), low_(tone.low_), states_(tone.states_)
        {
        }

        void Step(uint32_t i)
        {
            const float high = high_.Next();
            const float low = low_.Next();
            const FloatPair in = {mix_.left[i], mix_.right[i]};
            states_ += part_.Next() * (in - states_);
            DropInaudible(states_);
            const FloatPair out = high * (in - states_) + low * states_;
            mix_.left[i] = out[0];
            mix_.right[i] = out[1];
        }

        void Commit(uint32_t)
        {
            tone_.part_ = part_;
            tone_.high_ = high_;
            tone_.low_ = low_;
            tone_.states_ = states_;
        }

      private:
        Tone &tone_;
        Mix &mix_;
        Glide part_;
        Glide high_;
        Glide low_;
        FloatPair states_;
    };

  private:
    static constexpr double kPivot = 700.0;

    const uint32_t rate_;
    Glide part_;
    const uint32_t glide_frames_;
    Glide high_ = Glide(1.0f);
    Glide low_ = Glide(1.0f);
    FloatPair states_ = {};
};

}  // namespace synth

#endif
