// The gains of voices: an envelope of linear and exponential segments, and an additional fade for voices that end
// early.

#ifndef PIXELBOOP_SYNTH_ENVELOPE_H
#define PIXELBOOP_SYNTH_ENVELOPE_H

#include "filter.h"
#include "lanes.h"
#include "low_lanes.h"
#include "segment.h"

namespace synth {

// The gains of as many voices as `Floats` has lanes.
template <typename Floats>
class EnvelopeOf {
  public:
    void Clear(uint32_t lane)
    {
        state_.level[lane] = 0.0f;
        add_[lane] = 0.0f;
        decay_[lane] = 0.0f;
        state_.remaining[lane] = 1.0f;
        fade_[lane] = 0.0f;
    }

    void Begin(uint32_t lane, const Segment &segment)
    {
        state_.level[lane] = segment.level;
        add_[lane] = segment.add;
        decay_[lane] = segment.decay;
    }

    void Fade(uint32_t lane, uint32_t frames)
    {
        fade_[lane] = 1.0f / static_cast<float>(frames);
    }

    // State that changes from sample to sample.
    struct State {
        Floats level = {};
        Floats remaining = Floats{} + 1.0f;
    };

    State Now() const
    {
        return state_;
    }

    void Set(const State &state)
    {
        state_ = state;
    }

    // Whether any gain does more than fall exponentially.
    bool Rises() const
    {
        return AnyAudible(add_);
    }

    // Multiplies `signal` by the gains and advances them. The fade is a smoothstep, 3r^2 - 2r^3: over 160 samples it
    // leaves at most -75 dBFS above 4 kHz; a linear fade leaves -49, a cut -13. Without `fading` the factor would be
    // exactly 1 in every lane, so omitting it changes no bit, and neither does `rising`.
    template <bool fading, bool rising = true>
    void Apply(Floats &signal)
    {
        Apply<fading, rising>(signal, state_);
    }

    // The same with a state that is outside, for a loop that has no registers for the rest.
    template <bool fading, bool rising = true>
    void Apply(Floats &signal, State &state) const
    {
        signal *= state.level;
        state.level += rising ? add_ - state.level * decay_ : -state.level * decay_;
        if (fading) {
            signal *= state.remaining * state.remaining * (3.0f - 2.0f * state.remaining);
            state.remaining -= fade_;
        }
    }

    // Copies the lanes that both have from `other`.
    template <typename Other>
    void CopyFrom(const EnvelopeOf<Other> &other)
    {
        CopyLanes(other.state_.level, state_.level);
        CopyLanes(other.state_.remaining, state_.remaining);
        CopyLanes(other.add_, add_);
        CopyLanes(other.decay_, decay_);
        CopyLanes(other.fade_, fade_);
    }

  private:
    template <typename Other>
    friend class EnvelopeOf;

    State state_;
    Floats add_ = {};
    Floats decay_ = {};
    Floats fade_ = {};
};

typedef EnvelopeOf<FloatLanes> Envelope;

}  // namespace synth

#endif
