// Velocities of MIDI, and their gains.

#ifndef PIXELBOOP_SYNTH_VELOCITY_H
#define PIXELBOOP_SYNTH_VELOCITY_H

#include <cstdint>

namespace synth {

// Velocities of a pattern's cells.
constexpr uint32_t kNormalVelocity = 80;
constexpr uint32_t kAccentVelocity = 127;
// From here on a note is an accent for a sound that treats it as another.
constexpr uint32_t kLowestAccent = 104;

// The velocity of a cell: 1 normal, 2 accent.
constexpr uint32_t VelocityOfCell(uint32_t cell)
{
    return cell > 1 ? kAccentVelocity : kNormalVelocity;
}

// Gain of a note: 1 for a normal cell and 2 for an accent, between and below as the power 1.5 of the velocity, on which
// both lie (within 0.001 dB).
inline double VelocityGain(uint32_t velocity)
{
    if (velocity >= kAccentVelocity) {
        return 2.0;
    }
    const double share = velocity / static_cast<double>(kNormalVelocity);
    return velocity == kNormalVelocity ? 1.0 : share * __builtin_sqrt(share);
}

// How one hit of a step sounds.
struct Hit {
    uint32_t velocity = kNormalVelocity;  // 1-127
    double steps = 1.0;                   // its length in steps of the pattern
    bool is_gated = false;                // whether it ends exactly after that length
    bool slides = false;                  // whether it glides from the note before
};

}  // namespace synth

#endif
