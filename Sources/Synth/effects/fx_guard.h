// Keeps the performance effects from being louder than the music: a short loop of a single hit would be.

#ifndef PIXELBOOP_SYNTH_FX_GUARD_H
#define PIXELBOOP_SYNTH_FX_GUARD_H

#include <algorithm>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/ramp.h"
#include "tick_power.h"

namespace synth {

class FxGuard {
  public:
    explicit FxGuard(uint32_t rate)
        : rise_(Part(400.0, rate)), fall_(Part(5000.0, rate)), wet_part_(Part(200.0, rate))
    {
    }

    // The power of the music: its mean, which rises in 0.4 s and falls in 5 s; the power of soft music at least. While
    // effects are on it only rises: a loop that is held plays on when the music has stopped.
    float Power() const
    {
        return std::max(kLeast, power_);
    }

    void AddDry(const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        dry_.Add(left, right, frames, at);
    }

    void AddWet(const float *left, const float *right, uint32_t frames, uint32_t at)
    {
        wet_.Add(left, right, frames, at);
    }

    void Update(bool is_active)
    {
        const float dry = dry_.Take();
        if (dry > power_ || !is_active) {
            power_ += (dry > power_ ? rise_ : fall_) * (dry - power_);
            power_ = power_ < 1e-12f ? 0.0f : power_;
        }
        gain_.Arrive();
        const float wet = wet_.Take();
        if (!is_active) {
            heard_ = 0.0f;
            gain_ = {1.0f, 1.0f, 0.0f};
            return;
        }
        heard_ += wet_part_ * (wet - heard_);
        const float limit = kLimit * Power();
        gain_.Aim(heard_ > limit ? __builtin_sqrtf(limit / heard_) : 1.0f);
    }

    // The gain of the effects, `frames` after the update.
    float Gain(uint32_t frames) const
    {
        return gain_.At(frames);
    }

  private:
    static constexpr float kLeast = 2.5e-4f;  // -36 dB
    static constexpr float kLimit = 1.4f;     // 1.5 dB

    // The part of a way that an update covers, if 63 % of it take `milliseconds`.
    static float Part(double milliseconds, uint32_t rate)
    {
        return static_cast<float>(OneMinusExp(1000.0 * kTick / (milliseconds * rate)));
    }

    const float rise_;
    const float fall_;
    const float wet_part_;
    TickPower dry_;
    TickPower wet_;
    float power_ = 0.0f;
    float heard_ = 0.0f;  // mean power with the effects
    Ramp gain_ = {1.0f, 1.0f, 0.0f};
};

}  // namespace synth

#endif
