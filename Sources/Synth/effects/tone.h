// The tone of the mix: a tilt about 700 Hz, of 6 dB on each side at the most: (g s + w) / (s + g w).

#ifndef PIXELBOOP_SYNTH_TONE_H
#define PIXELBOOP_SYNTH_TONE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../base/glide.h"
#include "../lanes/filter.h"
#include "../lanes/mix.h"

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

    // Loads `frames` samples of `mix`. Recursion and Tilt have to follow.
    void Load(const Mix &mix, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            ins_[2 * i] = mix.left[i];
            ins_[2 * i + 1] = mix.right[i];
        }
        uint32_t moved = 0;
        for (; moved < frames && part_.Moving(); ++moved) {
            parts_[moved] = part_.Next();
        }
        std::fill(parts_.begin() + moved, parts_.begin() + frames, part_.Value());
    }

    // Finds the part below the pivot.
    class Recursion {
      public:
        explicit Recursion(Tone &tone) : tone_(tone), states_(tone.states_) {}

        template <bool drops>
        void Step(uint32_t i)
        {
            FloatPair in;
            std::memcpy(&in, &tone_.ins_[size_t{2} * i], sizeof(in));
            states_ += tone_.parts_[i] * (in - states_);
            if (drops) {
                DropInaudible(states_);
            }
            least_.Add(states_);
            std::memcpy(&tone_.lows_[size_t{2} * i], &states_, sizeof(states_));
        }

        bool IsAudible() const
        {
            return least_.IsAudible();
        }

        void Commit()
        {
            tone_.states_ = states_;
        }

      private:
        Tone &tone_;
        FloatPair states_;
        LeastMagnitude<UintPair> least_;
    };

    // Mixes the part above the pivot with the part below.
    void Tilt(Mix &mix, uint32_t frames)
    {
        if (!high_.Moving()) {
            Tilt(mix, 0, frames, high_.Value(), low_.Value());
            return;
        }
        for (uint32_t i = 0; i < frames; ++i) {
            Tilt(mix, i, i + 1, high_.Next(), low_.Next());
        }
    }

  private:
    static constexpr double kPivot = 700.0;

    void Tilt(Mix &mix, uint32_t first, uint32_t end, float high, float low) const
    {
        for (uint32_t i = first; i < end; ++i) {
            mix.left[i] = high * (ins_[2 * i] - lows_[2 * i]) + low * lows_[2 * i];
            mix.right[i] = high * (ins_[2 * i + 1] - lows_[2 * i + 1]) + low * lows_[2 * i + 1];
        }
    }

    const uint32_t rate_;
    Glide part_;
    const uint32_t glide_frames_;
    Glide high_ = Glide(1.0f);
    Glide low_ = Glide(1.0f);
    FloatPair states_ = {};
    std::array<float, kBlock> parts_;     // part of the way to each sample that the low-pass goes
    std::array<float, 2 * kBlock> ins_;   // left and right interleaved
    std::array<float, 2 * kBlock> lows_;  // the part below the pivot
};

}  // namespace synth

#endif
