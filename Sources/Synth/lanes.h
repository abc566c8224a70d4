// Eight voices side by side: the vector types of the inner loops. The number of lanes is part of the sound
// (it decides the order of additions), so it is the same on every machine, whatever its registers hold.

#ifndef PIXELBOOP_SYNTH_LANES_H
#define PIXELBOOP_SYNTH_LANES_H

#include <cstdint>

namespace synth {

constexpr uint32_t kLanes = 8;

typedef float FloatLanes __attribute__((vector_size(kLanes * sizeof(float))));
typedef uint32_t UintLanes __attribute__((vector_size(kLanes * sizeof(uint32_t))));
typedef int32_t IntLanes __attribute__((vector_size(kLanes * sizeof(int32_t))));

// Adds the lanes of `lanes` in one fixed tree.
inline float AddLanes(const FloatLanes &lanes)
{
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace synth

#endif
