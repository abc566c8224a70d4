// A plucked string after Karplus and Strong ("Digital synthesis of plucked-string and drum timbres", 1983): noise runs
// round a delay line and loses treble on each turn. Jaffe and Smith ("Extensions of the Karplus-Strong plucked-string
// algorithm", 1983) give the place of the pick and the tuning: the line, read between its samples, and the loss filter
// together delay by one period.

#ifndef PIXELBOOP_SYNTH_PLUCK_H
#define PIXELBOOP_SYNTH_PLUCK_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "../lanes/ramp.h"
#include "voice_generator.h"

namespace synth {

class Pluck : public VoiceGenerator {
  public:
    static constexpr bool kByVoice = false;  // a sample waits for the one before
    static constexpr uint32_t kNumbers = 1;

    // Frames of a line, a power of two: more than a period of the lowest note, 32.7 Hz, at 96 kHz.
    static constexpr uint32_t kLine = 4096;

    // Longer than its frames by a cache line: otherwise the same place of all eight lines would be in one set of the
    // cache.
    typedef std::array<float, kLine + 16> Line;

    // Inputs of the loss filter of a voice.
    struct Tuning {
        double period;   // frames, without bend
        double keep;     // coefficient of the filter
        double seconds;  // to fall by 60 dB
        uint32_t rate;
    };

    // The lines of its eight voices, and eight samples on their way. They are outside, so that the rest stays small
    // enough for registers.
    struct Memory {
        std::array<Line, kLanes> lines;
        std::array<Tuning, kLanes> tunings;
        std::array<FloatLanes, kLanes> turned;  // the next samples out of the lines
        std::array<FloatLanes, kLanes> made;    // the samples that go into them
    };

    void Use(Memory &lines)
    {
        strings_ = &lines;
    }

    void Start(uint32_t lane, const VoiceStart &start)
    {
        const double period = start.rate / start.hertz;
        const double bent_period = period / start.expression.ratio;
        const double brightness = start.parts[SynthTargetTimbre];
        const double b = 0.7 * (1.0 - brightness) * (1.0 - brightness);
        // 0.1 s to 10 s to fall by 60 dB.
        const uint32_t step = static_cast<uint32_t>(100.0f * start.parts[SynthTargetTimbre + 1] + 0.5f);
        const double seconds = 0.1 * Power(1.04712854805, step);  // 10^(1/50)
        strings_->tunings[lane] = {period, b, seconds, start.rate};
        Bend(lane, start.expression.ratio);
        keep_[lane] = static_cast<float>(b);
        period_[lane] = static_cast<float>(period);
        low_[lane] = 0.0f;
        age_[lane] = 0;
        burst_[lane] = static_cast<int32_t>(bent_period);
        const double pick = 0.5 * std::max(0.04f, start.parts[SynthTargetTimbre + 2]);
        pick_[lane] = static_cast<int32_t>(pick * bent_period) + 1;
        bursts_left_ = std::max(bursts_left_, static_cast<uint32_t>(burst_[lane] + pick_[lane]));
        struck_[lane] = start.seed;
        reflected_[lane] = start.seed;
        // Nothing of an earlier string may come back: the line is silent for two periods, and read no farther.
        const uint32_t used = std::min(kLine, static_cast<uint32_t>(2.0 * std::max(period, bent_period)) + 16);
        silent_[lane] = static_cast<float>(used) - 4.0f;
        for (uint32_t i = 1; i <= used; ++i) {
            strings_->lines[lane][(position_ - i) % kLine] = 0.0f;
        }
        for (uint32_t i = 0; i < kLanes; ++i) {
            strings_->turned[i][lane] = 0.0f;
            strings_->made[i][lane] = 0.0f;
        }
    }

