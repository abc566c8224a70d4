// The sequencer's clock, in integers. A tempo is in hundredths of a beat per minute. The position moves on a line of
// straight steps: a step is rate * 1500 units (60 / BPM / 4 seconds), and every sample adds the tempo: while that is
// constant, step k begins exactly ceil(k * rate * 1500 / tempo) samples after Play. Units have a binary fraction, for
// the tempo of an external source, which steers the position. A tempo change keeps the position, and so the phase
// within the step. Swing divides a pair of steps unevenly; the pair's length stays.

#ifndef PIXELBOOP_SYNTH_CLOCK_H
#define PIXELBOOP_SYNTH_CLOCK_H

#include <algorithm>
#include <cstdint>

#include "grid.h"
#include "synth.h"

namespace synth {

class Clock {
  public:
    // Speed of an external source's tempo, which has 20 binary digits of a beat per minute's fraction.
    static constexpr int64_t SpeedOf(int64_t tempo)
    {
        return tempo * kHundredths >> (20 - kFraction);
    }

    explicit Clock(uint32_t rate)
        : ticks(Units(rate) / kTicksPerStep), pulses(Units(rate) * kStepsPerQuarter / 2), units_per_step_(Units(rate))
    {
    }

    // Makes a step due now, the first of a pair, at the line's begin.
    void Restart()
    {
        is_steered_ = false;
        line_ = 0;
        RestartAt(0);
    }

    // Makes step `number` of the line due when the position reaches it; without a source that is now.
    void RestartAt(uint32_t number)
    {
        const bool is_first = number % 2 == 0;
        first_units_ = FirstUnits();
        due_ = (number - line_) * units_per_step_ + (is_first ? 0 : first_units_ - units_per_step_);
        is_first_ = !is_first;
        if (!is_steered_) {
            position_ = due_;
            ticks.Align(due_);
            pulses.Align(due_);
        }
    }

    // Makes the due step the first of a pair in a new pattern with another tempo. The fraction of a sample since its
    // exact beginning keeps its duration, so that nothing drifts however often this happens. On a source's line the
    // pair begins on a straight step.
    void Begin(uint32_t tempo)
    {
        if (!is_steered_) {
            position_ = due_ + ((position_ - due_) >> kFraction) * tempo / tempo_ * kOne;
        } else if (is_first_) {
            due_ -= first_units_ - units_per_step_;
        }
        is_first_ = false;
        SetTempo(tempo);
    }

    void SetTempo(uint32_t tempo)
    {
        tempo_ = tempo;
        if (!is_steered_) {
            speed_ = tempo_ * kOne;
            settled_ = speed_;
        }
    }

    // Sets the position in steps, with 32 binary digits of fraction, and the speed. `late` is the number of samples
    // since.
    void Steer(int64_t steps, int64_t speed, uint64_t late)
    {
        is_steered_ = true;
        speed_ = speed;
        if (speed_ < settled_ - kHysteresis || speed_ > settled_ + kHysteresis) {
            settled_ = speed_;
        }
        const int64_t whole = std::clamp((steps >> 32) - line_, -kFarthest, kFarthest);
        const int64_t fraction = steps & 0xffffffff;
        position_ = whole * units_per_step_ + ((fraction * (units_per_step_ >> kFraction)) >> (32 - kFraction))
            + static_cast<int64_t>(std::min<uint64_t>(late, kLatest)) * speed_;
        ticks.Follow(position_);
        pulses.Follow(position_);
    }

    // Returns to the pattern's tempo.
    void Release()
    {
        is_steered_ = false;
        SetTempo(tempo_);
    }

    bool IsSteered() const
    {
        return is_steered_;
    }

    // After a jump of the position, makes the due step due at the next place of a step. Otherwise the steps between
    // would all begin at once, or none for as long. Returns whether there was one.
    bool FollowJump()
    {
        if (position_ <= due_ + 2 * units_per_step_ && position_ >= due_ - 4 * units_per_step_) {
            return false;
        }
        due_ = (position_ / units_per_step_ + 1) * units_per_step_ + (is_first_ ? first_units_ - units_per_step_ : 0);
        return true;
    }

    // Beats per minute.
    double Tempo() const
    {
        return static_cast<double>(settled_) / (kHundredths * kOne);
    }

    // Sets the first step's share of a pair, in per cent, from the next pair on; the current pair keeps its length.
    void SetSwing(uint32_t percent)
    {
        swing_ = percent;
    }

    // Sets the number of pulses per quarter note, a divisor of 48.
    void SetPulses(uint32_t per_quarter)
    {
        pulses.SetDistance(kStepsPerQuarter * units_per_step_ / per_quarter, position_);
    }

    // Length of `steps` straight steps in frames, rounded.
    uint32_t FramesOf(uint32_t steps) const
    {
        return FramesOfTwelfths(12 * steps);
    }

    // The same for `twelfths` of a step.
    uint32_t FramesOfTwelfths(uint32_t twelfths) const
    {
        return static_cast<uint32_t>((UnitsOf(twelfths) + settled_ / 2) / settled_);
    }

    // The due step's number on the line.
    int64_t DueStep() const
    {
        const int64_t straight = is_first_ ? due_ - (first_units_ - units_per_step_) : due_;
        return line_ + (straight + units_per_step_ / 2) / units_per_step_;
    }

