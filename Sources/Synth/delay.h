// A step-synchronised stereo delay: two lines in a ring, the first panned left, the second right (a ping-pong); each
// repeat is darker and softer than the one before.

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
        SetWidth(50, 0);
    }

    // Sets how far to their sides the repeats are panned, in percent, with constant power.
    void SetWidth(uint32_t percent)
    {
        SetWidth(percent, AtRest() ? 0 : glide_frames_);
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
        if (fade_left_ == 0 && target_time_ == time_ && time_ > kBlock && !feedback_.Moving()) {
            Repeat(mix, frames);
        } else {
            for (uint32_t i = 0; i < frames; ++i) {
                heard_[i] = Crossfaded();
                Turn(mix.to_delay[i], heard_[i], feedback_.Next(), dark_, position_, zeros_);
            }
        }
        if (!near_.Moving()) {
            Pan(mix, 0, frames, near_.Value(), far_.Value());
            return;
        }
        for (uint32_t i = 0; i < frames; ++i) {
            Pan(mix, i, i + 1, near_.Next(), far_.Next());
        }
    }

  private:
    static constexpr uint32_t kFramesMax = 2 * 96000 + 1;

    // A sample of both lines.
    typedef float Pair __attribute__((vector_size(2 * sizeof(float))));
    typedef int32_t PairMask __attribute__((vector_size(2 * sizeof(int32_t))));

    // The sample pair stored `frames` ago, 1 or more.
    Pair Line(uint32_t frames) const
    {
        return lines_[position_ >= frames ? position_ - frames : position_ + capacity_ - frames];
    }

    void Pan(Mix &mix, uint32_t first, uint32_t end, float near, float far) const
    {
        for (uint32_t i = first; i < end; ++i) {
            mix.left[i] += near * heard_[i][0] + far * heard_[i][1];
            mix.right[i] += far * heard_[i][0] + near * heard_[i][1];
        }
    }

    // A block at a settled time, which is longer than the block.
    void Repeat(const Mix &mix, uint32_t frames)
    {
        uint32_t read = position_ >= time_ ? position_ - time_ : position_ + capacity_ - time_;
        for (uint32_t i = 0; i < frames; ++i) {
            heard_[i] = lines_[read];
            read = read + 1 == capacity_ ? 0 : read + 1;
        }
        // In registers: the compiler has to fear that a store into the lines changes a member.
        const float feedback = feedback_.Value();
        Pair dark = dark_;
        uint32_t position = position_;
        uint32_t zeros = zeros_;
        for (uint32_t i = 0; i < frames; ++i) {
            Turn(mix.to_delay[i], heard_[i], feedback, dark, position, zeros);
        }
        dark_ = dark;
        position_ = position;
        zeros_ = zeros;
    }

    // The next pair heard, while the time changes.
    Pair Crossfaded()
    {
        if (fade_left_ == 0 && target_time_ != time_) {
            next_time_ = target_time_;
            fade_left_ = fade_frames_;
        }
        Pair heard = Line(time_);
        if (fade_left_ > 0) {
            const float r = static_cast<float>(fade_left_) / static_cast<float>(fade_frames_);
            const float old = r * r * (3.0f - 2.0f * r);
            const Pair next = Line(next_time_);
            heard = next + old * (heard - next);
            fade_left_ -= 1;
            if (fade_left_ == 0) {
                time_ = next_time_;
            }
        }
        return heard;
    }

    // Stores `in` and what was heard, darker, in the other line each.
    void Turn(float in, const Pair &heard, float feedback, Pair &dark, uint32_t &position, uint32_t &zeros)
    {
        dark += darkening_ * (heard - dark);
        DropInaudible(dark);
        Pair stored = feedback * __builtin_shufflevector(dark, dark, 1, 0);
        stored[0] = in + stored[0];
        DropInaudible(stored);
        lines_[position] = stored;
        position = position + 1 == capacity_ ? 0 : position + 1;
        zeros = stored[0] == 0.0f && stored[1] == 0.0f ? std::min(zeros + 1, capacity_) : 0;
    }

    static void DropInaudible(Pair &x)
    {
        const PairMask audible = (x >= kInaudible) | (x <= -kInaudible);
        x = reinterpret_cast<Pair>(reinterpret_cast<PairMask>(x) & audible);
    }

    void SetWidth(uint32_t percent, uint32_t frames)
    {
        const double angle = (100 - percent) / 400.0 * kPi;
        near_.MoveTo(static_cast<float>(Sine(kPi / 2.0 - angle)), frames);
        far_.MoveTo(static_cast<float>(Sine(angle)), frames);
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
    std::array<Pair, kBlock> heard_;
    Glide feedback_ = Glide(0.35f);
    Glide near_ = Glide(0.0f);
    Glide far_ = Glide(0.0f);
};

}  // namespace synth

#endif
