// Well-distributed numbers from a counter.

#ifndef PIXELBOOP_SYNTH_HASH_H
#define PIXELBOOP_SYNTH_HASH_H

#include <cstdint>

namespace synth {

// The finaliser of MurmurHash3: another number for every `x`, and 0 for 0 alone.
inline uint32_t Hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

// A seed for a generator that must not be 0, from a counter.
inline uint32_t Seed(uint32_t count)
{
    const uint32_t seed = Hash(count);
    return seed == 0 ? 1 : seed;
}

}  // namespace synth

#endif
