// The complete sound engine: commands, sequencer, voices, master, output samples. It owns all memory.

#ifndef PIXELBOOP_SYNTH_ENGINE_H
#define PIXELBOOP_SYNTH_ENGINE_H

#include <algorithm>
#include <cstdint>

#include "any_engine.h"
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
#include "sound_memory.h"
#include "synth.h"
#include "velocity.h"
#include "voices.h"
#include "voicing.h"

namespace synth {

// Room for two patterns with all lanes and rows, and for a few gestures.
constexpr uint32_t kCommandCapacity = 2048;

// Number of the last step that a transport may begin with: six hours at 200 BPM.
constexpr uint32_t kLastNumber = (1u << 18) - 1;

class Engine final : public AnyEngine {
  public:
    explicit Engine(uint32_t rate) : rate_(rate), performer_(rate, reports_, samples_), master_(rate), player_(rate)
    {
        TimeDelay();
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
        return performer_.now == 0 && memory_.Allocate(frames, touch);
    }

    bool Recall(uint64_t frame, int16_t *out, uint32_t frames) const noexcept SYNTH_NONBLOCKING override
    {
        return memory_.Read(frame, out, frames);
    }

    bool LoadSample(uint32_t slot, const int16_t *frames, uint32_t count, uint32_t channels, uint32_t rate) noexcept override
    {
        return samples_.Load(slot, frames, count, channels, rate, rate_);
    }

    bool FreeSample(uint32_t slot) noexcept override
    {
        samples_.Free(slot);
        return samples_.IsEmpty(slot);
    }

    uint32_t TakeReports(SynthReport *reports, uint32_t capacity) noexcept SYNTH_NONBLOCKING override
    {
        return reports_.Take(reports, capacity);
    }

