// The complete sound engine: commands, sequencer, voices, master, output samples. It owns all memory.

#ifndef PIXELBOOP_SYNTH_ENGINE_H
#define PIXELBOOP_SYNTH_ENGINE_H

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "any_engine.h"
#include "lanes/lanes.h"
#include "master.h"
#include "note_ends.h"
#include "pulse.h"
#include "ring.h"
#include "sequence/pattern.h"
#include "sequence/sequencer.h"
#include "synth.h"
#include "velocity.h"
#include "voices.h"
#include "voicing.h"

namespace synth {

// Room for two patterns with all lanes and rows, and for a few gestures.
constexpr uint32_t kCommandCapacity = 2048;

// Room for 6 s of every note on every step at 200 BPM: a reader that sleeps that long loses nothing.
constexpr uint32_t kReportCapacity = 4096;

// Number of the last step that a transport may begin with: six hours at 200 BPM.
constexpr uint32_t kLastNumber = (1u << 18) - 1;

class Engine final : public AnyEngine {
  public:
    explicit Engine(uint32_t rate) : sequencer_(rate), voices_(rate), master_(rate), pulse_(rate)
    {
        TimeDelay();
        for (uint32_t track = 0; track < kTracks; ++track) {
            controls_[track] = voices_.Controls(track);
        }
    }

    bool Post(const SynthCommand *commands, uint32_t count) noexcept SYNTH_NONBLOCKING override
    {
        if (commands_.Write(commands, count)) {
            return true;
        }
        Count(commands_refused_, 1);
        return false;
    }

    uint32_t TakeReports(SynthReport *reports, uint32_t capacity) noexcept SYNTH_NONBLOCKING override
    {
        uint32_t count = 0;
        for (; count < capacity; ++count) {
            const SynthReport *report = reports_.Front();
            if (report == nullptr) {
                break;
            }
            reports[count] = *report;
            reports_.Drop();
        }
        return count;
    }

    void Render(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        while (frames > 0) {
            uint32_t run = std::min(frames, kBlock);
            run = voices_.FramesTogether(static_cast<uint32_t>(std::min<uint64_t>(run, ApplyCommands())));
            if (sequencer_.Playing() || transmits_ || sequencer_.clock.IsSteered()) {
                run = RunClock(run);
            }
            RenderBlock(out, run);
            out += 2 * run;
            frames -= run;
            now_ += run;
        }
        frames_.store(now_, std::memory_order_relaxed);
    }

    void RenderPulses(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        pulse_.Write(out, frames, now_ - frames, 1);
    }

    uint32_t Latency() const noexcept SYNTH_NONBLOCKING override
    {
        return Limiter::kDelay;
    }

    SynthCounters Counters() const noexcept SYNTH_NONBLOCKING override
    {
        return {frames_.load(std::memory_order_relaxed), commands_refused_.load(std::memory_order_relaxed),
                reports_lost_.load(std::memory_order_relaxed), voices_stolen_.load(std::memory_order_relaxed)};
    }

  private:
    // Only one thread increments a counter, so no atomic read-modify-write is needed.
    static void Count(std::atomic<uint64_t> &counter, uint64_t amount)
    {
        counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }

    // Applies all due commands. Returns the frames until the next command, UINT64_MAX for none.
    uint64_t ApplyCommands()
    {
        while (const SynthCommand *command = commands_.Front()) {
            if (command->frame > now_) {
                return command->frame - now_;
            }
            Apply(*command);
            commands_.Drop();
        }
        return UINT64_MAX;
    }

    // Begins what is due. Advances the clock to what comes next, by at most `limit` frames; returns their number.
    uint32_t RunClock(uint32_t limit)
    {
        Clock &clock = sequencer_.clock;
        if (sequencer_.Playing()) {
            while (clock.StepIsDue()) {
                BeginStep();
            }
            limit = clock.FramesToStep(limit);
        }
        limit = std::min(BeginTick(limit), BeginPulse(limit));
        if (sequencer_.Playing() && sequencer_.HasBegun()) {
            // Before and after: the ends that are due come first, and those of the hits are new.
            EndNotes(limit);
            limit = EndNotes(BeginHits(limit));
        }
        clock.Advance(limit);
        return limit;
    }

