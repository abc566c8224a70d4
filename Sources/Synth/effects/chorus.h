// A stereo chorus: taps of a short delay line that move. Two taps move in opposite directions, one a side; the ensemble
// of a string machine has three, a third of a turn apart, moved slowly and fast at once.

#ifndef PIXELBOOP_SYNTH_CHORUS_H
#define PIXELBOOP_SYNTH_CHORUS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../elementary.h"
#include "../lanes/lane_math.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../models/ramp.h"

namespace synth {

class Chorus {
  public:
    explicit Chorus(uint32_t rate)
        : slow_(Increment(0.55, rate)),
          fast_(Increment(5.9, rate)),
          centre_(static_cast<float>(0.008 * rate)),
          swing_(static_cast<float>(0.0022 * rate)),
          slow_swing_(static_cast<float>(0.0024 * rate)),
          fast_swing_(static_cast<float>(0.00035 * rate)),
          fade_frames_(Frames(5.0, rate))
    {
    }

    // Whether silence in gives silence out.
    bool AtRest() const
    {
        return zeros_ >= kLine;
    }

    // Adds the moved copies of `signal` to `left` and `right`: two with the gain `chorus`, three with the gain `ensemble`. The
    // first sample is `at` samples after the update from which the gains go.
    void Add(const Block &signal, Block &left, Block &right, uint32_t frames, const Ramp &chorus, const Ramp &ensemble,
             uint32_t at)
    {
        Hear(signal, frames);
        // Eight samples at a time; the last ones may be for nothing, as a block always has room for them.
        for (uint32_t first = 0; first < frames; first += kLanes) {
            const UintLanes slow = slow_phase_ + slow_ * (kOffsets + first);
            if (!chorus.IsZero()) {
                const FloatLanes move = swing_ * SineOfPhase(slow);
                Add(Tap(first, centre_ + move), left, first, chorus, at);
                Add(Tap(first, centre_ - move), right, first, chorus, at);
            }
            if (!ensemble.IsZero()) {
                const UintLanes fast = fast_phase_ + fast_ * (kOffsets + first);
                const FloatLanes middle = 0.7f * Tap(first, Wander(slow, fast));
                Add(Tap(first, Wander(slow + kThird, fast + kThird)) + middle, left, first, ensemble, at);
                Add(Tap(first, Wander(slow - kThird, fast - kThird)) + middle, right, first, ensemble, at);
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

    // Forgets what it has heard. What it hears next fades in, as it may be in the middle of a note.
    void Clear()
    {
        if (!AtRest()) {
            lines_.fill(0.0f);
            zeros_ = kLine;
        }
        fade_left_ = fade_frames_;
    }

  private:
    static constexpr uint32_t kLine = 2048;  // 21 ms at 96 kHz, a power of two
    static constexpr uint32_t kThird = 0x55555555u;

    static uint32_t Increment(double hertz, uint32_t rate)
    {
        return static_cast<uint32_t>(hertz / rate * 4294967296.0);
    }

    static void Add(const FloatLanes &tap, Block &side, uint32_t first, const Ramp &gain, uint32_t at)
    {
        const FloatLanes frames = __builtin_convertvector(kOffsets + (at + first), FloatLanes);
        FloatLanes samples;
        std::memcpy(&samples, &side[first], sizeof(samples));
        samples += (gain.from + gain.slope * frames) * tap;
        std::memcpy(&side[first], &samples, sizeof(samples));
    }

    // Puts `frames` samples into the line.
    void Hear(const Block &signal, uint32_t frames)
    {
        uint32_t silent = 0;
        while (silent < frames && signal[frames - 1 - silent] == 0.0f) {
            silent += 1;
        }
        zeros_ = std::min(silent == frames ? zeros_ + frames : silent, kLine);
        if (fade_left_ > 0) {
            for (uint32_t i = 0; i < frames; ++i) {
                lines_[(position_ + i) % kLine + 1] = signal[i] * FadeIn();
            }
        } else {
            const uint32_t frame = position_ % kLine;
            const uint32_t before_end = std::min(frames, kLine - frame);
            std::copy_n(signal.begin(), before_end, lines_.begin() + frame + 1);
            std::copy_n(signal.begin() + before_end, frames - before_end, lines_.begin() + 1);
        }
        // The sample before the first is the last.
        lines_[0] = lines_[kLine];
    }

    // The delay of an ensemble's tap, in samples.
    FloatLanes Wander(const UintLanes &slow, const UintLanes &fast) const
    {
        return centre_ + slow_swing_ * SineOfPhase(slow) + fast_swing_ * SineOfPhase(fast);
    }

    // The gain of the next sample that it hears.
    float FadeIn()
    {
        if (fade_left_ == 0) {
            return 1.0f;
        }
        const float left = static_cast<float>(fade_left_) / static_cast<float>(fade_frames_);
        fade_left_ -= 1;
        return 1.0f - left * left * (3.0f - 2.0f * left);
    }

    // Samples `first` to `first` + 7 of this pass, `delay` samples earlier.
    FloatLanes Tap(uint32_t first, const FloatLanes &delay) const
    {
        const IntLanes whole = __builtin_convertvector(delay, IntLanes);
        const FloatLanes part = delay - __builtin_convertvector(whole, FloatLanes);
        const UintLanes at = (kOffsets + (position_ + first) - reinterpret_cast<UintLanes>(whole)) % kLine;
        FloatLanes late;
        FloatLanes later;
        // The delay moves by a sample in hundreds, so the eight are nearly always neighbours.
        if (AreEqual(at, at[0] + kOffsets)) {
            std::memcpy(&later, &lines_[at[0]], sizeof(later));
            std::memcpy(&late, &lines_[at[0] + 1], sizeof(late));
        } else {
            LoadPairs(lines_.data(), at, later, late);
        }
        return late + part * (later - late);
    }

    const uint32_t slow_;
    const uint32_t fast_;
    const float centre_;
    const float swing_;
    const float slow_swing_;
    const float fast_swing_;
    const uint32_t fade_frames_;
    std::array<float, kLine + 1> lines_ = {};  // frame i at i + 1
    uint32_t position_ = 0;
    uint32_t fade_left_ = 0;
    uint32_t zeros_ = kLine;  // consecutive zeros stored, saturating
    uint32_t slow_phase_ = 0;
    uint32_t fast_phase_ = 0;
};

}  // namespace synth

#endif
