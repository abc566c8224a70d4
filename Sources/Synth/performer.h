// Plays the sequencer: its steps, the hits of lanes, ticks and pulses, as sound and as reports.

#ifndef PIXELBOOP_SYNTH_PERFORMER_H
#define PIXELBOOP_SYNTH_PERFORMER_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/tracks.h"
#include "base/velocity.h"
#include "controls/control_ranges.h"
#include "controls/locked_controls.h"
#include "controls/track_controls.h"
#include "counter.h"
#include "effects/limiter.h"
#include "pulse.h"
#include "reports.h"
#include "samples/samples.h"
#include "sequence/note_ends.h"
#include "sequence/pattern.h"
#include "sequence/sequencer.h"
#include "synth.h"
#include "voices.h"

namespace synth {

class Performer {
  public:
    Performer(uint32_t rate, Reports &reports, Samples &samples)
        : sequencer(rate), voices(rate, samples), pulse(rate), reports_(reports)
    {
        for (uint32_t track = 0; track < kTracks; ++track) {
            controls_[track] = voices.Controls(track);
        }
    }

    // Begins the due events. Advances the clock to the next event, by at most `limit` frames; returns their number.
    // Calls `switching` before another pattern begins, `switched` when it has, and `stepped` after each step, also of
    // the count-in.
    template <typename Switching, typename Switched, typename Stepped>
    uint32_t Run(uint32_t limit, Switching switching, Switched switched, Stepped stepped)
    {
        Clock &clock = sequencer.clock;
        if (sequencer.Playing()) {
            while (clock.StepIsDue()) {
                BeginStep(switching, switched);
                stepped();
            }
            limit = clock.FramesToStep(limit);
        }
        limit = std::min(BeginTick(limit), BeginPulse(limit));
        if (sequencer.Playing() && sequencer.HasBegun()) {
            // Before and after: the ends that are due come first, and the ends of the hits are new.
            EndNotes(limit);
            limit = EndNotes(BeginHits(limit));
        }
        clock.Advance(limit);
        return limit;
    }

    void Stop()
    {
        if (sequencer.Playing()) {
            Transmit(NewReport(SynthReportStop));
        }
        TransmitSilence(Voices::kAllTracks);
        note_ends_.Clear();
        sequencer.Stop();
        for (uint32_t track = 0; track < kTracks; ++track) {
            Unlock(track);
        }
        voices.Fade(Voices::kAllTracks);
        voices.FadeClick();
    }

    // Fades the sounding notes out. The sequence goes on.
    void Fade()
    {
        TransmitSilence(Voices::kAllTracks);
        voices.Fade(Voices::kAllTracks);
    }

    // Silences `tracks`, a bit mask, and no others.
    void Silence(uint32_t tracks)
    {
        TransmitSilence(tracks & ~silent_);
        silent_ = tracks;
        voices.Fade(silent_);
    }

    bool Silent(uint32_t track) const
    {
        return (silent_ >> track & 1) != 0;
    }

    // Starts a note at the tempo.
    void Sound(uint32_t track, uint32_t note, const Hit &hit, const Tuning &tuning)
    {
        CountStolen(voices.Start(track, note, hit, sequencer.clock.Tempo(), tuning));
    }

    // Counts `lost` voices.
    void CountStolen(uint32_t lost)
    {
        if (lost > 0) {
            stolen_.Add(lost);
        }
    }

    // Sets a control of a track; another `control` is ignored.
    void SetControl(SynthControl control, uint32_t track, int32_t value)
    {
        if (int32_t *const current = ControlOf(controls_[track], control)) {
            *current = value;
            voices.Control(track, Heard(track));
        }
    }

    // Reports the value of a track's control; another `control` is ignored.
    void TransmitControl(SynthControl control, uint32_t track)
    {
        if (track < kTracks) {
            TransmitControl(control, track, Heard(track));
        }
    }

    uint64_t Stolen() const
    {
        return stolen_.Value();
    }

    Sequencer sequencer;
    Voices voices;
    Pulse pulse;
    uint64_t now = 0;     // frame
    bool clicks = false;  // on every beat
    bool fills = false;   // whether steps with the condition `fill` sound

