// How the lanes of a step move a track's controls.

#ifndef PIXELBOOP_SYNTH_LOCKED_CONTROLS_H
#define PIXELBOOP_SYNTH_LOCKED_CONTROLS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "track_controls.h"

namespace synth {

// Changes of a track's controls by the lanes of a step.
struct LockedControls {
    int32_t cutoff = 0;  // per cent of five octaves
    int32_t resonance = 0;  // per cent of 24 dB
    int32_t pan = 0;
    int32_t delay = 0;
    int32_t reverb = 0;

    static constexpr std::array<SynthControl, 5> kControls = {SynthTrackCutoff, SynthTrackResonance, SynthTrackPan,
                                                              SynthTrackDelay, SynthTrackReverb};

    bool operator==(const LockedControls &other) const
    {
        return cutoff == other.cutoff && resonance == other.resonance && pan == other.pan && delay == other.delay
            && reverb == other.reverb;
    }

    // `controls` with the changes, each within its range.
    TrackControls Applied(const TrackControls &controls) const
    {
        constexpr double kPercent = 1.03526492384137750435;  // 2^(5/100)
        TrackControls changed = controls;
        const double factor = Power(kPercent, static_cast<uint32_t>(cutoff < 0 ? -cutoff : cutoff));
        const double hertz = cutoff < 0 ? controls.cutoff / factor : controls.cutoff * factor;
        changed.cutoff = static_cast<int32_t>(std::clamp<double>(hertz, kLowestCutoff, kOpenCutoff) + 0.5);
        changed.resonance = std::clamp(controls.resonance + resonance * 24 / 100, 0, 24);
        changed.pan = std::clamp(controls.pan + pan, -100, 100);
        changed.delay = std::clamp(controls.delay + delay, 0, 100);
        changed.reverb = std::clamp(controls.reverb + reverb, 0, 100);
        return changed;
    }
};

}  // namespace synth

#endif
