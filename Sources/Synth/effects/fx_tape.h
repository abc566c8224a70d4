// TAPE: the sound slows down, and its pitch falls, to a part of the speed or to a standstill.

#ifndef PIXELBOOP_SYNTH_FX_TAPE_H
#define PIXELBOOP_SYNTH_FX_TAPE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/glide.h"
#include "fx_block.h"
#include "stereo_ring.h"

namespace synth {

class FxTape {
  public:
    FxTape(FloatPair *memory, uint32_t capacity, uint32_t fade_frames)
        : ring_(memory, capacity), fade_frames_(fade_frames)
    {
    }

    // The longest time of a stop: the tape then lags by half of it.
    uint32_t FramesMax() const
    {
        return 2 * (ring_.Capacity() - fade_frames_ - 2 * kPoints);
    }

    // Begins to slow down by the whole speed in `frames`.
    void Begin(uint32_t frames)
    {
        SetFrames(frames);
        speed_ = kOne;
        lag_ = kLeastLag;
        fade_left_ = 0;
    }

    void SetFrames(uint32_t frames)
    {
        step_ = kOne / frames;
    }

    void Process(FxBlock &block)
    {
        for (uint32_t i = 0; i < block.frames; ++i) {
            ring_.Store(block.In(i));
            const int64_t wanted = kOne - static_cast<int64_t>(block.y[i] * kSpeeds) * (kOne / kSpeeds);
            speed_ = speed_ > wanted ? std::max(wanted, speed_ - step_) : std::min(wanted, speed_ + step_);
            lag_ += kOne - speed_;
            old_lag_ += kOne - speed_;
            // The memory ends: at a low speed it goes on from the present sound.
            if ((lag_ >> 32) > ring_.Capacity() - fade_frames_ - kPoints) {
                old_lag_ = lag_;
                lag_ = kLeastLag;
                fade_left_ = fade_frames_;
            }
            FloatPair heard = Heard(lag_);
            if (fade_left_ > 0) {
                const float old = SmoothStep(static_cast<float>(fade_left_) / static_cast<float>(fade_frames_));
                heard = heard * (1.0f - old) + Heard(old_lag_) * old;
                fade_left_ -= 1;
            }
            // A tape that stands is silent.
            const float level = static_cast<float>(speed_) * (8.0f / static_cast<float>(kOne));
            block.wet[i] = heard * SmoothStep(std::min(1.0f, level));
        }
    }

  private:
    static constexpr int64_t kOne = int64_t{1} << 32;  // of speed and of lag: a frame
    static constexpr int32_t kSpeeds = 1 << 16;
    static constexpr uint32_t kPoints = 8;
    static constexpr int64_t kLeastLag = int64_t{kPoints} << 32;

    // The sound `lag` before the newest frame: a polynomial through eight frames (Lagrange's), whose error is 80 dB
    // down at 5 kHz.
    FloatPair Heard(int64_t lag) const
    {
        constexpr std::array<float, kPoints> kScales = {-1.0f / 5040.0f, 1.0f / 720.0f, -1.0f / 240.0f, 1.0f / 144.0f,
                                                        -1.0f / 144.0f, 1.0f / 240.0f, -1.0f / 720.0f, 1.0f / 5040.0f};
        const uint64_t place = (ring_.Written() << 32) - static_cast<uint64_t>(lag);
        const uint64_t first = (place >> 32) - (kPoints / 2 - 1);
        const float x = static_cast<float>(static_cast<int32_t>(place >> 9 & 0x7fffff)) * (1.0f / 8388608.0f)
            + static_cast<float>(kPoints / 2 - 1);
        std::array<float, kPoints> before;  // products of the distances to the points before, and behind
        std::array<float, kPoints> behind;
        before[0] = 1.0f;
        behind[kPoints - 1] = 1.0f;
        for (uint32_t k = 1; k < kPoints; ++k) {
            before[k] = before[k - 1] * (x - static_cast<float>(k - 1));
            behind[kPoints - 1 - k] = behind[kPoints - k] * (x - static_cast<float>(kPoints - k));
        }
        FloatPair sum = {};
        for (uint32_t k = 0; k < kPoints; ++k) {
            sum += ring_.At(first + k) * (before[k] * behind[k] * kScales[k]);
        }
        return sum;
    }

    StereoRing ring_;
    const uint32_t fade_frames_;
    int64_t speed_ = kOne;
    int64_t step_ = 1;
    int64_t lag_ = kLeastLag;
    int64_t old_lag_ = kLeastLag;  // before it went on from the present sound
    uint32_t fade_left_ = 0;
};

}  // namespace synth

#endif
