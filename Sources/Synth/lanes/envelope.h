// The gains of eight lanes: an envelope of linear and exponential segments, and an additional fade for voices that end
// early.

#ifndef PIXELBOOP_SYNTH_ENVELOPE_H
#define PIXELBOOP_SYNTH_ENVELOPE_H

#include "lanes.h"
#include "segment.h"

namespace synth {

class Envelope {
  public:
    void Clear(uint32_t lane)
    {
        level_[lane] = 0.0f;
        add_[lane] = 0.0f;
        decay_[lane] = 0.0f;
        remaining_[lane] = 1.0f;
        fade_[lane] = 0.0f;
    }

    void Begin(uint32_t lane, const Segment &segment)
    {
        level_[lane] = segment.level;
        add_[lane] = segment.add;
        decay_[lane] = segment.decay;
    }

    void Fade(uint32_t lane, uint32_t frames)
    {
        fade_[lane] = 1.0f / static_cast<float>(frames);
    }

    // Multiplies `signal` by the gains and advances them. The fade is a smoothstep, 3r^2 - 2r^3: over 160 samples it
    // leaves at most -75 dBFS above 4 kHz; a linear fade leaves -49, a cut -13. Without `fading` the factor would be
    // exactly 1 in every lane, so omitting it changes no bit.
    template <bool fading>
    void Apply(FloatLanes &signal)
    {
        signal *= level_;
        level_ += add_ - level_ * decay_;
        if (fading) {
            signal *= remaining_ * remaining_ * (3.0f - 2.0f * remaining_);
            remaining_ -= fade_;
        }
    }

  private:
    FloatLanes level_ = {};
    FloatLanes add_ = {};
    FloatLanes decay_ = {};
    FloatLanes remaining_ = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    FloatLanes fade_ = {};
};

}  // namespace synth

#endif
