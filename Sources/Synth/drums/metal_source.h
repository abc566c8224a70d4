// The metal component of drums: squares of inharmonic frequencies through two filters, eight voices in parallel.

#ifndef PIXELBOOP_SYNTH_METAL_SOURCE_H
#define PIXELBOOP_SYNTH_METAL_SOURCE_H

#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/segment.h"
#include "drum_sources.h"

namespace synth {

// Six squares through a band-pass or high-pass and then a high-pass. The oscillators of a voice are the lanes of one
// vector, so a voice costs as much as a lane group of melodic voices, but silent voices cost nothing. Their phases
// differ from hit to hit, as those of free-running oscillators do.
class MetalSource : public DrumSource {
  public:
    struct Sound {
        uint32_t seed;  // not 0
        std::array<uint32_t, kLanes> table;
        std::array<uint32_t, kLanes> increment;  // 0 for no oscillator
        FilterCoefficients filter;
        float high_mix;  // 1 high-pass, 0 band-pass (gain 1 at its centre)
        FilterCoefficients high_pass;
    };

    void Start(uint32_t lane, const Sound &sound)
    {
        uint32_t state = sound.seed;
        for (uint32_t square = 0; square < kLanes; ++square) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            // Without an increment the oscillator stays at its zero crossing: it adds exact zeros.
            const bool sounds = sound.increment[square] != 0;
            oscillators_[lane].Start(square, sounds ? sound.table[square] : 0, sounds ? state : 0);
            increments_[lane][square] = sound.increment[square];
        }
        SetFilters(lane, sound);
        active_ |= 1u << lane;
    }

    void Begin(uint32_t, const Segment &) {}

    void Clear(uint32_t lane)
    {
        SetFilters(lane, {});
        active_ &= ~(1u << lane);
        squares_[lane] = 0.0f;
    }

    void Next(const float *waves, FloatLanes &signal)
    {
        for (uint32_t left = active_; left != 0; left &= left - 1) {
            const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(left));
            FloatLanes squares;
            oscillators_[lane].Next(waves, increments_[lane], squares);
            squares_[lane] = AddLanes(squares);
        }
        FloatLanes band;
        FloatLanes low;
        first_.Step(squares_, first_coefficients_, band, low);
        band *= 0.5f * first_coefficients_.k;
        signal = band + high_mix_ * (squares_ - band - 0.5f * low - band);
        second_.Step(signal, second_coefficients_, band, low);
        signal = signal - 0.5f * second_coefficients_.k * band - 0.5f * low;
    }

  private:
    struct Coefficients {
        FloatLanes two_a1_minus_1 = {};
        FloatLanes two_a2 = {};
        FloatLanes two_a3 = {};
        FloatLanes k = {};

        void Set(uint32_t lane, const FilterCoefficients &coefficients)
        {
            two_a1_minus_1[lane] = coefficients.two_a1_minus_1;
            two_a2[lane] = coefficients.two_a2;
            two_a3[lane] = coefficients.two_a3;
            k[lane] = coefficients.k;
        }
    };

    struct Filter : Integrators<FloatLanes> {
        void Step(const FloatLanes &input, const Coefficients &coefficients, FloatLanes &band, FloatLanes &low)
        {
            Integrators<FloatLanes>::Step(input, coefficients.two_a1_minus_1, coefficients.two_a2,
                                          coefficients.two_a3, band, low);
        }
    };

    void SetFilters(uint32_t lane, const Sound &sound)
    {
        first_coefficients_.Set(lane, sound.filter);
        second_coefficients_.Set(lane, sound.high_pass);
        high_mix_[lane] = sound.high_mix;
        first_.Clear(lane);
        second_.Clear(lane);
    }

    uint32_t active_ = 0;  // lanes in use, one bit each
    std::array<Oscillator, kLanes> oscillators_;
    std::array<UintLanes, kLanes> increments_ = {};
    FloatLanes squares_ = {};  // sum of the squares of each voice
    FloatLanes high_mix_ = {};
    Coefficients first_coefficients_;
    Coefficients second_coefficients_;
    Filter first_;
    Filter second_;
};

}  // namespace synth

#endif
