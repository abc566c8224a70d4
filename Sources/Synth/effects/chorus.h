// A stereo chorus: taps of a short delay line that move. Two taps move in opposite directions, one a side; the ensemble
// of a string machine has three, a third of a turn apart, moved slowly and fast at once.

#ifndef PIXELBOOP_SYNTH_CHORUS_H
#define PIXELBOOP_SYNTH_CHORUS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../lanes/lane_math.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/ramp.h"

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

    // Adds the moved copies of `signal` to `left` and `right`: two with the gain `chorus`, three with the gain
    // `ensemble`. The first sample is `at` samples after the update from which the gains go.
    void Add(const Block &signal, Block &left, Block &right, uint32_t frames, const Ramp &chorus, const Ramp &ensemble,
             uint32_t at)
    {
        Hear(signal, frames);
        // Eight samples at a time; the last ones may be for nothing, as a block always has room for them.
        for (uint32_t first = 0; first < frames; first += kLanes) {
            const FloatLanes times = __builtin_convertvector(kOffsets + (at + first), FloatLanes);
            if (!chorus.IsZero()) {
                const FloatLanes move = move_.from + move_.slope * times;
                const FloatLanes gain = chorus.from + chorus.slope * times;
                Add(gain * Tap(first, centre_ + move), left, first);
                Add(gain * Tap(first, centre_ - move), right, first);
            }
            if (!ensemble.IsZero()) {
                const FloatLanes gain = ensemble.from + ensemble.slope * times;
                const FloatLanes middle = 0.7f * Tap(first, wander_[0].from + wander_[0].slope * times);
                Add(gain * (Tap(first, wander_[1].from + wander_[1].slope * times) + middle), left, first);
                Add(gain * (Tap(first, wander_[2].from + wander_[2].slope * times) + middle), right, first);
            }
        }
        position_ += frames;
        Pass(frames);
    }

    // An update: the taps go in straight lines to where they are at the next one.
    void Update()
    {
        // Now and then: the middle tap, the left, the right.
        constexpr UintLanes kTurns = {0, kThird, 0u - kThird, 0, kThird, 0u - kThird, 0, 0};
        constexpr UintLanes kLater = {0, 0, 0, kTick, kTick, kTick, 0, 0};
        const FloatLanes slow = SineOfPhase(slow_phase_ + kTurns + slow_ * kLater);
        const FloatLanes fast = SineOfPhase(fast_phase_ + kTurns + fast_ * kLater);
        const FloatLanes wander = centre_ + slow_swing_ * slow + fast_swing_ * fast;
        move_.to = swing_ * slow[0];
        move_.Arrive();
        move_.Aim(swing_ * slow[3]);
        for (uint32_t tap = 0; tap < wander_.size(); ++tap) {
            wander_[tap].to = wander[tap];
            wander_[tap].Arrive();
            wander_[tap].Aim(wander[tap + 3]);
        }
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

    static void Add(const FloatLanes &tap, Block &side, uint32_t first)
    {
        FloatLanes samples;
        std::memcpy(&samples, &side[first], sizeof(samples));
        samples += tap;
        std::memcpy(&side[first], &samples, sizeof(samples));
    }

    // Writes `frames` samples into the line.
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
    Ramp move_;                   // of the chorus's taps from the centre, in samples
    std::array<Ramp, 3> wander_;  // delays of the ensemble's taps: middle, left, right
};

}  // namespace synth

#endif
