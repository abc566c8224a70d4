// The sequencer's clock, in whole numbers. A step is rate * 15 units (60 / BPM / 4 seconds), and every sample
// adds BPM units, so a step k of constant tempo begins ceil(k * rate * 15 / BPM) samples after Play for ever.
// A change of tempo keeps the units, and so the phase within the step.

#ifndef PIXELBOOP_SYNTH_CLOCK_H
#define PIXELBOOP_SYNTH_CLOCK_H

#include <cstdint>

namespace synth {

class Clock {
  public:
    explicit Clock(uint32_t rate) : units_per_step_(rate * 15) {}

    // A step is due at once.
    void Restart()
    {
        units_ = units_per_step_;
    }

    void SetTempo(uint32_t bpm)
    {
        bpm_ = bpm;
    }

    uint32_t Tempo() const
    {
        return bpm_;
    }

    bool StepIsDue() const
    {
        return units_ >= units_per_step_;
    }

    void TakeStep()
    {
        units_ -= units_per_step_;
    }

    // Samples until the next step is due; none may be due now.
    uint32_t FramesToStep() const
    {
        return (units_per_step_ - units_ + bpm_ - 1) / bpm_;
    }

    void Advance(uint32_t frames)
    {
        units_ += frames * bpm_;
    }

  private:
    uint32_t units_per_step_;  // at most 1 440 000
    uint32_t units_ = 0;
    uint32_t bpm_ = 120;
};

}  // namespace synth

#endif