    // Begins the hits that are due of tracks with lanes or a shape. Returns the frames to the next, at most `limit`.
    uint32_t BeginHits(uint32_t limit)
    {
        const uint32_t current = sequencer_.CurrentNumber();
        for (uint32_t track = 0; track < kTracks; ++track) {
            Sequencer::Ending &ending = sequencer_.endings[track];
            if (ending.is_active) {
                const uint32_t frames = BeginHits(ending.runner, 1 - current, track, ending.end, limit);
                ending.is_active = frames < UINT32_MAX;
                limit = std::min(limit, frames);
            }
            if (!sequencer_.Current().IsPlain(track)) {
                limit = std::min(limit, BeginHits(sequencer_.runners[track], current, track, sequencer_.End(), limit));
            }
        }
        return limit;
    }

    // The same for one track of the pattern `number`; UINT32_MAX if it has no more hits.
    uint32_t BeginHits(TrackRunner &runner, uint32_t number, uint32_t track, int64_t end, uint32_t limit)
    {
        const Clock &clock = sequencer_.clock;
        const Pattern &pattern = sequencer_.At(number);
        int64_t next = 0;
        while ((next = runner.Next(clock, pattern, number, track, end)) <= clock.Position()) {
            const TrackRunner::Step step = runner.Take([&](const TrackRunner::Step &step) {
                return Sounds(runner, pattern, track, step);
            });
            if (step.sounds && !Silent(track)) {
                BeginHit(pattern, track, step);
            }
        }
        return next == INT64_MAX ? UINT32_MAX : clock.FramesUntil(next, limit);
    }

    // Whether a step sounds: its condition, then its chance.
    bool Sounds(TrackRunner &runner, const Pattern &pattern, uint32_t track, const TrackRunner::Step &step) const
    {
        const Lanes &lanes = pattern.LanesOf(track);
        if (!pattern.HasNote(track, step.step)) {
            return false;
        }
        if (lanes.Has(SynthLaneWhen, step.step)
            && !runner.Meets(lanes.Value(SynthLaneWhen, step.step, 0), step.turn, fills_)) {
            return false;
        }
        return !lanes.Has(SynthLaneChance, step.step)
            || Falls(Die(pattern.Seed(), track, step.step, step.turn),
                     static_cast<uint64_t>(lanes.Value(SynthLaneChance, step.step, 100)));
    }

    void BeginHit(const Pattern &pattern, uint32_t track, const TrackRunner::Step &step)
    {
        const Lanes &lanes = pattern.LanesOf(track);
        if (step.hit == 0) {
            Lock(track, lanes, step.step);
        }
        const int32_t gate = lanes.Value(SynthLaneGate, step.step, 0);
        Hit hit;
        hit.is_gated = gate > 0;
        hit.slides = step.hit == 0 && lanes.Value(SynthLaneSlide, step.step, 0) != 0;
        const uint32_t parts_of_step = synth_step_parts / 12 * step.twelfths;
        SynthReport report = {};
        report.frame = now_;
        report.step = static_cast<uint8_t>(sequencer_.Step());
        for (uint32_t note = 0; note < NoteCount(track); ++note) {
            const uint32_t cell = pattern.Velocity(track, note, step.step);
            if (cell == 0) {
                continue;
            }
            const uint32_t velocity = static_cast<uint32_t>(
                lanes.Value(SynthLaneVelocity, step.step, static_cast<int32_t>(VelocityOfCell(cell))));
            hit.velocity = Ramped(velocity, lanes.Value(SynthLaneRamp, step.step, 0), step);
            report.length = hit.is_gated ? parts_of_step / 100 * static_cast<uint32_t>(gate) / step.hits
                                         : parts_of_step * pattern.RunLength(track, note, step.step);
            StartNote(track, note, hit, report, true);
        }
    }

