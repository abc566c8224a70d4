// The voices of a drum kit, computed from its recipes for the engine's rate at creation.

#ifndef PIXELBOOP_SYNTH_DRUM_KIT_H
#define PIXELBOOP_SYNTH_DRUM_KIT_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/filter.h"
#include "../lanes/segment.h"
#include "../lanes/waves.h"
#include "drum_recipes.h"
#include "drum_sources.h"
#include "metal_source.h"
#include "synth.h"

namespace synth {

constexpr uint32_t kVelocities = 2;

class DrumKit {
  public:
    // One voice of a drum. The seed of noise and metal is set by each hit.
    template <typename Source>
    struct Part {
        typename Source::Sound sound;
        std::array<SegmentList, kVelocities> lists;
    };

    typedef Part<ToneSource> Tone;
    typedef Part<NoiseSource> Noise;
    typedef Part<MetalSource> Metal;

    struct Drum {
        std::array<Tone, 6> tones;
        std::array<Noise, 5> noises;
        std::array<Metal, 2> metals;
        uint32_t tone_count;
        uint32_t noise_count;
        uint32_t metal_count;
    };

    DrumKit(const KitRecipe &recipe, uint32_t rate) : rate_(rate), recipe_(recipe)
    {
        for (uint32_t drum = 0; drum < synth_drums; ++drum) {
            drums_[drum] = Tuned(drum, 1.0);
        }
    }

    const Drum &operator[](uint32_t drum) const
    {
        return drums_[drum];
    }

    // The drum with all its frequencies multiplied by `ratio`.
    Drum Tuned(uint32_t number, double ratio) const
    {
        Drum drum = {};
        for (ToneRecipe tone : recipe_.tones) {
            if (tone.drum == number) {
                tone.from *= ratio;
                tone.to *= ratio;
                tone.knee *= ratio;
                drum.tones[drum.tone_count] = MakeTone(tone);
                drum.tone_count += 1;
            }
        }
        for (NoiseRecipe noise : recipe_.noises) {
            if (noise.drum == number) {
                noise.hertz = Audible(noise.hertz * ratio);
                drum.noises[drum.noise_count] = MakeNoise(noise);
                drum.noise_count += 1;
            }
        }
        for (MetalRecipe metal : recipe_.metals) {
            if (metal.drum == number) {
                for (double &hertz : metal.squares) {
                    hertz = Audible(hertz * ratio);
                }
                metal.hertz = Audible(metal.hertz * ratio);
                metal.high_pass = Audible(metal.high_pass * ratio);
                drum.metals[drum.metal_count] = MakeMetal(metal);
                drum.metal_count += 1;
            }
        }
        return drum;
    }

    // Whether a drum ends its hit before.
    bool Chokes() const
    {
        return recipe_.chokes;
    }

  private:
    Tone MakeTone(const ToneRecipe &recipe) const
    {
        const uint32_t decay_frames = Frames(recipe.decay, rate_);
        const uint32_t sweep_frames = Frames(recipe.sweep, rate_);
        const uint32_t knee_frames = Frames(recipe.knee_time, rate_);
        const float from = static_cast<float>(PhaseIncrement(recipe.from, rate_));
        const float to = static_cast<float>(PhaseIncrement(recipe.to, rate_));
        Tone tone = {};
        tone.sound.table = Waves::Offset(recipe.wave, recipe.from);
        for (uint32_t velocity = 1; velocity <= kVelocities; ++velocity) {
            SegmentList &list = tone.lists[velocity - 1];
            double peak = Peak(recipe.gain, velocity);
            const double ratio = Decay(peak, kFloor, decay_frames);
            const float decay = static_cast<float>(ratio);
            if (knee_frames > 0) {
                const float knee = static_cast<float>(PhaseIncrement(recipe.knee, rate_));
                const uint32_t rest_frames = sweep_frames - knee_frames;
                const float first = static_cast<float>(Decay(recipe.from, recipe.knee, knee_frames));
                const float second = static_cast<float>(Decay(recipe.knee, recipe.to, rest_frames));
                list.Add({knee_frames, static_cast<float>(peak), 0.0f, decay, from, first});
                peak *= Power(1.0 - ratio, knee_frames);
                list.Add({rest_frames, static_cast<float>(peak), 0.0f, decay, knee, second});
                peak *= Power(1.0 - ratio, rest_frames);
            } else if (sweep_frames > 0) {
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
        const uint32_t attack_frames = Frames(recipe.attack, rate_);
        const uint32_t length_frames = Frames(recipe.length, rate_);
        const uint32_t decay_frames = Frames(recipe.decay, rate_);
        Noise noise = {};
        noise.sound.filter = FilterCoefficients::Make(recipe.hertz, recipe.q, rate_);
        noise.sound.high_mix = recipe.high_mix;
        for (uint32_t velocity = 1; velocity <= kVelocities; ++velocity) {
            SegmentList &list = noise.lists[velocity - 1];
            const double peak = Peak(recipe.gain, velocity);
            const double ratio = Decay(peak, kFloor, decay_frames);
            const float decay = static_cast<float>(ratio);
            if (delay_frames > 0) {
                list.Add({delay_frames, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f});
            }
            if (attack_frames > 0) {
                list.Add({attack_frames, 0.0f, static_cast<float>(peak / attack_frames), 0.0f, 1.0f, 0.0f});
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

    Metal MakeMetal(const MetalRecipe &recipe) const
    {
        const uint32_t decay_frames = Frames(recipe.decay, rate_);
        Metal metal = {};
        for (uint32_t square = 0; square < kSquares; ++square) {
            const double hertz = recipe.squares[square];
            metal.sound.table[square] = Waves::Offset(Wave::square, hertz);
            metal.sound.increment[square] = static_cast<uint32_t>(PhaseIncrement(hertz, rate_) + 0.5);
        }
        metal.sound.filter = FilterCoefficients::Make(recipe.hertz, recipe.q, rate_);
        metal.sound.high_mix = recipe.high_mix;
        metal.sound.high_pass = FilterCoefficients::Make(recipe.high_pass, kRootOfHalf, rate_);
        for (uint32_t velocity = 1; velocity <= kVelocities; ++velocity) {
            SegmentList &list = metal.lists[velocity - 1];
            const double peak = Peak(recipe.gain, velocity);
            const float decay = static_cast<float>(Decay(peak, kFloor, decay_frames));
            list.Add({decay_frames, static_cast<float>(peak), 0.0f, decay, 0.0f, 0.0f});
            list.Add(Ending(rate_, kFloor, 0.0f));
        }
        return metal;
    }

    // Q of a high-pass without a peak (Butterworth).
    static constexpr double kRootOfHalf = 0.70710678118654752440;

    // Below the Nyquist frequency of the lowest rate, where the filters are stable.
    static double Audible(double hertz)
    {
        return std::min(hertz, 20000.0);
    }

    double Peak(double gain, uint32_t velocity) const
    {
        return recipe_.gain * gain * kDrumVolume * velocity;
    }

    const uint32_t rate_;
    const KitRecipe &recipe_;
    std::array<Drum, synth_drums> drums_ = {};
};

}  // namespace synth

#endif
