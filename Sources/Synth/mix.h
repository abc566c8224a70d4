// A block of what sounds, and of what goes to the effects, on its way to the output.

#ifndef PIXELBOOP_SYNTH_MIX_H
#define PIXELBOOP_SYNTH_MIX_H

#include "lanes.h"

namespace synth {

struct Mix {
    Block left;
    Block right;
    Block to_delay;
    Block to_reverb;
    bool has_delay;   // else to_delay is zeros
    bool has_reverb;  // and so for to_reverb
};

}  // namespace synth

#endif
