// The drums of the rhythm track: the kits and their sounding voices, mixed to one signal.

#ifndef PIXELBOOP_SYNTH_DRUMS_H
#define PIXELBOOP_SYNTH_DRUMS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../base/hash.h"
#include "../base/velocity.h"
#include "../lanes/bank.h"
#include "../lanes/lanes.h"
#include "../samples/pad.h"
#include "crusher.h"
#include "drum_kit.h"
#include "drum_recipes.h"
#include "drum_sources.h"
#include "metal_source.h"
#include "synth.h"

namespace synth {

// Twelve drums started on every step at 200 BPM. The plain ones sound for two steps, crash and ride for 8 and 6: 38
// tones and 28 noises. A drum of the other kits ends the hit before, so each of its parts sounds once: at most 35
// tones, 19 noises and 7 metals. The lanes have room for as many that fade meanwhile.
constexpr uint32_t kToneVoices = 40;
constexpr uint32_t kToneGroups = 10;
constexpr uint32_t kNoiseVoices = 32;
constexpr uint32_t kNoiseGroups = 8;
constexpr uint32_t kMetalVoices = 8;
constexpr uint32_t kMetalGroups = 3;

// The sounding voices. A voice carries its choke group as its track.
class DrumVoices {
  public:
    // Starts a hit. Returns the number of voices lost for it. `seed` yields the seeds of its noises.
    template <typename Seed>
    uint32_t Start(uint64_t serial, uint32_t group, const DrumKit::Drum &drum, uint32_t velocity, float volume,
                   uint32_t steal_frames, Seed seed)
    {
        uint32_t lost = 0;
        const uint32_t strength = velocity >= kLowestAccent ? 1 : 0;
        const float gain = static_cast<float>(VelocityGain(velocity) / (strength + 1)) * volume;
        for (uint32_t i = 0; i < drum.tone_count; ++i) {
            const DrumKit::Tone &tone = drum.tones[i];
            lost += tones_.Start(serial, group, tone.sound, tone.lists[strength].Scaled(gain), steal_frames);
        }
        for (uint32_t i = 0; i < drum.noise_count; ++i) {
            const DrumKit::Noise &noise = drum.noises[i];
            NoiseSource::Sound sound = noise.sound;
            sound.seed = seed();
            lost += noises_.Start(serial, group, sound, noise.lists[strength].Scaled(gain), steal_frames);
        }
        for (uint32_t i = 0; i < drum.metal_count; ++i) {
            const DrumKit::Metal &metal = drum.metals[i];
            MetalSource::Sound sound = metal.sound;
            sound.seed = seed();
            lost += metals_.Start(serial, group, sound, metal.lists[strength].Scaled(gain), steal_frames);
        }
        return lost;
    }

    // Fades out the voices of the choke groups in `groups`, a bit mask.
    void Fade(uint32_t groups, uint32_t frames)
    {
        tones_.Fade(groups, frames);
        noises_.Fade(groups, frames);
        metals_.Fade(groups, frames);
    }

    bool Silent() const
    {
        return tones_.Silent() && noises_.Silent() && metals_.Silent();
    }

    void Render(const float *waves, Block &signal, uint32_t frames)
    {
        bool is_empty = tones_.Render(waves, bus_, frames, true);
        is_empty = noises_.Render(waves, bus_, frames, is_empty);
        is_empty = metals_.Render(waves, bus_, frames, is_empty);
        if (is_empty) {
            std::fill_n(signal.begin(), frames, 0.0f);
            return;
        }
        AddLanes(bus_.sum.data(), signal, frames);
    }

  private:
    Bank<ToneSource, kToneVoices, kToneGroups> tones_;
    Bank<NoiseSource, kNoiseVoices, kNoiseGroups> noises_;
    Bank<MetalSource, kMetalVoices, kMetalGroups> metals_;
    MonoBus bus_;
};

class Drums {
  public:
    explicit Drums(uint32_t rate)
        : kits_{{{kKitRecipes[SynthKitPlain], rate},
                 {kKitRecipes[SynthKitAnalogue], rate},
                 {kKitRecipes[SynthKitPunchy], rate},
                 {kKitRecipes[SynthKitAcoustic], rate}}},
          crusher_(rate),
          steal_frames_(Frames(160.0 / 48.0, rate)),
          choke_frames_(Frames(8.0, rate))
    {
    }

