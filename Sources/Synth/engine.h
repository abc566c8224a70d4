// The complete sound engine: commands, sequencer, voices, master, output samples. It owns all memory.

#ifndef PIXELBOOP_SYNTH_ENGINE_H
#define PIXELBOOP_SYNTH_ENGINE_H

#include <algorithm>
#include <cstdint>

#include "any_engine.h"
#include "base/tracks.h"
#include "base/velocity.h"
#include "controls/control_ranges.h"
#include "counter.h"
#include "lanes/lanes.h"
#include "master.h"
#include "performer.h"
#include "reports.h"
#include "ring.h"
#include "samples/pad.h"
#include "samples/samples.h"
#include "sequence/pattern.h"
#include "sequence/sequencer.h"
#include "sequence/waiting_commands.h"
#include "sound_memory.h"
#include "stems.h"
#include "synth.h"
#include "voices.h"

namespace synth {

// Room for three patterns with all lanes and rows, and for a few gestures.
constexpr uint32_t kCommandCapacity = 8192;

// Number of the last step that a transport may begin with: three hours at 300 BPM.
constexpr uint32_t kLastNumber = (1u << 18) - 1;

constexpr uint32_t kStepsOfBeatMax = 6;
constexpr uint32_t kBeatsOfBarMax = 16;

class Engine final : public AnyEngine {
  public:
    explicit Engine(uint32_t rate) : rate_(rate), performer_(rate, reports_, samples_), master_(rate), player_(rate)
    {
        TimeDelay();
    }

    bool HasMemory() const noexcept override
    {
        return master_.fx.HasMemory();
    }

    bool Post(const SynthCommand *commands, uint32_t count) noexcept SYNTH_NONBLOCKING override
    {
        if (commands_.Write(commands, count)) {
            return true;
        }
        commands_refused_.Add(1);
        return false;
    }

    bool Remember(uint32_t frames, bool touch) noexcept override
    {
        const bool has_memory = performer_.now == 0 && memory_.Allocate(frames, touch);
        if (has_memory && touch) {
            master_.fx.Touch();
        }
        return has_memory;
    }

    bool Recall(uint64_t frame, int16_t *out, uint32_t frames) const noexcept SYNTH_NONBLOCKING override
    {
        return memory_.Read(frame, out, frames);
    }

    bool LoadSample(uint32_t slot, const int16_t *frames, uint32_t count, uint32_t channels,
                    uint32_t rate) noexcept override
    {
        return samples_.Load(slot, frames, count, channels, rate, rate_);
    }

    bool FreeSample(uint32_t slot) noexcept override
    {
        samples_.Free(slot);
        return samples_.IsEmpty(slot);
    }

    uint32_t ReadReports(SynthReport *reports, uint32_t capacity) noexcept SYNTH_NONBLOCKING override
    {
        return reports_.Read(reports, capacity);
    }

    void Render(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        Undivided whole;
        Render(out, frames, whole);
    }

    void RenderStems(float *out, float *stems, uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        Stems parts(stems);
        Render(out, frames, parts);
    }

    void Pass(uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        while (frames > 0) {
            const uint32_t run = Perform(frames);
            frames -= run;
            performer_.now += run;
        }
        frames_.Set(performer_.now);
    }

    void RenderPulses(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        performer_.pulse.Write(out, frames, performer_.now - frames, 1);
    }

    uint32_t Latency() const noexcept SYNTH_NONBLOCKING override
    {
        return Limiter::kDelay;
    }

    SynthCounters Counters() const noexcept SYNTH_NONBLOCKING override
    {
        return {frames_.Value(), commands_refused_.Value(), reports_.Written(), reports_.Lost(), performer_.Stolen()};
    }

  private:
    template <typename Parts>
    void Render(float *out, uint32_t frames, Parts &parts)
    {
        while (frames > 0) {
            const uint32_t run = Perform(std::min(frames, kBlock));
            RenderBlock(out, run, parts);
            out += 2 * run;
            frames -= run;
            performer_.now += run;
        }
        frames_.Set(performer_.now);
    }

    Sequencer &Sequence()
    {
        return performer_.sequencer;
    }

    // Begins what is due. Returns the frames, at most `limit`, in which nothing else begins.
    uint32_t Perform(uint32_t limit)
    {
        limit = static_cast<uint32_t>(std::min<uint64_t>(limit, ApplyCommands()));
        limit = performer_.voices.FramesTogether(limit);
        limit = master_.fx.BeginAgain(limit, Sequence().clock);
        if (Sequence().Playing() || reports_.transmits || Sequence().clock.IsSteered()) {
            limit = performer_.Run(
                limit, [this] { ApplyWaiting(); }, [this] { TimeDelay(); },
                [this] { master_.fx.BeginWaiting(Sequence().clock); });
            clock_frames_ = limit;
        } else {
            clock_frames_ = 0;
        }
        return limit;
    }

