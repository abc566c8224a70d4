// Dice without a state: the same step of the same turn always falls alike, so that a loop can be heard again.

#ifndef PIXELBOOP_SYNTH_DICE_H
#define PIXELBOOP_SYNTH_DICE_H

#include <cstdint>

namespace synth {

// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
constexpr uint64_t Mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// The die of `step` of `track` in turn `turn`, counted from 0.
constexpr uint64_t Die(uint64_t seed, uint64_t track, uint64_t step, uint64_t turn)
{
    return Mix64((seed << 48) + (track << 44) + (step << 32) + turn);
}

// The die of `note` alone, counted from the track's lowest: the number of SplitMix64 that follows that of Die by as many
// places as there are notes up to it.
constexpr uint64_t NoteDie(uint64_t seed, uint64_t track, uint64_t step, uint64_t turn, uint64_t note)
{
    return Mix64((seed << 48) + (track << 44) + (step << 32) + turn + (note + 1) * 0x9e3779b97f4a7c15u);
}

// Whether a step with a chance of `percent` sounds.
constexpr bool Falls(uint64_t die, uint64_t percent)
{
    return (die >> 32) * 100 < percent << 32;
}

}  // namespace synth

#endif
