// The lower four of eight lanes. A voice starts on the lowest free lane, so in many groups no upper lane sounds; a free
// lane adds zeros. Where a register holds four numbers, such a group takes half the work.

#ifndef PIXELBOOP_SYNTH_LOW_LANES_H
#define PIXELBOOP_SYNTH_LOW_LANES_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lanes.h"

namespace synth {

typedef float LowFloats __attribute__((vector_size(kLanes / 2 * sizeof(float))));
typedef uint32_t LowUints __attribute__((vector_size(kLanes / 2 * sizeof(uint32_t))));
typedef int32_t LowInts __attribute__((vector_size(kLanes / 2 * sizeof(int32_t))));

// The integers of as many lanes as `Floats` has.
template <typename Floats>
struct Integers;

template <>
struct Integers<FloatLanes> {
    typedef UintLanes Unsigned;
    typedef IntLanes Signed;
};

template <>
struct Integers<LowFloats> {
    typedef LowUints Unsigned;
    typedef LowInts Signed;
};

// Copies the lanes that two vectors have in common.
template <typename From, typename To>
inline void CopyLanes(const From &from, To &to)
{
    std::memcpy(&to, &from, sizeof(From) < sizeof(To) ? sizeof(From) : sizeof(To));
}

// Joins the lower lanes of `low` and of `high`, which consist of FloatLanes, side by side.
template <typename Numbers>
inline void Join(const Numbers &low, const Numbers &high, Numbers &joined)
{
    static_assert(std::is_trivially_copyable_v<Numbers> && sizeof(Numbers) % sizeof(FloatLanes) == 0);
    constexpr size_t kHalf = sizeof(FloatLanes) / 2;
    for (size_t at = 0; at < sizeof(Numbers); at += 2 * kHalf) {
        char *const to = reinterpret_cast<char *>(&joined) + at;
        std::memcpy(to, reinterpret_cast<const char *>(&low) + at, kHalf);
        std::memcpy(to + kHalf, reinterpret_cast<const char *>(&high) + at, kHalf);
    }
}

// The reverse. The other lanes stay as they are.
template <typename Numbers>
inline void Part(const Numbers &joined, Numbers &low, Numbers &high)
{
    constexpr size_t kHalf = sizeof(FloatLanes) / 2;
    for (size_t at = 0; at < sizeof(Numbers); at += 2 * kHalf) {
        const char *const from = reinterpret_cast<const char *>(&joined) + at;
        std::memcpy(reinterpret_cast<char *>(&low) + at, from, kHalf);
        std::memcpy(reinterpret_cast<char *>(&high) + at, from + kHalf, kHalf);
    }
}

// Whether all lanes in `lanes`, a bit mask, are lower ones.
inline bool AreLow(uint32_t lanes)
{
    return lanes >> kLanes / 2 == 0;
}

// Adds the lower lanes to `sum`, or to zeros in its place; the upper ones would add zeros.
template <bool overwrites>
inline void AddTo(FloatLanes &sum, const LowFloats &added)
{
    FloatLanes all = {};
    CopyLanes(added, all);
    if (overwrites) {
        AddTo<true>(sum, all);
        return;
    }
    LowFloats low;
    CopyLanes(sum, low);
    low += added;
    CopyLanes(low, sum);
}

}  // namespace synth

#endif
