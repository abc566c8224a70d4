// What happens when: the transport, the count-in, the beats and the steps of the pattern.

#ifndef PIXELBOOP_SYNTH_SEQUENCER_H
#define PIXELBOOP_SYNTH_SEQUENCER_H

#include <cstdint>

#include "clock.h"
#include "pattern.h"

namespace synth {

class Sequencer {
  public:
    static constexpr uint32_t kStepsPerBeat = 4;
    static constexpr uint32_t kStepsPerBar = 16;

    explicit Sequencer(uint32_t rate) : clock(rate) {}

    // Counts `beats` and then begins with step 0.
    void Play(uint32_t beats)
    {
        playing_ = true;
        steps_to_count_ = beats * kStepsPerBeat;
        count_ = UINT32_MAX;          // the step that comes is number 0
        step_ = kSteps - 1;           // and the pattern's first
        clock.Restart();
    }

    void Stop()
    {
        playing_ = false;
    }

    bool Playing() const
    {
        return playing_;
    }

    // Passes to the step that is due. True if it is one of the pattern, false if the count-in goes on.
    bool TakeStep()
    {
        clock.TakeStep();
        count_ += 1;
        if (count_ == steps_to_count_) {
            steps_to_count_ = 0;
            count_ = 0;
        }
        if (steps_to_count_ > 0) {
            return false;
        }
        step_ = pattern.After(step_);
        return true;
    }

    uint32_t Step() const
    {
        return step_;
    }

    // Beats are counted from Play and not from the pattern's first step, so that they stay even in one of odd length.
    bool IsBeat() const
    {
        return count_ % kStepsPerBeat == 0;
    }

    bool IsBar() const
    {
        return count_ % kStepsPerBar == 0;
    }

    // Beats of the count-in to come, this one included.
    uint32_t BeatsLeft() const
    {
        return (steps_to_count_ - count_) / kStepsPerBeat;
    }

    Clock clock;
    Pattern pattern;

  private:
    bool playing_ = false;
    uint32_t steps_to_count_ = 0;  // of the count-in, 0 when it is over
    uint32_t count_ = 0;           // steps since Play, or since the end of the count-in
    uint32_t step_ = 0;
};

}  // namespace synth

#endif
