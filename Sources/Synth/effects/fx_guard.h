// Keeps the performance effects from being louder than the music: a short loop of a single hit would be.

#ifndef PIXELBOOP_SYNTH_FX_GUARD_H
#define PIXELBOOP_SYNTH_FX_GUARD_H

#include <algorithm>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/lanes.h"
#include "../lanes/ramp.h"
#include "tick_power.h"

namespace synth {

class FxGuard {
  public:
    // Frames from one update to the next.
    static constexpr uint32_t kUpdate = 1024;

    explicit FxGuard(uint32_t rate) : rise_(Part(0.4, rate)), fall_(Part(5.0, rate)) {}

    // The power of the music: its mean, which rises in 0.4 s and falls in 5 s; the power of soft music at least. While
    // effects are on it only rises: a loop that is held plays on when the music has stopped.
    float Power() const
    {
        return std::max(kLeast, power_);
    }

    // Measures the music, from `at` frames after the update on: at most kTick of them, up to the next multiple of it.
    void AddDry(const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        Add(dry_, left, right, frames, at);
    }

    // Measures the music with the effects.
    void AddWet(const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        Add(wet_, left, right, frames, at);
    }

    void Update(bool is_active)
    {
        const float dry = kShare * dry_.Take();
        if (dry > power_ || !is_active) {
            power_ += (dry > power_ ? rise_ : fall_) * (dry - power_);
            power_ = power_ < 1e-12f ? 0.0f : power_;
        }
        from_ = to_;
        const float wet = kShare * wet_.Take();
        if (!is_active) {
            heard_ = 0.0f;
            from_ = to_ = 1.0f;
            return;
        }
        // As fast as the music's power, so that an effect that changes nothing is never too loud.
        heard_ += rise_ * (wet - heard_);
        const float limit = kLimit * Power();
        to_ = heard_ > limit ? __builtin_sqrtf(limit / heard_) : 1.0f;
    }

    // The gain of the effects, `frames` after the update.
    float Gain(uint32_t frames) const
    {
        return from_ + (to_ - from_) * (static_cast<float>(static_cast<int32_t>(frames)) * (1.0f / kUpdate));
    }

  private:
    static constexpr float kLeast = 2.5e-4f;  // -36 dB
    static constexpr float kLimit = 1.4f;     // 1.5 dB
    static constexpr float kShare = static_cast<float>(kTick) / (kUpdate / kLanes);

    // The part of a way that an update covers, if 63 % of it take `seconds`.
    static float Part(double seconds, uint32_t rate)
    {
        return static_cast<float>(OneMinusExp(kUpdate / (seconds * rate)));
    }

    // An eighth of the samples is enough. It is another eighth of each tick in turn, as the samples of a tone whose
    // period is a tick would be the same ones always.
    static void Add(TickPower &power, const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        const uint32_t tick = at / kTick;
        const uint32_t eighth = tick * kTick + tick * 3 % (kTick / kLanes) * kLanes;
        const uint32_t first = std::max(at, eighth);
        const uint32_t end = std::min(at + frames, eighth + kLanes);
        if (first < end) {
            power.Add(left + (first - at), right + (first - at), end - first, first);
        }
    }

    const float rise_;
    const float fall_;
    TickPower dry_;
    TickPower wet_;
    float power_ = 0.0f;
    float heard_ = 0.0f;  // mean power with the effects
    float from_ = 1.0f;   // the gain on the last update, and on the next
    float to_ = 1.0f;
};

}  // namespace synth

#endif