    // Sets the gain and the delay of the loss filter for the frequency, so that the string stays in tune and decays as
    // before.
    void Bend(uint32_t lane, double ratio)
    {
        const Tuning &tuning = strings_->tunings[lane];
        const double b = tuning.keep;
        const double period = tuning.period / ratio;
        const double turn = 2.0 * kPi / period;  // of the fundamental in a sample, in radians
        const double cosine = 1.0 - 2.0 * Sine(turn / 2.0) * Sine(turn / 2.0);
        const double loss = __builtin_sqrt((1.0 - b) * (1.0 - b) / (1.0 + b * b - 2.0 * b * cosine));
        const double fall = std::min(0.5, Logarithm(1000.0) * period / (tuning.seconds * tuning.rate));
        const double gain = (1.0 - OneMinusExp(fall)) / loss;
        const double delay = Arctangent(b * Sine(turn) / (1.0 - b * cosine)) / turn;
        gain_[lane] = static_cast<float>(std::min(gain, 0.9998) * (1.0 - b));
        filter_delay_[lane] = static_cast<float>(delay);
    }

    // An update.
    void Advance()
    {
        silent_ += static_cast<float>(kTick);
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
        const FloatLanes longest = Least(silent_, FloatLanes{} + (kLine - kLanes - 4.0f));
        numbers[0] = Least(Most(period_ / pitch - filter_delay_, FloatLanes{} + (kLanes + 3.0f)), longest);
    }

    // Makes `frames` samples of the voices in `lanes`, a bit mask. The first is `at` samples after the update. The
    // lines are read and written eight samples at a time, counted from the update; several eights at once, unless a
    // string is so short that it turns within them.
    void Make(const LaneRamp *numbers, uint32_t at, uint32_t frames, uint32_t lanes, FloatLanes *signal)
    {
        Memory &strings = *strings_;
        const LaneRamp &delay = numbers[0];
        const bool moving = AnyAudible(delay.slope);
        for (uint32_t done = 0; done < frames;) {
            const uint32_t passed = (at + done) % kLanes;
            if (used_ == ready_ || passed == 0) {
                Write(strings.made.data(), used_, lanes);
                used_ = 0;
                ready_ = kLanes - passed;
                const uint32_t eights = passed == 0 ? ReadableEights(delay, at + done, (frames - done) / kLanes, lanes) : 0;
                if (eights > 0) {
                    FloatLanes *const samples = signal + done;
                    VoiceWaves rows;
                    moving ? Read<true>(delay, at + done, eights, lanes, rows)
                           : Read<false>(delay, at + done, eights, lanes, rows);
                    for (uint32_t i = 0; i < eights; ++i) {
                        Transpose(rows[i]);
                        Turn(rows[i].data(), samples + kLanes * i, kLanes);
                        Write(samples + kLanes * i, kLanes, lanes);
                    }
                    ready_ = 0;
                    done += kLanes * eights;
                    continue;
                }
                VoiceWaves rows;
                Read<true>(delay, at + done, 1, lanes, rows);
                Transpose(rows[0], strings.turned.data());
            }
            const uint32_t count = std::min(ready_ - used_, frames - done);
            Turn(&strings.turned[used_], signal + done, count);
            std::copy_n(signal + done, count, &strings.made[used_]);
            used_ += count;
            done += count;
        }
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

    // Sends `count` samples through the loss filter.
    void Turn(const FloatLanes *turned, FloatLanes *made, uint32_t count)
    {
        // In registers: the compiler has to fear that a store changes a member.
        const FloatLanes gain = gain_;
        const FloatLanes keep = keep_;
        FloatLanes low = low_;
        for (uint32_t i = 0; i < count; ++i) {
            low = turned[i] * gain + low * keep;
            made[i] = low;
        }
        low_ = low;
        // A burst of one period, less the same when it comes back from the end near the pick.
        for (uint32_t i = 0; i < count && bursts_left_ > 0; ++i) {
            made[i] += Burst();
        }
    }

    // How many eights of samples, `most` or fewer but at least one of them, have been made before they come out of a
    // line.
    static uint32_t ReadableEights(const LaneRamp &delay, uint32_t at, uint32_t most, uint32_t lanes)
    {
        const UintLanes sounding = (UintLanes{} + lanes) >> kOffsets & 1;
        uint32_t count = std::min(most, 1u);
        while (count < most) {
            const float needed = static_cast<float>(kLanes * (count + 1) + 3);
            const IntLanes is_short = delay.At(at + kLanes * count) < needed;
            if (!AreEqual(reinterpret_cast<UintLanes>(is_short) & sounding, UintLanes{})) {
                break;
            }
            count += 1;
        }
        return count;
    }

    // Four neighbouring samples of every line between which a sample comes out.
    struct Taps {
        std::array<uint32_t, kLanes> back;  // frames back to the third of them
        std::array<FloatLanes, 4> weights;
    };

    static Taps TapsOf(const FloatLanes &delay)
    {
        const IntLanes whole = __builtin_convertvector(delay, IntLanes);
        const FloatLanes f = delay - __builtin_convertvector(whole, FloatLanes);
        // Lagrange's interpolation through four samples: flat and exact to a hundredth of a cent at the fundamental.
        const FloatLanes f1 = f - 1.0f;
        const FloatLanes f2 = f - 2.0f;
        const FloatLanes f3 = f + 1.0f;
        Taps taps = {{}, {f * f3 * f1 * (1.0f / 6.0f), f * f3 * f2 * -0.5f, f1 * f2 * f3 * 0.5f, f1 * f2 * f * (-1.0f / 6.0f)}};
        std::memcpy(&taps.back, &whole, sizeof(whole));
        return taps;
    }

    // The next `eights` of samples that come out of every line; the first is `at` samples after the update.
    template <bool moving>
    void Read(const LaneRamp &delay, uint32_t at, uint32_t eights, uint32_t lanes, VoiceWaves &rows) const
    {
        std::array<Taps, kTick / kLanes> taps;
        for (uint32_t i = 0; i < (moving ? eights : 1); ++i) {
            taps[i] = TapsOf(delay.At(at + kLanes * i));
        }
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            const bool sounds = (lanes >> lane & 1) != 0;
            const float *const line = strings_->lines[lane].data();
            for (uint32_t i = 0; i < eights; ++i) {
                const Taps &tap = taps[moving ? i : 0];
                const uint32_t from = position_ + kLanes * i - tap.back[lane] - 2;
                rows[i][lane] = sounds ? Between(line, from % kLine, tap.weights, lane) : FloatLanes{};
            }
        }
    }