    // The place of a block whose end the clock has reached already.
    FxTime TimeOfBlock()
    {
        const Clock &clock = Sequence().clock;
        const int64_t begin = Sequence().HasBegun() ? clock.LineUnits(Sequence().Origin()) : clock.LineUnits(0);
        return {clock.Position() - clock_frames_ * clock.Speed() - begin, clock.Speed(), Sequence().Playing()};
    }

    // Applies all due commands. Returns the frames until the next command, UINT64_MAX for none.
    uint64_t ApplyCommands()
    {
        while (const SynthCommand *command = commands_.Front()) {
            if (command->frame > performer_.now) {
                return command->frame - performer_.now;
            }
            if (!waiting_.Add(*command)) {
                Apply(*command);
            }
            commands_.Drop();
        }
        return UINT64_MAX;
    }

    // The only reader of payloads: it reads the member that the kind names. The loop sends values in range. An
    // erroneous value must not be audible, so every value is clamped.
    void Apply(const SynthCommand &command)
    {
        const SynthCommandPayload &payload = command.payload;
        switch (command.kind) {
        case SynthPlay:
            Sequence().Play(std::min(32u, payload.play.beats));
            break;
        case SynthPlayFrom:
            Sequence().PlayFrom(std::min(kLastNumber, payload.play_from.step));
            break;
        case SynthSteer:
            Steer(payload.steer, performer_.now - std::min(performer_.now, command.frame));
            break;
        case SynthRelease:
            Sequence().clock.Release();
            TimeDelay();
            break;
        case SynthTransmit:
            reports_.transmits = payload.toggle.is_on;
            break;
        case SynthStop:
            waiting_.Clear();
            performer_.Stop();
            master_.fx.BeginWaiting(Sequence().clock);
            break;
        case SynthStay:
            Sequence().Stay();
            break;
        case SynthSilent:
            performer_.Silence(payload.silent.tracks & Voices::kAllTracks);
            break;
        case SynthVolume:
            master_.SetVolume(std::min(65536u, payload.volume.volume));
            break;
        case SynthSet:
            SetControl(payload.control);
            break;
        case SynthTransmitControl:
            performer_.TransmitControl(payload.transmit_control.control, payload.transmit_control.track);
            break;
        case SynthAudition:
            Audition(payload.audition);
            break;
        case SynthNoteOn:
            Hold(payload.note_on);
            break;
        case SynthNoteExpression:
            if (NamesNote(payload.note_expression)) {
                performer_.voices.Express(payload.note_expression.track, NoteOf(payload.note_expression),
                                          Expression::Of(payload.note_expression.expression));
            }
            break;
        case SynthNoteOff:
            if (NamesNote(payload.note_off)) {
                performer_.voices.Release(payload.note_off.track, NoteOf(payload.note_off));
            }
            break;
        case SynthFade:
            performer_.Fade();
            break;
        case SynthHear:
            if (memory_.Has(payload.hear.from)) {
                player_.Play(payload.hear.from);
            }
            break;
        case SynthHearMusic:
            player_.Stop();
            break;
        case SynthHearLoop:
            player_.SetLoop(payload.hear_loop.begin, payload.hear_loop.count);
            break;
        case SynthPad:
            if (payload.pad.drum < synth_drums) {
                performer_.voices.SetPad(payload.pad.drum, Pad::Of(payload.pad));
            }
            break;
        case SynthUnload:
            if (samples_.At(payload.unload.slot) != nullptr) {
                performer_.voices.Unload(payload.unload.slot);
            }
            break;
        case SynthMetronome:
            performer_.clicks = payload.toggle.is_on;
            break;
        case SynthFill:
            performer_.fills = payload.toggle.is_on;
            break;
        case SynthRow:
            Edit(payload.row);
            break;
        case SynthTempo:
            Edit(payload.tempo);
            break;
        case SynthLength:
            Edit(payload.length);
            break;
        case SynthMetre:
            Edit(payload.metre);
            break;
        case SynthLane:
            Edit(payload.lane);
            break;
        case SynthNoteLane:
            Edit(payload.note_lane);
            break;
        case SynthNoLanes:
            Edit(payload.no_lanes);
            break;
        case SynthShape:
            Edit(payload.shape);
            break;
        case SynthSeed:
            Edit(payload.seed);
            break;
        case SynthTuning:
            Edit(payload.tuning);
            break;
        case SynthReference:
            Edit(payload.reference);
            break;
        case SynthSwitchAtBar:
            Edit(payload.switch_at_bar);
            break;
        case SynthSwitchAtEnd:
            Edit(payload.switch_at_end);
            break;
        case SynthAwaitSwitch:
            waiting_.Collect(payload.toggle.is_on);
            break;
        case SynthSwitchTracks:
            SwitchTracks(payload.switch_tracks);
            break;
        case SynthFx:
            master_.fx.Set(payload.fx, payload.fx.waits && Sequence().Playing(), Sequence().clock);
            break;
        }
    }

