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

// What a memory keeps that feeds itself: nothing below -140 dB, so that a tail ends in zeros and not in denormal
// numbers.
constexpr float kInaudible = 1e-7f;

inline float Audible(float x)
{
    return x < kInaudible && x > -kInaudible ? 0.0f : x;
}

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

// The two integrators of a filter, for one signal (float) or eight.
//
// Coefficients may change from sample to sample, also in a straight line between two sets: for every set the step of
// the integrators shortens or keeps their length (a rotation and damping), and so does any mean of two such steps.
template <typename Signal>
class Integrators {
  public:
    template <typename Coefficient>
    void Step(const Signal &input, const Coefficient &a1, const Coefficient &a2, const Coefficient &a3, Signal &band,
              Signal &low)
    {
        const Signal v3 = input - s2_;
        band = a1 * s1_ + a2 * v3;
        low = s2_ + (a2 * s1_ + a3 * v3);
        s1_ = 2.0f * band - s1_;
        s2_ = 2.0f * low - s2_;
    }

    // For a filter that is not told when its signal ends.
    void DropInaudible()
    {
        s1_ = Audible(s1_);
        s2_ = Audible(s2_);
    }

    bool AtRest() const
    {
        return s1_ == 0.0f && s2_ == 0.0f;
    }

    void Clear(uint32_t lane)
    {
        s1_[lane] = 0.0f;
        s2_[lane] = 0.0f;
    }

    void Clear()
    {
        s1_ = Signal{};
        s2_ = Signal{};
    }

  private:
    Signal s1_ = {};
    Signal s2_ = {};
};

}  // namespace synth

#endif
