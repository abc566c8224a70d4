// SWELL: noise that rises, and with it the reverberation of noise and sound.

#ifndef PIXELBOOP_SYNTH_FX_SWELL_H
#define PIXELBOOP_SYNTH_FX_SWELL_H

#include <algorithm>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/filter.h"
#include "fx_block.h"

namespace synth {

class FxSwell {
  public:
    explicit FxSwell(uint32_t rate) : rate_(rate) {}

    // Begins with silence. At its top the noise is 5 dB softer than the `power` of the sound.
    void Begin(float x, float power)
    {
        rise_ = 0.0f;
        level_ = 0.55f * __builtin_sqrtf(power);
        dark_ = FloatPair{};
        Aim(x);
    }

    // Adds the noise, and sends both to the reverberation.
    void Process(FxBlock &block, float *to_reverb)
    {
        if (block.at == 0) {
            Aim(block.x[0]);
        }
        for (uint32_t i = 0; i < block.frames; ++i) {
            rise_ = std::min(1.0f, rise_ + slope_);
            noise_ ^= noise_ << 13;
            noise_ ^= noise_ >> 17;
            noise_ ^= noise_ << 5;
            const FloatPair white = __builtin_convertvector(reinterpret_cast<IntPair>(noise_), FloatPair)
                * (1.0f / 2147483648.0f);
            dark_ += part_ * (white - dark_);
            const float amount = block.y[i] * rise_ * rise_;
            const FloatPair in = block.In(i);
            const FloatPair added = dark_ * (gain_ * level_ * amount);
            block.wet[i] = in + added;
            to_reverb[i] += block.weights[i] * amount * 0.5f * (block.wet[i][0] + block.wet[i][1]);
        }
    }

  private:
    void Aim(float x)
    {
        constexpr double kSlowest = 6.0;  // seconds
        slope_ = static_cast<float>(PowerOfTwo(3.0 * x) / (kSlowest * rate_));
        part_ = FirstOrder(400.0 * PowerOfTwo(4.0 * x), rate_);
        // White noise has the power 1/3, and the low-pass leaves part / (2 - part) of it.
        // The ear hears bright noise louder.
        gain_ = (1.0f - 0.4f * x) * __builtin_sqrtf(3.0f * (2.0f - part_) / part_);
    }

    const uint32_t rate_;
    UintPair noise_ = {0x9e3779b9u, 0x7f4a7c15u};
    FloatPair dark_ = {};
    float rise_ = 0.0f;  // 0 to 1
    float slope_ = 0.0f;
    float part_ = 1.0f;
    float gain_ = 1.0f;
    float level_ = 0.0f;
};

}  // namespace synth

#endif
