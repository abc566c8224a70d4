// A melodic track that plays a model: its voices, one bank a model, and their modulation.

#ifndef PIXELBOOP_SYNTH_MODEL_TRACK_H
#define PIXELBOOP_SYNTH_MODEL_TRACK_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include "../base/elementary.h"
#include "../base/hash.h"
#include "../controls/modulation.h"
#include "../controls/track_controls.h"
#include "../lanes/bank.h"
#include "../lanes/mix.h"
#include "../lanes/segment.h"
#include "filter_runs.h"
#include "model_source.h"
#include "models.h"
#include "synth.h"
#include "track_mix.h"

namespace synth {

// Twelve notes for two steps, twice; with unison the oldest are stolen sooner.
constexpr uint32_t kModelVoices = 48;
constexpr uint32_t kModelGroups = 8;

// A note for a track's voices.
struct ModelNote {
    uint32_t number;
    double hertz;
    Wave wave;  // of the track's recipe
    uint32_t velocity;
    uint64_t serial;
    bool follows;  // it begins as the note before it ends, and may slide from it
    VoiceExpression expression;
};

class ModelTrack {
  public:
    explicit ModelTrack(uint32_t rate)
        : rate_(rate), modulation_(rate), mix_(rate), fade_frames_(Frames(5.0, rate)),
          steal_frames_(Frames(160.0 / 48.0, rate)), takeover_frames_(Frames(20.0, rate))
    {
    }

    // Whether `controls` need this track: the recipe alone does not.
    static bool Plays(const TrackControls &controls)
    {
        return controls.model != SynthPlain || controls.unison > 1 || controls.drive > 0 || controls.chorus > 0
            || controls.lfo_depth > 0 || controls.envelope_depth != 0;
    }

    // Notes of another model fade out; the others follow the new controls.
    void SetControls(const TrackControls &controls)
    {
        if (controls.model != controls_.model) {
            Fade();
            has_new_model_ = true;
        }
        controls_ = controls;
        modulation_.SetControls(controls);
    }

    bool Silent() const
    {
        return playing_ == 0 && mix_.AtRest();
    }

    // Starts a note. Returns the number of voices lost for it. A note that still sounds from before fades during its
    // attack: it is the same string, tine or key that is struck again.
    uint32_t Start(const ModelNote &note, const SegmentList &list)
    {
        ApplyModel();
        if (Silent()) {
            modulation_.Jump();
            mix_.Jump(modulation_, Ensemble());
        }
        modulation_.Trigger();
        const uint32_t model = static_cast<uint32_t>(controls_.model);
        const uint32_t copies = static_cast<uint32_t>(controls_.unison);
        const Tick &tick = modulation_.Now();
        VoiceStart start = {};
        start.parts = tick.value;
        for (uint32_t i = SynthTargetTimbre; i < synth_targets; ++i) {
            // The LFO goes beyond the range: a string of brightness -1 would grow without end.
            start.parts[i] = std::clamp(start.parts[i], 0.0f, 1.0f);
        }
        start.rate = rate_;
        start.wave = note.wave;
        start.velocity = note.velocity;
        start.expression = note.expression;
        start.note_hertz = note.hertz;
        start.before_hertz = note.follows ? last_hertz_ : 0.0;
        start.timbre = controls_.timbre;
        last_hertz_ = note.hertz;
        panned_ = panned_ || copies > 1;
        playing_ |= 1u << model;
        const uint32_t takeover = takeover_frames_ + list.segments[0].frames;
        With(model, [&](auto &bank) {
            bank.FadeIf([&](uint32_t number) { return number == note.number; }, takeover);
        });
        uint32_t lost = 0;
        for (uint32_t copy = 0; copy < copies; ++copy) {
            const UnisonCopy &unison = kUnison[copies - 1][copy];
            start.hertz = note.hertz * unison.ratio;
            start.highest_hertz = start.hertz * Highest();
            start.left = unison.left;
            start.right = unison.right;
            seeds_ += 1;
            start.seed = Seed(seeds_);
            start.phase = copy == 0 ? 0 : start.seed;
            With(model, [&](auto &bank) {
                typedef typename std::decay_t<decltype(bank)>::Voice Voice;
                lost += bank.Start(note.serial, note.number, typename Voice::Sound{&start, &tick}, list, steal_frames_);
            });
        }
        return lost;
    }

    void Fade()
    {
        Each([&](auto &bank) { bank.FadeIf([](uint32_t) { return true; }, fade_frames_); });
    }