    // Whether the due step is the second of a pair.
    bool IsSecondDue() const
    {
        return is_first_;
    }

    // Units by which the due step lies behind its straight place.
    int64_t DueDelay() const
    {
        return due_ - LineUnits(DueStep());
    }

    // Place on the line, `twelfths` of a step after its step `number`.
    int64_t LineUnits(int64_t number, int64_t twelfths = 0) const
    {
        return ((number - line_) * 12 + twelfths) * (units_per_step_ / 12);
    }

    // Units of `twelfths` of a step: exact.
    int64_t UnitsOf(uint32_t twelfths) const
    {
        return units_per_step_ / 12 * twelfths;
    }

    // Units of the first of a pair of steps of `length` each, in the present swing.
    int64_t FirstOfPair(int64_t length) const
    {
        return length / 50 * swing_;
    }

    // A place on the line that stays when the line's origin moves.
    struct Place {
        int64_t step;
        int64_t units;
    };

    // The place `parts` of a step, each 1 / synth_step_parts, after the position.
    Place PlaceAfter(uint32_t parts) const
    {
        constexpr uint32_t kPartsOfTwelfth = synth_step_parts / 12;
        const int64_t steps = parts / synth_step_parts;
        const int64_t rest = parts % synth_step_parts;
        return {line_ + steps, position_ + (rest * (units_per_step_ / 12) + kPartsOfTwelfth - 1) / kPartsOfTwelfth};
    }

    // Units from the position to `place`, negative if it has passed.
    int64_t UnitsTo(const Place &place) const
    {
        return LineUnits(place.step) + place.units - position_;
    }

    int64_t Position() const
    {
        return position_;
    }

    // Units that a frame adds to the position.
    int64_t Speed() const
    {
        return speed_;
    }

    // Samples until the position `units`, at most `limit`; call only while it lies ahead.
    uint32_t FramesUntil(int64_t units, uint32_t limit) const
    {
        return FramesTo(units - position_, limit);
    }

    bool StepIsDue() const
    {
        return position_ >= due_;
    }

    void AdvanceStep()
    {
        is_first_ = !is_first_;
        if (is_first_) {
            first_units_ = FirstUnits();
        }
        due_ += is_first_ ? first_units_ : 2 * units_per_step_ - first_units_;
    }

    bool IsDue(const Grid &grid) const
    {
        return grid.IsDue(position_);
    }

    // Samples until the next step is due, at most `limit`; call only while none is due.
    uint32_t FramesToStep(uint32_t limit) const
    {
        return FramesTo(due_ - position_, limit);
    }

    // Samples until the next place of `grid`, at most `limit`; call only while none is due.
    uint32_t FramesTo(const Grid &grid, uint32_t limit) const
    {
        return FramesTo(grid.UnitsToNext(position_), limit);
    }

    void Advance(uint32_t frames)
    {
        position_ += frames * speed_;
        if (position_ > 2 * kShift * units_per_step_) {
            Shift();
        }
    }

    Grid ticks;   // MIDI clock, 24 per quarter note
    Grid pulses;  // analogue clock

  private:
    // Binary digits of a unit's fraction: the farthest place of a source still fits into 64 bits.
    static constexpr uint32_t kFraction = 13;
    static constexpr int64_t kOne = int64_t{1} << kFraction;
    static constexpr int64_t kHundredths = 100;
    static constexpr uint32_t kTicksPerStep = 6;
    static constexpr uint32_t kStepsPerQuarter = 4;
    // Notes and repeats keep their length while a source's tempo varies by less than an eighth of a beat per minute, as
    // it does by the jitter of its ticks: a delay line that changes its length sounds.
    static constexpr int64_t kHysteresis = kHundredths * kOne / 8;

    // Steps by which the line's origin moves so that the position stays small: a multiple of every grid's distance.
    static constexpr int64_t kShift = 32;
    // Limits of a source's position, in steps and samples, against overflow.
    static constexpr int64_t kFarthest = 1 << 20;
    static constexpr uint64_t kLatest = 1 << 24;

    static constexpr int64_t Units(uint32_t rate)
    {
        return rate * 15 * kHundredths * kOne;
    }

    // Exact: a step is a multiple of 50 units.
    int64_t FirstUnits() const
    {
        return units_per_step_ / 50 * swing_;
    }

    void Shift()
    {
        const int64_t units = kShift * units_per_step_;
        line_ += kShift;
        position_ -= units;
        due_ -= units;
        ticks.Shift(units);
        pulses.Shift(units);
    }

    uint32_t FramesTo(int64_t units, uint32_t limit) const
    {
        return static_cast<uint32_t>(std::min<int64_t>(limit, (units + speed_ - 1) / speed_));
    }

    int64_t units_per_step_;
    int64_t line_ = 0;         // number of the step at position 0
    int64_t position_ = 0;     // units
    int64_t due_ = 0;          // position at which the next step is due
    int64_t first_units_ = 0;  // of the first step of the pair
    bool is_first_ = false;    // whether the current step is the first of its pair
    bool is_steered_ = false;
    uint32_t swing_ = 50;
    uint32_t tempo_ = 12000;  // the pattern's
    int64_t speed_ = 12000 * kOne;    // units per sample
    int64_t settled_ = 12000 * kOne;  // speed without a source's jitter
};

}  // namespace synth

#endif