  private:
    // Begins the hits that are due of tracks with lanes or a shape. Returns the frames to the next, at most `limit`.
    uint32_t BeginHits(uint32_t limit)
    {
        const uint32_t current = sequencer.CurrentNumber();
        for (uint32_t track = 0; track < kTracks; ++track) {
            Sequencer::Ending &ending = sequencer.endings[track];
            if (ending.is_active) {
                const uint32_t frames = BeginHits(ending.runner, ending.pattern, track, ending.end, limit);
                ending.is_active = frames < UINT32_MAX;
                limit = std::min(limit, frames);
            }
            // A track that has just become plain has hits left of the steps before the due one.
            TrackRunner &runner = sequencer.runners[track];
            const bool is_plain = sequencer.Current().IsPlain(track);
            if (!is_plain || runner.IsRunning()) {
                const int64_t end = is_plain ? sequencer.clock.DueStep() : sequencer.End(track);
                limit = std::min(limit, BeginHits(runner, current, track, end, limit));
            }
        }
        return limit;
    }

    // The same for one track of the pattern `number`; UINT32_MAX if it has no more hits.
    uint32_t BeginHits(TrackRunner &runner, uint32_t number, uint32_t track, int64_t end, uint32_t limit)
    {
        const Clock &clock = sequencer.clock;
        const Pattern &pattern = sequencer.At(number);
        int64_t next = 0;
        while ((next = runner.Next(clock, pattern, number, track, end)) <= clock.Position()) {
            const TrackRunner::Step step = runner.Pop([&](const TrackRunner::Step &step) {
                return Sounds(runner, pattern, track, step);
            });
            if (step.hit == 0 && number == sequencer.CurrentNumber()) {
                ReportStep(runner, track, step);
            }
            if (step.sounds && !Silent(track)) {
                BeginHit(pattern, track, step);
            }
        }
        return next == INT64_MAX ? UINT32_MAX : clock.FramesUntil(next, limit);
    }

    void ReportStep(const TrackRunner &runner, uint32_t track, const TrackRunner::Step &step)
    {
        const uint64_t before = 12 * static_cast<uint64_t>(runner.Origin() - sequencer.Origin());
        SynthReport report = NewReport(SynthReportTrackStep);
        report.payload.track_step = {static_cast<uint32_t>(before + step.number * step.twelfths),
                                     static_cast<uint8_t>(step.step), static_cast<uint8_t>(track), step.sounds,
                                     step.note == TrackRunner::kAllNotes ? static_cast<int8_t>(synth_all_notes)
                                                                         : ReportedNote(track, step.note),
                                     step.timed != 0};
        reports_.Write(report);
    }

    // Whether a step sounds, or one of its notes: its condition, then its chance.
    bool Sounds(TrackRunner &runner, const Pattern &pattern, uint32_t track, const TrackRunner::Step &step) const
    {
        const Lanes &lanes = pattern.LanesOf(track);
        const NoteLanes &notes = pattern.NotesOf(track);
        const bool is_note = step.note != TrackRunner::kAllNotes;
        if (!is_note && !pattern.HasNote(track, step.step, step.timed)) {
            return false;
        }
        if (is_note && notes.Has(SynthLaneWhen, step.note, step.step)) {
            const int32_t condition = notes.Value(SynthLaneWhen, step.note, step.step, 0);
            if (!runner.NoteMeets(step.note, condition, step.turn, fills)) {
                return false;
            }
        } else if (lanes.Has(SynthLaneWhen, step.step)
                   && !runner.Meets(lanes.Value(SynthLaneWhen, step.step, 0), step.turn, fills)) {
            return false;
        }
        const uint32_t seed = pattern.Seed(track);
        if (is_note && notes.Has(SynthLaneChance, step.note, step.step)) {
            return Falls(NoteDie(seed, track, step.step, step.turn, step.note),
                         static_cast<uint64_t>(notes.Value(SynthLaneChance, step.note, step.step, 100)));
        }
        return !lanes.Has(SynthLaneChance, step.step)
            || Falls(Die(seed, track, step.step, step.turn),
                     static_cast<uint64_t>(lanes.Value(SynthLaneChance, step.step, 100)));
    }

