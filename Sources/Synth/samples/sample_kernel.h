// Reads sound between its frames: a sinc function, cut off below both Nyquist frequencies and shortened by a window of
// Kaiser (Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974; Smith, "Digital audio
// resampling", ccrma.stanford.edu/~jos/resample). It passes what is below 0.8 of the lower Nyquist frequency; what is
// above that frequency is 100 dB down.

#ifndef PIXELBOOP_SYNTH_SAMPLE_KERNEL_H
#define PIXELBOOP_SYNTH_SAMPLE_KERNEL_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../base/elementary.h"
#include "../lanes/lanes.h"

namespace synth {

// A place in a sound, in 2^-32 frames.
typedef int64_t SamplePlace;
constexpr uint32_t kPlaceBits = 32;
constexpr double kPlaceOne = 4294967296.0;

class SampleKernel {
  public:
    // The highest ratio: two octaves up, or the highest rate of a file at the lowest of the engine.
    static constexpr double kRatioMax = 4.5;
    // Frames that are read before and after a place.
    static constexpr uint32_t kReachMax = static_cast<uint32_t>(32.0 * kRatioMax) + kLanes;

    // A kernel that moves on by at most `ratio` frames from output to output, 1 to kRatioMax.
    explicit SampleKernel(double ratio)
        : taps_(kLanes * static_cast<uint32_t>(kTaps * ratio / kLanes + 0.999)),
          phases_(static_cast<uint32_t>(kPhases / ratio + 0.999)),
          table_((phases_ + 1) * taps_)
    {
        std::vector<double> row(taps_);
        for (uint32_t phase = 0; phase <= phases_; ++phase) {
            double sum = 0.0;
            for (uint32_t tap = 0; tap < taps_; ++tap) {
                const double distance = static_cast<int32_t>(tap) - Before() - phase / static_cast<double>(phases_);
                row[tap] = Sinc(kPass / ratio * distance) * Window(2.0 * distance / taps_);
                sum += row[tap];
            }
            // A constant stays exactly what it is.
            for (uint32_t tap = 0; tap < taps_; ++tap) {
                table_[phase * taps_ + tap] = static_cast<float>(row[tap] / sum);
            }
        }
    }

    // The value of `left` and `right`, 16-bit frames with kReachMax frames around them, at `place`; the channels may be
    // the same.
    FloatPair Read(const int16_t *left, const int16_t *right, SamplePlace place) const
    {
        const int64_t first = (place >> kPlaceBits) - Before();
        const uint64_t phase = static_cast<uint64_t>(static_cast<uint32_t>(place)) * phases_;
        const float part = static_cast<float>(static_cast<int32_t>(static_cast<uint32_t>(phase) >> 8)) * 0x1p-24f;
        const float *const row = table_.data() + (phase >> kPlaceBits) * taps_;
        FloatLanes left_sum = {};
        FloatLanes right_sum = {};
        for (uint32_t tap = 0; tap < taps_; tap += kLanes) {
            FloatLanes low;
            FloatLanes high;
            std::memcpy(&low, row + tap, sizeof(low));
            std::memcpy(&high, row + taps_ + tap, sizeof(high));
            const FloatLanes weights = low + (high - low) * part;
            left_sum += weights * Lanes(left + first + tap);
            if (left != right) {
                right_sum += weights * Lanes(right + first + tap);
            }
        }
        const float sum = AddLanes(left_sum);
        return {sum, left == right ? sum : AddLanes(right_sum)};
    }

  private:
    // Taps and phases at ratio 1. 64 taps fall by 100 dB within a fifth of the Nyquist frequency. The error of linear
    // interpolation between 512 phases is -105 dB.
    static constexpr double kTaps = 64.0;
    static constexpr double kPhases = 512.0;
    // Middle of the fall, as a part of the Nyquist frequency, and the window's beta for 100 dB: 0.1102 (100 - 8.7).
    static constexpr double kPass = 0.9;
    static constexpr double kBeta = 10.061;

    int32_t Before() const
    {
        return static_cast<int32_t>(taps_ / 2) - 1;
    }

    static double Sinc(double x)
    {
        if (x == 0.0) {
            return 1.0;
        }
        const double turns = x < 0.0 ? -x : x;
        const uint32_t half = static_cast<uint32_t>(turns + 0.5);
        const double sine = Sine(kPi * (turns - half));
        return (half % 2 == 0 ? sine : -sine) / (kPi * turns);
    }

    // Kaiser's window at `x`, -1 to 1.
    static double Window(double x)
    {
        const double rest = 1.0 - x * x;
        return rest <= 0.0 ? 0.0 : Bessel(kBeta * kBeta / 4.0 * rest) / Bessel(kBeta * kBeta / 4.0);
    }

    // The modified Bessel function of order 0 at twice the root of `x`.
    static double Bessel(double x)
    {
        double sum = 1.0;
        for (double n = 32.0; n >= 1.0; n -= 1.0) {
            sum = 1.0 + x / (n * n) * sum;
        }
        return sum;
    }

    static FloatLanes Lanes(const int16_t *frames)
    {
        typedef int16_t ShortLanes __attribute__((vector_size(kLanes * sizeof(int16_t))));
        ShortLanes lanes;
        std::memcpy(&lanes, frames, sizeof(lanes));
        return __builtin_convertvector(lanes, FloatLanes);
    }

    const uint32_t taps_;    // a multiple of kLanes
    const uint32_t phases_;  // between two frames
    std::vector<float> table_;
};

// The kernels of the tunings. The same for every engine.
class SampleKernels {
  public:
    // Semitones up or down.
    static constexpr int32_t kTuneMax = 24;

    static const SampleKernels &Shared()
    {
        static const SampleKernels kernels;
        return kernels;
    }

    // The kernel for a sound that is `semitones` higher. One kernel serves two semitones.
    const SampleKernel &Of(int32_t semitones) const
    {
        return kernels_[semitones <= 0 ? 0 : static_cast<uint32_t>(semitones + 1) / 2];
    }

    // Frames of a sound from output to output, in 2^-32.
    static SamplePlace Increment(int32_t semitones)
    {
        return static_cast<SamplePlace>(PowerOfTwo(semitones / 12.0) * kPlaceOne + 0.5);
    }

  private:
    SampleKernels()
    {
        kernels_.reserve(kTuneMax / 2 + 1);
        for (int32_t semitones = 0; semitones <= kTuneMax; semitones += 2) {
            kernels_.emplace_back(PowerOfTwo(semitones / 12.0));
        }
    }

    std::vector<SampleKernel> kernels_;
};

}  // namespace synth

#endif
