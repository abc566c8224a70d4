// The filters of the models' voices.

#ifndef PIXELBOOP_SYNTH_MODEL_FILTERS_H
#define PIXELBOOP_SYNTH_MODEL_FILTERS_H

#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/lanes.h"

namespace synth {

// The low-pass of most models, 12 dB per octave.
class TwoPole {
  public:
    static constexpr uint32_t kNumbers = 3;

    // The coefficients of a cut-off with g = tan(pi f / rate), at `resonance` decibels.
    static void Compute(const FloatLanes &g, const FloatLanes &resonance, FloatLanes *numbers)
    {
        const FloatLanes k = Exp2(resonance * -0.166096405f);  // 1 / Q; log2(10) / 20
        const FloatLanes a1 = 1.0f / (1.0f + g * (g + k));
        numbers[0] = 2.0f * a1 - 1.0f;
        numbers[1] = 2.0f * g * a1;
        numbers[2] = g * numbers[1];
    }

    void Clear(uint32_t lane)
    {
        integrators_.Clear(lane);
    }

    void Step(FloatLanes &signal, const FloatLanes *numbers)
    {
        FloatLanes twice_band;
        FloatLanes twice_low;
        integrators_.Step(signal, numbers[0], numbers[1], numbers[2], twice_band, twice_low);
        signal = 0.5f * twice_low;
    }

  private:
    Integrators<FloatLanes> integrators_;
};

// A four-pole ladder, 24 dB per octave, with feedback that has no delay (Zavalishin, "The Art of VA Filter Design",
// chapter 5). It is linear, and so adds no aliases; it does not oscillate by itself.
class Ladder {
  public:
    static constexpr uint32_t kNumbers = 2;

    static void Compute(const FloatLanes &g, const FloatLanes &resonance, FloatLanes *numbers)
    {
        numbers[0] = g / (1.0f + g);
        numbers[1] = 3.9f - 3.9f * Exp2(resonance * -0.166096405f);
    }

    void Clear(uint32_t lane)
    {
        for (FloatLanes &state : states_) {
            state[lane] = 0.0f;
        }
    }

    void Step(FloatLanes &signal, const FloatLanes *numbers)
    {
        const FloatLanes g = numbers[0];
        const FloatLanes k = numbers[1];
        const FloatLanes g2 = g * g;
        const FloatLanes fed =
            (((states_[0] * g + states_[1]) * g + states_[2]) * g + states_[3]) * (1.0f - g);
        // Half of the loss of the bass is made good, as a player expects of a bass filter.
        FloatLanes x = (signal * (1.0f + 0.5f * k) - k * fed) / (1.0f + k * g2 * g2);
        for (FloatLanes &state : states_) {
            const FloatLanes v = (x - state) * g;
            x = v + state;
            state = x + v;
        }
        signal = x;
    }

  private:
    std::array<FloatLanes, 4> states_ = {};
};

}  // namespace synth

#endif