    // The velocity of a hit of a ratchet: with a ramp it rises from a part to the whole, or falls.
    static uint32_t Ramped(uint32_t velocity, int32_t ramp, const TrackRunner::Step &step)
    {
        const uint32_t share = ramp > 0 ? step.hit + 1 : step.hits - step.hit;
        return ramp == 0 ? velocity : std::max(1u, (velocity * share + step.hits / 2) / step.hits);
    }

    // Moves the track's controls by the values of a step, until the next step that sounds.
    void Lock(uint32_t track, const Lanes &lanes, uint32_t step)
    {
        const LockedControls locks = {lanes.Value(SynthLaneCutoff, step, 0), lanes.Value(SynthLaneResonance, step, 0),
                                      lanes.Value(SynthLanePan, step, 0), lanes.Value(SynthLaneDelay, step, 0),
                                      lanes.Value(SynthLaneReverb, step, 0)};
        if (!(locks == locks_[track])) {
            locks_[track] = locks;
            voices_.Control(track, locks.Applied(controls_[track]));
        }
    }

    // Reports a tick that is due. Returns the frames to the next, at most `limit`.
    uint32_t BeginTick(uint32_t limit)
    {
        Clock &clock = sequencer_.clock;
        while (clock.IsDue(clock.ticks)) {
            clock.ticks.Take();
            Transmit(SynthReportTick, 0);
        }
        return clock.FramesTo(clock.ticks, limit);
    }

    // Begins a pulse that is due: while the pattern plays. The limiter delays the sound, so the pulse has to wait as long.
    uint32_t BeginPulse(uint32_t limit)
    {
        Clock &clock = sequencer_.clock;
        while (clock.IsDue(clock.pulses)) {
            clock.pulses.Take();
            if (sequencer_.Playing() && sequencer_.HasBegun()) {
                // Half of its distance from the next pulse: between longer ones the signal would not fall.
                pulse_.Begin(now_ + Limiter::kDelay, clock.FramesTo(clock.pulses, UINT32_MAX) / 2);
                Transmit(SynthReportPulse, 0);
            }
        }
        return clock.FramesTo(clock.pulses, limit);
    }

    // Reports an action of other instruments on this frame, if there are any.
    void Transmit(uint8_t kind, uint32_t value)
    {
        if (!transmits_) {
            return;
        }
        SynthReport report = {};
        report.frame = now_;
        report.kind = kind;
        report.steps = static_cast<uint8_t>(value);
        Report(report);
    }

    // The loop sends values in range. An erroneous value must not be audible, so every value is clamped.
    void Apply(const SynthCommand &command)
    {
        switch (command.kind) {
        case SynthPlay:
            sequencer_.Play(std::min(8u, command.value));
            break;
        case SynthPlayFrom:
            sequencer_.PlayFrom(std::min(kLastNumber, command.value));
            break;
        case SynthSteer:
            Steer(command);
            break;
        case SynthRelease:
            sequencer_.clock.Release();
            TimeDelay();
            break;
        case SynthTransmit:
            transmits_ = command.value != 0;
            break;
        case SynthStop:
            if (sequencer_.Playing()) {
                Transmit(SynthReportStop, 0);
            }
            Transmit(SynthReportSilence, Voices::kAllTracks);
            note_ends_.Clear();
            sequencer_.Stop();
            for (uint32_t track = 0; track < kTracks; ++track) {
                Unlock(track);
            }
            voices_.Fade(Voices::kAllTracks);
            voices_.FadeClick();
            break;
        case SynthStay:
            sequencer_.Stay();
            break;
        case SynthSilent:
            Transmit(SynthReportSilence, command.value & Voices::kAllTracks & ~silent_);
            silent_ = command.value & Voices::kAllTracks;
            voices_.Fade(silent_);
            break;
        case SynthVolume:
            master_.SetVolume(std::min(65536u, command.value));
            break;
        case SynthAudition:
            if (NamesNote(command) && !Silent(command.track)) {
                Hit hit;
                hit.velocity = VelocityOfCell(command.velocity);
                hit.steps = std::clamp(command.value, 1u, kSteps);
                Sound(command.track, NoteOf(command), hit);
            }
            break;
        case SynthNoteOn:
            if (NamesNote(command) && !Silent(command.track)) {
                CountStolen(voices_.Hold(command.track, NoteOf(command), VelocityOfCell(command.velocity),
                                         sequencer_.clock.Tempo(), Expression::Of(command.cells)));
            }
            break;
        case SynthNoteExpression:
            if (NamesNote(command)) {
                voices_.Express(command.track, NoteOf(command), Expression::Of(command.cells));
            }
            break;
        case SynthNoteOff:
            if (NamesNote(command)) {
                voices_.Release(command.track, NoteOf(command));
            }
            break;
        case SynthFade:
            Transmit(SynthReportSilence, Voices::kAllTracks);
            voices_.Fade(Voices::kAllTracks);
            break;
        case SynthMetronome:
            clicks_ = command.value != 0;
            break;
        case SynthFill:
            fills_ = command.value != 0;
            break;
        case SynthRow:
        case SynthTempo:
        case SynthLength:
        case SynthLane:
        case SynthNoLanes:
        case SynthShape:
        case SynthSeed:
        case SynthSwitch:
        case SynthSwitchAtEnd:
            ApplyToPattern(command);
            break;
        default:
            ApplyToControl(command.kind, command.track, InRange(command));
            break;
        }
    }

