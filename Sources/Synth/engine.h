// The whole instrument: commands in, steps and notes, voices, master, samples out. All memory is here.

#ifndef PIXELBOOP_SYNTH_ENGINE_H
#define PIXELBOOP_SYNTH_ENGINE_H

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "bank.h"
#include "clock.h"
#include "drum_kit.h"
#include "glide.h"
#include "limiter.h"
#include "melodic_track.h"
#include "pattern.h"
#include "ring.h"
#include "sources.h"
#include "synth.h"
#include "waves.h"

namespace synth {

// A pattern, its settings and a few gestures' worth of rows fit several times over.
constexpr uint32_t kCommandCapacity = 1024;

// Reports of 7 s of every note on every step at 200 BPM: a reader that sleeps that long loses nothing.
constexpr uint32_t kReportCapacity = 4096;

// Every melodic note started on every step at 200 BPM sounds for two steps, so nothing is stolen before a length
// or tempo changes. The lanes have room for that many to fade while a further step begins.
constexpr uint32_t kMelodicVoices = 72;
constexpr uint32_t kMelodicGroups = 14;

// The same for the drums, whose crash and ride sound for 8 and 6 such steps.
constexpr uint32_t kToneVoices = 40;
constexpr uint32_t kToneGroups = 8;
constexpr uint32_t kNoiseVoices = 32;
constexpr uint32_t kNoiseGroups = 6;

// Samples between two looks at the commands, and the length of the mixing buffer (2 KB).
constexpr uint32_t kBlock = 64;

class Engine {
  public:
    explicit Engine(uint32_t rate)
        : melodic_tracks_(rate),
          drum_kit_(rate),
          clock_(rate),
          limiter_(rate),
          steal_frames_(Frames(160.0 / 48.0, rate)),
          fade_frames_(Frames(5.0, rate)),
          glide_frames_(Frames(20.0, rate))
    {
    }

    bool Post(const SynthCommand *commands, uint32_t count)
    {
        if (commands_.Write(commands, count)) {
            return true;
        }
        Count(commands_refused_, 1);
        return false;
    }

    uint32_t TakeReports(SynthReport *reports, uint32_t capacity)
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

    void Render(float *out, uint32_t frames)
    {
        while (frames > 0) {
            uint32_t run = std::min(frames, kBlock);
            run = static_cast<uint32_t>(std::min<uint64_t>(run, ApplyCommands()));
            if (playing_) {
                if (clock_.StepIsDue()) {
                    clock_.TakeStep();
                    BeginStep();
                }
                run = std::min(run, clock_.FramesToStep());
                clock_.Advance(run);
            }
            RenderBlock(out, run);
            out += 2 * run;
            frames -= run;
            now_ += run;
        }
        frames_.store(now_, std::memory_order_relaxed);
    }

    SynthCounters Counters() const
    {
        return {frames_.load(std::memory_order_relaxed), commands_refused_.load(std::memory_order_relaxed),
                reports_lost_.load(std::memory_order_relaxed), voices_stolen_.load(std::memory_order_relaxed)};
    }

  private:
    // Master gain at volume 1 (+2.9 dB), fixed so that renders compare: a run, triads, a bass line and kick, snare
    // and hat at normal velocity then peak at -6 dB, which leaves their accents below the limiter's ceiling.
    static constexpr float kMakeUp = 1.4f;

    static constexpr float kVolumeScale = kMakeUp / 65536.0f;
    static constexpr uint32_t kAllTracks = (1u << kTracks) - 1;

    // Only one thread ever adds to a counter, so no read-modify-write is needed.
    static void Count(std::atomic<uint64_t> &counter, uint64_t amount)
    {
        counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
    }

    // Applies what is due and returns the frames until the next command, UINT64_MAX if none waits.
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

    void Apply(const SynthCommand &command)
    {
        switch (command.kind) {
        case SynthPlay:
            playing_ = true;
            step_ = kSteps - 1;  // the step that comes is 0
            clock_.Restart();
            break;
        case SynthStop:
            playing_ = false;
            Fade(kAllTracks);
            break;
        case SynthRow:
            if (command.track < kTracks && command.note < kNotes) {
                pattern_.SetRow(command.track, command.note, command.cells);
            }
            break;
        case SynthTempo:
            clock_.SetTempo(std::min(200u, std::max(60u, command.value)));
            break;
        case SynthLength:
            pattern_.SetLength(std::min(kSteps, std::max(1u, command.value)));
            break;
        case SynthSilent:
            silent_ = command.value & kAllTracks;
            Fade(silent_);
            break;
        case SynthVolume:
            master_.MoveTo(static_cast<float>(std::min(65536u, command.value)) * kVolumeScale, glide_frames_);
            break;
        case SynthAudition:
            if (command.track < kTracks && command.note < kNotes && !Silent(command.track)) {
                StartNote(command.track, command.note, std::min(kVelocities, std::max<uint32_t>(1, command.velocity)),
                          std::min(kSteps, std::max(1u, command.value)));
            }
            break;
        case SynthFade:
            Fade(kAllTracks);
            break;
        default:
            break;
        }
    }

    bool Silent(uint32_t track) const
    {
        return (silent_ >> track & 1) != 0;
    }

