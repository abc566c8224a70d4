// FILTER and CRUSH.

#ifndef PIXELBOOP_SYNTH_FX_TONE_H
#define PIXELBOOP_SYNTH_FX_TONE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../base/glide.h"
#include "../lanes/filter.h"
#include "../lanes/ramp.h"
#include "fx_block.h"

namespace synth {

// A low-pass that closes to the left of the middle, a high-pass that opens to its right; in the middle the sound
// itself.
class FxFilter {
  public:
    explicit FxFilter(uint32_t rate) : rate_(rate) {}

    void Begin(float x, float y)
    {
        for (Integrators<float> &side : sides_) {
            side.Clear();
        }
        Aim(x, y);
        for (Ramp &ramp : ramps_) {
            ramp.Arrive();
        }
    }

    void Process(FxBlock &block)
    {
        if (block.at == 0) {
            for (Ramp &ramp : ramps_) {
                ramp.Arrive();
            }
            Aim(block.x[0], block.y[0]);
        }
        for (uint32_t i = 0; i < block.frames; ++i) {
            std::array<float, kRamps> now;
            for (uint32_t j = 0; j < kRamps; ++j) {
                now[j] = ramps_[j].At(block.at + i);
            }
            const FloatPair in = block.In(i);
            for (uint32_t side = 0; side < 2; ++side) {
                float band = 0.0f;
                float low = 0.0f;
                sides_[side].Step(in[side], now[0], now[1], now[2], band, low);
                sides_[side].DropInaudible();
                block.wet[i][side] = now[kDry] * in[side] + now[kLow] * low + now[kBand] * band;
            }
        }
    }

  private:
    enum : uint32_t { kDry = 3, kLow, kBand, kRamps };

    // Aims the coefficients and the gains of input, low-pass and band-pass at a place.
    void Aim(float x, float y)
    {
        // From 0.35 to 0.45 and from 0.65 to 0.55 the filter fades to the sound itself.
        const double closed = SmoothStep(std::clamp(x < 0.5f ? 4.5f - 10.0f * x : 10.0f * x - 5.5f, 0.0f, 1.0f));
        const double octaves = x < 0.5f ? 7.5 * x / 0.45 : 8.65 * (x - 0.55) / 0.45;
        const double hertz = std::clamp((x < 0.5f ? 80.0 : 20.0) * PowerOfTwo(octaves), 20.0, 0.42 * rate_);
        // From 3 dB below the cut-off's level to 9 dB above; half of that is taken from the whole.
        const double q = 0.70710678 * PowerOfTwo(2.0 * y);
        const double level = 1.0 / PowerOfTwo(y);
        const FilterCoefficients c = FilterCoefficients::Make(hertz, q, rate_);
        // The outputs are twice the low-pass and the band-pass; the high-pass is the input without both.
        const double low = x < 0.5f ? 0.5 * level * closed : -0.5 * level * closed;
        const double band = x < 0.5f ? 0.0 : -0.5 * level * closed * c.k;
        const double dry = 1.0 - closed + (x < 0.5f ? 0.0 : level * closed);
        ramps_[0].Aim(c.two_a1_minus_1);
        ramps_[1].Aim(c.two_a2);
        ramps_[2].Aim(c.two_a3);
        ramps_[kDry].Aim(static_cast<float>(dry));
        ramps_[kLow].Aim(static_cast<float>(low));
        ramps_[kBand].Aim(static_cast<float>(band));
    }

    const uint32_t rate_;
    std::array<Integrators<float>, 2> sides_;
    std::array<Ramp, kRamps> ramps_;
};

// A converter of a lower rate and fewer bits, without any filter.
class FxCrush {
  public:
    explicit FxCrush(uint32_t rate) : octaves_(BinaryLogarithm(rate / kLowestRate)) {}

    void Begin(float x, float y)
    {
        phase_ = 1.0f;
        Aim(x, y);
    }

    void Process(FxBlock &block)
    {
        if (block.at == 0) {
            Aim(block.x[0], block.y[0]);
        }
        for (uint32_t i = 0; i < block.frames; ++i) {
            phase_ += increment_;
            if (phase_ >= 1.0f) {
                phase_ -= static_cast<float>(static_cast<int32_t>(phase_));
                held_ = FloatPair{Quantised(block.left[i]), Quantised(block.right[i])};
            }
            block.wet[i] = held_;
        }
    }

  private:
    static constexpr double kLowestRate = 1000.0;

    void Aim(float x, float y)
    {
        increment_ = static_cast<float>(PowerOfTwo(-octaves_ * x));
        step_ = static_cast<float>(PowerOfTwo(11.0 * y - 14.0));
        steps_ = 1.0f / step_;
    }

    // The nearest step: values below half a step become 0.
    float Quantised(float in) const
    {
        const float steps = std::clamp(in * steps_, -1e9f, 1e9f);
        return static_cast<float>(static_cast<int32_t>(steps + (steps < 0.0f ? -0.5f : 0.5f))) * step_;
    }

    const double octaves_;
    float increment_ = 1.0f;  // of the phase, a frame
    float phase_ = 0.0f;
    float step_ = 1.0f;
    float steps_ = 1.0f;  // of full scale
    FloatPair held_ = {};
};

}  // namespace synth

#endif