    void Steer(const SynthCommand &command)
    {
        constexpr int64_t kSlowest = int64_t{10} << Clock::kFraction;
        constexpr int64_t kFastest = int64_t{1000} << Clock::kFraction;
        sequencer_.Steer(static_cast<int64_t>(command.cells), std::clamp<int64_t>(command.value, kSlowest, kFastest),
                         now_ - std::min(now_, command.frame));
        TimeDelay();
    }

    // The command's note, counted from the track's lowest.
    static uint32_t NoteOf(const SynthCommand &command)
    {
        return static_cast<uint32_t>(command.note - LowestNote(command.track));
    }

    static bool NamesNote(const SynthCommand &command)
    {
        return command.track < kTracks && NoteOf(command) < NoteCount(command.track);
    }

    void ApplyToPattern(const SynthCommand &command)
    {
        const uint32_t number = command.pattern & 1;
        if (command.waiting != 0 && sequencer_.Plays(number)) {
            return;
        }
        switch (command.kind) {
        case SynthRow:
            if (NamesNote(command)) {
                sequencer_.At(number).SetRow(command.track, NoteOf(command), command.cells);
            }
            break;
        case SynthTempo:
            sequencer_.SetTempo(number, std::clamp(command.value, static_cast<uint32_t>(RangeOf(SynthTempo).lowest),
                                                   static_cast<uint32_t>(RangeOf(SynthTempo).highest)));
            if (sequencer_.Plays(number)) {
                TimeDelay();
            }
            break;
        case SynthLength:
            sequencer_.At(number).SetLength(std::clamp(command.value, 1u, kSteps));
            break;
        case SynthLane:
            SetLane(number, command);
            break;
        case SynthNoLanes:
            for (uint32_t track = 0; track < kTracks; ++track) {
                sequencer_.At(number).LanesOf(track) = Lanes();
            }
            break;
        case SynthShape:
            if (command.track < kTracks) {
                sequencer_.At(number).SetShape(command.track, Shape::Of(command.cells));
            }
            break;
        case SynthSeed:
            sequencer_.At(number).SetSeed(std::clamp(command.value, 1u, 65535u));
            break;
        default:
            sequencer_.SwitchTo(number, command.kind == SynthSwitchAtEnd, static_cast<uint16_t>(command.value));
            TimeDelay();
            break;
        }
    }

    void SetLane(uint32_t number, const SynthCommand &command)
    {
        if (command.track >= kTracks || command.note < 0 || command.note >= synth_lanes) {
            return;
        }
        for (uint32_t place = 0; place < 4 && command.value < kSteps - place; ++place) {
            const uint16_t value = static_cast<uint16_t>(command.cells >> (16 * place));
            sequencer_.At(number).LanesOf(command.track).Set(static_cast<uint32_t>(command.note), command.value + place,
                                                             static_cast<int16_t>(value));
        }
    }

