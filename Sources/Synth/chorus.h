// A stereo chorus: taps of a short delay line that move. Two taps move in opposite directions, one a side; the ensemble
// of a string machine has three, a third of a turn apart, moved slowly and fast at once.

#ifndef PIXELBOOP_SYNTH_CHORUS_H
#define PIXELBOOP_SYNTH_CHORUS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "elementary.h"
#include "lane_math.h"
#include "lanes.h"

namespace synth {

class Chorus {
  public:
    explicit Chorus(uint32_t rate)
        : slow_(Increment(0.55, rate)),
          fast_(Increment(5.9, rate)),
          centre_(static_cast<float>(0.008 * rate)),
          swing_(static_cast<float>(0.0022 * rate)),
          slow_swing_(static_cast<float>(0.0024 * rate)),
          fast_swing_(static_cast<float>(0.00035 * rate))
    {
    }

    // Whether silence in gives silence out.
    bool AtRest() const
    {
        return zeros_ >= kLine;
    }

    // Adds the moved copies of `signal` to `left` and `right`. Their gain goes from `gain` by `slope` each sample.
    void Add(const Block &signal, Block &left, Block &right, uint32_t frames, float gain, float slope, bool is_ensemble)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            lines_[(position_ + i) % kLine] = signal[i];
            zeros_ = signal[i] == 0.0f ? std::min(zeros_ + 1, kLine) : 0;
        }
        // Eight samples at a time; the last pass may compute more than it adds.
        for (uint32_t first = 0; first < frames; first += kLanes) {
            const UintLanes slow = slow_phase_ + slow_ * (kSteps + first);
            FloatLanes sides[2];
            if (is_ensemble) {
                const UintLanes fast = fast_phase_ + fast_ * (kSteps + first);
                const FloatLanes middle = Tap(first, Wander(slow, fast));
                sides[0] = Tap(first, Wander(slow + kThird, fast + kThird)) + 0.7f * middle;
                sides[1] = Tap(first, Wander(slow - kThird, fast - kThird)) + 0.7f * middle;
            } else {
                const FloatLanes move = swing_ * SineOfPhase(slow);
                sides[0] = Tap(first, centre_ + move);
                sides[1] = Tap(first, centre_ - move);
            }
            const uint32_t count = std::min(frames - first, kLanes);
            for (uint32_t i = 0; i < count; ++i) {
                const float now = gain + slope * static_cast<float>(first + i);
                left[first + i] += now * sides[0][i];
                right[first + i] += now * sides[1][i];
            }
        }
        position_ += frames;
        Pass(frames);
    }

    // Moves on by `frames` without sound: its movement goes by the time, however long it is silent.
    void Pass(uint32_t frames)
    {
        slow_phase_ += slow_ * frames;
        fast_phase_ += fast_ * frames;
    }

    // Forgets what it has heard.
    void Clear()
    {
        if (!AtRest()) {
            lines_.fill(0.0f);
            zeros_ = kLine;
        }
    }

  private:
    static constexpr uint32_t kLine = 2048;  // 21 ms at 96 kHz, a power of two
    static constexpr uint32_t kThird = 0x55555555u;
    static constexpr UintLanes kSteps = {0, 1, 2, 3, 4, 5, 6, 7};

    static uint32_t Increment(double hertz, uint32_t rate)
    {
        return static_cast<uint32_t>(hertz / rate * 4294967296.0);
    }

    // The delay of an ensemble's tap, in samples.
    FloatLanes Wander(const UintLanes &slow, const UintLanes &fast) const
    {
        return centre_ + slow_swing_ * SineOfPhase(slow) + fast_swing_ * SineOfPhase(fast);
    }

    // Samples `first` to `first` + 7 of this pass, `delay` samples earlier.
    FloatLanes Tap(uint32_t first, const FloatLanes &delay) const
    {
        const IntLanes whole = __builtin_convertvector(delay, IntLanes);
        const FloatLanes part = delay - __builtin_convertvector(whole, FloatLanes);
        FloatLanes late;
        FloatLanes later;
        for (uint32_t i = 0; i < kLanes; ++i) {
            const uint32_t at = position_ + first + i - static_cast<uint32_t>(whole[i]);
            late[i] = lines_[at % kLine];
            later[i] = lines_[(at - 1) % kLine];
        }
        return late + part * (later - late);
    }

    const uint32_t slow_;
    const uint32_t fast_;
    const float centre_;
    const float swing_;
    const float slow_swing_;
    const float fast_swing_;
    std::array<float, kLine> lines_ = {};
    uint32_t position_ = 0;
    uint32_t zeros_ = kLine;  // consecutive zeros stored, saturating
    uint32_t slow_phase_ = 0;
    uint32_t fast_phase_ = 0;
};

}  // namespace synth

#endif