    void BeginHit(const Pattern &pattern, uint32_t track, const TrackRunner::Step &step)
    {
        const Lanes &lanes = pattern.LanesOf(track);
        if (step.hit == 0) {
            Lock(track, lanes, step.step);
        }
        if (step.note != TrackRunner::kAllNotes) {
            BeginHit(pattern, track, step.note, step);
            return;
        }
        for (uint32_t note = 0; note < NoteCount(track); ++note) {
            if ((step.timed >> note & 1) == 0) {
                BeginHit(pattern, track, note, step);
            }
        }
    }

    // The same for one note of the step, if it begins there.
    void BeginHit(const Pattern &pattern, uint32_t track, uint32_t note, const TrackRunner::Step &step)
    {
        const uint32_t cell = pattern.Velocity(track, note, step.step);
        if (cell == 0) {
            return;
        }
        const Lanes &lanes = pattern.LanesOf(track);
        const NoteLanes &notes = pattern.NotesOf(track);
        const auto value = [&](SynthLaneKind lane, int32_t otherwise) {
            return notes.Value(lane, note, step.step, lanes.Value(lane, step.step, otherwise));
        };
        const int32_t gate = value(SynthLaneGate, 0);
        const uint32_t velocity = static_cast<uint32_t>(
            value(SynthLaneVelocity, static_cast<int32_t>(VelocityOfCell(cell))));
        Hit hit;
        hit.velocity = Ramped(velocity, value(SynthLaneRamp, 0), step);
        hit.is_gated = gate > 0;
        hit.slides = step.hit == 0 && lanes.Value(SynthLaneSlide, step.step, 0) != 0;
        const uint32_t parts_of_step = synth_step_parts / 12 * step.twelfths;
        const uint32_t length = hit.is_gated ? parts_of_step / 100 * static_cast<uint32_t>(gate) / step.hits
                                             : parts_of_step * pattern.RunLength(track, note, step.step);
        StartNote(pattern, track, note, hit, length, true);
    }

    // The velocity of a hit of a ratchet: with a ramp it rises from a part to the whole, or falls.
    static uint32_t Ramped(uint32_t velocity, int32_t ramp, const TrackRunner::Step &step)
    {
        const uint32_t share = ramp > 0 ? step.hit + 1 : step.hits - step.hit;
        return ramp == 0 ? velocity : std::max(1u, (velocity * share + step.hits / 2) / step.hits);
    }

    // Reports a tick that is due. Returns the frames to the next, at most `limit`.
    uint32_t BeginTick(uint32_t limit)
    {
        Clock &clock = sequencer.clock;
        while (clock.IsDue(clock.ticks)) {
            clock.ticks.Advance();
            Transmit(NewReport(SynthReportTick));
        }
        return clock.FramesTo(clock.ticks, limit);
    }

    // Begins a pulse that is due: while the pattern plays. The limiter delays the sound, so the pulse has to wait as
    // long.
    uint32_t BeginPulse(uint32_t limit)
    {
        Clock &clock = sequencer.clock;
        while (clock.IsDue(clock.pulses)) {
            clock.pulses.Advance();
            if (sequencer.Playing() && sequencer.HasBegun()) {
                // Half of its distance from the next pulse: between longer ones the signal would not fall.
                pulse.Begin(now + Limiter::kDelay, clock.FramesTo(clock.pulses, UINT32_MAX) / 2);
                Transmit(NewReport(SynthReportPulse));
            }
        }
        return clock.FramesTo(clock.pulses, limit);
    }

    // Moves the track's controls by the values of a step, until the next step that sounds.
    void Lock(uint32_t track, const Lanes &lanes, uint32_t step)
    {
        const LockedControls locks = {lanes.Value(SynthLaneCutoff, step, 0), lanes.Value(SynthLaneResonance, step, 0),
                                      lanes.Value(SynthLanePan, step, 0), lanes.Value(SynthLaneDelay, step, 0),
                                      lanes.Value(SynthLaneReverb, step, 0)};
        Lock(track, locks);
    }