    // Eight samples of the line of `lane` from the frame `from` on.
    static FloatLanes Between(const float *line, uint32_t from, const std::array<FloatLanes, 4> &weights, uint32_t lane)
    {
        FloatLanes sum = {};
        for (uint32_t tap = 0; tap < 4; ++tap) {
            FloatLanes samples;
            if (from + 3 + kLanes <= kLine) {
                std::memcpy(&samples, line + from + tap, sizeof(samples));
            } else {
                Load(line, kLine, (from + tap) % kLine, samples);
            }
            sum += Splat(LaneOf(weights[tap], lane)) * samples;
        }
        return sum;
    }

    // Writes the next `count` samples of every voice into its line. A line has room for eight more.
    void Write(const FloatLanes *made, uint32_t count, uint32_t lanes)
    {
        if (count == 0) {
            return;
        }
        std::array<FloatLanes, kLanes> rows;
        for (uint32_t i = 0; i < kLanes; ++i) {
            rows[i] = made[i];
        }
        Transpose(rows);
        const uint32_t frame = position_ % kLine;
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(left));
            Line &line = strings_->lines[lane];
            if (frame + kLanes <= kLine) {
                std::memcpy(&line[frame], &rows[lane], sizeof(rows[lane]));
                continue;
            }
            for (uint32_t i = 0; i < count; ++i) {
                line[(frame + i) % kLine] = rows[lane][i];
            }
        }
        position_ += count;
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
        bursts_left_ -= 1;
        return (strikes ? struck : FloatLanes{}) - (reflects ? reflected : FloatLanes{});
    }

    Memory *strings_ = nullptr;
    uint32_t bursts_left_ = 0;                    // samples until the last burst is over
    uint32_t position_ = 0;  // samples made
    uint32_t ready_ = 0;     // samples read from the lines
    uint32_t used_ = 0;      // read samples that have been turned
    FloatLanes period_ = {};
    FloatLanes filter_delay_ = {};
    FloatLanes gain_ = {};
    FloatLanes keep_ = {};
    FloatLanes silent_ = {};  // frames of the line without an earlier string
    FloatLanes low_ = {};
    IntLanes age_ = {};
    IntLanes burst_ = {};
    IntLanes pick_ = {};
    UintLanes struck_ = {};
    UintLanes reflected_ = {};
};

}  // namespace synth

#endif
