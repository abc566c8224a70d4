// The order of events: transport, count-in, beats, steps of the pattern, and switches between patterns.

#ifndef PIXELBOOP_SYNTH_SEQUENCER_H
#define PIXELBOOP_SYNTH_SEQUENCER_H

#include <array>
#include <cstdint>

#include "../base/tracks.h"
#include "clock.h"
#include "pattern.h"
#include "track_runner.h"

namespace synth {

class Sequencer {
  public:
    explicit Sequencer(uint32_t rate) : clock(rate) {}

    // Counts in for `beats`, then begins with step 0.
    void Play(uint32_t beats)
    {
        Begin(0);
        steps_to_count_ = beats * Current().StepsOfBeat();
        clock.Restart();
    }

    // Plays on a source's line from its step `number` on.
    void PlayFrom(uint32_t number)
    {
        Begin(number);
        steps_to_count_ = 0;
        clock.RestartAt(number);
    }

    // Follows a source: `steps`, `speed` and `late` are the arguments of Clock::Steer.
    void Steer(int64_t steps, int64_t speed, uint64_t late)
    {
        const int64_t due = clock.DueStep();
        clock.Steer(steps, speed, late);
        if (playing_ && has_begun_ && clock.FollowJump()) {
            const int64_t moved = clock.DueStep() - due;
            origin_ += moved;
            for (TrackRunner &runner : runners) {
                runner.Move(moved);
            }
            for (Ending &ending : endings) {
                ending.runner.Move(moved);
                ending.end += moved;
            }
        }
    }

    void Stop()
    {
        playing_ = false;
        switch_ = Switch::none;
        parts_ = {};
        endings = {};
    }

    // The current pattern.
    const Pattern &Current() const
    {
        return patterns_[current_];
    }

    // Pattern `number`, for changes: 0 or 1, or synth_parts; kLeft is the one that endings have.
    Pattern &At(uint32_t number)
    {
        return patterns_[number];
    }

    // Sets the tempo of pattern `number`. If it is current, the phase within the step is kept.
    void SetTempo(uint32_t number, uint32_t tempo)
    {
        patterns_[number].SetTempo(tempo);
        clock.SetTempo(Current().Tempo());
    }

    bool Plays(uint32_t number) const
    {
        return number == current_;
    }

    // Switches to pattern `number`: at once while stopped, else at the next step that is a multiple of `steps`. Naming
    // the current pattern cancels a pending switch. `tag` is returned by Tag() when the switch happens.
    // With `ends_parts` it forgets the tracks that wait for a bar.
    void SwitchAtMultiple(uint32_t number, uint32_t steps, uint16_t tag, bool ends_parts)
    {
        switch_steps_ = steps;
        SwitchTo(number, Switch::at_multiple, tag, ends_parts);
    }

    // The same at the first end of the current pattern with which that has been passed through at least `passes` times.
    void SwitchAtEnd(uint32_t number, uint64_t passes, uint16_t tag, bool ends_parts)
    {
        switch_passes_ = passes;
        SwitchTo(number, Switch::at_end, tag, ends_parts);
    }

    void Stay()
    {
        switch_ = Switch::none;
    }

    // Tracks that wait for the current pattern's next bar, with the numbers of SynthSwitchTracksCommand.
    struct Parts {
        uint32_t tracks = 0;
        uint32_t returning = 0;
        uint32_t tag = 0;
    };

    // Lets the tracks of synth_parts that `parts` names begin with the next bar, in place of others that wait; they begin
    // with their first step, or go on with the pattern. Nothing while stopped, or if the sender does not know yet that
    // others have begun.
    void SwitchTracks(const Parts &parts, uint8_t begun)
    {
        if (playing_ && begun == parts_begun_) {
            parts_ = parts;
        }
    }

    // How often tracks have begun alone, modulo 256.
    uint8_t PartsReports() const
    {
        return parts_begun_;
    }

    // The tracks that have begun alone with the last step taken.
    const Parts &PartsBegun() const
    {
        return begun_;
    }

    // Whether the last step taken is the first of another pattern; Tag() is then the tag of that switch.
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

    // Whether a step of the pattern has been taken since Play.
    bool HasBegun() const
    {
        return has_begun_;
    }

    // Whether the due step is the first of the waiting pattern.
    bool IsSwitchDue() const
    {
        const bool counts_in = steps_to_count_ > 0 && count_ + 1 != steps_to_count_;
        return !counts_in && IsSwitchDue(Current().After(step_));
    }

    // Moves to the due step. Returns whether it is a step of the pattern; false during the count-in.
    bool AdvanceStep()
    {
        count_ += 1;
        if (count_ == steps_to_count_) {
            steps_to_count_ = 0;
            count_ = 0;
        }
        if (steps_to_count_ > 0) {
            clock.AdvanceStep();
            return false;
        }
        step_ = Current().After(step_);
        has_switched_ = IsSwitchDue(step_);
        passes_ += step_ == 0 && has_begun_ ? 1 : 0;
        begun_ = IsBarDue(step_) ? parts_ : Parts();
        if (has_switched_) {
            switch_ = Switch::none;
            passes_ = 0;
            if (ends_parts_) {
                begun_ = parts_ = {};
            }
            for (uint32_t track = 0; track < kTracks; ++track) {
                // A pattern that is left before its first step has no hits.
                const bool is_active = has_begun_ && (!Current().IsPlain(track) || runners[track].IsRunning());
                endings[track] = {runners[track], clock.DueStep(), current_, is_active};
            }
            current_ = 1 - current_;
            step_ = 0;
            count_ = 0;
            clock.Begin(Current().Tempo());
        }
        if (has_switched_ || !has_begun_) {
            origin_ = clock.DueStep() - count_;
            for (TrackRunner &runner : runners) {
                runner.Begin(origin_, count_);
            }
        }
        BeginParts();
        has_begun_ = true;
        clock.AdvanceStep();
        return true;
    }