    // Starts `drum` of `kit`, a SynthKit; larger numbers mean the last. It is of the choke group `group` and as `pad`
    // has it. Returns the number of voices lost for it.
    uint32_t Start(uint64_t serial, uint32_t kit, uint32_t drum, uint32_t group, const Pad &pad, uint32_t velocity)
    {
        const DrumKit &recipes = KitOf(kit, drum);
        DrumVoices &voices = IsCrushed(kit) ? crushed_voices_ : voices_;
        if (pad.tune != 0 && (tuned_[drum].kit != &recipes || tuned_[drum].tune != pad.tune)) {
            tuned_[drum] = {&recipes, pad.tune, recipes.Tuned(drum, PowerOfTwo(pad.tune / 12.0))};
        }
        return voices.Start(serial, group, pad.tune == 0 ? recipes[drum] : tuned_[drum].drum, velocity, pad.Gain(),
                            steal_frames_, [this] { return NextSeed(); });
    }

    // Whether `drum` of `kit` ends its hit before.
    bool Chokes(uint32_t kit, uint32_t drum) const
    {
        return KitOf(kit, drum).Chokes();
    }

    // Ends the hits of the choke group `group`.
    void Choke(uint32_t group)
    {
        Fade(1u << group, choke_frames_);
    }

    // Fades out the voices of the choke groups in `groups`, a bit mask.
    void Fade(uint32_t groups, uint32_t frames)
    {
        voices_.Fade(groups, frames);
        crushed_voices_.Fade(groups, frames);
    }

    bool Silent() const
    {
        return voices_.Silent() && CrushedIsSilent();
    }

    // Advances by `frames` of silence.
    void Rest(uint32_t frames)
    {
        crusher_.Rest(frames);
    }

    // Renders the sum of all drums.
    void Render(const float *waves, Block &signal, uint32_t frames)
    {
        voices_.Render(waves, signal, frames);
        if (CrushedIsSilent()) {
            crusher_.Rest(frames);
            return;
        }
        crushed_voices_.Render(waves, sampled_, frames);
        crusher_.Add(sampled_, signal, frames);
    }

  private:
    // The kits whose drums the lo-fi kit has sampled.
    static constexpr std::array<uint32_t, synth_drums> kSampledKits = {
        SynthKitPunchy,   SynthKitAnalogue, SynthKitAcoustic, SynthKitAcoustic, SynthKitPunchy,   SynthKitAcoustic,
        SynthKitAnalogue, SynthKitPunchy,   SynthKitPunchy,   SynthKitAcoustic, SynthKitAcoustic, SynthKitAnalogue};

    static bool IsCrushed(uint32_t kit)
    {
        return kit >= SynthKitLofi;
    }

    // The recipes of `drum` of `kit`.
    const DrumKit &KitOf(uint32_t kit, uint32_t drum) const
    {
        return kits_[IsCrushed(kit) ? kSampledKits[drum] : kit];
    }

    bool CrushedIsSilent() const
    {
        return crushed_voices_.Silent() && crusher_.AtRest();
    }

    uint32_t NextSeed()
    {
        noise_count_ += 1;
        return Seed(noise_count_);
    }

    // A drum as it was tuned last.
    struct TunedDrum {
        const DrumKit *kit = nullptr;
        int32_t tune = 0;
        DrumKit::Drum drum = {};
    };

    const std::array<DrumKit, kKitRecipes.size()> kits_;
    std::array<TunedDrum, synth_drums> tuned_ = {};
    DrumVoices voices_;
    DrumVoices crushed_voices_;
    Crusher crusher_;
    Block sampled_;
    uint32_t noise_count_ = 0;
    const uint32_t steal_frames_;
    const uint32_t choke_frames_;
};

}  // namespace synth

#endif