    void Render(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING override
    {
        while (frames > 0) {
            uint32_t run = std::min(frames, kBlock);
            run = performer_.voices.FramesTogether(static_cast<uint32_t>(std::min<uint64_t>(run, ApplyCommands())));
            if (Sequence().Playing() || reports_.transmits || Sequence().clock.IsSteered()) {
                run = performer_.Run(run, [this] { TimeDelay(); });
            }
            RenderBlock(out, run);
            out += 2 * run;
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
        return {frames_.Value(), commands_refused_.Value(), reports_.Lost(), performer_.Stolen()};
    }

  private:
    Sequencer &Sequence()
    {
        return performer_.sequencer;
    }

    // Applies all due commands. Returns the frames until the next command, UINT64_MAX for none.
    uint64_t ApplyCommands()
    {
        while (const SynthCommand *command = commands_.Front()) {
            if (command->frame > performer_.now) {
                return command->frame - performer_.now;
            }
            Apply(*command);
            commands_.Drop();
        }
        return UINT64_MAX;
    }

    // The loop sends values in range. An erroneous value must not be audible, so every value is clamped.
    void Apply(const SynthCommand &command)
    {
        switch (command.kind) {
        case SynthPlay:
            Sequence().Play(std::min(8u, command.value));
            break;
        case SynthPlayFrom:
            Sequence().PlayFrom(std::min(kLastNumber, command.value));
            break;
        case SynthSteer:
            Steer(command);
            break;
        case SynthRelease:
            Sequence().clock.Release();
            TimeDelay();
            break;
        case SynthTransmit:
            reports_.transmits = command.value != 0;
            break;
        case SynthStop:
            performer_.Stop();
            break;
        case SynthStay:
            Sequence().Stay();
            break;
        case SynthSilent:
            performer_.Silence(command.value & Voices::kAllTracks);
            break;
        case SynthVolume:
            master_.SetVolume(std::min(65536u, command.value));
            break;
        case SynthAudition:
            if (NamesNote(command) && !performer_.Silent(command.track)) {
                Hit hit;
                hit.velocity = VelocityOfCell(command.velocity);
                hit.steps = std::clamp(command.value, 1u, kSteps);
                performer_.Sound(command.track, NoteOf(command), hit, Sequence().Current().tuning);
            }
            break;
        case SynthNoteOn:
            if (NamesNote(command) && !performer_.Silent(command.track)) {
                performer_.CountStolen(performer_.voices.Hold(command.track, NoteOf(command), VelocityOfCell(command.velocity),
                                         Sequence().clock.Tempo(), Sequence().Current().tuning,
                                         Expression::Of(command.cells)));
            }
            break;
        case SynthNoteExpression:
            if (NamesNote(command)) {
                performer_.voices.Express(command.track, NoteOf(command), Expression::Of(command.cells));
            }
            break;
        case SynthNoteOff:
            if (NamesNote(command)) {
                performer_.voices.Release(command.track, NoteOf(command));
            }
            break;
        case SynthFade:
            performer_.Fade();
            break;
        case SynthHear:
            if (command.value == 0) {
                player_.Stop();
            } else if (memory_.Has(command.cells)) {
                player_.Play(command.cells);
            }
            break;
        case SynthHearLoop:
            player_.SetLoop(command.cells, command.value);
            break;
        case SynthPad:
            if (command.note >= 0 && command.note < synth_drums) {
                performer_.voices.SetPad(static_cast<uint32_t>(command.note), Pad::Of(command));
            }
            break;
        case SynthUnload:
            if (samples_.At(command.value) != nullptr) {
                performer_.voices.Unload(command.value);
            }
            break;
        case SynthMetronome:
            performer_.clicks = command.value != 0;
            break;
        case SynthFill:
            performer_.fills = command.value != 0;
            break;
        case SynthRow:
        case SynthTempo:
        case SynthLength:
        case SynthLane:
        case SynthNoLanes:
        case SynthShape:
        case SynthSeed:
        case SynthTuning:
        case SynthReference:
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
        Sequence().Steer(static_cast<int64_t>(command.cells), std::clamp<int64_t>(command.value, kSlowest, kFastest),
                         performer_.now - std::min(performer_.now, command.frame));
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
        if (command.waiting != 0 && Sequence().Plays(number)) {
            return;
        }
        switch (command.kind) {
        case SynthRow:
            if (NamesNote(command)) {
                Sequence().At(number).SetRow(command.track, NoteOf(command), command.cells);
            }
            break;
        case SynthTempo:
            Sequence().SetTempo(number, std::clamp(command.value, static_cast<uint32_t>(RangeOf(SynthTempo).lowest),
                                                   static_cast<uint32_t>(RangeOf(SynthTempo).highest)));
            if (Sequence().Plays(number)) {
                TimeDelay();
            }
            break;
        case SynthLength:
            Sequence().At(number).SetLength(std::clamp(command.value, 1u, kSteps));
            break;
        case SynthLane:
            SetLane(number, command);
            break;
        case SynthNoLanes:
            for (uint32_t track = 0; track < kTracks; ++track) {
                Sequence().At(number).LanesOf(track) = Lanes();
            }
            break;
        case SynthShape:
            if (command.track < kTracks) {
                Sequence().At(number).SetShape(command.track, Shape::Of(command.cells));
            }
            break;
        case SynthSeed:
            Sequence().At(number).SetSeed(std::clamp(command.value, 1u, 65535u));
            break;
        case SynthTuning:
            SetTuning(Sequence().At(number).tuning, command);
            break;
        case SynthReference:
            Sequence().At(number).tuning.SetReference(InRange(command));
            break;
        default:
            Sequence().SwitchTo(number, command.kind == SynthSwitchAtEnd, command.cells,
                                static_cast<uint16_t>(command.value));
            TimeDelay();
            break;
        }
    }

    static void SetTuning(Tuning &tuning, const SynthCommand &command)
    {
        for (uint32_t place = 0; place < 2; ++place) {
            const uint32_t pitch_class = static_cast<uint32_t>(command.note) + place;
            if (pitch_class < Tuning::kPitchClasses) {
                tuning.SetOffset(pitch_class, static_cast<int32_t>(static_cast<uint32_t>(command.cells >> (32 * place))));
            }
        }
    }

    void SetLane(uint32_t number, const SynthCommand &command)
    {
        if (command.track >= kTracks || command.note < 0 || command.note >= synth_lanes) {
            return;
        }
        for (uint32_t place = 0; place < 4 && command.value < kSteps - place; ++place) {
            const uint16_t value = static_cast<uint16_t>(command.cells >> (16 * place));
            Sequence().At(number).LanesOf(command.track).Set(static_cast<uint32_t>(command.note), command.value + place,
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
            if (!master_.Set(kind, value) && track < kTracks) {
                performer_.SetControl(kind, track, value);
            }
            break;
        }
    }

    void TimeDelay()
    {
        master_.delay.SetTime(Sequence().clock.FramesOf(delay_steps_));
    }

    void RenderBlock(float *out, uint32_t frames)
    {
        if (performer_.voices.Silent() && master_.AtRest()) {
            performer_.voices.Rest(frames);
            std::fill_n(out, 2 * frames, 0.0f);
        } else {
            performer_.voices.Render(mix_, frames);
            master_.Render(mix_, out, frames, performer_.now);
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

    int32_t pulse_output_ = SynthPulseOff;
    uint32_t delay_steps_ = 3;
};

}  // namespace synth

#endif
