// THROW: a delay whose repeats ring out after its input has closed.

#ifndef PIXELBOOP_SYNTH_FX_THROW_H
#define PIXELBOOP_SYNTH_FX_THROW_H

#include <cstdint>

#include "../base/glide.h"
#include "../lanes/filter.h"
#include "fx_block.h"
#include "stereo_ring.h"

namespace synth {

class FxThrow {
  public:
    FxThrow(FloatPair *memory, uint32_t capacity, uint32_t fade_frames)
        : ring_(memory, capacity), fade_frames_(fade_frames)
    {
    }

    uint32_t FramesMax() const
    {
        return ring_.Capacity() - 1;
    }

    // Sets the time between repeats. The repeats of the old time fade to those of the new one.
    void SetFrames(uint32_t frames)
    {
        wanted_ = frames;
        if (AtRest()) {
            frames_ = frames;
            fade_left_ = 0;
        }
    }

    bool AtRest() const
    {
        return ring_.IsZero();
    }

    // Adds the repeats; the weights of the block are those of the input.
    void Process(FxBlock &block)
    {
        for (uint32_t i = 0; i < block.frames; ++i) {
            if (fade_left_ == 0 && wanted_ != frames_) {
                old_frames_ = frames_;
                frames_ = wanted_;
                fade_left_ = fade_frames_;
            }
            FloatPair heard = ring_.At(ring_.Written() - frames_);
            if (fade_left_ > 0) {
                const float old = SmoothStep(static_cast<float>(fade_left_) / static_cast<float>(fade_frames_));
                heard = heard * (1.0f - old) + ring_.At(ring_.Written() - old_frames_) * old;
                fade_left_ -= 1;
            }
            const FloatPair in = block.In(i);
            FloatPair stored = in * (kLevel * block.y[i] * block.weights[i]) + heard * (kFeedback * block.y[i]);
            DropInaudible(stored);
            ring_.Store(stored);
            block.wet[i] = in + heard;
        }
    }

  private:
    static constexpr float kLevel = 0.45f;    // of the first repeat, at the top
    static constexpr float kFeedback = 0.6f;  // of a repeat to the one before, at the top

    StereoRing ring_;
    const uint32_t fade_frames_;
    uint32_t frames_ = 1;
    uint32_t wanted_ = 1;
    uint32_t old_frames_ = 1;
    uint32_t fade_left_ = 0;
};

}  // namespace synth

#endif
