// The two components of drums, tone and noise, eight of a kind in parallel: sources of lane groups, like MelodicSource.

#ifndef PIXELBOOP_SYNTH_DRUM_SOURCES_H
#define PIXELBOOP_SYNTH_DRUM_SOURCES_H

#include <algorithm>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/low_lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/segment.h"
#include "../lanes/voicing.h"

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

    void BeginGlide(uint32_t, const Voicing &, uint32_t, Glides &) {}
    void EndGlide(uint32_t, Glides &) {}
    // Nothing is computed before the samples.
    void Prepare(const float *, const Bus &, uint32_t, uint32_t, uint32_t) {}

    // Whether it moves without a glide of the group.
    static constexpr bool Moves()
    {
        return false;
    }
};

// The loops of the drum sources, of as many voices as `Floats` has lanes. Each makes a signal for its lane group and
// adds it.
template <typename Floats>
struct DrumLoop {
    void Glide(const DrumSource::Glides &) {}

    template <bool overwrites, bool>
    void Add(const Floats &signal, MonoBus &bus, uint32_t frame)
    {
        AddTo<overwrites>(bus.sum[frame], signal);
    }
};

// The filters of a drum's voices.
template <typename Floats>
struct DrumFilter {
    Floats two_a1_minus_1 = {};
    Floats two_a2 = {};
    Floats two_a3 = {};
    Floats k = {};
    Integrators<Floats> integrators;

    void Start(uint32_t lane, const FilterCoefficients &coefficients)
    {
        two_a1_minus_1[lane] = coefficients.two_a1_minus_1;
        two_a2[lane] = coefficients.two_a2;
        two_a3[lane] = coefficients.two_a3;
        k[lane] = coefficients.k;
        integrators.Clear(lane);
    }

    void Step(const Floats &input, Floats &twice_band, Floats &twice_low)
    {
        integrators.Step(input, two_a1_minus_1, two_a2, two_a3, twice_band, twice_low);
    }

    // Copies the voices that both have from `other`.
    template <typename Other>
    void CopyFrom(const DrumFilter<Other> &other)
    {
        CopyLanes(other.two_a1_minus_1, two_a1_minus_1);
        CopyLanes(other.two_a2, two_a2);
        CopyLanes(other.two_a3, two_a3);
        CopyLanes(other.k, k);
        integrators.CopyFrom(other.integrators);
    }
};

// Oscillators with an exponentially falling frequency.
template <typename Floats>
struct ToneLoop : DrumLoop<Floats> {
    typedef typename Integers<Floats>::Unsigned Uints;

    OscillatorOf<Floats> oscillator;
    uint32_t alone = kLanes;  // the only lane that sounds, as a kick's mostly is; kLanes for several
    Floats increment = {};
    Floats sweep = {};

    void Next(const float *waves, const MonoBus &, uint32_t, Floats &signal)
    {
        // Below 2^31 (a quarter of 96 kHz would be 2^30), so the conversion is always in range.
        const Uints whole = reinterpret_cast<Uints>(__builtin_convertvector(increment, typename Integers<Floats>::Signed));
        if (alone < kLanes) {
            oscillator.NextAlone(waves, whole, alone, signal);
        } else {
            oscillator.Next(waves, whole, signal);
        }
        increment -= increment * sweep;
    }

    // Copies the voices that both have from `other`.
    template <typename Other>
    void CopyFrom(const ToneLoop<Other> &other)
    {
        oscillator.CopyFrom(other.oscillator);
        alone = other.alone;
        CopyLanes(other.increment, increment);
        CopyLanes(other.sweep, sweep);
    }
};

class ToneSource : public DrumSource {
  public:
    typedef ToneLoop<LowFloats> LowLoop;

    struct Sound {
        uint32_t table;
    };

    ToneLoop<FloatLanes> &Loop()
    {
        return loop_;
    }

    void Start(uint32_t lane, const Sound &sound)
    {
        loop_.oscillator.Start(lane, sound.table);
    }

    void Begin(uint32_t lane, const Segment &segment)
    {
        loop_.increment[lane] = segment.increment;
        loop_.sweep[lane] = segment.sweep;
    }

    void Clear(uint32_t lane)
    {
        loop_.oscillator.Start(lane, 0);
        loop_.increment[lane] = 0.0f;
        loop_.sweep[lane] = 0.0f;
    }

    void Prepare(const float *, const Bus &, uint32_t, uint32_t, uint32_t lanes)
    {
        loop_.alone = (lanes & (lanes - 1)) == 0 ? static_cast<uint32_t>(__builtin_ctz(lanes)) : kLanes;
    }

  private:
    ToneLoop<FloatLanes> loop_;
};

// Uniform white noise between -1 and 1 through a high-pass or band-pass. Each lane has its own generator (Marsaglia's
// xorshift32, 13 17 5), seeded at its start, so that voices never depend on each other.
template <typename Floats>
struct NoiseLoop : DrumLoop<Floats> {
    typedef typename Integers<Floats>::Unsigned Uints;

    Uints state = {};
    Floats amplitude = {};
    Floats high_mix = {};
    DrumFilter<Floats> filter;

    void Next(const float *, const MonoBus &, uint32_t, Floats &signal)
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        signal = __builtin_convertvector(reinterpret_cast<typename Integers<Floats>::Signed>(state), Floats) * amplitude;
        Floats band;
        Floats low;
        filter.Step(signal, band, low);
        // Both outputs come from the same sums, so one loop serves all noise drums.
        band *= 0.5f * filter.k;
        const Floats high = signal - band - 0.5f * low;
        signal = band + high_mix * (high - band);
    }

    // Copies the voices that both have from `other`.
    template <typename Other>
    void CopyFrom(const NoiseLoop<Other> &other)
    {
        CopyLanes(other.state, state);
        CopyLanes(other.amplitude, amplitude);
        CopyLanes(other.high_mix, high_mix);
        filter.CopyFrom(other.filter);
    }
};

class NoiseSource : public DrumSource {
  public:
    typedef NoiseLoop<LowFloats> LowLoop;

    struct Sound {
        uint32_t seed;  // not 0
        FilterCoefficients filter;
        float high_mix;  // 1 high-pass, 0 band-pass (gain 1 at its centre)
    };

    NoiseLoop<FloatLanes> &Loop()
    {
        return loop_;
    }

    void Start(uint32_t lane, const Sound &sound)
    {
        loop_.state[lane] = sound.seed;
        loop_.filter.Start(lane, sound.filter);
        loop_.high_mix[lane] = sound.high_mix;
    }

    void Begin(uint32_t lane, const Segment &segment)
    {
        loop_.amplitude[lane] = segment.increment * (1.0f / 2147483648.0f);
    }

    void Clear(uint32_t lane)
    {
        Start(lane, {});
        loop_.amplitude[lane] = 0.0f;
    }

  private:
    NoiseLoop<FloatLanes> loop_;
};

}  // namespace synth

#endif
