// The two components of drums, tone and noise, eight of a kind in parallel: sources of lane groups, like MelodicSource.

#ifndef PIXELBOOP_SYNTH_DRUM_SOURCES_H
#define PIXELBOOP_SYNTH_DRUM_SOURCES_H

#include <algorithm>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/segment.h"
#include "../voicing.h"

namespace synth {

// The bus of the drums.
struct MonoBus {
    LaneBlock sum;
    PreparedWaves waves;

    // Silences the frames from `first` to before `end`.
    void Clear(uint32_t first, uint32_t end, bool)
    {
        std::fill(sum.begin() + first, sum.begin() + end, FloatLanes{});
    }
};

// Common base of the drum sources: they share one bus, and the voicing is applied to the track, not to each voice.
class DrumSource {
  public:
    typedef MonoBus Bus;
    struct Glides {};
    static constexpr bool kBends = false;
    static constexpr bool kHasLow = false;

    void BeginGlide(uint32_t, const Voicing &, uint32_t, Glides &) {}
    void EndGlide(uint32_t, Glides &) {}
    // Nothing is computed before the samples.
    void Prepare(const float *, const Bus &, uint32_t, uint32_t, uint32_t) {}

    // Whether it moves without a glide of the group.
    static constexpr bool Moves()
    {
        return false;
    }

    void Glide(const Glides &) {}

    template <bool overwrites, bool>
    void Add(const FloatLanes &signal, Bus &bus, uint32_t frame)
    {
        AddTo<overwrites>(bus.sum[frame], signal);
    }
};

// An oscillator with an exponentially falling frequency.
class ToneSource : public DrumSource {
  public:
    struct Sound {
        uint32_t table;
    };

    ToneSource &Loop()
    {
        return *this;
    }

    void Start(uint32_t lane, const Sound &sound)
    {
        oscillator_.Start(lane, sound.table);
    }

    void Begin(uint32_t lane, const Segment &segment)
    {
        increment_[lane] = segment.increment;
        sweep_[lane] = segment.sweep;
    }

    void Clear(uint32_t lane)
    {
        oscillator_.Start(lane, 0);
        increment_[lane] = 0.0f;
        sweep_[lane] = 0.0f;
    }

    void Prepare(const float *, const Bus &, uint32_t, uint32_t, uint32_t lanes)
    {
        alone_ = (lanes & (lanes - 1)) == 0 ? static_cast<uint32_t>(__builtin_ctz(lanes)) : kLanes;
    }

    void Next(const float *waves, const Bus &, uint32_t, FloatLanes &signal)
    {
        // Below 2^31 (a quarter of 96 kHz would be 2^30), so the conversion is always in range.
        const UintLanes increment = reinterpret_cast<UintLanes>(__builtin_convertvector(increment_, IntLanes));
        if (alone_ < kLanes) {
            oscillator_.NextAlone(waves, increment, alone_, signal);
        } else {
            oscillator_.Next(waves, increment, signal);
        }
        increment_ -= increment_ * sweep_;
    }

  private:
    Oscillator oscillator_;
    uint32_t alone_ = kLanes;  // the only lane that sounds, as mostly that of a kick; kLanes for several
    FloatLanes increment_ = {};
    FloatLanes sweep_ = {};
};

// Uniform white noise between -1 and 1 through a high-pass or band-pass. Each lane has its own generator (Marsaglia's
// xorshift32, 13 17 5), seeded at its start, so that voices never depend on each other.
class NoiseSource : public DrumSource {
  public:
    struct Sound {
        uint32_t seed;  // not 0
        FilterCoefficients filter;
        float high_mix;  // 1 high-pass, 0 band-pass (gain 1 at its centre)
    };

    NoiseSource &Loop()
    {
        return *this;
    }

    void Start(uint32_t lane, const Sound &sound)
    {
        state_[lane] = sound.seed;
        two_a1_minus_1_[lane] = sound.filter.two_a1_minus_1;
        two_a2_[lane] = sound.filter.two_a2;
        two_a3_[lane] = sound.filter.two_a3;
        k_[lane] = sound.filter.k;
        integrators_.Clear(lane);
        high_mix_[lane] = sound.high_mix;
    }

    void Begin(uint32_t lane, const Segment &segment)
    {
        amplitude_[lane] = segment.increment * (1.0f / 2147483648.0f);
    }

    void Clear(uint32_t lane)
    {
        Start(lane, {});
        amplitude_[lane] = 0.0f;
    }

    void Next(const float *, const Bus &, uint32_t, FloatLanes &signal)
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        signal = __builtin_convertvector(reinterpret_cast<IntLanes>(state_), FloatLanes) * amplitude_;
        FloatLanes band;
        FloatLanes low;
        integrators_.Step(signal, two_a1_minus_1_, two_a2_, two_a3_, band, low);
        // Both outputs come from the same sums, so one loop serves all noise drums.
        band *= 0.5f * k_;
        const FloatLanes high = signal - band - 0.5f * low;
        signal = band + high_mix_ * (high - band);
    }

  private:
    UintLanes state_ = {};
    FloatLanes amplitude_ = {};
    FloatLanes high_mix_ = {};
    FloatLanes two_a1_minus_1_ = {};
    FloatLanes two_a2_ = {};
    FloatLanes two_a3_ = {};
    FloatLanes k_ = {};
    Integrators<FloatLanes> integrators_;
};

}  // namespace synth

#endif
