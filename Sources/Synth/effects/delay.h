// A step-synchronised stereo delay: two lines in a ring, the first panned left, the second right (a ping-pong); each
// repeat is darker and softer than the one before.

#ifndef PIXELBOOP_SYNTH_DELAY_H
#define PIXELBOOP_SYNTH_DELAY_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../base/glide.h"
#include "../lanes/filter.h"
#include "../lanes/mix.h"

namespace synth {

class Delay {
  public:
    explicit Delay(uint32_t rate)
        : capacity_(rate * kSeconds + 1),
          fade_frames_(Frames(30.0, rate)),
          glide_frames_(Frames(kGlideTime, rate)),
          // A first-order low-pass at 5 kHz in the loop.
          darkening_(FirstOrder(5000.0, rate))
    {
        std::fill_n(lines_.begin(), capacity_, FloatPair{});
        SetWidth(50, 0);
    }

    // Sets how far to their sides the repeats are panned, in per cent, with constant power.
    void SetWidth(uint32_t percent)
    {
        SetWidth(percent, AtRest() ? 0 : glide_frames_);
    }

    // Sets the time between repeats in frames, at most `kSeconds` long. The sound crossfades to the new time in 30 ms.
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

    // Adds the repeats to the left and right of `mix`. Returns whether Recursion and Feed have to follow; if not, the
    // lines have been fed already.
    bool Hear(Mix &mix, uint32_t frames)
    {
        const bool is_settled = fade_left_ == 0 && target_time_ == time_ && time_ > kBlock && !feedback_.Moving();
        if (is_settled) {
            HearSettled(frames);
        } else {
            for (uint32_t i = 0; i < frames; ++i) {
                heard_[i] = Crossfaded();
                feedback_.Next();
                Darken<true>(dark_, heard_[i]);
                Store(mix.to_delay[i], dark_);
            }
            CountZeros(frames);
        }
        if (!near_.Moving()) {
            Pan(mix, frames, near_.Value(), far_.Value());
            return is_settled;
        }
        for (uint32_t i = 0; i < frames; ++i) {
            Pan(mix, i, i + 1, near_.Next(), far_.Next());
        }
        return is_settled;
    }

    // Darkens the repeats. Feed has to follow.
    class Recursion {
      public:
        explicit Recursion(Delay &delay) : delay_(delay), dark_(delay.dark_) {}

        template <bool drops>
        void Step(uint32_t i)
        {
            delay_.Darken<drops>(dark_, delay_.heard_[i]);
            least_.Add(dark_);
            delay_.darks_[i] = dark_;
        }

        bool IsAudible() const
        {
            return least_.IsAudible();
        }

        void Commit()
        {
            delay_.dark_ = dark_;
        }

      private:
        Delay &delay_;
        FloatPair dark_;
        LeastMagnitude<UintPair> least_;
    };

    // Feeds `frames` samples of `in` and the darkened repeats to the lines: each repeat to the other line.
    void Feed(const Block &in, uint32_t frames)
    {
        Store(in, frames);
        CountZeros(frames);
    }

  private:
    // Time of the most steps at the slowest tempo: eight at 20 BPM.
    static constexpr uint32_t kSeconds = 6;
    static constexpr uint32_t kFramesMax = kSeconds * 96000 + 1;

    template <bool drops>
    void Darken(FloatPair &dark, const FloatPair &heard) const
    {
        dark += darkening_ * (heard - dark);
        if (drops) {
            DropInaudible(dark);
        }
    }

    // Stores an input and the repeats `dark`, each in the other line, into the lines.
    void Store(float in, const FloatPair &dark)
    {
        FloatPair stored = feedback_.Value() * __builtin_shufflevector(dark, dark, 1, 0);
        stored[0] = in + stored[0];
        DropInaudible(stored);
        lines_[position_] = stored;
        position_ = position_ + 1 == capacity_ ? 0 : position_ + 1;
    }

    // The same for the `frames` first samples of `in` and of `darks_`, four at a time.
    void Store(const Block &in, uint32_t frames)
    {
        typedef float Half __attribute__((vector_size(4 * sizeof(float))));
        const Half zeros = {};
        for (uint32_t i = 0; i < frames; i += 4) {
            FloatLanes dark;
            Half inputs;
            std::memcpy(&dark, &darks_[i], sizeof(dark));
            std::memcpy(&inputs, &in[i], sizeof(inputs));
            FloatLanes stored = __builtin_shufflevector(inputs, zeros, 0, 4, 1, 5, 2, 6, 3, 7)
                + feedback_.Value() * __builtin_shufflevector(dark, dark, 1, 0, 3, 2, 5, 4, 7, 6);
            DropInaudible(stored);
            std::memcpy(&darks_[i], &stored, sizeof(stored));
        }
        const uint32_t before_end = std::min(frames, capacity_ - position_);
        std::copy_n(darks_.begin(), before_end, lines_.begin() + position_);
        std::copy_n(darks_.begin() + before_end, frames - before_end, lines_.begin());
        position_ += frames;
        position_ = position_ >= capacity_ ? position_ - capacity_ : position_;
    }

