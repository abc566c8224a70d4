// Eight wavetable oscillators. The phase is 32 bits per turn: the top bits, 12 for most waves, select the sample; the
// other bits are the fraction, which single precision represents closely enough.

#ifndef PIXELBOOP_SYNTH_OSCILLATOR_H
#define PIXELBOOP_SYNTH_OSCILLATOR_H

#include <array>
#include <cstdint>
#include <cstring>

#include "lanes.h"
#include "low_lanes.h"
#include "waves.h"

namespace synth {

// Phase increment per sample of a tone of `hertz`.
constexpr double PhaseIncrement(double hertz, uint32_t rate)
{
    return hertz / rate * 4294967296.0;
}

// The samples of `data` at `index`, and the next ones. Loads both as one 64-bit value: this saves 8 % of the engine's
// time compared with two loads. Their order lets one shuffle each sort them, as it does not cross the halves of a
// register.
inline void LoadPairs(const float *data, const UintLanes &index, FloatLanes &low, FloatLanes &high)
{
    typedef double Pairs __attribute__((vector_size(kLanes / 2 * sizeof(double))));
    std::array<double, kLanes> loaded;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
        std::memcpy(&loaded[lane], data + index[lane], sizeof(double));
    }
    const Pairs first = {loaded[0], loaded[1], loaded[4], loaded[5]};
    const Pairs second = {loaded[2], loaded[3], loaded[6], loaded[7]};
    const FloatLanes a = reinterpret_cast<FloatLanes>(first);
    const FloatLanes b = reinterpret_cast<FloatLanes>(second);
    low = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    high = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}

// The same for the lower lanes.
inline void LoadPairs(const float *data, const LowUints &index, LowFloats &low, LowFloats &high)
{
    typedef double Pairs __attribute__((vector_size(2 * sizeof(double))));
    std::array<double, kLanes / 2> loaded;
    for (uint32_t lane = 0; lane < kLanes / 2; ++lane) {
        std::memcpy(&loaded[lane], data + index[lane], sizeof(double));
    }
    const Pairs first = {loaded[0], loaded[1]};
    const Pairs second = {loaded[2], loaded[3]};
    const LowFloats a = reinterpret_cast<LowFloats>(first);
    const LowFloats b = reinterpret_cast<LowFloats>(second);
    low = __builtin_shufflevector(a, b, 0, 2, 4, 6);
    high = __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

// The samples at `phase` of the tables of 2^`kBits` samples that begin at `table`, interpolated linearly.
template <uint32_t kBits, typename Floats>
inline void LookUp(const float *waves, const typename Integers<Floats>::Unsigned &phase,
                   const typename Integers<Floats>::Unsigned &table, Floats &signal)
{
    constexpr uint32_t kFractionBits = 32 - kBits;
    constexpr uint32_t kFractionMask = (1u << kFractionBits) - 1;
    const typename Integers<Floats>::Unsigned index = (phase >> kFractionBits) + table;
    const auto remainder = reinterpret_cast<typename Integers<Floats>::Signed>(phase & kFractionMask);
    const Floats fraction = __builtin_convertvector(remainder, Floats) * (1.0f / (1u << kFractionBits));
    Floats low;
    Floats high;
    LoadPairs(waves, index, low, high);
    signal = low + fraction * (high - low);
}

// The same in one table: two of them at one phase share the index.
template <uint32_t kBits>
inline void LookUp(const float *waves, const UintLanes &phase, uint32_t table, FloatLanes &signal)
{
    LookUp<kBits>(waves + table, phase, UintLanes{}, signal);
}

// The samples 0 to 7 of a vector whose lanes are consecutive samples of one voice.
constexpr UintLanes kOffsets = {0, 1, 2, 3, 4, 5, 6, 7};

// The phases of eight consecutive samples of one oscillator, which it then advances by `count` of them. With `moving`
// each sample has its own increment, else all have the same.
template <bool moving>
inline UintLanes Phases(uint32_t &phase, const UintLanes &increments, uint32_t count)
{
    if (!moving) {
        const UintLanes phases = phase + increments * kOffsets;
        phase += increments[0] * count;
        return phases;
    }
    const UintLanes zeros = {};
    UintLanes sums = increments;
    sums += __builtin_shufflevector(sums, zeros, 8, 0, 1, 2, 3, 4, 5, 6);
    sums += __builtin_shufflevector(sums, zeros, 8, 9, 0, 1, 2, 3, 4, 5);
    sums += __builtin_shufflevector(sums, zeros, 8, 9, 10, 11, 0, 1, 2, 3);
    const UintLanes phases = phase + (sums - increments);
    phase += sums[count - 1];
    return phases;
}

// The oscillators of as many voices as `Floats` has lanes.
template <typename Floats>
class OscillatorOf {
  public:
    typedef typename Integers<Floats>::Unsigned Uints;

    void Start(uint32_t lane, uint32_t table, uint32_t phase = 0)
    {
        phase_[lane] = phase;
        table_[lane] = table;
    }

    uint32_t Table(uint32_t lane) const
    {
        return table_[lane];
    }

    // The wave goes on in another table.
    void SetTable(uint32_t lane, uint32_t table)
    {
        table_[lane] = table;
    }

    // The same as Next, on the way from the tables `before`: `part` of it is done.
    void NextBetween(const float *waves, const UintLanes &increment, const UintLanes &before, float part, FloatLanes &signal)
    {
        FloatLanes last;
        LookUp<Waves::kIndexBits>(waves, phase_, before, last);
        Next(waves, increment, signal);
        signal = last + (signal - last) * part;
    }

    void Next(const float *waves, const Uints &increment, Floats &signal)
    {
        LookUp<Waves::kIndexBits>(waves, phase_, table_, signal);
        phase_ += increment;
    }

    // The same for a group of which only `lane` sounds: the others have its signal, as they are silent.
    void NextAlone(const float *waves, const Uints &increment, uint32_t lane, Floats &signal)
    {
        constexpr uint32_t kFractionBits = 32 - Waves::kIndexBits;
        constexpr uint32_t kFractionMask = (1u << kFractionBits) - 1;
        const uint32_t phase = phase_[lane];
        const float *const sample = waves + ((phase >> kFractionBits) + table_[lane]);
        const float fraction =
            static_cast<float>(static_cast<int32_t>(phase & kFractionMask)) * (1.0f / (1u << kFractionBits));
        signal = Floats{} + (sample[0] + fraction * (sample[1] - sample[0]));
        phase_ += increment;
    }

    // Copies the voices that both have from `other`.
    template <typename Other>
    void CopyFrom(const OscillatorOf<Other> &other)
    {
        CopyLanes(other.phase_, phase_);
        CopyLanes(other.table_, table_);
    }

  private:
    template <typename Other>
    friend class OscillatorOf;

    Uints phase_ = {};
    Uints table_ = {};
};

typedef OscillatorOf<FloatLanes> Oscillator;

}  // namespace synth

#endif
