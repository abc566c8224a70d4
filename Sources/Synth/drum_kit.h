// The twelve drums, numbered as in docs/spec.md, section 6: their recipes, and the voices computed from them for the
// engine's rate at creation.

#ifndef PIXELBOOP_SYNTH_DRUM_KIT_H
#define PIXELBOOP_SYNTH_DRUM_KIT_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "drum_sources.h"
#include "elementary.h"
#include "filter.h"
#include "pattern.h"
#include "segment.h"
#include "waves.h"

namespace synth {

constexpr uint32_t kVelocities = 2;

class DrumKit {
  public:
    struct Tone {
        ToneSource::Sound sound;
        std::array<SegmentList, kVelocities> lists;
    };

    struct Noise {
        NoiseSource::Sound sound;  // except the seed
        std::array<SegmentList, kVelocities> lists;
    };

    struct Drum {
        std::array<Tone, 2> tones;
        std::array<Noise, 3> noises;
        uint32_t tone_count;
        uint32_t noise_count;
    };

    explicit DrumKit(uint32_t rate) : rate_(rate)
    {
        for (const ToneRecipe &recipe : kTones) {
            Drum &drum = drums_[recipe.drum];
            drum.tones[drum.tone_count] = MakeTone(recipe);
            drum.tone_count += 1;
        }
        for (const NoiseRecipe &recipe : kNoises) {
            Drum &drum = drums_[recipe.drum];
            drum.noises[drum.noise_count] = MakeNoise(recipe);
            drum.noise_count += 1;
        }
    }

    const Drum &operator[](uint32_t drum) const
    {
        return drums_[drum];
    }

  private:
    static constexpr double kVolume = 0.15;  // of a hit of velocity 1

    struct ToneRecipe {
        uint32_t drum;
        Wave wave;
        double from;   // hertz
        double to;     // hertz
        double sweep;  // ms
        double gain;   // of kVolume
        double decay;  // ms
    };

    struct NoiseRecipe {
        uint32_t drum;
        double delay;   // ms
        double length;  // ms of noise
        double hertz;
        double q;
        float high_mix;  // 1 high-pass, 0 band-pass
        double gain;     // of kVolume
        double decay;    // ms
    };

    static constexpr std::array<ToneRecipe, 10> kTones = {{
        {0, Wave::sine, 150.0, 30.0, 100.0, 1.5, 300.0},
        {1, Wave::sine, 120.0, 30.0, 100.0, 1.5, 300.0},
        {2, Wave::sine, 100.0, 60.0, 150.0, 1.0, 250.0},
        {3, Wave::sine, 180.0, 180.0, 0.0, 0.5, 80.0},
        {4, Wave::sine, 200.0, 200.0, 0.0, 0.5, 80.0},
        {5, Wave::triangle, 800.0, 800.0, 0.0, 0.5, 50.0},
        {10, Wave::triangle, 350.0, 350.0, 0.0, 0.25, 400.0},
        {10, Wave::sine, 620.0, 620.0, 0.0, 0.25, 400.0},
        {11, Wave::square, 560.0, 560.0, 0.0, 0.25, 150.0},
        {11, Wave::square, 845.0, 845.0, 0.0, 0.25, 150.0},
    }};

    static constexpr std::array<NoiseRecipe, 8> kNoises = {{
        {3, 0.0, 150.0, 1000.0, kOneDecibel, 1.0f, 0.8, 150.0},
        {4, 0.0, 150.0, 1500.0, kOneDecibel, 1.0f, 0.8, 150.0},
        {6, 0.0, 20.0, 1200.0, 1.0, 0.0f, 0.6, 100.0},
        {6, 15.0, 20.0, 1200.0, 1.0, 0.0f, 0.6, 100.0},
        {6, 30.0, 20.0, 1200.0, 1.0, 0.0f, 0.6, 100.0},
        {7, 0.0, 50.0, 7000.0, kOneDecibel, 1.0f, 0.4, 50.0},
        {8, 0.0, 300.0, 6000.0, kOneDecibel, 1.0f, 0.35, 250.0},
        {9, 0.0, 600.0, 4000.0, kOneDecibel, 1.0f, 0.5, 500.0},
    }};

    Tone MakeTone(const ToneRecipe &recipe) const
    {
        const uint32_t decay_frames = Frames(recipe.decay, rate_);
        const uint32_t sweep_frames = Frames(recipe.sweep, rate_);
        const float from = static_cast<float>(PhaseIncrement(recipe.from, rate_));
        const float to = static_cast<float>(PhaseIncrement(recipe.to, rate_));
        Tone tone = {};
        tone.sound.table = Waves::Offset(recipe.wave, recipe.from);
        for (uint32_t velocity = 1; velocity <= kVelocities; ++velocity) {
            SegmentList &list = tone.lists[velocity - 1];
            double peak = recipe.gain * kVolume * velocity;
            const double ratio = Decay(peak, kFloor, decay_frames);
            const float decay = static_cast<float>(ratio);
            if (sweep_frames > 0) {
                const float sweep = static_cast<float>(Decay(recipe.from, recipe.to, sweep_frames));
                list.Add({sweep_frames, static_cast<float>(peak), 0.0f, decay, from, sweep});
                peak *= Power(1.0 - ratio, sweep_frames);
            }
            list.Add({decay_frames - sweep_frames, static_cast<float>(peak), 0.0f, decay, to, 0.0f});
            list.Add(Ending(rate_, kFloor, to));
        }
        return tone;
    }

    Noise MakeNoise(const NoiseRecipe &recipe) const
    {
        const uint32_t delay_frames = Frames(recipe.delay, rate_);
        const uint32_t length_frames = Frames(recipe.length, rate_);
        const uint32_t decay_frames = Frames(recipe.decay, rate_);
        Noise noise = {};
        noise.sound.filter = FilterCoefficients::Make(recipe.hertz, recipe.q, rate_);
        noise.sound.high_mix = recipe.high_mix;
        for (uint32_t velocity = 1; velocity <= kVelocities; ++velocity) {
            SegmentList &list = noise.lists[velocity - 1];
            const double peak = recipe.gain * kVolume * velocity;
            const double ratio = Decay(peak, kFloor, decay_frames);
            const float decay = static_cast<float>(ratio);
            if (delay_frames > 0) {
                list.Add({delay_frames, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f});
            }
            const uint32_t first_frames = std::min(length_frames, decay_frames);
            list.Add({first_frames, static_cast<float>(peak), 0.0f, decay, 1.0f, 0.0f});
            if (length_frames < decay_frames) {
                // The noise stops during the decay: the filter rings out, 160 dB in 5 ms at 1200 Hz and Q 1.
                const double level = peak * Power(1.0 - ratio, first_frames);
                list.Add({Frames(5.0, rate_), static_cast<float>(level), 0.0f, decay, 0.0f, 0.0f});
                continue;
            }
            if (length_frames > decay_frames) {
                const float floor = static_cast<float>(kFloor);
                list.Add({length_frames - decay_frames, floor, 0.0f, 0.0f, 1.0f, 0.0f});
            }
            list.Add(Ending(rate_, kFloor, 1.0f));
        }
        return noise;
    }

    uint32_t rate_;
    std::array<Drum, synth_drums> drums_ = {};
};

}  // namespace synth

#endif