    // The command's value, a two's-complement integer, within its range.
    static int32_t InRange(const SynthCommand &command)
    {
        const SynthRange range = RangeOf(command.kind);
        return std::clamp(static_cast<int32_t>(command.value), range.lowest, range.highest);
    }

    void ApplyToControl(uint8_t kind, uint8_t track, int32_t value)
    {
        switch (kind) {
        case SynthSwing:
            sequencer_.clock.SetSwing(static_cast<uint32_t>(value));
            break;
        case SynthDelaySteps:
            delay_steps_ = static_cast<uint32_t>(value);
            TimeDelay();
            break;
        case SynthPulseOutput:
            pulse_output_ = value;
            break;
        case SynthPulsesPerQuarter:
            sequencer_.clock.SetPulses(48 % value == 0 ? static_cast<uint32_t>(value) : 2);
            break;
        case SynthPulseMilliseconds:
            pulse_.SetLength(value);
            break;
        case SynthPulseLevel:
            pulse_.SetLevel(static_cast<float>(value) / 100.0f);
            break;
        default:
            if (!master_.Set(kind, value) && track < kTracks) {
                if (int32_t *const control = ControlOf(controls_[track], kind)) {
                    *control = value;
                    voices_.Control(track, locks_[track].Applied(controls_[track]));
                }
            }
            break;
        }
    }

    void TimeDelay()
    {
        master_.delay.SetTime(sequencer_.clock.FramesOf(delay_steps_));
    }

    bool Silent(uint32_t track) const
    {
        return (silent_ >> track & 1) != 0;
    }

    void BeginStep()
    {
        const bool has_begun = sequencer_.HasBegun();
        const bool is_step = sequencer_.TakeStep();
        if (sequencer_.IsBeat() && (clicks_ || !is_step)) {
            voices_.Click(sequencer_.IsBar());
        }
        SynthReport report = {};
        report.frame = now_;
        if (!is_step) {
            if (sequencer_.IsBeat()) {
                report.kind = SynthReportCount;
                report.steps = static_cast<uint8_t>(sequencer_.BeatsLeft());
                Report(report);
            }
            return;
        }
        if (!has_begun) {
            Transmit(SynthReportStart, sequencer_.Step());
        }
        BeginTick(0);
        if (sequencer_.HasSwitched()) {
            TimeDelay();
            pending_switch_ = report;
            pending_switch_.kind = SynthReportSwitch;
            pending_switch_.tag = sequencer_.Tag();
        }
        // If this report were lost, the UI would edit the wrong pattern; it is retried until the ring has room.
        if (pending_switch_.kind != 0 && Report(pending_switch_)) {
            pending_switch_.kind = 0;
        }
        const uint32_t step = sequencer_.Step();
        report.kind = SynthReportStep;
        report.step = static_cast<uint8_t>(step);
        Report(report);
        for (uint32_t track = 0; track < kTracks; ++track) {
            if (sequencer_.Current().IsPlain(track)) {
                sequencer_.runners[track].Pass(sequencer_.StepsPassed());
                if (!Silent(track)) {
                    BeginNotes(track, report);
                }
            }
        }
    }

    void BeginNotes(uint32_t track, SynthReport report)
    {
        const Pattern &pattern = sequencer_.Current();
        for (uint32_t note = 0; note < NoteCount(track); ++note) {
            const uint32_t cell = pattern.Velocity(track, note, report.step);
            if (cell == 0) {
                continue;
            }
            Unlock(track);
            Hit hit;
            hit.velocity = VelocityOfCell(cell);
            report.length = synth_step_parts * pattern.RunLength(track, note, report.step);
            StartNote(track, note, hit, report, false);
        }
    }

    void Unlock(uint32_t track)
    {
        if (!(locks_[track] == LockedControls())) {
            locks_[track] = LockedControls();
            voices_.Control(track, controls_[track]);
        }
    }