    // Applies the commands that wait for the other pattern, which begins now.
    void ApplyWaiting()
    {
        waiting_.Release([this](const SynthCommand &command) { Apply(command); });
    }

    void Steer(const SynthSteerCommand &command, uint64_t late)
    {
        constexpr int64_t kSlowest = int64_t{10} << 20;
        constexpr int64_t kFastest = int64_t{1000} << 20;
        const int64_t tempo = std::clamp<int64_t>(command.tempo, kSlowest, kFastest);
        Sequence().Steer(command.position, Clock::SpeedOf(tempo), late);
        TimeDelay();
    }

    void Audition(const SynthAuditionCommand &command)
    {
        if (NamesNote(command) && !performer_.Silent(command.track)) {
            Hit hit;
            hit.velocity = VelocityOfCell(command.velocity);
            hit.steps = std::clamp(command.steps, 1u, kSteps);
            performer_.Sound(command.track, NoteOf(command), hit, Sequence().Current().tuning);
        }
    }

    void Hold(const SynthNoteOnCommand &command)
    {
        if (NamesNote(command) && !performer_.Silent(command.track)) {
            const uint32_t velocity = std::clamp<uint32_t>(command.velocity, 1, kAccentVelocity);
            performer_.CountStolen(performer_.voices.Hold(command.track, NoteOf(command), velocity,
                                                          Sequence().clock.Tempo(), Sequence().Current().tuning,
                                                          Expression::Of(command.expression)));
        }
    }

    // The command's note, counted from the track's lowest.
    template <typename Command>
    static uint32_t NoteOf(const Command &command)
    {
        return static_cast<uint32_t>(command.note - LowestNote(command.track));
    }

    template <typename Command>
    static bool NamesNote(const Command &command)
    {
        return command.track < kTracks && NoteOf(command) < NoteCount(command.track);
    }

    // Performs a command for a pattern, unless it was for the waiting one, which plays now.
    template <typename Command>
    void Edit(const Command &command)
    {
        const uint32_t number = std::min<uint32_t>(command.pattern.number, synth_parts);
        if (!command.pattern.waiting || !Sequence().Plays(number)) {
            Change(number, command);
        }
    }

    void Change(uint32_t number, const SynthRowCommand &command)
    {
        if (NamesNote(command) && command.window < kWindows) {
            Sequence().At(number).SetRow(command.track, NoteOf(command), command.window, command.cells);
        }
    }

    void Change(uint32_t number, const SynthTempoCommand &command)
    {
        Sequence().SetTempo(number, std::clamp<uint32_t>(command.tempo, synth_tempo_min, synth_tempo_max));
        if (Sequence().Plays(number)) {
            TimeDelay();
        }
    }

    void Change(uint32_t number, const SynthLengthCommand &command)
    {
        Sequence().At(number).SetLength(std::clamp(command.steps, 1u, kSteps));
    }

    void Change(uint32_t number, const SynthLaneCommand &command)
    {
        if (command.track >= kTracks || command.lane >= synth_lanes) {
            return;
        }
        Lanes &lanes = Sequence().At(number).LanesOf(command.track);
        for (uint32_t i = 0; i < synth_lane_values && command.step + i < kSteps; ++i) {
            lanes.Set(command.lane, command.step + i, command.values[i]);
        }
    }

    void Change(uint32_t number, const SynthNoteLaneCommand &command)
    {
        if (!NamesNote(command) || command.lane >= NoteLanes::kLanes) {
            return;
        }
        NoteLanes &lanes = Sequence().At(number).NotesOf(command.track);
        for (uint32_t i = 0; i < synth_lane_values && command.step + i < kSteps; ++i) {
            lanes.Set(command.lane, NoteOf(command), command.step + i, command.values[i]);
        }
    }

    void Change(uint32_t number, const SynthNoLanesCommand &)
    {
        for (uint32_t track = 0; track < kTracks; ++track) {
            Sequence().At(number).LanesOf(track) = Lanes();
            Sequence().At(number).NotesOf(track).Clear();
        }
    }

    void Change(uint32_t number, const SynthShapeCommand &command)
    {
        if (command.track < kTracks) {
            Sequence().At(number).SetShape(command.track, Shape::Of(command));
        }
    }