    // The voices of the note `serial` move to `expression`, from the next update on.
    void Express(uint64_t serial, const VoiceExpression &expression)
    {
        Each([&](auto &bank) {
            bank.EachLane(serial, [&](auto &group, uint32_t lane) { group.Voices().Express(lane, expression); });
        });
    }

    // Fades out the voices of the note `serial`.
    void FadeVoice(uint64_t serial, uint32_t frames)
    {
        Each([&](auto &bank) { bank.FadeVoice(serial, frames); });
    }

    // The next update: every voice, and the place in the mix, move to the controls' values.
    void Update()
    {
        ApplyModel();
        modulation_.Advance();
        if (Silent()) {
            mix_.Jump(modulation_, Ensemble());
        }
        mix_.Update(modulation_, Ensemble());
        if ((playing_ >> controls_.model & 1) != 0) {
            With(static_cast<uint32_t>(controls_.model), [&](auto &bank) { bank.Update(modulation_.Now()); });
        }
    }

    // Makes `frames` samples, in which no update falls, of every voice. `filters` have to run before they are added.
    void Make(const float *waves, uint32_t frames, FilterRuns &filters)
    {
        if (playing_ == 0) {
            return;
        }
        summed_ = false;
        Each([&](auto &bank) {
            bank.EachGroup([&](auto &group) {
                if (waiting_count_ == kWaiting) {
                    filters.Run(frames);
                    SumUp(frames);
                }
                Waiting &waiting = waiting_[waiting_count_];
                waiting_count_ += 1;
                typedef std::decay_t<decltype(group)> Group;
                waiting.group = &group;
                waiting.finish = Finish<Group>;
                waiting.left = &group.Voices().Left();
                waiting.right = &group.Voices().Right();
                group.Make(waves, mix_.At(), waiting.signal.data(), frames, filters);
            });
        });
    }

    // Adds the `frames` samples made to `mix` from sample `first` on.
    void Add(Mix &mix, uint32_t first, uint32_t frames)
    {
        if (Silent()) {
            Rest(frames);
            return;
        }
        if (playing_ == 0) {
            summed_ = false;
        }
        if (waiting_count_ == 1 && !summed_ && !panned_) {
            // The usual case needs no sum.
            AddLanes(waiting_[0].signal.data(), left_, frames);
            waiting_[0].finish(waiting_[0].group, frames);
            waiting_count_ = 0;
        } else {
            SumUp(frames);
            AddLanes(lefts_.data(), left_, frames);
        }
        if (panned_) {
            AddLanes(rights_.data(), right_, frames);
        }
        mix_.Add(left_, right_, panned_, mix, first, frames);
        Forget();
    }

    // Advances by `frames` without sound.
    void Rest(uint32_t frames)
    {
        mix_.Rest(frames);
    }

  private:
    // The voices of a model, and the memory of their generators.
    template <typename Generator>
    struct VoicesOf {
        VoicesOf()
        {
            for (uint32_t group = 0; group < kModelGroups; ++group) {
                bank.SourceOf(group).Waves().Use(memory[group]);
            }
        }

        Bank<ModelSource<Generator>, kModelVoices, kModelGroups> bank;
        std::array<typename Generator::Memory, kModelGroups> memory = {};
    };

    template <typename... Generators>
    static std::tuple<VoicesOf<Generators>...> VoicesOfAll(const std::tuple<Generators...> &);

    // One of a note's copies: its pitch, and its gains, which keep the power.
    struct UnisonCopy {
        double ratio;
        float left;
        float right;
    };

    static constexpr double kWide = 1.00463246;  // 8 cents
    static constexpr double kNear = 1.00173446;  // 3 cents

    static constexpr std::array<std::array<UnisonCopy, 4>, 4> kUnison = {{
        {{{1.0, 1.0f, 1.0f}}},
        {{{kWide, 0.92f, 0.39f}, {1.0 / kWide, 0.39f, 0.92f}}},
        {{{1.0, 0.577f, 0.577f}, {kWide, 0.78f, 0.24f}, {1.0 / kWide, 0.24f, 0.78f}}},
        {{{kWide, 0.69f, 0.14f}, {1.0 / kWide, 0.14f, 0.69f}, {kNear, 0.39f, 0.59f}, {1.0 / kNear, 0.59f, 0.39f}}},
    }};

    // Samples of a lane group on their way through the filters.
    struct Waiting {
        PreparedWaves signal;
        void *group;
        void (*finish)(void *group, uint32_t frames) SYNTH_NONBLOCKING;
        const FloatLanes *left;  // gains
        const FloatLanes *right;
    };

