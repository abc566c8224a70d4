// REPEAT and REVERSE: the sound of the last division, again.

#ifndef PIXELBOOP_SYNTH_FX_LOOPS_H
#define PIXELBOOP_SYNTH_FX_LOOPS_H

#include <algorithm>
#include <cstdint>

#include "fx_block.h"
#include "stereo_ring.h"

namespace synth {

// The frames before its begin, again and again. The longest division is copied from the history while it plays, as fast
// as it plays, so that the history may go on.
class FxRepeat {
  public:
    // `memory` has room for the longest repetition, `frames_max`, and two fades.
    FxRepeat(FloatPair *memory, uint32_t frames_max, uint32_t fade_frames)
        : memory_(memory), frames_max_(frames_max), fade_frames_(fade_frames), head_(fade_frames)
    {
    }

    // Lets the last `frames` before frame `now` of the history repeat.
    void Begin(uint64_t now, uint32_t frames)
    {
        begin_ = now;
        frames_ = frames;
        wanted_ = frames;
        copied_ = 0;
        head_.Begin(now - frames, 1);
    }

    // Length of a repetition.
    uint32_t Frames() const
    {
        return frames_;
    }

    // Changes the length, at once; the place is the one that it would have if it had been so from the begin on.
    void SetFrames(uint32_t frames)
    {
        wanted_ = frames;
    }

    void Process(FxBlock &block, const StereoRing &history)
    {
        const uint64_t first = begin_ - frames_max_;
        for (uint32_t i = 0; i < block.frames; ++i) {
            if (head_.IsFading()) {
                head_.Move(1);
            } else {
                frames_ = wanted_;
                const uint32_t since = static_cast<uint32_t>(history.Written() + i - begin_);
                head_.MoveTo(begin_ - frames_ + since % frames_, 1);
            }
            block.wet[i] = head_.Heard([&](uint64_t place) {
                return place - first < copied_ ? memory_[place - first] : history.At(place);
            });
        }
        const uint32_t end = std::min(copied_ + block.frames, frames_max_ + 2 * fade_frames_);
        for (; copied_ < end; ++copied_) {
            memory_[copied_] = history.At(first + copied_);
        }
    }

  private:
    FloatPair *const memory_;
    const uint32_t frames_max_;
    const uint32_t fade_frames_;
    PlayHead head_;
    uint64_t begin_ = 0;
    uint32_t frames_ = 1;
    uint32_t wanted_ = 1;
    uint32_t copied_ = 0;  // frames of the memory
};

// In each division the sound of the one before it, backwards.
class FxReverse {
  public:
    explicit FxReverse(uint32_t fade_frames) : head_(fade_frames) {}

    // Begins with frame `now` of the history, which goes back by two divisions and two fades.
    void Begin(uint64_t now, uint32_t frames)
    {
        begin_ = now;
        frames_ = frames;
        wanted_ = frames;
        head_.Begin(now - 1, -1);
    }

    void SetFrames(uint32_t frames)
    {
        wanted_ = frames;
    }

    // The block is the end of the history.
    void Process(FxBlock &block, const StereoRing &history)
    {
        const uint64_t now = history.Written() - block.frames;
        for (uint32_t i = 0; i < block.frames; ++i) {
            if (head_.IsFading()) {
                head_.Move(-1);
            } else {
                frames_ = wanted_;
                const uint32_t since = static_cast<uint32_t>(now + i - begin_) % frames_;
                head_.MoveTo(now + i - 1 - 2 * uint64_t{since}, -1);
            }
            block.wet[i] = head_.Heard([&](uint64_t place) { return history.At(place); });
        }
    }

  private:
    PlayHead head_;
    uint64_t begin_ = 0;
    uint32_t frames_ = 1;
    uint32_t wanted_ = 1;
};

}  // namespace synth

#endif