    void Change(uint32_t number, const SynthSeedCommand &command)
    {
        Sequence().At(number).SetSeed(std::clamp(command.seed, 1u, 65535u));
    }

    void Change(uint32_t number, const SynthTuningCommand &command)
    {
        Tuning &tuning = Sequence().At(number).tuning;
        for (uint32_t i = 0; i < synth_tuning_offsets && command.pitch_class + i < Tuning::kPitchClasses; ++i) {
            tuning.SetOffset(command.pitch_class + i, command.offsets[i]);
        }
    }

    void Change(uint32_t number, const SynthReferenceCommand &command)
    {
        Sequence().At(number).tuning.SetReference(
            std::clamp<int32_t>(command.a4, synth_reference_min, synth_reference_max));
    }

    void Change(uint32_t number, const SynthMetreCommand &command)
    {
        Sequence().At(number).SetMetre(std::clamp<uint32_t>(command.steps, 1, kStepsOfBeatMax),
                                       std::clamp<uint32_t>(command.beats, 1, kBeatsOfBarMax));
    }

    void Change(uint32_t number, const SynthSwitchAtBarCommand &command)
    {
        const uint32_t steps = std::clamp<uint32_t>(command.steps, 1, kStepsOfBeatMax * kBeatsOfBarMax);
        Sequence().SwitchAtMultiple(number & 1, steps, command.tag, command.ends_parts);
        TimeDelay();
    }

    void Change(uint32_t number, const SynthSwitchAtEndCommand &command)
    {
        Sequence().SwitchAtEnd(number & 1, command.passes, command.tag, command.ends_parts);
        TimeDelay();
    }

    void SwitchTracks(const SynthSwitchTracksCommand &command)
    {
        Sequence().SwitchTracks({command.tracks & Voices::kAllTracks, command.returning, command.tag}, command.reports);
    }

    void SetControl(const SynthControlCommand &command)
    {
        const SynthRange range = RangeOf(command.control);
        const int32_t value = std::clamp(command.value, range.lowest, range.highest);
        switch (command.control) {
        case SynthSwing:
            Sequence().clock.SetSwing(static_cast<uint32_t>(value));
            break;
        case SynthDelaySteps:
            delay_steps_ = static_cast<uint32_t>(value);
            TimeDelay();
            break;
        case SynthPulseOutput:
            pulse_output_ = value;
            break;
        case SynthPulsesPerQuarter:
            Sequence().clock.SetPulses(48 % value == 0 ? static_cast<uint32_t>(value) : 2);
            break;
        case SynthPulseMilliseconds:
            performer_.pulse.SetLength(value);
            break;
        case SynthPulseLevel:
            performer_.pulse.SetLevel(static_cast<float>(value) / 100.0f);
            break;
        default:
            if (!master_.Set(command.control, value) && command.track < kTracks) {
                performer_.SetControl(command.control, command.track, value);
            }
            break;
        }
    }

    void TimeDelay()
    {
        master_.delay.SetTime(Sequence().clock.FramesOf(delay_steps_));
    }

    template <typename Parts>
    void RenderBlock(float *out, uint32_t frames, Parts &parts)
    {
        if (performer_.voices.Silent() && master_.AtRest()) {
            performer_.voices.Rest(frames);
            master_.fx.Rest(frames);
            std::fill_n(out, 2 * frames, 0.0f);
            parts.Rest(frames);
        } else {
            performer_.voices.Render(mix_, frames, parts);
            master_.Render(mix_, out, frames, performer_.now, TimeOfBlock(), parts);
        }
        performer_.voices.ReleaseSamples();
        memory_.Write(out, frames);
        if (!player_.Rests()) {
            player_.Mix(out, frames, memory_);
        }
        if (pulse_output_ == SynthPulseLeft) {
            for (uint32_t i = 0; i < frames; ++i) {
                out[2 * i + 1] = (out[2 * i] + out[2 * i + 1]) * 0.5f;
            }
            performer_.pulse.Write(out, frames, performer_.now, 2);
        }
    }

    static_assert(sizeof(SynthCommand) == 32 && sizeof(SynthReport) == 24, "half a cache line at most");
    Ring<SynthCommand, kCommandCapacity> commands_;
    Reports reports_;
    Counter frames_;
    Counter commands_refused_;

    const uint32_t rate_;
    Samples samples_;
    Performer performer_;
    Master master_;
    Mix mix_;
    SoundMemory memory_;
    MemoryPlayer player_;

    WaitingCommands waiting_;
    int32_t pulse_output_ = SynthPulseOff;
    uint32_t delay_steps_ = 3;
    uint32_t clock_frames_ = 0;  // by which the clock has advanced for the present block
};

}  // namespace synth

#endif
