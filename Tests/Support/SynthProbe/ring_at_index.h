// A ring that starts at any index: near 2^32 a test reaches the wrap that a box would reach after years. The indices are
// private; an explicit instantiation may name private members ([temp.spec.general]), and so exposes them here.

#ifndef PIXELBOOP_SYNTH_PROBE_RING_AT_INDEX_H
#define PIXELBOOP_SYNTH_PROBE_RING_AT_INDEX_H

#include <atomic>
#include <cstdint>

#include "ring.h"

namespace probe {

template <typename Ring>
struct Indices {
    typedef std::atomic<uint32_t> Ring::*Index;
    static inline Index begin = nullptr;
    static inline Index end = nullptr;
};

template <typename Ring, std::atomic<uint32_t> Ring::*kBegin, std::atomic<uint32_t> Ring::*kEnd>
struct NameIndices {
    static inline const bool named = [] {
        Indices<Ring>::begin = kBegin;
        Indices<Ring>::end = kEnd;
        return true;
    }();
};

// Sets both indices of an empty ring to `index`. Needs RING_INDICES(Ring) in the same file.
template <typename Ring>
void SetIndices(Ring &ring, uint32_t index)
{
    (ring.*Indices<Ring>::begin).store(index);
    (ring.*Indices<Ring>::end).store(index);
}

}  // namespace probe

#define RING_INDICES(...) template struct probe::NameIndices<__VA_ARGS__, &__VA_ARGS__::begin_, &__VA_ARGS__::end_>

#endif
