// Keeps the performance effects from being louder than the music: a short loop of a single hit would be.

#ifndef PIXELBOOP_SYNTH_FX_GUARD_H
#define PIXELBOOP_SYNTH_FX_GUARD_H

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../lanes/lanes.h"
#include "../lanes/ramp.h"

namespace synth {

// The mean power of both channels, weighted roughly as the ear does. An eighth of the samples is enough. It is another
// eighth of each tick in turn, as the samples of a tone whose period is a tick would be the same ones always.
class FxMeter {
  public:
    // Frames that it measures.
    static constexpr uint32_t kFrames = 1024;

    // Adds frames from `at` on, at most kTick of them, up to the next multiple of it.
    void Add(const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        const uint32_t tick = at / kTick;
        const uint32_t eighth = tick * kTick + tick * 3 % (kTick / kLanes) * kLanes;
        const uint32_t first = std::max(at, eighth);
        const uint32_t end = std::min(at + frames, eighth + kLanes);
        if (first >= end) {
            return;
        }
        if (end - first == kLanes) {
            std::memcpy(&left_, left + (first - at), sizeof(left_));
            std::memcpy(&right_, right + (first - at), sizeof(right_));
        } else {
            for (uint32_t frame = first; frame < end; ++frame) {
                left_[frame - eighth] = left[frame - at];
                right_[frame - eighth] = right[frame - at];
            }
        }
        if (end == eighth + kLanes) {
            sums_ += Weighted(left_) + Weighted(right_);
        }
    }

    // The mean, which begins anew.
    float Take()
    {
        const float mean = AddLanes(sums_) * (0.5f / (kFrames / kTick * kLanes));
        sums_ = FloatLanes{};
        return mean;
    }

  private:
    // The difference of samples four apart is small below 1 kHz: with it 3 to 9 kHz weigh 6 dB more than the bass,
    // about as in BS.1770.
    static FloatLanes Weighted(const FloatLanes &x)
    {
        const FloatLanes difference = x - __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
        return 0.6f * (x * x) + 0.45f * (difference * difference);
    }

    FloatLanes left_ = {};
    FloatLanes right_ = {};
    FloatLanes sums_ = {};
};

class FxGuard {
  public:
    // Frames from one update to the next.
    static constexpr uint32_t kUpdate = FxMeter::kFrames;

    explicit FxGuard(uint32_t rate) : short_(Part(0.4, rate)), long_(Part(2.5, rate)) {}

    // The power of the music: its mean over seconds; the power of soft music at least. While effects are on it only
    // rises: a loop that is held plays on when the music has stopped.
    float Power() const
    {
        return std::max(kLeast, power_);
    }

    // Updates the gain; a loop of `loop_frames` is heard, 0 for none.
    void Update(bool is_active, uint32_t loop_frames)
    {
        const float without = dry.Take();
        const float with = wet.Take();
        if (without > power_ || !is_active) {
            Approach(power_, without, long_);
        }
        Approach(dry_, without, short_);
        from_ = to_;
        if (!is_active) {
            heard_ = dry_;
            from_ = to_ = 1.0f;
            return;
        }
        // The mean of a loop is known when it has been heard once. Otherwise both are means over the same time: an
        // effect that changes nothing is never too loud.
        const float loop = loop_frames == 0 ? 0.0f : static_cast<float>(kUpdate) / static_cast<float>(loop_frames);
        Approach(heard_, with, std::clamp(loop, short_, 1.0f));
        const float limit = kLimit * std::max(Power(), dry_);
        to_ = heard_ > limit ? __builtin_sqrtf(limit / heard_) : 1.0f;
    }

    // The gain of the effects, `frames` after the update.
    float Gain(uint32_t frames) const
    {
        return from_ + (to_ - from_) * (static_cast<float>(static_cast<int32_t>(frames)) * (1.0f / kUpdate));
    }

    FxMeter dry;  // the music
    FxMeter wet;  // the music with the effects

  private:
    static constexpr float kLeast = 2.5e-4f;  // -36 dB
    static constexpr float kLimit = 1.12f;    // 0.5 dB

    // The part of a way that an update covers, if 63 % of it take `seconds`.
    static float Part(double seconds, uint32_t rate)
    {
        return static_cast<float>(OneMinusExp(kUpdate / (seconds * rate)));
    }

    // Moves `power` by a part of the way to `target`. It ends in zero, not in denormal numbers.
    static void Approach(float &power, float target, float part)
    {
        power += part * (target - power);
        power = power < 1e-12f ? 0.0f : power;
    }

    const float short_;
    const float long_;
    float power_ = 0.0f;  // of the music
    float dry_ = 0.0f;    // the same over a short time
    float heard_ = 0.0f;  // with the effects, over the same time
    float from_ = 1.0f;   // the gain on the last update, and on the next
    float to_ = 1.0f;
};

}  // namespace synth

#endif
