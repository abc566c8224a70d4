// A plucked string after Karplus and Strong ("Digital synthesis of plucked-string and drum timbres", 1983): noise runs
// round a delay line and loses treble on each turn. Jaffe and Smith ("Extensions of the Karplus-Strong plucked-string
// algorithm", 1983) give the place of the pick and the tuning: the line, read between its samples, and the loss filter
// together delay by one period.

#ifndef PIXELBOOP_SYNTH_PLUCK_H
#define PIXELBOOP_SYNTH_PLUCK_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../elementary.h"
#include "../lane_math.h"
#include "../model_source.h"

namespace synth {

class Pluck {
  public:
    static constexpr uint32_t kNumbers = 1;

    // Frames of a line: more than a period of the lowest note, 32.7 Hz, at 96 kHz.
    static constexpr uint32_t kLine = 4096;
    typedef std::array<FloatLanes, kLine> Lines;

    // The lines of its eight voices. They are outside, so that the rest stays small enough for registers.
    void Use(Lines &lines)
    {
        lines_ = lines.data();
    }

    void Start(uint32_t lane, const VoiceStart &start)
    {
        const double period = start.rate / start.hertz;
        const double turn = 2.0 * kPi / period;  // of the fundamental in a sample, in radians
        const double brightness = start.parts[SynthTargetTimbre];
        const double b = 0.7 * (1.0 - brightness) * (1.0 - brightness);
        // 0.1 s to 10 s to fall by 60 dB.
        const uint32_t step = static_cast<uint32_t>(100.0f * start.parts[SynthTargetTimbre + 1] + 0.5f);
        const double seconds = 0.1 * Power(1.04712854805, step);  // 10^(1/50)
        const double cosine = 1.0 - 2.0 * Sine(turn / 2.0) * Sine(turn / 2.0);
        const double loss = __builtin_sqrt((1.0 - b) * (1.0 - b) / (1.0 + b * b - 2.0 * b * cosine));
        const double gain = (1.0 - OneMinusExp(std::min(0.5, Logarithm(1000.0) * period / (seconds * start.rate)))) / loss;
        const double delay = Arctangent(b * Sine(turn) / (1.0 - b * cosine)) / turn;
        keep_[lane] = static_cast<float>(b);
        gain_[lane] = static_cast<float>(std::min(gain, 0.9998) * (1.0 - b));
        period_[lane] = static_cast<float>(period);
        filter_delay_[lane] = static_cast<float>(delay);
        low_[lane] = 0.0f;
        age_[lane] = 0;
        burst_[lane] = static_cast<int32_t>(period);
        const double pick = 0.5 * std::max(0.04f, start.parts[SynthTargetTimbre + 2]);
        pick_[lane] = static_cast<int32_t>(pick * period) + 1;
        struck_[lane] = start.seed;
        reflected_[lane] = start.seed;
        const uint32_t used = std::min(kLine, static_cast<uint32_t>(2.0 * period) + 8);
        for (uint32_t i = 1; i <= used; ++i) {
            lines_[(position_ - i) % kLine][lane] = 0.0f;
        }
    }

    void Clear(uint32_t lane)
    {
        keep_[lane] = 0.0f;
        gain_[lane] = 0.0f;
        period_[lane] = 0.0f;
        filter_delay_[lane] = 0.0f;
        low_[lane] = 0.0f;
        age_[lane] = 0;
        burst_[lane] = 0;
        pick_[lane] = 0;
        struck_[lane] = 0;
        reflected_[lane] = 0;
    }

    void Compute(const LaneParts &, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        numbers[0] = Clamped(period_ / pitch - filter_delay_, 2.0f, kLine - 4.0f);
    }

    void Next(const float *, const FloatLanes *numbers, FloatLanes &signal)
    {
        const IntLanes whole = __builtin_convertvector(numbers[0], IntLanes);
        const FloatLanes f = numbers[0] - __builtin_convertvector(whole, FloatLanes);
        FloatLanes a;
        FloatLanes b;
        FloatLanes c;
        FloatLanes d;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            const uint32_t at = position_ - static_cast<uint32_t>(whole[lane]);
            a[lane] = lines_[(at + 1) % kLine][lane];
            b[lane] = lines_[at % kLine][lane];
            c[lane] = lines_[(at - 1) % kLine][lane];
            d[lane] = lines_[(at - 2) % kLine][lane];
        }
        // Lagrange's interpolation through four samples: flat and exact to a hundredth of a cent at the fundamental.
        const FloatLanes f1 = f - 1.0f;
        const FloatLanes f2 = f - 2.0f;
        const FloatLanes f3 = f + 1.0f;
        const FloatLanes turned = f1 * f2 * (0.5f * f3 * b - (1.0f / 6.0f) * f * a)
            + f * f3 * ((1.0f / 6.0f) * f1 * d - 0.5f * f2 * c);
        low_ = turned * gain_ + low_ * keep_;
        // A burst of one period, less the same when it comes back from the end near the pick.
        signal = low_ + Burst();
        lines_[position_ % kLine] = signal;
        position_ += 1;
    }

  private:
    // Angle in radians of the tangent `x`, 0 to 10: halved twice, then Taylor's series.
    static double Arctangent(double x)
    {
        for (uint32_t i = 0; i < 3; ++i) {
            x = x / (1.0 + __builtin_sqrt(1.0 + x * x));
        }
        double sum = 0.0;
        for (int n = 21; n >= 1; n -= 2) {
            sum = 1.0 / n - x * x * sum;
        }
        return 8.0 * x * sum;
    }

    FloatLanes Burst()
    {
        const IntLanes strikes = age_ < burst_;
        const IntLanes reflects = (age_ >= pick_) & (age_ < burst_ + pick_);
        const FloatLanes struck = Noise(struck_);
        UintLanes next = reflected_;
        const FloatLanes reflected = Noise(next);
        reflected_ = reflects ? next : reflected_;
        age_ += 1;
        return (strikes ? struck : FloatLanes{}) - (reflects ? reflected : FloatLanes{});
    }

    FloatLanes *lines_ = nullptr;
    uint32_t position_ = 0;
    FloatLanes period_ = {};
    FloatLanes filter_delay_ = {};
    FloatLanes gain_ = {};
    FloatLanes keep_ = {};
    FloatLanes low_ = {};
    IntLanes age_ = {};
    IntLanes burst_ = {};
    IntLanes pick_ = {};
    UintLanes struck_ = {};
    UintLanes reflected_ = {};
};

}  // namespace synth

#endif