    template <typename Group>
    static void Finish(void *group, uint32_t frames) noexcept SYNTH_NONBLOCKING
    {
        static_cast<Group *>(group)->Finish(frames);
    }

    // Adds the samples that wait, in their fixed order, whatever the number of them. Unison voices are panned; else all
    // gains are 1.
    void SumUp(uint32_t frames)
    {
        if (!summed_ && (panned_ || waiting_count_ == 0)) {
            std::fill_n(lefts_.begin(), frames, FloatLanes{});
            std::fill_n(rights_.begin(), frames, FloatLanes{});
            summed_ = true;
        }
        for (uint32_t n = 0; n < waiting_count_; ++n) {
            const Waiting &waiting = waiting_[n];
            if (panned_) {
                const FloatLanes left = *waiting.left;
                const FloatLanes right = *waiting.right;
                for (uint32_t i = 0; i < frames; ++i) {
                    lefts_[i] += waiting.signal[i] * left;
                    rights_[i] += waiting.signal[i] * right;
                }
            } else if (summed_) {
                for (uint32_t i = 0; i < frames; ++i) {
                    lefts_[i] += waiting.signal[i];
                }
            } else {
                std::copy_n(waiting.signal.begin(), frames, lefts_.begin());
                summed_ = true;
            }
            waiting.finish(waiting.group, frames);
        }
        waiting_count_ = 0;
    }

    template <typename Action>
    void With(uint32_t model, Action action)
    {
        WithModel(model, [&](auto number) { action(std::get<decltype(number)::value>(voices_).bank); });
    }

    // Each bank that plays.
    template <typename Action>
    void Each(Action action)
    {
        for (uint32_t model = 0; model < synth_models; ++model) {
            if ((playing_ >> model & 1) != 0) {
                With(model, action);
            }
        }
    }

    // After a change of the model: its values have nothing in common with the old ones, and the old voices keep theirs
    // while they fade.
    void ApplyModel()
    {
        if (has_new_model_) {
            has_new_model_ = false;
            Each([this](auto &bank) { bank.Keep(mix_.At()); });
            modulation_.JumpVoices();
        }
    }

    // How far the modulation can raise the pitch: the tables must not hold more harmonics than that allows.
    double Highest() const
    {
        const TrackControls &controls = controls_;
        const double lfo = controls.lfo_target == SynthTargetPitch ? controls.lfo_depth / 100.0 : 0.0;
        const double envelope =
            controls.envelope_target == SynthTargetPitch ? std::max(0, controls.envelope_depth) / 100.0 : 0.0;
        // 2^x is at most 1 + x for x in 0 to 1.
        return (1.0 + lfo * lfo) * (1.0 + envelope * envelope);
    }

    // Gain of the ensemble.
    float Ensemble() const
    {
        float gain = 0.0f;
        WithModel(static_cast<uint32_t>(controls_.model), [&](auto number) {
            gain = std::tuple_element_t<decltype(number)::value, Models>::Ensemble(modulation_);
        });
        return gain;
    }

    // Drops the banks that have fallen silent.
    void Forget()
    {
        for (uint32_t model = 0; model < synth_models; ++model) {
            if ((playing_ >> model & 1) != 0) {
                With(model, [&](auto &bank) {
                    if (bank.Silent()) {
                        playing_ &= ~(1u << model);
                    }
                });
            }
        }
        panned_ = panned_ && (playing_ != 0 || mix_.HasRight());
    }

    const uint32_t rate_;
    Modulation modulation_;
    TrackControls controls_;
    decltype(VoicesOfAll(std::declval<Models>())) voices_;
    uint32_t playing_ = 0;  // a bit for each model with voices
    bool has_new_model_ = false;
    bool panned_ = false;   // whether a voice is not in the middle
    TrackMix mix_;
    static constexpr uint32_t kWaiting = FilterRuns::kRuns / 3;  // the queue is shared by three tracks
    std::array<Waiting, kWaiting> waiting_;
    uint32_t waiting_count_ = 0;
    bool summed_ = false;  // whether the sums hold samples
    LaneBlock lefts_;
    LaneBlock rights_;
    Block left_;
    Block right_;
    double last_hertz_ = 0.0;
    uint32_t seeds_ = 0;
    const uint32_t fade_frames_;
    const uint32_t steal_frames_;
    const uint32_t takeover_frames_;
};

}  // namespace synth

#endif