    // Takes the changes back.
    void Unlock(uint32_t track)
    {
        Lock(track, LockedControls());
    }

    void Lock(uint32_t track, const LockedControls &locks)
    {
        if (locks == locks_[track]) {
            return;
        }
        const LockedControls last = locks_[track];
        locks_[track] = locks;
        const TrackControls heard = Heard(track);
        voices.Control(track, heard);
        if (reports_.transmits) {
            TransmitMoved(track, last.Applied(controls_[track]), heard);
        }
    }

    // Reports the controls of a track that differ.
    void TransmitMoved(uint32_t track, TrackControls before, TrackControls after)
    {
        for (const SynthControl control : LockedControls::kControls) {
            if (*ControlOf(before, control) != *ControlOf(after, control)) {
                TransmitControl(control, track, after);
            }
        }
    }

    // The controls of a track as the lanes move them.
    TrackControls Heard(uint32_t track) const
    {
        return locks_[track].Applied(controls_[track]);
    }

    void TransmitControl(SynthControl control, uint32_t track, TrackControls controls)
    {
        if (const int32_t *const value = ControlOf(controls, control)) {
            SynthReport report = NewReport(SynthReportControl);
            report.payload.control = {*value, control, static_cast<uint8_t>(track)};
            Transmit(report);
        }
    }

    template <typename Switching, typename Switched>
    void BeginStep(Switching switching, Switched switched)
    {
        const bool has_begun = sequencer.HasBegun();
        if (sequencer.IsSwitchDue()) {
            switching();
        }
        const bool is_step = sequencer.AdvanceStep();
        if (sequencer.IsBeat() && (clicks || !is_step)) {
            voices.Click(sequencer.IsBar());
        }
        if (!is_step) {
            if (sequencer.IsBeat()) {
                SynthReport report = NewReport(SynthReportCount);
                report.payload.count = {static_cast<uint8_t>(sequencer.BeatsLeft())};
                reports_.Write(report);
            }
            return;
        }
        const uint8_t step = static_cast<uint8_t>(sequencer.Step());
        if (!has_begun) {
            // A start while the transport runs: the places at which notes end belong to the line before.
            EndNotesIf([](const NoteEnd &) { return true; });
            SynthReport report = NewReport(SynthReportStart);
            report.payload.start = {step};
            Transmit(report);
        }
        BeginTick(0);
        if (sequencer.HasSwitched()) {
            switched();
            pending_switch_ = NewReport(SynthReportSwitch);
            pending_switch_.payload.pattern_switch = {sequencer.Tag()};
            is_switch_pending_ = true;
        }
        // If this report were lost, the UI would edit the wrong pattern; it is retried until the ring has room.
        if (is_switch_pending_ && reports_.Write(pending_switch_)) {
            is_switch_pending_ = false;
        }
        if (sequencer.PartsBegun().tracks != 0) {
            pending_tracks_ = NewReport(SynthReportTracks);
            pending_tracks_.payload.tracks_switch = {sequencer.PartsBegun().tag, sequencer.PartsReports()};
            are_tracks_pending_ = true;
        }
        if (are_tracks_pending_ && reports_.Write(pending_tracks_)) {
            are_tracks_pending_ = false;
        }
        SynthReport report = NewReport(SynthReportStep);
        report.payload.step = {static_cast<uint32_t>(12 * sequencer.StepsPassed()), step};
        reports_.Write(report);
        for (uint32_t track = 0; track < kTracks; ++track) {
            if (sequencer.Current().IsPlain(track)) {
                TrackRunner &runner = sequencer.runners[track];
                const bool has_begun_early = runner.HasBegun(sequencer.Origin() + sequencer.StepsPassed());
                runner.Pass(sequencer.Origin(), sequencer.StepsPassed());
                if (!has_begun_early && !Silent(track)) {
                    BeginNotes(track, step);
                }
            }
        }
    }

