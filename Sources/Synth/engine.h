// The complete sound engine: commands, sequencer, voices, master, output samples. It owns all memory.

#ifndef PIXELBOOP_SYNTH_ENGINE_H
#define PIXELBOOP_SYNTH_ENGINE_H

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "any_engine.h"
#include "lanes/lanes.h"
#include "master.h"
#include "pulse.h"
#include "ring.h"
#include "sequence/pattern.h"
#include "sequence/sequencer.h"
#include "synth.h"
#include "voices.h"

namespace synth {

// Room for several patterns with their settings and rows of a few gestures.
constexpr uint32_t kCommandCapacity = 1024;

// Room for 6 s of every note on every step at 200 BPM: a reader that sleeps that long loses nothing.
constexpr uint32_t kReportCapacity = 4096;

// Number of the last step that a transport may begin with: six hours at 200 BPM.
constexpr uint32_t kLastNumber = (1u << 18) - 1;

class Engine final : public AnyEngine {
  public:
    explicit Engine(uint32_t rate) : sequencer_(rate), voices_(rate), master_(rate), pulse_(rate)
    {
        TimeDelay();
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
        clock.Advance(limit);
        return limit;
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
            sequencer_.Stop();
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
                StartNote(command.track, NoteOf(command), std::clamp<uint32_t>(command.velocity, 1, kVelocities),
                          std::clamp(command.value, 1u, kSteps));
            }
            break;
        case SynthNoteOn:
            if (NamesNote(command) && !Silent(command.track)) {
                CountStolen(voices_.Hold(command.track, NoteOf(command),
                                         std::clamp<uint32_t>(command.velocity, 1, kVelocities), sequencer_.clock.Tempo(),
                                         Expression::Of(command.cells)));
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
        case SynthRow:
        case SynthTempo:
        case SynthLength:
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
        default:
            sequencer_.SwitchTo(number, command.kind == SynthSwitchAtEnd, static_cast<uint16_t>(command.value));
            TimeDelay();
            break;
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
                TrackControls controls = voices_.Controls(track);
                if (int32_t *const control = ControlOf(controls, kind)) {
                    *control = value;
                    voices_.Control(track, controls);
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
            if (!Silent(track)) {
                BeginNotes(track, report);
            }
        }
    }

    void BeginNotes(uint32_t track, SynthReport report)
    {
        const Pattern &pattern = sequencer_.Current();
        for (uint32_t note = 0; note < NoteCount(track); ++note) {
            const uint32_t velocity = pattern.Velocity(track, note, report.step);
            if (velocity == 0) {
                continue;
            }
            const uint32_t steps = pattern.RunLength(track, note, report.step);
            StartNote(track, note, velocity, steps);
            report.kind = SynthReportNote;
            report.track = static_cast<uint8_t>(track);
            report.note = static_cast<int8_t>(static_cast<int32_t>(note) + LowestNote(track));
            report.velocity = static_cast<uint8_t>(velocity);
            report.steps = static_cast<uint8_t>(steps);
            Report(report);
        }
    }

    bool Report(const SynthReport &report)
    {
        if (reports_.Write(&report, 1)) {
            return true;
        }
        Count(reports_lost_, 1);
        return false;
    }

    void StartNote(uint32_t track, uint32_t note, uint32_t velocity, uint32_t steps)
    {
        CountStolen(voices_.Start(track, note, velocity, steps, sequencer_.clock.Tempo()));
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
    uint32_t silent_ = 0;        // one bit per track
    bool clicks_ = false;
    uint32_t delay_steps_ = 3;
    uint64_t now_ = 0;
};

}  // namespace synth

#endif
