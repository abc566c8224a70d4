// Functions of eight lanes, from basic arithmetic, so that they are the same on every machine.

#ifndef PIXELBOOP_SYNTH_LANE_MATH_H
#define PIXELBOOP_SYNTH_LANE_MATH_H

#include <cstdint>

#include "lanes.h"

namespace synth {

inline FloatLanes Least(const FloatLanes &a, const FloatLanes &b)
{
    return a < b ? a : b;
}

inline FloatLanes Most(const FloatLanes &a, const FloatLanes &b)
{
    return a > b ? a : b;
}

inline FloatLanes Clamped(const FloatLanes &x, float low, float high)
{
    return Least(Most(x, FloatLanes{} + low), FloatLanes{} + high);
}

inline FloatLanes Magnitude(const FloatLanes &x)
{
    return reinterpret_cast<FloatLanes>(reinterpret_cast<IntLanes>(x) & ~INT32_MIN);
}

// A phase increment, in 2^-32 turns, at most a quarter turn.
inline UintLanes Increment(const FloatLanes &increment)
{
    return reinterpret_cast<UintLanes>(__builtin_convertvector(increment, IntLanes));
}

// 2 to the power of `x` in -100...100, within 1e-7.
inline FloatLanes Exp2(const FloatLanes &x)
{
    constexpr float kOffset = 16384.5f;
    const IntLanes whole = __builtin_convertvector(x + kOffset, IntLanes) - 16384;
    const FloatLanes f = x - __builtin_convertvector(whole, FloatLanes);
    // Least squares over -0.5...0.5; the largest relative error is 6e-9.
    const FloatLanes power = 1.0f
        + f * (6.93147200e-1f
               + f * (2.40226511e-1f
                      + f * (5.55034061e-2f + f * (9.61803986e-3f + f * (1.33953101e-3f + f * 1.54653426e-4f)))));
    const IntLanes exponent = (whole + 127) << 23;
    return power * reinterpret_cast<FloatLanes>(exponent);
}

// Tangent of pi times `x`, in 0...0.46, within 3e-5.
inline FloatLanes TangentOfHalfTurns(const FloatLanes &x)
{
    const FloatLanes a = x * 3.14159265f;
    const FloatLanes b = a * a;
    const FloatLanes sine = a
        * (1.0f + b * (-1.0f / 6.0f + b * (1.0f / 120.0f + b * (-1.0f / 5040.0f + b * (1.0f / 362880.0f)))));
    const FloatLanes cosine = 1.0f
        + b * (-1.0f / 2.0f
               + b * (1.0f / 24.0f + b * (-1.0f / 720.0f + b * (1.0f / 40320.0f - b * (1.0f / 3628800.0f)))));
    return sine / cosine;
}

// Sine of `phase`, in 2^-32 turns; its harmonics are 145 dB down. A series in powers of the parabola x (1 - |x|), x
// from -1 to 1, converges fast; least squares over a turn.
inline FloatLanes SineOfPhase(const UintLanes &phase)
{
    const FloatLanes x = __builtin_convertvector(reinterpret_cast<IntLanes>(phase), FloatLanes) * (1.0f / 2147483648.0f);
    const FloatLanes w = x * (1.0f - Magnitude(x));
    const FloatLanes a = Magnitude(w);
    return w * (3.14158392f + a * (3.14189196f + a * (1.11212301f + a * 0.219850868f)));
}

// White noise between -1 and 1, a generator for each lane: Marsaglia's xorshift32 (13, 17, 5).
inline FloatLanes Noise(UintLanes &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return __builtin_convertvector(reinterpret_cast<IntLanes>(state), FloatLanes) * (1.0f / 2147483648.0f);
}

}  // namespace synth

#endif