    uint32_t Step() const
    {
        return step_;
    }

    // Beats count from Play or from the last switch, not from the pattern's first step, so that they stay even in a
    // pattern of odd length.
    bool IsBeat() const
    {
        return count_ % Current().StepsOfBeat() == 0;
    }

    bool IsBar() const
    {
        return count_ % Current().StepsOfBar() == 0;
    }

    // Beats left in the count-in, this one included.
    uint32_t BeatsLeft() const
    {
        return (steps_to_count_ - count_ + Current().StepsOfBeat() - 1) / Current().StepsOfBeat();
    }

    // Number of the current pattern.
    uint32_t CurrentNumber() const
    {
        return current_;
    }

    // The step of the clock's line with which another pattern begins, or another part of `track`, if that is the due one.
    int64_t End(uint32_t track) const
    {
        const uint32_t next = Current().After(step_);
        const bool ends = IsSwitchDue(next) || ((parts_.tracks >> track & 1) != 0 && IsBarDue(next));
        return ends ? clock.DueStep() : INT64_MAX / 12;
    }

    // The step of the clock's line with which the current pattern began.
    int64_t Origin() const
    {
        return origin_;
    }

    // Steps since the runners' begin.
    int64_t StepsPassed() const
    {
        return count_;
    }

    Clock clock;
    std::array<TrackRunner, kTracks> runners;

    // The pattern of tracks that others have replaced alone.
    static constexpr uint32_t kLeft = synth_parts + 1;

    // A track before its last switch, whose last steps may have late hits.
    struct Ending {
        TrackRunner runner;
        int64_t end;        // step of the line with which the present one began
        uint32_t pattern;  // its number
        bool is_active;
    };
    std::array<Ending, kTracks> endings = {};

  private:
    enum class Switch { none, at_multiple, at_end };

    void SwitchTo(uint32_t number, Switch when, uint16_t tag, bool ends_parts)
    {
        if (!playing_) {
            current_ = number;
            clock.SetTempo(Current().Tempo());
            return;
        }
        switch_ = Plays(number) ? Switch::none : when;
        tag_ = tag;
        ends_parts_ = ends_parts;
    }

    void Begin(uint32_t number)
    {
        const uint32_t step = Current().At(number);
        playing_ = true;
        count_ = number - 1;                        // of the step before; the first's is UINT32_MAX
        step_ = step > 0 ? step - 1 : kSteps - 1;  // the step before
        has_begun_ = false;
        passes_ = 0;
        endings = {};
    }

    // Whether the current pattern has a bar at `step`.
    bool IsBarDue(uint32_t step) const
    {
        return step % Current().StepsOfBar() == 0;
    }

    // Lets the tracks begin alone that have waited for the step just taken, which is still due for the clock.
    void BeginParts()
    {
        if (begun_.tracks == 0) {
            return;
        }
        for (uint32_t track = 0; track < kTracks; ++track) {
            if ((begun_.tracks >> track & 1) == 0) {
                continue;
            }
            Pattern &current = patterns_[current_];
            if (!has_switched_ && has_begun_) {
                const bool is_active = !current.IsPlain(track) || runners[track].IsRunning();
                patterns_[kLeft].KeepTrack(track, current);
                endings[track] = {runners[track], clock.DueStep(), kLeft, is_active};
            }
            current.TakeTrack(track, patterns_[synth_parts]);
            if ((begun_.returning >> track & 1) != 0) {
                runners[track].Begin(origin_, count_);
            } else {
                runners[track].BeginAlone(clock);
            }
        }
        parts_ = {};
        parts_begun_ += 1;
    }

    bool IsSwitchDue(uint32_t step) const
    {
        switch (switch_) {
        case Switch::at_multiple:
            return step % switch_steps_ == 0;
        case Switch::at_end:
            return step == 0 && has_begun_ && passes_ + 1 >= switch_passes_;
        default:
            return false;
        }
    }

    std::array<Pattern, kLeft + 1> patterns_;
    uint32_t current_ = 0;
    Switch switch_ = Switch::none;
    uint16_t tag_ = 0;
    bool ends_parts_ = false;
    Parts parts_;              // tracks that wait for a bar
    Parts begun_;              // those that began with the last step
    uint8_t parts_begun_ = 0;  // how often some have
    int64_t origin_ = 0;       // step of the clock's line with which the pattern began
    uint32_t switch_steps_ = 16;  // the switch is at a multiple of them
    uint64_t switch_passes_ = 0;  // passes of the current pattern before the switch at its end
    uint64_t passes_ = 0;         // ends of the current pattern since Play or since the switch to it
    bool has_switched_ = false;
    bool has_begun_ = false;
    bool playing_ = false;
    uint32_t steps_to_count_ = 0;  // steps of the count-in, 0 after it
    uint32_t count_ = 0;           // steps since Play, since the end of the count-in or since the switch
    uint32_t step_ = 0;
};

}  // namespace synth

#endif
