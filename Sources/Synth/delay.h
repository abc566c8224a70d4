// A step-synchronised stereo delay: two lines in a ring, the first panned left, the second right; each repeat is darker
// and softer than the one before.

#ifndef PIXELBOOP_SYNTH_DELAY_H
#define PIXELBOOP_SYNTH_DELAY_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "elementary.h"
#include "filter.h"
#include "glide.h"
#include "mix.h"

namespace synth {

class Delay {
  public:
    explicit Delay(uint32_t rate)
        : capacity_(rate * 2 + 1),
          fade_frames_(Frames(30.0, rate)),
          glide_frames_(Frames(kGlideTime, rate)),
          // A first-order low-pass at 5 kHz in the loop.
          darkening_(FirstOrder(5000.0, rate))
    {
        std::fill_n(lines_.begin(), capacity_, Pair{});
    }

    // Sets the time between repeats in frames, at most 2 s. The sound crossfades to the new time in 30 ms.
    void SetTime(uint32_t frames)
    {
        target_time_ = std::min(frames, capacity_ - 1);
        if (AtRest()) {
            time_ = target_time_;
        }
    }

    // Sets the level of a repeat relative to the one before, 0 to below 1.
    void SetFeedback(float feedback)
    {
        feedback_.MoveTo(feedback, AtRest() ? 0 : glide_frames_);
    }

    // Whether no repeat is pending, so that silence in gives silence out.
    bool AtRest() const
    {
        return zeros_ >= capacity_;
    }

    // Adds the repeats of `mix.to_delay` to the left and right of `mix`.
    void Add(Mix &mix, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            if (fade_left_ == 0 && target_time_ != time_) {
                next_time_ = target_time_;
                fade_left_ = fade_frames_;
            }
            Pair heard = Line(time_);
            if (fade_left_ > 0) {
                const float r = static_cast<float>(fade_left_) / static_cast<float>(fade_frames_);
                const float old = r * r * (3.0f - 2.0f * r);
                const Pair next = Line(next_time_);
                heard = {next.first + old * (heard.first - next.first),
                         next.second + old * (heard.second - next.second)};
                fade_left_ -= 1;
                if (fade_left_ == 0) {
                    time_ = next_time_;
                }
            }
            dark_.first = Audible(dark_.first + darkening_ * (heard.first - dark_.first));
            dark_.second = Audible(dark_.second + darkening_ * (heard.second - dark_.second));
            const float feedback = feedback_.Next();
            const Pair stored = {Audible(mix.to_delay[i] + feedback * dark_.second),
                                 Audible(feedback * dark_.first)};
            lines_[position_] = stored;
            position_ = position_ + 1 == capacity_ ? 0 : position_ + 1;
            zeros_ = stored.first == 0.0f && stored.second == 0.0f ? std::min(zeros_ + 1, capacity_) : 0;
            // Panned half way to the side, with constant power.
            mix.left[i] += kNear * heard.first + kFar * heard.second;
            mix.right[i] += kFar * heard.first + kNear * heard.second;
        }
    }

  private:
    static constexpr float kNear = 0.923879533f;  // cos(pi / 8)
    static constexpr float kFar = 0.382683432f;   // sin(pi / 8)
    static constexpr uint32_t kFramesMax = 2 * 96000 + 1;

    struct Pair {
        float first;
        float second;
    };

    // The sample pair stored `frames` ago, 1 or more.
    Pair Line(uint32_t frames) const
    {
        return lines_[position_ >= frames ? position_ - frames : position_ + capacity_ - frames];
    }

    const uint32_t capacity_;
    const uint32_t fade_frames_;
    const uint32_t glide_frames_;
    const float darkening_;
    std::array<Pair, kFramesMax> lines_;
    uint32_t position_ = 0;
    uint32_t zeros_ = kFramesMax;  // consecutive zeros stored, saturating
    uint32_t time_ = 1;
    uint32_t next_time_ = 1;
    uint32_t target_time_ = 1;
    uint32_t fade_left_ = 0;
    Pair dark_ = {};
    Glide feedback_ = Glide(0.35f);
};

}  // namespace synth

#endif
