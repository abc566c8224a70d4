// Band-limited waves in tables of 4096 samples, one band per third of an octave. With linear interpolation the worst
// spur is -111 dB at 440 Hz; no polynomial step correction of the same cost reaches -85 dB.

#ifndef PIXELBOOP_SYNTH_WAVES_H
#define PIXELBOOP_SYNTH_WAVES_H

#include <array>
#include <cstdint>

#include "../base/elementary.h"

namespace synth {

enum class Wave : uint32_t { sine, triangle, saw, square };

class Waves {
  public:
    static constexpr uint32_t kIndexBits = 12;
    static constexpr uint32_t kSize = 1u << kIndexBits;

    Waves()
    {
        // Sines of the full turn from the sines of the first quarter.
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
        for (uint32_t morph = 0; morph < kMorphs; ++morph) {
            BuildMorph(morph, sine);
        }
    }

    // The tables are the same for every engine.
    static const Waves &Shared()
    {
        static const Waves waves;
        return waves;
    }

    // The waves of the wavetable model: one octave of fundamentals a band, each with all 64 waves.
    static constexpr uint32_t kMorphs = 64;
    static constexpr uint32_t kMorphBits = 11;
    static constexpr uint32_t kMorphStride = (1u << kMorphBits) + 16;

    // Offset in Data() of the first of the 64 tables at `hertz`.
    static constexpr uint32_t MorphOffset(double hertz)
    {
        uint32_t band = 0;
        while (band + 1 < kMorphBands && hertz > kMorphTop * (1u << band)) {
            band += 1;
        }
        return kMorphData + band * kMorphs * kMorphStride;
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

    static constexpr uint32_t kMorphsPerSpectrum = 9;
    static constexpr uint32_t kMorphBands = 6;
    static constexpr uint32_t kMorphHarmonics = 128;  // of the lowest band
    static constexpr double kMorphTop = 187.5;        // its highest fundamental
    static constexpr uint32_t kMorphData = (1 + (kShapes - 1) * kBands) * kStride;

    // The power of harmonic `n`, from 1, of the eight spectra between which the waves lie.
    static double Spectrum(uint32_t number, uint32_t n)
    {
        const double odd = n % 2 == 1 ? 1.0 : 0.0;
        switch (number) {
        case 0:
            return n == 1 ? 1.0 : 0.0;  // sine
        case 1:
            return odd / (1.0 * n * n * n * n);  // triangle
        case 2:
            return odd / (1.0 * n * n);  // square
        case 3:
            return 1.0 / (1.0 * n * n);  // saw
        case 4:
            return Formant(n, 5.0, 2.0) + 0.5 * Formant(n, 9.0, 2.0) + 0.4 / (1.0 * n * n);  // an open vowel
        case 5:
            return Formant(n, 2.0, 1.0) + 0.6 * Formant(n, 12.0, 2.0) + 0.8 / (1.0 * n * n);  // a closed one
        case 6:
            return n == 1 || n == 4 || n == 7 || n == 11 || n == 18 ? 1.0 / (n * __builtin_sqrt(n)) : 0.0;  // a bell
        default:
            return n <= 32 ? 1.0 / (n * __builtin_sqrt(n)) : 0.0;  // bright
        }
    }

    static constexpr double Formant(uint32_t n, double centre, double width)
    {
        const double x = (n - centre) / width;
        return 1.0 / ((1.0 + x * x) * (1.0 + x * x));
    }

    // The power of each harmonic of spectrum `number`, as a part of the whole.
    static std::array<double, kMorphHarmonics> Shares(uint32_t number)
    {
        std::array<double, kMorphHarmonics> shares;
        double whole = 0.0;
        for (uint32_t n = 1; n <= kMorphHarmonics; ++n) {
            shares[n - 1] = Spectrum(number, n);
            whole += shares[n - 1];
        }
        for (double &share : shares) {
            share /= whole;
        }
        return shares;
    }

    void BuildMorph(uint32_t morph, const std::array<double, kSize> &sine)
    {
        constexpr uint32_t kMorphSize = 1u << kMorphBits;
        // Every wave has the power of a sine.
        const uint32_t number = morph / kMorphsPerSpectrum;
        const double part = (morph % kMorphsPerSpectrum) / static_cast<double>(kMorphsPerSpectrum);
        const std::array<double, kMorphHarmonics> from = Shares(number);
        const std::array<double, kMorphHarmonics> to = Shares(number + 1);
        std::array<double, kMorphSize> sum = {};
        uint32_t harmonics = 0;
        for (uint32_t band = kMorphBands; band-- > 0;) {
            for (; harmonics < kMorphHarmonics >> band; ++harmonics) {
                const double amplitude =
                    __builtin_sqrt((1.0 - part) * from[harmonics] + part * to[harmonics]);
                // A harmonic 120 dB down is left out.
                if (amplitude <= 1e-6) {
                    continue;
                }
                for (uint32_t i = 1; i < kMorphSize / 2; ++i) {
                    sum[i] += amplitude * sine[(harmonics + 1) * i * (kSize / kMorphSize) % kSize];
                }
            }
            for (uint32_t i = 1; i < kMorphSize / 2; ++i) {
                sum[kMorphSize - i] = -sum[i];
            }
            const uint32_t offset = kMorphData + (band * kMorphs + morph) * kMorphStride;
            for (uint32_t i = 0; i < kMorphStride; ++i) {
                data_[offset + i] = static_cast<float>(sum[i % kMorphSize]);
            }
        }
    }

    std::array<float, kMorphData + kMorphBands * kMorphs * kMorphStride> data_;
};

}  // namespace synth

#endif