    void Fade(uint32_t tracks)
    {
        melodic_.Fade(tracks, fade_frames_);
        tones_.Fade(tracks, fade_frames_);
        noises_.Fade(tracks, fade_frames_);
    }

    void BeginStep()
    {
        step_ = pattern_.After(step_);
        SynthReport report = {};
        report.frame = now_;
        report.kind = SynthReportStep;
        report.step = static_cast<uint8_t>(step_);
        Report(report);
        for (uint32_t track = 0; track < kTracks; ++track) {
            if (Silent(track)) {
                continue;
            }
            for (uint32_t note = 0; note < kNotes; ++note) {
                const uint32_t velocity = pattern_.Velocity(track, note, step_);
                if (velocity == 0) {
                    continue;
                }
                const uint32_t steps = pattern_.RunLength(track, note, step_);
                StartNote(track, note, velocity, steps);
                report.kind = SynthReportNote;
                report.track = static_cast<uint8_t>(track);
                report.note = static_cast<uint8_t>(note);
                report.velocity = static_cast<uint8_t>(velocity);
                report.steps = static_cast<uint8_t>(steps);
                Report(report);
            }
        }
    }

    void Report(const SynthReport &report)
    {
        if (!reports_.Write(&report, 1)) {
            Count(reports_lost_, 1);
        }
    }

    void StartNote(uint32_t track, uint32_t note, uint32_t velocity, uint32_t steps)
    {
        serial_ += 1;
        uint32_t lost = 0;
        if (track == kRhythm) {
            const DrumKit::Drum &drum = drum_kit_[note];
            for (uint32_t i = 0; i < drum.tone_count; ++i) {
                const DrumKit::Tone &tone = drum.tones[i];
                lost += tones_.Start(serial_, track, tone.sound, tone.lists[velocity - 1], steal_frames_);
            }
            for (uint32_t i = 0; i < drum.noise_count; ++i) {
                const DrumKit::Noise &noise = drum.noises[i];
                NoiseSource::Sound sound = noise.sound;
                sound.seed = NextSeed();
                lost += noises_.Start(serial_, track, sound, noise.lists[velocity - 1], steal_frames_);
            }
        } else {
            lost = melodic_.Start(serial_, track, melodic_tracks_.Sound(track, note),
                                  melodic_tracks_.Note(velocity, steps, clock_.Tempo()), steal_frames_);
        }
        if (lost > 0) {
            Count(voices_stolen_, lost);
        }
    }

    // Seeds far apart from a plain count (the finaliser of MurmurHash3), and none of them 0.
    uint32_t NextSeed()
    {
        noise_count_ += 1;
        uint32_t seed = noise_count_;
        seed = (seed ^ seed >> 16) * 0x85ebca6bu;
        seed = (seed ^ seed >> 13) * 0xc2b2ae35u;
        seed ^= seed >> 16;
        return seed == 0 ? 1 : seed;
    }

    void RenderBlock(float *out, uint32_t frames)
    {
        if (melodic_.Silent() && tones_.Silent() && noises_.Silent()) {
            if (limiter_.AtRest() && !master_.Moving()) {
                std::fill_n(out, 2 * frames, 0.0f);
                return;
            }
            for (uint32_t i = 0; i < frames; ++i) {
                master_.Next();
                out[2 * i] = out[2 * i + 1] = limiter_.Next(0.0f);
            }
            return;
        }
        std::fill_n(mix_.begin(), frames, FloatLanes{});
        melodic_.Render(waves_.Data(), mix_.data(), frames);
        tones_.Render(waves_.Data(), mix_.data(), frames);
        noises_.Render(waves_.Data(), mix_.data(), frames);
        for (uint32_t i = 0; i < frames; ++i) {
            out[2 * i] = out[2 * i + 1] = limiter_.Next(AddLanes(mix_[i]) * master_.Next());
        }
    }

    Ring<SynthCommand, kCommandCapacity> commands_;
    Ring<SynthReport, kReportCapacity> reports_;
    std::atomic<uint64_t> frames_ = {0};
    std::atomic<uint64_t> commands_refused_ = {0};
    std::atomic<uint64_t> reports_lost_ = {0};
    std::atomic<uint64_t> voices_stolen_ = {0};

    Waves waves_;
    MelodicTracks melodic_tracks_;
    DrumKit drum_kit_;

    Clock clock_;
    Pattern pattern_;
    bool playing_ = false;
    uint32_t step_ = 0;
    uint32_t silent_ = 0;  // tracks, a bit each
    uint64_t now_ = 0;

    Bank<MelodicSource, kMelodicVoices, kMelodicGroups> melodic_;
    Bank<ToneSource, kToneVoices, kToneGroups> tones_;
    Bank<NoiseSource, kNoiseVoices, kNoiseGroups> noises_;
    uint64_t serial_ = 0;        // of the newest note
    uint32_t noise_count_ = 0;

    std::array<FloatLanes, kBlock> mix_;
    Glide master_ = Glide(kMakeUp);
    Limiter limiter_;

    uint32_t steal_frames_;
    uint32_t fade_frames_;
    uint32_t glide_frames_;
};

}  // namespace synth

#endif
