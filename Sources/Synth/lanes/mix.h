// A block of the mix and of the effect sends, on its way to the output.

#ifndef PIXELBOOP_SYNTH_MIX_H
#define PIXELBOOP_SYNTH_MIX_H

#include "lanes.h"

namespace synth {

// Gain from the mix to the output at volume 1 (+2.9 dB), fixed so that renders are comparable: a run, triads, a bass
// line and kick, snare and hat at normal velocity then peak at -6 dB, which keeps their accents below the limiter's
// ceiling.
constexpr float kMakeUp = 1.4f;

struct Mix {
    Block left;
    Block right;
    Block to_delay;
    Block to_reverb;
    bool has_delay;   // if false, to_delay is all zeros
    bool has_reverb;  // if false, to_reverb is all zeros
};

}  // namespace synth

#endif
