// The sequencer's clock, in integers. A straight step lasts rate * 15 units (60 / BPM / 4 seconds), and every sample
// adds BPM units: at constant tempo step k begins exactly ceil(k * rate * 15 / BPM) samples after Play. A tempo change
// keeps the units, and so the phase within the step. Swing divides a pair of steps unevenly; the pair's length stays.

#ifndef PIXELBOOP_SYNTH_CLOCK_H
#define PIXELBOOP_SYNTH_CLOCK_H

#include <cstdint>

namespace synth {

class Clock {
  public:
    explicit Clock(uint32_t rate) : units_per_step_(rate * 15) {}

    // Makes a step due now, the first of a pair.
    void Restart()
    {
        units_ = 0;
        step_units_ = 0;
        is_first_ = false;
    }

    // Makes the due step the first of a pair in a new pattern with another tempo. The fraction of a sample since its
    // exact beginning keeps its duration, so that nothing drifts however often this happens.
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

    // Sets the first step's share of a pair, in percent, from the next pair on; the current pair keeps its length.
    void SetSwing(uint32_t percent)
    {
        swing_ = percent;
    }

    // Length of `steps` straight steps in frames, rounded.
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
            // Exact: every rate is a multiple of 10.
            first_units_ = units_per_step_ / 50 * swing_;
        }
        step_units_ = is_first_ ? first_units_ : 2 * units_per_step_ - first_units_;
    }

    // Samples until the next step is due; call only while none is due.
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
