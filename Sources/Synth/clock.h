// The sequencer's clock, in whole numbers. A straight step is rate * 15 units (60 / BPM / 4 seconds), and every
// sample adds BPM units, so a step k of constant tempo begins ceil(k * rate * 15 / BPM) samples after Play for
// ever. A change of tempo keeps the units, and so the phase within the step. Swing divides two steps unevenly and
// leaves the pair as long as it was.

#ifndef PIXELBOOP_SYNTH_CLOCK_H
#define PIXELBOOP_SYNTH_CLOCK_H

#include <cstdint>

namespace synth {

class Clock {
  public:
    explicit Clock(uint32_t rate) : units_per_step_(rate * 15) {}

    // A step is due at once, the first of a pair.
    void Restart()
    {
        units_ = 0;
        step_units_ = 0;
        is_first_ = false;
    }

    // The step that is due begins something new, at another tempo: it is the first of a pair. The part of a sample by
    // which it began before this one stays as long as it was, so that nothing drifts however often this happens.
    void Begin(uint32_t bpm)
    {
        units_ = (units_ - step_units_) * bpm / bpm_;
        step_units_ = 0;
        is_first_ = false;
        bpm_ = bpm;
    }

    void SetTempo(uint32_t bpm)
    {
        bpm_ = bpm;
    }

    uint32_t Tempo() const
    {
        return bpm_;
    }

    // The first of a pair of steps takes `percent` of it, from the next pair on: this one ends where it would have.
    void SetSwing(uint32_t percent)
    {
        swing_ = percent;
    }

    // Frames of `steps` straight steps, to the nearest.
    uint32_t FramesOf(uint32_t steps) const
    {
        return (units_per_step_ * steps + bpm_ / 2) / bpm_;
    }

    bool StepIsDue() const
    {
        return units_ >= step_units_;
    }

    void TakeStep()
    {
        units_ -= step_units_;
        is_first_ = !is_first_;
        if (is_first_) {
            // Whole: every rate is a multiple of 10.
            first_units_ = units_per_step_ / 50 * swing_;
        }
        step_units_ = is_first_ ? first_units_ : 2 * units_per_step_ - first_units_;
    }

    // Samples until the next step is due; none may be due now.
    uint32_t FramesToStep() const
    {
        return (step_units_ - units_ + bpm_ - 1) / bpm_;
    }

    void Advance(uint32_t frames)
    {
        units_ += frames * bpm_;
    }

  private:
    uint32_t units_per_step_;   // at most 1 440 000
    uint32_t units_ = 0;        // since the step began
    uint32_t step_units_ = 0;   // of the step that runs
    uint32_t first_units_ = 0;  // of the first step of its pair
    bool is_first_ = false;
    uint32_t swing_ = 50;
    uint32_t bpm_ = 120;
};

}  // namespace synth

#endif
