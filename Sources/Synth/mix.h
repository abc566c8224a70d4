// A block of the mix and of the effect sends, on its way to the output.

#ifndef PIXELBOOP_SYNTH_MIX_H
#define PIXELBOOP_SYNTH_MIX_H

#include "lanes/lanes.h"

namespace synth {

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
