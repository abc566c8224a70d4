// What happens when: the transport, the count-in, the beats, the steps of the pattern, and when another takes its place.

#ifndef PIXELBOOP_SYNTH_SEQUENCER_H
#define PIXELBOOP_SYNTH_SEQUENCER_H

#include <array>
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
        has_begun_ = false;
        clock.Restart();
    }

    void Stop()
    {
        playing_ = false;
        switch_ = Switch::none;
    }

    // The pattern that plays.
    const Pattern &Current() const
    {
        return patterns_[current_];
    }

    // Pattern `number`, 0 or 1, to be changed.
    Pattern &At(uint32_t number)
    {
        return patterns_[number];
    }

    // Of pattern `number`; if it plays, the phase within the step is kept.
    void SetTempo(uint32_t number, uint32_t bpm)
    {
        patterns_[number].SetTempo(bpm);
        clock.SetTempo(Current().Tempo());
    }

    bool Plays(uint32_t number) const
    {
        return number == current_;
    }

    // While stopped `number` plays at once, else from the next bar, or the end, of the one that plays. Naming that one
    // takes back what was asked before. `tag` is given back when it happens.
    void SwitchTo(uint32_t number, bool at_end, uint16_t tag)
    {
        if (!playing_) {
            current_ = number;
            clock.SetTempo(Current().Tempo());
            return;
        }
        switch_ = Plays(number) ? Switch::none : at_end ? Switch::at_end : Switch::at_bar;
        tag_ = tag;
    }

    void Stay()
    {
        switch_ = Switch::none;
    }

    // Whether the step that was taken is the first of another pattern, and the tag that it was asked for with.
    bool HasSwitched() const
    {
        return has_switched_;
    }

    uint16_t Tag() const
    {
        return tag_;
    }

    bool Playing() const
    {
        return playing_;
    }

    // Passes to the step that is due. True if it is one of the pattern, false if the count-in goes on.
    bool TakeStep()
    {
        count_ += 1;
        if (count_ == steps_to_count_) {
            steps_to_count_ = 0;
            count_ = 0;
        }
        if (steps_to_count_ > 0) {
            clock.TakeStep();
            return false;
        }
        step_ = Current().After(step_);
        has_switched_ = IsSwitchDue();
        if (has_switched_) {
            switch_ = Switch::none;
            current_ = 1 - current_;
            step_ = 0;
            count_ = 0;
            clock.Begin(Current().Tempo());
        }
        has_begun_ = true;
        clock.TakeStep();
        return true;
    }

    uint32_t Step() const
    {
        return step_;
    }

    // Beats are counted from Play, or from where another pattern took its place, and not from the pattern's first
    // step, so that they stay even in one of odd length.
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

  private:
    enum class Switch { none, at_bar, at_end };

    bool IsSwitchDue() const
    {
        switch (switch_) {
        case Switch::at_bar:
            return step_ % kStepsPerBar == 0;
        case Switch::at_end:
            return step_ == 0 && has_begun_;
        default:
            return false;
        }
    }

    std::array<Pattern, synth_patterns> patterns_;
    uint32_t current_ = 0;
    Switch switch_ = Switch::none;
    uint16_t tag_ = 0;
    bool has_switched_ = false;
    bool has_begun_ = false;       // a step of the pattern has come since Play
    bool playing_ = false;
    uint32_t steps_to_count_ = 0;  // of the count-in, 0 when it is over
    uint32_t count_ = 0;           // steps since Play, since the end of the count-in or since the switch
    uint32_t step_ = 0;
};

}  // namespace synth

#endif
