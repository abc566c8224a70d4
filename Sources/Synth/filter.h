// Eight state-variable filters, 12 dB an octave, in the trapezoidal form (Simper, "Linear trapezoidal
// integrated SVF", 2013). Its transfer function is that of the Audio EQ Cookbook's filters and so of Web
// Audio's; at low cut-offs it has 30 dB less round-off than their direct form.

#ifndef PIXELBOOP_SYNTH_FILTER_H
#define PIXELBOOP_SYNTH_FILTER_H

#include "elementary.h"
#include "lanes.h"

namespace synth {

// Q of 1 dB, Web Audio's default for low-pass and high-pass: 10^(1/20).
constexpr double kOneDecibel = 1.12201845430196343559;

struct FilterCoefficients {
    float a1;
    float a2;
    float a3;
    float damping;  // 1 / Q

    static FilterCoefficients Make(double hertz, double q, uint32_t rate)
    {
        const double g = Tangent(kPi * hertz / rate);
        const double k = 1.0 / q;
        const double a1 = 1.0 / (1.0 + g * (g + k));
        return {static_cast<float>(a1), static_cast<float>(g * a1), static_cast<float>(g * g * a1),
                static_cast<float>(k)};
    }
};

class Filter {
  public:
    void Start(uint32_t lane, const FilterCoefficients &coefficients)
    {
        a1_[lane] = coefficients.a1;
        a2_[lane] = coefficients.a2;
        a3_[lane] = coefficients.a3;
        damping_[lane] = coefficients.damping;
        Clear(lane);
    }

    void Clear(uint32_t lane)
    {
        s1_[lane] = 0.0f;
        s2_[lane] = 0.0f;
    }

    void LowPass(FloatLanes &signal)
    {
        FloatLanes band;
        FloatLanes low;
        Step(signal, band, low);
        signal = low;
    }

    // The high-pass where `high_mix` is 1, the band-pass (gain 1 at its middle) where it is 0. Both come from the
    // same sums, so one loop serves all noise drums.
    void HighOrBandPass(FloatLanes &signal, const FloatLanes &high_mix)
    {
        FloatLanes band;
        FloatLanes low;
        Step(signal, band, low);
        band *= damping_;
        const FloatLanes high = signal - band - low;
        signal = band + high_mix * (high - band);
    }

  private:
    void Step(const FloatLanes &input, FloatLanes &band, FloatLanes &low)
    {
        const FloatLanes v3 = input - s2_;
        band = a1_ * s1_ + a2_ * v3;
        low = s2_ + (a2_ * s1_ + a3_ * v3);
        s1_ = 2.0f * band - s1_;
        s2_ = 2.0f * low - s2_;
    }

    FloatLanes a1_ = {};
    FloatLanes a2_ = {};
    FloatLanes a3_ = {};
    FloatLanes damping_ = {};
    FloatLanes s1_ = {};
    FloatLanes s2_ = {};
};

}  // namespace synth

#endif
