// A gentle compressor of the mix: both channels share one gain, which follows the power of the last 64 samples.

#ifndef PIXELBOOP_SYNTH_COMPRESSOR_H
#define PIXELBOOP_SYNTH_COMPRESSOR_H

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/mix.h"
#include "../lanes/ramp.h"

namespace synth {

class Compressor {
  public:
    explicit Compressor(uint32_t rate)
        : attack_(Part(8.0, rate)), release_(Part(160.0, rate)), amount_part_(Part(10.0, rate))
    {
    }

    // Sets the amount in per cent; 0 is off.
    void SetAmount(int32_t percent)
    {
        target_ = static_cast<float>(percent) / 100.0f;
    }

    // Whether it is to compress.
    bool IsOn() const
    {
        return target_ > 0.0f;
    }

    // Whether silence changes nothing.
    bool AtRest() const
    {
        return over_ == 0.0f && !AnyAudible(power_) && amount_ == target_ && gain_.slope == 0.0f;
    }

    // Compresses `frames` of `mix`, the first of which is number `now` since the engine's start.
    void Process(Mix &mix, uint32_t frames, uint64_t now)
    {
        if (amount_ == 0.0f && target_ == 0.0f) {
            return;
        }
        uint32_t done = 0;
        while (done < frames) {
            const uint32_t at = static_cast<uint32_t>((now + done) % kTick);
            if (at == 0) {
                Update();
            }
            const uint32_t end = std::min(frames, done + kTick - at);
            AddPower(mix, done, end, at);
            const Ramp ramp = gain_;
            for (uint32_t i = done; i < end; ++i) {
                const float gain = ramp.At(at + i - done);
                mix.left[i] *= gain;
                mix.right[i] *= gain;
            }
            done = end;
        }
    }

  private:
    static constexpr float kThreshold = -8.0f;  // of the power, in octaves of full scale: -24 dB
    static constexpr float kRatio = 0.55f;      // of what is over the threshold, taken away at full amount
    static constexpr float kMakeUp = 0.75f;     // octaves of gain at full amount: 4.5 dB

    // The part of a way that an update covers, if 63 % of it take `milliseconds`.
    static float Part(double milliseconds, uint32_t rate)
    {
        return static_cast<float>(OneMinusExp(std::min(0.5, 1000.0 * kTick / (milliseconds * rate))));
    }

    // The binary logarithm of `x` > 0, within 0.01.
    static float Octaves(float x)
    {
        uint32_t bits;
        std::memcpy(&bits, &x, sizeof(bits));
        const float exponent = static_cast<float>(static_cast<int32_t>(bits >> 23) - 127);
        bits = (bits & 0x007fffffu) | 0x3f800000u;
        float mantissa;
        std::memcpy(&mantissa, &bits, sizeof(mantissa));
        return exponent + (mantissa - 1.0f) * (1.0f + (2.0f - mantissa) * 0.3333f);
    }

    // Adds the power of the samples from `first` to before `end`, the first of which is `at` samples after the update.
    // Each lane has every eighth sample, wherever the block begins.
    void AddPower(const Mix &mix, uint32_t first, uint32_t end, uint32_t at)
    {
        uint32_t i = first;
        while (i < end) {
            const uint32_t lane = (at + i - first) % kLanes;
            if (lane == 0 && i + kLanes <= end) {
                FloatLanes left;
                FloatLanes right;
                std::memcpy(&left, &mix.left[i], sizeof(left));
                std::memcpy(&right, &mix.right[i], sizeof(right));
                power_ += left * left + right * right;
                i += kLanes;
            } else {
                power_[lane] += mix.left[i] * mix.left[i] + mix.right[i] * mix.right[i];
                i += 1;
            }
        }
    }

    void Update()
    {
        const float mean = AddLanes(power_) * (0.5f / kTick);
        const float over = mean > 1e-9f ? std::max(0.0f, Octaves(mean) - kThreshold) : 0.0f;
        over_ += (over > over_ ? attack_ : release_) * (over - over_);
        over_ = over == 0.0f && over_ < 1e-4f ? 0.0f : over_;
        amount_ += amount_part_ * (target_ - amount_);
        const float way = target_ - amount_;
        amount_ = way < 1e-4f && way > -1e-4f ? target_ : amount_;
        // Octaves of power are half as many of gain.
        const float octaves = amount_ * (kMakeUp - 0.5f * kRatio * over_);
        const float gain = Exp2(FloatLanes{} + octaves)[0];
        gain_.Arrive();
        gain_.Aim(gain);
        power_ = FloatLanes{};
    }

    const float attack_;
    const float release_;
    const float amount_part_;
    float target_ = 0.0f;
    float amount_ = 0.0f;
    FloatLanes power_ = {};  // since the last update
    float over_ = 0.0f;   // octaves of power over the threshold, smoothed
    Ramp gain_ = {1.0f, 1.0f, 0.0f};
};

}  // namespace synth

#endif
