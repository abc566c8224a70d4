// Eight voices in parallel: the vector types of the inner loops. The number of lanes is part of the sound (it
// determines the order of additions), so it is the same on every machine, whatever its register width.

#ifndef PIXELBOOP_SYNTH_LANES_H
#define PIXELBOOP_SYNTH_LANES_H

#include <array>
#include <cstdint>
#include <cstring>

namespace synth {

constexpr uint32_t kLanes = 8;

typedef float FloatLanes __attribute__((vector_size(kLanes * sizeof(float))));
typedef uint32_t UintLanes __attribute__((vector_size(kLanes * sizeof(uint32_t))));
typedef int32_t IntLanes __attribute__((vector_size(kLanes * sizeof(int32_t))));

// Two channels, or two delay lines.
typedef float FloatPair __attribute__((vector_size(2 * sizeof(float))));
typedef int32_t IntPair __attribute__((vector_size(2 * sizeof(int32_t))));
typedef uint32_t UintPair __attribute__((vector_size(2 * sizeof(uint32_t))));

// Maximum number of samples per engine pass.
constexpr uint32_t kBlock = 128;

typedef std::array<FloatLanes, kBlock> LaneBlock;
typedef std::array<float, kBlock> Block;

// Waves of a lane group that are made before its loop, eight samples at a time; the last eight may reach beyond the
// block.
typedef std::array<FloatLanes, kBlock + kLanes> PreparedWaves;

inline bool AreEqual(const UintLanes &a, const UintLanes &b)
{
    typedef uint64_t Words __attribute__((vector_size(kLanes * sizeof(uint32_t))));
    const Words words = reinterpret_cast<Words>(a ^ b);
    return ((words[0] | words[1]) | (words[2] | words[3])) == 0;
}

// The number on `lane` of a vector in memory: with a variable index the compiler would copy the vector first.
inline float LaneOf(const FloatLanes &lanes, uint32_t lane)
{
    float number;
    std::memcpy(&number, reinterpret_cast<const float *>(&lanes) + lane, sizeof(number));
    return number;
}

// `number` on all lanes.
inline FloatLanes Splat(float number)
{
    return FloatLanes{number, number, number, number, number, number, number, number};
}

// Adds `added` to `sum`, or to zeros in its place. Adding zeros matters: a sum of -0 and 0 is 0.
template <bool overwrites>
inline void AddTo(FloatLanes &sum, const FloatLanes &added)
{
    sum = (overwrites ? FloatLanes{} : sum) + added;
}

// Adds the lanes of `lanes` in a fixed tree.
inline float AddLanes(const FloatLanes &lanes)
{
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Applies AddLanes to each of the first `frames` samples, rounded up to a multiple of 8. Eight samples at a time,
// transposed, cost a fifth of eight single ones; the additions are the same.
inline void AddLanes(const FloatLanes *lanes, Block &sums, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i += kLanes) {
        // The sums of the halves: the sums of a sample, then the sums of the fourth sample after it.
        std::array<FloatLanes, 4> halves;
        for (uint32_t j = 0; j < 4; ++j) {
            const FloatLanes &one = lanes[i + j];
            const FloatLanes &other = lanes[i + j + 4];
            halves[j] = __builtin_shufflevector(one, other, 0, 1, 2, 3, 8, 9, 10, 11)
                + __builtin_shufflevector(one, other, 4, 5, 6, 7, 12, 13, 14, 15);
        }
        // Sums 0 and 2 of two samples, and 1 and 3 of two samples.
        const FloatLanes even01 = __builtin_shufflevector(halves[0], halves[1], 0, 2, 8, 10, 4, 6, 12, 14);
        const FloatLanes odd01 = __builtin_shufflevector(halves[0], halves[1], 1, 3, 9, 11, 5, 7, 13, 15);
        const FloatLanes even23 = __builtin_shufflevector(halves[2], halves[3], 0, 2, 8, 10, 4, 6, 12, 14);
        const FloatLanes odd23 = __builtin_shufflevector(halves[2], halves[3], 1, 3, 9, 11, 5, 7, 13, 15);
        const FloatLanes even = __builtin_shufflevector(even01, even23, 0, 2, 8, 10, 4, 6, 12, 14)
            + __builtin_shufflevector(even01, even23, 1, 3, 9, 11, 5, 7, 13, 15);
        const FloatLanes odd = __builtin_shufflevector(odd01, odd23, 0, 2, 8, 10, 4, 6, 12, 14)
            + __builtin_shufflevector(odd01, odd23, 1, 3, 9, 11, 5, 7, 13, 15);
        const FloatLanes sum = even + odd;
        std::memcpy(&sums[i], &sum, sizeof(sum));
    }
}

// Eight samples of `ring` from `index` on; the ring has `size` samples.
inline void Load(const float *ring, uint32_t size, uint32_t index, FloatLanes &samples)
{
    if (index + kLanes <= size) {
        std::memcpy(&samples, ring + index, sizeof(samples));
        return;
    }
    for (uint32_t i = 0; i < kLanes; ++i) {
        samples[i] = ring[(index + i) % size];
    }
}

// Writes the columns of `rows`, eight numbers each, to `columns`, which may be the rows themselves.
inline void Transpose(const std::array<FloatLanes, kLanes> &rows, FloatLanes *columns)
{
    std::array<FloatLanes, kLanes> pairs;
    for (uint32_t i = 0; i < kLanes; i += 2) {
        pairs[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    std::array<FloatLanes, kLanes> fours;
    for (uint32_t i = 0; i < kLanes; i += 4) {
        for (uint32_t j = i; j < i + 2; ++j) {
            fours[j] = __builtin_shufflevector(pairs[j], pairs[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            fours[j + 2] = __builtin_shufflevector(pairs[j], pairs[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (uint32_t i = 0; i < kLanes / 2; ++i) {
        columns[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        columns[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Exchanges rows and columns.
inline void Transpose(std::array<FloatLanes, kLanes> &rows)
{
    Transpose(rows, rows.data());
}

}  // namespace synth

#endif
