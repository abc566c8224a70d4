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

inline void DropInaudible(FloatLanes &x)
{
    const IntLanes audible = (x >= kInaudible) | (x <= -kInaudible);
    x = reinterpret_cast<FloatLanes>(reinterpret_cast<IntLanes>(x) & audible);
}

// The part of the way to its input that a first-order low-pass goes in a sample.
inline float FirstOrder(double hertz, uint32_t rate)
{
    return static_cast<float>(OneMinusExp(2.0 * kPi * hertz / rate));
}

// What the two integrators do in a step. With g = tan(pi * hertz / rate), k = 1 / Q and a = 1 / (1 + g * (g + k)):
struct FilterCoefficients {
    float keep;     // 2a - 1
    float across;   // 2ga
    float into;     // 2gga
    float damping;  // k

    static FilterCoefficients Make(double hertz, double q, uint32_t rate)
    {
        const double g = Tangent(kPi * hertz / rate);
        const double k = 1.0 / q;
        const double a = 1.0 / (1.0 + g * (g + k));
        return {static_cast<float>(2.0 * a - 1.0), static_cast<float>(2.0 * g * a),
                static_cast<float>(2.0 * g * g * a), static_cast<float>(k)};
    }
};

// The two integrators of a filter, for one signal (float) or eight.
//
// An output of the trapezoidal form is the mean of its integrator before and after the step, so the step is computed
// first and the outputs come from it: a third fewer operations than the other way round, in two thirds of the time
// from one step to the next.
//
// Coefficients may change from sample to sample, also in a straight line between two sets: for every set the step of
// the integrators shortens or keeps their length (a rotation and damping), and so does any mean of two such steps.
template <typename Signal>
class Integrators {
  public:
    // Gives twice the band-pass (whose gain at its middle is Q) and twice the low-pass: the halves cost nothing where
    // the caller multiplies by a gain anyway.
    template <typename Coefficient>
    void Step(const Signal &input, const Coefficient &keep, const Coefficient &across, const Coefficient &into,
              Signal &twice_band, Signal &twice_low)
    {
        const Signal difference = input - s2_;
        const Signal s1 = keep * s1_ + across * difference;
        const Signal s2 = s2_ + (across * s1_ + into * difference);
        twice_band = s1_ + s1;
        twice_low = s2_ + s2;
        s1_ = s1;
        s2_ = s2;
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
