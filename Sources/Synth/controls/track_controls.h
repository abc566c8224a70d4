// A track's controls as the commands set them, and the gains and the low-pass that follow from them.

#ifndef PIXELBOOP_SYNTH_TRACK_CONTROLS_H
#define PIXELBOOP_SYNTH_TRACK_CONTROLS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/filter.h"
#include "../lanes/voicing.h"
#include "synth.h"

namespace synth {

// Cut-off in hertz at which the rhythm track's low-pass is bypassed.
constexpr int32_t kOpenCutoff = 20000;

constexpr int32_t kLowestCutoff = 20;

// A track's controls, in the units of the commands that set them.
struct TrackControls {
    int32_t volume = 100;
    int32_t pan = 0;
    int32_t cutoff = kOpenCutoff;
    int32_t resonance = 1;
    int32_t attack = 0;
    int32_t decay = 0;
    int32_t sustain = 100;
    int32_t release = 0;
    int32_t delay = 0;
    int32_t reverb = 0;
    int32_t model = 0;
    int32_t level = 0;
    int32_t unison = 1;
    int32_t drive = 0;
    int32_t chorus = 0;
    int32_t lfo_rate = 500;
    int32_t lfo_shape = SynthLfoSine;
    int32_t lfo_depth = 0;
    int32_t lfo_target = SynthTargetPitch;
    int32_t envelope_depth = 0;
    int32_t envelope_target = SynthTargetCutoff;
    int32_t envelope_decay = 300;
    std::array<int32_t, synth_timbres> timbre = {};

    // Constant-power panning with gain 1 in the middle. A note may have a gain and a factor of the cut-off of its own.
    Voicing Voiced(uint32_t rate, double gain = 1.0, double cutoff_ratio = 1.0) const
    {
        constexpr double kRootOf2 = 1.41421356237309504880;
        const double half_gain = volume / 200.0 * Gain(level) * gain;
        const double angle = (pan + 100) / 400.0 * kPi;
        const FilterCoefficients filter =
            FilterCoefficients::Make(std::clamp<double>(cutoff * cutoff_ratio, kLowestCutoff, kOpenCutoff),
                                     Power(kOneDecibel, static_cast<uint32_t>(resonance)), rate);
        return {static_cast<float>(half_gain * kRootOf2 * Sine(kPi / 2.0 - angle)),
                static_cast<float>(half_gain * kRootOf2 * Sine(angle)),
                static_cast<float>(half_gain * delay / 100.0),
                static_cast<float>(half_gain * reverb / 100.0),
                filter.two_a1_minus_1, filter.two_a2, filter.two_a3};
    }

    // Gain of a level in tenths of a decibel; exactly 1 for 0.
    static double Gain(int32_t tenths)
    {
        constexpr double kTenthOfDecibel = 1.01157945425989852444;  // 10^(1/200)
        const double gain = Power(kTenthOfDecibel, static_cast<uint32_t>(tenths < 0 ? -tenths : tenths));
        return tenths < 0 ? 1.0 / gain : gain;
    }
};

}  // namespace synth

#endif
