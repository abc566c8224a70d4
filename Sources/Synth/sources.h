// The three kinds of lane: a melodic voice, a drum's tone and a drum's noise. Each is started on a lane,
// told of every segment that begins there, and then makes one sample of eight lanes at a time.

#ifndef PIXELBOOP_SYNTH_SOURCES_H
#define PIXELBOOP_SYNTH_SOURCES_H

#include "filter.h"
#include "oscillator.h"
#include "segment.h"

namespace synth {

// A steady oscillator through a low-pass.
class MelodicSource {
  public:
    struct Sound {
        uint32_t table;
        uint32_t increment;
        FilterCoefficients filter;
    };

    void Start(uint32_t lane, const Sound &sound)
    {
        oscillator_.Start(lane, sound.table);
        increment_[lane] = sound.increment;
        filter_.Start(lane, sound.filter);
    }

    void Begin(uint32_t, const Segment &) {}

    void Clear(uint32_t lane)
    {
        filter_.Clear(lane);
        Start(lane, {});
    }

    void Next(const float *waves, FloatLanes &signal)
    {
        oscillator_.Next(waves, increment_, signal);
        filter_.LowPass(signal);
    }

  private:
    Oscillator oscillator_;
    UintLanes increment_ = {};
    Filter filter_;
};

// An oscillator whose frequency falls exponentially.
class ToneSource {
  public:
    struct Sound {
        uint32_t table;
    };

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

    void Next(const float *waves, FloatLanes &signal)
    {
        // Below 2^31 (a quarter of 96 kHz would be 2^30), so the conversion is in range everywhere.
        const UintLanes increment = reinterpret_cast<UintLanes>(__builtin_convertvector(increment_, IntLanes));
        oscillator_.Next(waves, increment, signal);
        increment_ -= increment_ * sweep_;
    }

  private:
    Oscillator oscillator_;
    FloatLanes increment_ = {};
    FloatLanes sweep_ = {};
};

// White noise, even between -1 and 1, through a high-pass or band-pass. Each lane has its own generator
// (Marsaglia's xorshift32, 13 17 5), seeded at its start, so what one voice hears never depends on another.
class NoiseSource {
  public:
    struct Sound {
        uint32_t seed;  // not 0
        FilterCoefficients filter;
        float high_mix;  // 1 high-pass, 0 band-pass
    };

    void Start(uint32_t lane, const Sound &sound)
    {
        state_[lane] = sound.seed;
        filter_.Start(lane, sound.filter);
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

    void Next(const float *, FloatLanes &signal)
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        signal = __builtin_convertvector(reinterpret_cast<IntLanes>(state_), FloatLanes) * amplitude_;
        filter_.HighOrBandPass(signal, high_mix_);
    }

  private:
    UintLanes state_ = {};
    FloatLanes amplitude_ = {};
    FloatLanes high_mix_ = {};
    Filter filter_;
};

}  // namespace synth

#endif
