// The time at which the device plays what was rendered, without the unevenness of its measurement.
//
// A device reports its position in steps (of a DMA burst, a USB packet or a tick of the kernel), and a busy machine
// reads it late. Its own clock is even, so a delay-locked loop follows it (F. Adriaensen, "Using a DLL to filter time",
// Linux Audio Conference 2005). MIDI and pulses that leave the box keep these times.

#ifndef PIXELBOOP_HEARD_TIME_H
#define PIXELBOOP_HEARD_TIME_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace alsa_output {

class HeardTime {
  public:
    // For periods of `frames` at `rate` frames per second.
    HeardTime(uint32_t frames, uint32_t rate)
        : nominal_(1e9 * frames / rate),
          omega_(2 * M_PI * kBandwidth * nominal_ / 1e9),
          jumps_max_(static_cast<uint32_t>(kJumpTime / nominal_) + 1),
          step_(nominal_)
    {
    }

    // Forgets the device: the next measurement counts fully.
    void Restart()
    {
        count_ = 0;
    }

    // Smooths the measured time of the end of the next period, in nanoseconds; returns the even one.
    uint64_t Smooth(uint64_t measured)
    {
        if (count_ == 0) {
            return Begin(measured);
        }
        time_ += step_;
        const double error = static_cast<double>(static_cast<int64_t>(measured - origin_)) - time_;
        if (std::abs(error) > kJump) {
            jumps_ += 1;
            return jumps_ < jumps_max_ ? Now() : Begin(measured);
        }
        jumps_ = 0;
        count_ += 1;
        // The first measurements are averaged: the loop alone would need seconds to forget the first one.
        time_ += std::max(M_SQRT2 * omega_, 1.0 / count_) * error;
        step_ += omega_ * omega_ * error;
        return Now();
    }

  private:
    // Bandwidth in Hz. Clocks drift within minutes, measurements vary within tens of milliseconds.
    static constexpr double kBandwidth = 0.1;
    // Error in nanoseconds that is no unevenness. A single one is a thread that was held up; for the jump time it is
    // another delay of the device.
    static constexpr double kJump = 1e7;
    static constexpr double kJumpTime = 1e8;

    uint64_t Begin(uint64_t measured)
    {
        origin_ = measured;
        time_ = 0;
        step_ = nominal_;
        count_ = 1;
        jumps_ = 0;
        return measured;
    }

    uint64_t Now() const
    {
        return origin_ + static_cast<uint64_t>(static_cast<int64_t>(time_));
    }

    const double nominal_;  // nanoseconds of a period by its rate
    const double omega_;    // radians in a period
    const uint32_t jumps_max_;
    uint64_t origin_ = 0;  // nanoseconds
    double time_ = 0;      // nanoseconds since the origin
    double step_;          // nanoseconds of a period by the device's clock
    uint64_t count_ = 0;
    uint32_t jumps_ = 0;
};

}  // namespace alsa_output

#endif
