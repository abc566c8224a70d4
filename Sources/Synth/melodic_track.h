// The sounds of the three melodic tracks and the shape of their notes.

#ifndef PIXELBOOP_SYNTH_MELODIC_TRACK_H
#define PIXELBOOP_SYNTH_MELODIC_TRACK_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "elementary.h"
#include "segment.h"
#include "sources.h"

namespace synth {

constexpr uint32_t kMelodicTracks = 3;
constexpr uint32_t kNotes = 12;

// The level that every exponential fall of the instrument ends at.
constexpr double kFloor = 0.001;

// From the floor (-60 dB) to nothing in a straight line of 2.7 ms: no click, and too short to lengthen a note.
inline Segment Ending(uint32_t rate, float increment)
{
    const uint32_t frames = Frames(128.0 / 48.0, rate);
    const float floor = static_cast<float>(kFloor);
    return {frames, floor, -floor / static_cast<float>(frames), 0.0f, increment, 0.0f};
}

// Per-sample decay that takes `from` to `to` in `frames`.
inline float Decay(double from, double to, uint32_t frames)
{
    return static_cast<float>(OneMinusExp(Logarithm(from / to) / frames));
}

class MelodicTracks {
  public:
    explicit MelodicTracks(uint32_t rate) : rate_(rate)
    {
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            const Recipe &recipe = kRecipes[track];
            for (uint32_t note = 0; note < kNotes; ++note) {
                const double hertz = MidiHertz(recipe.base + note);
                sounds_[track][note] = {Waves::Offset(recipe.wave, hertz),
                                        static_cast<uint32_t>(hertz / rate * 4294967296.0 + 0.5),
                                        FilterCoefficients::Make(recipe.low_pass, kOneDecibel, rate)};
            }
        }
    }

    const MelodicSource::Sound &Sound(uint32_t track, uint32_t note) const
    {
        return sounds_[track][note];
    }

    // A note of `steps` sixteenths at `bpm`: up to A in a straight line, level, down to the floor, out.
    SegmentList Note(uint32_t velocity, uint32_t steps, uint32_t bpm) const
    {
        const double peak = 0.08 * velocity;
        // d = max(0.15 s, 0.95 of the steps' time); a step is 15 / bpm seconds.
        const uint32_t duration = std::max(Frames(150.0, rate_), Frames(14250.0 * steps / bpm, rate_));
        const uint32_t attack = Frames(duration > Frames(200.0, rate_) ? 20.0 : 10.0, rate_);
        const uint32_t release = std::min((duration * 3 + 5) / 10, Frames(150.0, rate_));
        const float level = static_cast<float>(peak);
        SegmentList list = {};
        list.Add({attack, 0.0f, static_cast<float>(peak / attack), 0.0f, 0.0f, 0.0f});
        list.Add({duration - release - attack, level, 0.0f, 0.0f, 0.0f, 0.0f});
        list.Add({release, level, 0.0f, Decay(peak, kFloor, release), 0.0f, 0.0f});
        list.Add(Ending(rate_, 0.0f));
        return list;
    }

  private:
    struct Recipe {
        uint32_t base;  // MIDI note of index 0
        Wave wave;
        double low_pass;  // hertz
    };

    static constexpr std::array<Recipe, kMelodicTracks> kRecipes = {{
        {60, Wave::sine, 2000.0},
        {48, Wave::triangle, 1500.0},
        {36, Wave::saw, 400.0},
    }};

    uint32_t rate_;
    std::array<std::array<MelodicSource::Sound, kNotes>, kMelodicTracks> sounds_;
};

}  // namespace synth

#endif