    // The sample pair stored `frames` ago, 1 or more.
    FloatPair Line(uint32_t frames) const
    {
        return lines_[position_ >= frames ? position_ - frames : position_ + capacity_ - frames];
    }

    // Adds `frames` samples of the audible repeats to the sides. Eight at a time: a block always has room for them.
    void Pan(Mix &mix, uint32_t frames, float near, float far) const
    {
        for (uint32_t i = 0; i < frames; i += kLanes) {
            FloatLanes early;
            FloatLanes late;
            std::memcpy(&early, &heard_[i], sizeof(early));
            std::memcpy(&late, &heard_[i + kLanes / 2], sizeof(late));
            const FloatLanes left = __builtin_shufflevector(early, late, 0, 2, 4, 6, 8, 10, 12, 14);
            const FloatLanes right = __builtin_shufflevector(early, late, 1, 3, 5, 7, 9, 11, 13, 15);
            FloatLanes sum;
            std::memcpy(&sum, &mix.left[i], sizeof(sum));
            sum += near * left + far * right;
            std::memcpy(&mix.left[i], &sum, sizeof(sum));
            std::memcpy(&sum, &mix.right[i], sizeof(sum));
            sum += far * left + near * right;
            std::memcpy(&mix.right[i], &sum, sizeof(sum));
        }
    }

    void Pan(Mix &mix, uint32_t first, uint32_t end, float near, float far) const
    {
        for (uint32_t i = first; i < end; ++i) {
            mix.left[i] += near * heard_[i][0] + far * heard_[i][1];
            mix.right[i] += far * heard_[i][0] + near * heard_[i][1];
        }
    }

    // At a settled time, which is longer than a block, all that is heard was stored before.
    void HearSettled(uint32_t frames)
    {
        const uint32_t first = position_ >= time_ ? position_ - time_ : position_ + capacity_ - time_;
        const uint32_t before_end = std::min(frames, capacity_ - first);
        std::copy_n(lines_.begin() + first, before_end, heard_.begin());
        std::copy_n(lines_.begin(), frames - before_end, heard_.begin() + before_end);
        // The lines are longer than the processor's nearest memory: the next block would wait for them.
        Fetch(first + frames);
        Fetch(position_ + frames);
    }

    // Fetches the samples of a block from number `first` on.
    void Fetch(uint32_t first) const
    {
        constexpr uint32_t kCacheLine = 64 / sizeof(FloatPair);
        for (uint32_t i = 0; i < kBlock; i += kCacheLine) {
            __builtin_prefetch(&lines_[std::min(first + i, capacity_ - 1)]);
        }
    }

    // The next pair heard, while the time changes.
    FloatPair Crossfaded()
    {
        if (fade_left_ == 0 && target_time_ != time_) {
            next_time_ = target_time_;
            fade_left_ = fade_frames_;
        }
        FloatPair heard = Line(time_);
        if (fade_left_ > 0) {
            const float old = SmoothStep(static_cast<float>(fade_left_) / static_cast<float>(fade_frames_));
            const FloatPair next = Line(next_time_);
            heard = next + old * (heard - next);
            fade_left_ -= 1;
            if (fade_left_ == 0) {
                time_ = next_time_;
            }
        }
        return heard;
    }

    // Counts the zeros at the end of the lines, `frames` of which are new.
    void CountZeros(uint32_t frames)
    {
        uint32_t zeros = 0;
        while (zeros < frames && Line(zeros + 1)[0] == 0.0f && Line(zeros + 1)[1] == 0.0f) {
            zeros += 1;
        }
        zeros_ = zeros < frames ? zeros : std::min(zeros_ + frames, capacity_);
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
    std::array<FloatPair, kFramesMax> lines_;
    uint32_t position_ = 0;
    uint32_t zeros_ = kFramesMax;  // consecutive zeros stored, saturating
    uint32_t time_ = 1;
    uint32_t next_time_ = 1;
    uint32_t target_time_ = 1;
    uint32_t fade_left_ = 0;
    FloatPair dark_ = {};
    std::array<FloatPair, kBlock> heard_ = {};
    std::array<FloatPair, kBlock> darks_;  // the same darkened, then what goes into the lines
    Glide feedback_ = Glide(0.35f);
    Glide near_ = Glide(0.0f);
    Glide far_ = Glide(0.0f);
};

}  // namespace synth

#endif