    // Starts a note of the sequence, whose length `report` has, and reports it; also its end if it is the hit of a lane.
    void StartNote(uint32_t track, uint32_t note, Hit hit, SynthReport report, bool is_hit)
    {
        hit.steps = report.length / static_cast<double>(synth_step_parts);
        Sound(track, note, hit);
        report.kind = SynthReportNote;
        report.track = static_cast<uint8_t>(track);
        report.note = static_cast<int8_t>(static_cast<int32_t>(note) + LowestNote(track));
        report.velocity = static_cast<uint8_t>(hit.velocity);
        report.steps = static_cast<uint8_t>(is_hit ? 0 : report.length / synth_step_parts);
        if (transmits_ && is_hit) {
            EndNote(track, note);
            note_ends_.Add({track, note, sequencer_.clock.PlaceAfter(report.length)});
        }
        Report(report);
    }

    // Reports the end of a note that other instruments still hold.
    void EndNote(uint32_t track, uint32_t note)
    {
        note_ends_.Remove([&](const NoteEnd &end) { return end.track == track && end.note == note; },
                          [&](const NoteEnd &end) { ReportEnd(end); });
    }

    void ReportEnd(const NoteEnd &end)
    {
        SynthReport report = {};
        report.frame = now_;
        report.kind = SynthReportNoteEnd;
        report.track = static_cast<uint8_t>(end.track);
        report.note = static_cast<int8_t>(static_cast<int32_t>(end.note) + LowestNote(end.track));
        Report(report);
    }

    // Reports the ends that are due. Returns the frames to the next, at most `limit`.
    uint32_t EndNotes(uint32_t limit)
    {
        const Clock &clock = sequencer_.clock;
        int64_t next = INT64_MAX;
        note_ends_.Remove(
            [&](const NoteEnd &end) {
                const int64_t units = clock.UnitsTo(end.place);
                next = units > 0 ? std::min(next, units) : next;
                return units <= 0;
            },
            [&](const NoteEnd &end) { ReportEnd(end); });
        return next == INT64_MAX ? limit : clock.FramesUntil(clock.Position() + next, limit);
    }

    bool Report(const SynthReport &report)
    {
        if (reports_.Write(&report, 1)) {
            return true;
        }
        Count(reports_lost_, 1);
        return false;
    }

    void Sound(uint32_t track, uint32_t note, const Hit &hit)
    {
        CountStolen(voices_.Start(track, note, hit, sequencer_.clock.Tempo()));
    }

    void CountStolen(uint32_t lost)
    {
        if (lost > 0) {
            Count(voices_stolen_, lost);
        }
    }

    void RenderBlock(float *out, uint32_t frames)
    {
        if (voices_.Silent() && master_.AtRest()) {
            voices_.Rest(frames);
            std::fill_n(out, 2 * frames, 0.0f);
        } else {
            voices_.Render(mix_, frames);
            master_.Render(mix_, out, frames, now_);
        }
        if (pulse_output_ == SynthPulseLeft) {
            for (uint32_t i = 0; i < frames; ++i) {
                out[2 * i + 1] = (out[2 * i] + out[2 * i + 1]) * 0.5f;
            }
            pulse_.Write(out, frames, now_, 2);
        }
    }

    Ring<SynthCommand, kCommandCapacity> commands_;
    Ring<SynthReport, kReportCapacity> reports_;
    std::atomic<uint64_t> frames_ = {0};
    std::atomic<uint64_t> commands_refused_ = {0};
    std::atomic<uint64_t> reports_lost_ = {0};
    std::atomic<uint64_t> voices_stolen_ = {0};

    Sequencer sequencer_;
    Voices voices_;
    Master master_;
    Mix mix_;

    Pulse pulse_;
    int32_t pulse_output_ = SynthPulseOff;
    bool transmits_ = false;
    SynthReport pending_switch_ = {};  // report still to send; kind 0 for none
    std::array<TrackControls, kTracks> controls_;  // without the locks
    std::array<LockedControls, kTracks> locks_ = {};
    bool fills_ = false;
    NoteEnds note_ends_;
    uint32_t silent_ = 0;        // one bit per track
    bool clicks_ = false;
    uint32_t delay_steps_ = 3;
    uint64_t now_ = 0;
};

}  // namespace synth

#endif
