// The sounds of the three melodic tracks, and the envelopes of their notes.

#ifndef PIXELBOOP_SYNTH_MELODIC_TRACKS_H
#define PIXELBOOP_SYNTH_MELODIC_TRACKS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../base/tracks.h"
#include "../base/velocity.h"
#include "../controls/track_controls.h"
#include "../lanes/segment.h"
#include "../lanes/waves.h"
#include "melodic_source.h"

namespace synth {

class MelodicTracks {
  public:
    explicit MelodicTracks(uint32_t rate) : rate_(rate)
    {
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            const Recipe &recipe = kRecipes[track];
            for (uint32_t note = 0; note < kMelodicNotes; ++note) {
                const double hertz = Hertz(track, note, 1.0);
                sounds_[track][note] = {Waves::Offset(recipe.wave, hertz),
                                        static_cast<uint32_t>(PhaseIncrement(hertz, rate) + 0.5), nullptr};
            }
        }
    }

    // The oscillator of `note`; the voicing is set by the track.
    const MelodicSource::Sound &Sound(uint32_t track, uint32_t note) const
    {
        return sounds_[track][note];
    }

    // The same with its frequency multiplied by `ratio`.
    MelodicSource::Sound Sound(uint32_t track, uint32_t note, double ratio) const
    {
        if (ratio == 1.0) {
            return sounds_[track][note];
        }
        const double hertz = Hertz(track, note, ratio);
        return {Waves::Offset(WaveOf(track), hertz), static_cast<uint32_t>(PhaseIncrement(hertz, rate_) + 0.5), nullptr};
    }

    // Frequency of `note`, which a tuning multiplies by `ratio`.
    static double Hertz(uint32_t track, uint32_t note, double ratio)
    {
        return MidiHertz(MidiNote(track, note)) * ratio;
    }

    static uint32_t MidiNote(uint32_t track, uint32_t note)
    {
        return kRecipes[track].base - kOctaveBelow + note;
    }

    static Wave WaveOf(uint32_t track)
    {
        return kRecipes[track].wave;
    }

    static int32_t Cutoff(uint32_t track)
    {
        return kRecipes[track].low_pass;
    }

    // The envelope of a note at `bpm`: linear attack to the peak A, decay to the sustain level,
    // sustain, release to the floor, ending. With the default controls it is held at A and released so that it ends
    // with its time. A note that slides takes over from the one before, which fades in 5 ms.
    SegmentList Note(const Hit &hit, double bpm, const TrackControls &controls) const
    {
        const double peak = 0.08 * VelocityGain(hit.velocity);
        // d = max(0.15 s, 0.95 of the steps' time), or the gate's time; a step is 15 / bpm seconds.
        const uint32_t duration = hit.is_gated ? std::max(Frames(10.0, rate_), Frames(15000.0 * hit.steps / bpm, rate_))
                                               : std::max(Frames(150.0, rate_), Frames(14250.0 * hit.steps / bpm, rate_));
        const uint32_t own_release = std::min((duration * 3 + 5) / 10, Frames(150.0, rate_));
        const uint32_t held = controls.release == 0 ? duration - own_release : duration;
        const uint32_t release = controls.release == 0 ? own_release : Milliseconds(controls.release);
        const uint32_t own_attack = Frames(duration > Frames(200.0, rate_) ? 20.0 : 10.0, rate_);
        const uint32_t slow_attack = controls.attack == 0 ? own_attack : Milliseconds(controls.attack);
        const uint32_t whole_attack = hit.slides ? Frames(5.0, rate_) : slow_attack;
        const uint32_t attack = std::min(whole_attack, held);
        SegmentList list = {};
        list.Add({attack, 0.0f, static_cast<float>(peak / whole_attack), 0.0f, 0.0f, 0.0f});
        double level = peak * attack / whole_attack;
        uint32_t left = held - attack;
        if (left > 0 && controls.sustain < 100) {
            // The decay comes within 60 dB of the sustain level in its time.
            const double sustained = peak * controls.sustain / 100.0;
            const uint32_t whole_decay = Milliseconds(controls.decay);
            const uint32_t decay = std::min(whole_decay, left);
            const double part = Decay(1.0, kFloor, whole_decay);
            list.Add({decay, static_cast<float>(level), static_cast<float>(sustained * part),
                      static_cast<float>(part), 0.0f, 0.0f});
            level = sustained + (level - sustained) * Power(1.0 - part, decay);
            left -= decay;
        }
        if (left > 0 && level > kFloor) {
            list.Add({left, static_cast<float>(level), 0.0f, 0.0f, 0.0f, 0.0f});
        }
        if (level > kFloor) {
            list.Add({release, static_cast<float>(level), 0.0f, static_cast<float>(Decay(level, kFloor, release)),
                      0.0f, 0.0f});
            level = kFloor;
        }
        list.Add(Ending(rate_, level, 0.0f));
        return list;
    }

    // MIDI note of index 0 of `track`; 0 for a track that is not melodic.
    static constexpr uint32_t BaseNote(uint32_t track)
    {
        return track < kMelodicTracks ? kRecipes[track].base : 0;
    }

  private:
    struct Recipe {
        uint32_t base;  // MIDI note of index 0
        Wave wave;
        int32_t low_pass;  // hertz, the default
    };

    static constexpr uint32_t kOctaveBelow = -synth_lowest_note;

    static constexpr std::array<Recipe, kMelodicTracks> kRecipes = {{
        {60, Wave::sine, 2000},
        {48, Wave::triangle, 1500},
        {36, Wave::saw, 400},
    }};

    // A control's time in frames, at least 2 ms: the shortest fall of 60 dB without a click.
    uint32_t Milliseconds(int32_t milliseconds) const
    {
        return Frames(std::max(2, milliseconds), rate_);
    }

    uint32_t rate_;
    std::array<std::array<MelodicSource::Sound, kMelodicNotes>, kMelodicTracks> sounds_;
};

}  // namespace synth

#endif