    void BeginNotes(uint32_t track, uint32_t step)
    {
        const Pattern &pattern = sequencer.Current();
        for (uint32_t note = 0; note < NoteCount(track); ++note) {
            const uint32_t cell = pattern.Velocity(track, note, step);
            if (cell == 0) {
                continue;
            }
            Unlock(track);
            Hit hit;
            hit.velocity = static_cast<uint32_t>(pattern.NotesOf(track).Value(
                SynthLaneVelocity, note, step, static_cast<int32_t>(VelocityOfCell(cell))));
            StartNote(pattern, track, note, hit, synth_step_parts * pattern.RunLength(track, note, step), false);
        }
    }

    // Starts a note of `pattern`, `length` parts of a step long, and reports it; also its end if it is a hit of a lane.
    void StartNote(const Pattern &pattern, uint32_t track, uint32_t note, Hit hit, uint32_t length, bool is_hit)
    {
        hit.steps = length / static_cast<double>(synth_step_parts);
        Sound(track, note, hit, pattern.tuning);
        if (reports_.transmits && is_hit) {
            EndNote(track, note);
            note_ends_.Add({track, note, sequencer.clock.PlaceAfter(length)});
        }
        SynthReport report = NewReport(SynthReportNote);
        report.payload.note = {length, static_cast<uint8_t>(sequencer.Step()), static_cast<uint8_t>(track),
                               ReportedNote(track, note), static_cast<uint8_t>(hit.velocity), is_hit};
        reports_.Write(report);
    }

    // Reports the end of a note that other instruments still hold.
    void EndNote(uint32_t track, uint32_t note)
    {
        EndNotesIf([&](const NoteEnd &end) { return end.track == track && end.note == note; });
    }

    // Reports the ends for which `condition` holds, and removes them.
    template <typename Condition>
    void EndNotesIf(Condition condition)
    {
        note_ends_.Remove(condition, [&](const NoteEnd &end) { ReportEnd(end); });
    }

    void ReportEnd(const NoteEnd &end)
    {
        SynthReport report = NewReport(SynthReportNoteEnd);
        report.payload.note_end = {static_cast<uint8_t>(end.track), ReportedNote(end.track, end.note)};
        reports_.Write(report);
    }

    // Reports the ends that are due. Returns the frames to the next, at most `limit`.
    uint32_t EndNotes(uint32_t limit)
    {
        const Clock &clock = sequencer.clock;
        int64_t next = INT64_MAX;
        EndNotesIf([&](const NoteEnd &end) {
            const int64_t units = clock.UnitsTo(end.place);
            next = units > 0 ? std::min(next, units) : next;
            return units <= 0;
        });
        return next == INT64_MAX ? limit : clock.FramesUntil(clock.Position() + next, limit);
    }

    // A report on this frame, whose payload is still empty.
    SynthReport NewReport(SynthReportKind kind) const
    {
        SynthReport report = {};
        report.frame = now;
        report.kind = kind;
        return report;
    }

    // The number of a note in reports.
    static int8_t ReportedNote(uint32_t track, uint32_t note)
    {
        return static_cast<int8_t>(static_cast<int32_t>(note) + LowestNote(track));
    }

    // Reports an action of other instruments, if there are any.
    void Transmit(const SynthReport &report)
    {
        if (reports_.transmits) {
            reports_.Write(report);
        }
    }

    void TransmitSilence(uint32_t tracks)
    {
        SynthReport report = NewReport(SynthReportSilence);
        report.payload.silence = {static_cast<uint8_t>(tracks)};
        Transmit(report);
    }

    Reports &reports_;
    SynthReport pending_switch_ = {};
    bool is_switch_pending_ = false;  // whether its report is still to send
    SynthReport pending_tracks_ = {};
    bool are_tracks_pending_ = false;
    std::array<TrackControls, kTracks> controls_;  // without the locks
    std::array<LockedControls, kTracks> locks_ = {};
    NoteEnds note_ends_;
    uint32_t silent_ = 0;  // one bit per track
    Counter stolen_;
};

}  // namespace synth

#endif
