// True-peak measurement: four points per sample, 12 taps per point, as in the meter of ITU-R BS.1770-4, annex 2. The
// taps are our own.

#ifndef PIXELBOOP_SYNTH_TRUE_PEAK_H
#define PIXELBOOP_SYNTH_TRUE_PEAK_H

#include <array>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../lanes/lanes.h"

namespace synth {

struct Frame {
    float left;
    float right;
};

class TruePeak {
  public:
    static constexpr uint32_t kTaps = 12;

    // No interpolated point exceeds the largest of its 12 neighbours by more than the taps' absolute sum, at most 2.04:
    // if all neighbours are within this part of a level, the point is below the level.
    static constexpr float kSafe = 0.48f;

    TruePeak()
    {
        // Windowed sincs at a quarter and a half of a sample; the 12 taps straddle the point. The taps for three
        // quarters mirror those for a quarter, so both are stored as their half sum and half difference.
        const std::array<double, kTaps> quarter = Sinc(0.25);
        const std::array<double, kTaps> half = Sinc(0.5);
        for (uint32_t tap = 0; tap < kPairs; ++tap) {
            common_[tap] = static_cast<float>((quarter[tap] + quarter[kTaps - 1 - tap]) / 2.0);
            different_[tap] = static_cast<float>((quarter[tap] - quarter[kTaps - 1 - tap]) / 2.0);
            half_[tap] = static_cast<float>(half[tap]);
        }
    }

    // The largest magnitudes between the frames six and five before each of the four frames at `frame`, left and right
    // interleaved. Also reads the kTaps - 1 frames before.
    FloatLanes Find(const Frame *frame) const
    {
        const float *newest = Interleaved(frame);
        const float *oldest = newest - 2 * (kTaps - 1);
        FloatLanes common = {};
        FloatLanes different = {};
        FloatLanes half = {};
        FloatLanes later;
        FloatLanes earlier;
        for (uint32_t tap = 0; tap < kPairs; ++tap) {
            Load(later, newest - 2 * tap);
            Load(earlier, oldest + 2 * tap);
            const FloatLanes sum = later + earlier;
            common += common_[tap] * sum;
            different += different_[tap] * (later - earlier);
            half += half_[tap] * sum;
        }
        // The last pair contains the two frames themselves.
        FloatLanes highest = {};
        RaiseTo(highest, later);
        RaiseTo(highest, earlier);
        RaiseTo(highest, common + different);
        RaiseTo(highest, common - different);
        RaiseTo(highest, half);
        return highest;
    }

  private:
    static constexpr uint32_t kPairs = kTaps / 2;

    // sin(2 pi `turns`) for `turns` in -4...4.
    static double SineOfTurns(double turns)
    {
        while (turns > 0.5) {
            turns -= 1.0;
        }
        while (turns < -0.5) {
            turns += 1.0;
        }
        if (turns > 0.25) {
            turns = 0.5 - turns;
        } else if (turns < -0.25) {
            turns = -0.5 - turns;
        }
        return Sine(2.0 * kPi * turns);
    }

    // Taps for the point `fraction` of a sample before the middle, newest first, with a cosine window.
    static std::array<double, kTaps> Sinc(double fraction)
    {
        std::array<double, kTaps> taps;
        double sum = 0.0;
        for (uint32_t tap = 0; tap < kTaps; ++tap) {
            const double x = tap + 1.0 - kTaps / 2.0 - fraction;  // samples from the point
            taps[tap] = SineOfTurns(x / 2.0) / (kPi * x) * HalfCosine(x / (kTaps / 2.0));
            sum += taps[tap];
        }
        for (double &tap : taps) {
            tap /= sum;
        }
        return taps;
    }

    // Cosine window, 1 at 0 and 0 at -1 and 1.
    static double HalfCosine(double x)
    {
        return Sine(kPi / 2.0 * (1.0 - (x < 0.0 ? -x : x)));
    }

    static const float *Interleaved(const Frame *frame)
    {
        return reinterpret_cast<const float *>(frame);
    }

    static void Load(FloatLanes &lanes, const float *from)
    {
        std::memcpy(&lanes, from, sizeof lanes);
    }

    static void RaiseTo(FloatLanes &highest, const FloatLanes &x)
    {
        const FloatLanes size = x < 0.0f ? -x : x;
        highest = size > highest ? size : highest;
    }

    std::array<float, kPairs> common_;
    std::array<float, kPairs> different_;
    std::array<float, kPairs> half_;
};

}  // namespace synth

#endif
