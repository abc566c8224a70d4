// The parts of every model: the start of a voice, and the base of the generators.

#ifndef PIXELBOOP_SYNTH_VOICE_GENERATOR_H
#define PIXELBOOP_SYNTH_VOICE_GENERATOR_H

#include <array>
#include <cstdint>

#include "../controls/modulation.h"
#include "../lanes/lanes.h"
#include "../lanes/ramp.h"
#include "../lanes/waves.h"
#include "lane_tables.h"
#include "model_filters.h"
#include "synth.h"

namespace synth {

// A voice that starts.
struct VoiceStart {
    double hertz;
    double highest_hertz;  // with the modulation of its pitch
    Wave wave;             // of the track's recipe
    Parts parts;           // the values of the controls, without the envelope; the model's own are 0 to 1
    uint32_t rate;
    double note_hertz;    // without the detuning of unison
    double before_hertz;  // of the note before, from which it may slide; 0 for none
    uint32_t velocity;    // 1, or 2 for an accent
    std::array<int32_t, synth_timbres> timbre;  // the model's own controls, unmodulated
    uint32_t seed;   // not 0
    uint32_t phase;  // of its oscillators, in 2^-32 turns
    float left;      // gains
    float right;
    VoiceExpression expression;
};

// The values of eight lanes for each part.
typedef std::array<FloatLanes, synth_targets> LaneParts;

// Eight consecutive samples of each of eight voices, for all samples between two updates.
typedef std::array<std::array<FloatLanes, kLanes>, kTick / kLanes> VoiceWaves;

// Eight consecutive samples of one voice.
struct Eight {
    uint32_t number;   // of the eight, from 0
    uint32_t count;    // of its samples that are needed, at least one
    FloatLanes times;  // frames after the update
};

// The base of the generators, which make the waves of eight voices. A generator is started on a lane and computes its
// numbers from the values of the controls; they go in straight lines from update to update. It then makes one voice
// after the other, eight consecutive samples at a time: so a voice costs the same however few there are, and only a
// state that waits for the last sample, like feedback, has to be computed for all voices at once, in Before.
struct VoiceGenerator {
    // The filter behind it: see model_filters.h.
    typedef TwoPole Filter;

    // Memory of a generator that is too large for it: the track passes it to Use.
    struct Memory {};
    void Use(Memory &) {}

    // The modulation envelope of an accent begins at 1 + this.
    static float Accent(const Parts &)
    {
        return 0.0f;
    }

    // Gain of the track's ensemble effect.
    static float Ensemble(const Modulation &)
    {
        return 0.0f;
    }

    // Octaves by which each voice is away from its note, while it slides there.
    static FloatLanes Slide()
    {
        return {};
    }

    static constexpr bool Slides()
    {
        return false;
    }

    // An update.
    void Advance() {}

    // Before an update's numbers: the voice on `lane` is on its way to `ratio` times its frequency.
    void Bend(uint32_t, double) {}

    // Called before the voices make `frames` samples, the first of which is `at` samples after the update. Modulate and
    // Make find in place of a wave what is put there.
    void Before(const LaneRamp *, uint32_t, uint32_t, VoiceWaves &) {}

    // Called for each eight of a voice before Make, and after it. The processor computes several eights at once if it
    // need not wait for any of them for long, so a long computation is better divided.
    template <bool moving>
    void Modulate(uint32_t, const FloatLanes *, const Eight &, FloatLanes &) {}
    template <bool moving>
    void Finish(const FloatLanes *, const Eight &, FloatLanes &) {}
};

}  // namespace synth

#endif
