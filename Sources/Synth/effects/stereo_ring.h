// The last seconds of a stereo signal, and places in them from which it is heard again.

#ifndef PIXELBOOP_SYNTH_STEREO_RING_H
#define PIXELBOOP_SYNTH_STEREO_RING_H

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../base/glide.h"
#include "../lanes/lanes.h"

namespace synth {

class StereoRing {
  public:
    // Uses `capacity` frames of memory, which are zeros. Frames are counted so that all of them are written.
    StereoRing(FloatPair *frames, uint32_t capacity)
        : frames_(frames), capacity_(capacity), written_(capacity), zeros_(capacity)
    {
    }

    // Number of the frame that is written next.
    uint64_t Written() const
    {
        return written_;
    }

    uint32_t Capacity() const
    {
        return capacity_;
    }

    // Whether it holds nothing but zeros.
    bool IsZero() const
    {
        return zeros_ == capacity_;
    }

    // The frame `frame`, one of the last `capacity`.
    const FloatPair &At(uint64_t frame) const
    {
        const uint32_t before = static_cast<uint32_t>(written_ - frame);
        return frames_[position_ >= before ? position_ - before : position_ + capacity_ - before];
    }

    void Store(const FloatPair &frame)
    {
        frames_[position_] = frame;
        zeros_ = frame[0] == 0.0f && frame[1] == 0.0f ? std::min(zeros_ + 1, capacity_) : 0;
        Advance(1);
    }

    void Write(const float *left, const float *right, uint32_t frames)
    {
        while (frames > 0) {
            const uint32_t run = std::min(frames, capacity_ - position_);
            FloatPair *const place = frames_ + position_;
            uint32_t i = 0;
            for (; i + kLanes <= run; i += kLanes) {
                FloatLanes lefts;
                FloatLanes rights;
                std::memcpy(&lefts, left + i, sizeof(lefts));
                std::memcpy(&rights, right + i, sizeof(rights));
                const FloatLanes early = __builtin_shufflevector(lefts, rights, 0, 8, 1, 9, 2, 10, 3, 11);
                const FloatLanes late = __builtin_shufflevector(lefts, rights, 4, 12, 5, 13, 6, 14, 7, 15);
                std::memcpy(place + i, &early, sizeof(early));
                std::memcpy(place + i + kLanes / 2, &late, sizeof(late));
            }
            for (; i < run; ++i) {
                place[i] = FloatPair{left[i], right[i]};
            }
            Advance(run);
            Fetch(run);
            left += run;
            right += run;
            frames -= run;
        }
        zeros_ = 0;
    }

    void WriteZeros(uint32_t frames)
    {
        while (frames > 0) {
            const uint32_t run = std::min(frames, capacity_ - position_);
            if (!IsZero()) {
                std::fill_n(frames_ + position_, run, FloatPair{});
                zeros_ = std::min(zeros_ + run, capacity_);
            }
            Advance(run);
            frames -= run;
        }
    }

  private:
    static constexpr uint32_t kAhead = 256;

    // Fetches the places of the next frames but a few, as many as were written. The memory is longer than the
    // processor's caches: writing would wait for it.
    void Fetch(uint32_t frames) const
    {
        constexpr uint32_t kCacheLine = 64 / sizeof(FloatPair);
        for (uint32_t i = 0; i < frames; i += kCacheLine) {
            __builtin_prefetch(frames_ + std::min(position_ + kAhead + i, capacity_ - 1), 1);
        }
    }

    void Advance(uint32_t frames)
    {
        position_ = position_ + frames == capacity_ ? 0 : position_ + frames;
        written_ += frames;
    }

    FloatPair *const frames_;
    const uint32_t capacity_;
    uint32_t position_ = 0;
    uint64_t written_;
    uint32_t zeros_;  // consecutive zeros at the end, at least
};

// A place that moves by a frame with each frame that is heard. When it jumps, the sound goes on from the old place and
// fades to the new one.
class PlayHead {
  public:
    explicit PlayHead(uint32_t fade_frames) : fade_frames_(fade_frames) {}

    // The next place is `place`, without a fade.
    void Begin(uint64_t place, int32_t step)
    {
        place_ = place - static_cast<uint64_t>(int64_t{step});
        left_ = 0;
    }

    bool IsFading() const
    {
        return left_ > 0;
    }

    // Moves by `step`, 1 forwards or -1 backwards.
    void Move(int32_t step)
    {
        place_ += static_cast<uint64_t>(int64_t{step});
        old_ += static_cast<uint64_t>(int64_t{step});
    }

    // Moves to `place`, which is the next unless it jumps. Call it only while it does not fade.
    void MoveTo(uint64_t place, int32_t step)
    {
        Move(step);
        if (place != place_) {
            old_ = place_;
            place_ = place;
            left_ = fade_frames_;
        }
    }

    // The sound at its place; `at` has the frame of a place.
    template <typename At>
    FloatPair Heard(At at)
    {
        const FloatPair heard = at(place_);
        if (left_ == 0) {
            return heard;
        }
        const float old = SmoothStep(static_cast<float>(left_) / static_cast<float>(fade_frames_));
        left_ -= 1;
        return heard * (1.0f - old) + at(old_) * old;
    }

  private:
    const uint32_t fade_frames_;
    uint64_t place_ = 0;
    uint64_t old_ = 0;
    uint32_t left_ = 0;  // frames of the fade
};

}  // namespace synth

#endif
