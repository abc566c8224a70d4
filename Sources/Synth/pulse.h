// Analogue clock as sound: a pulse at each place of a grid, for the clock inputs of other instruments.

#ifndef PIXELBOOP_SYNTH_PULSE_H
#define PIXELBOOP_SYNTH_PULSE_H

#include <array>
#include <cstdint>

namespace synth {

class Pulse {
  public:
    explicit Pulse(uint32_t rate) : frames_per_ms_(rate / 1000.0)
    {
        SetLength(15);
    }

    void SetLength(int32_t milliseconds)
    {
        length_ = static_cast<uint64_t>(milliseconds * frames_per_ms_ + 0.5);
    }

    // Sets the height of a pulse; 1 is full scale.
    void SetLevel(float level)
    {
        level_ = level;
    }

    // Begins a pulse on `frame` of the output, not before the last one. It ends the last one if that has not ended.
    void Begin(uint64_t frame)
    {
        begins_[(first_ + count_) % kRoom] = frame;
        if (count_ < kRoom) {
            count_ += 1;
        } else {
            first_ += 1;
        }
    }

    // Writes `frames` of the signal, from number `first` on, to every `stride`th place of `out`. Frames must not decrease.
    void Write(float *out, uint32_t frames, uint64_t first, uint32_t stride)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            const uint64_t frame = first + i;
            while (count_ > 1 && begins_[(first_ + 1) % kRoom] <= frame) {
                first_ += 1;
                count_ -= 1;
            }
            const bool is_high = count_ > 0 && begins_[first_ % kRoom] <= frame && frame - begins_[first_ % kRoom] < length_;
            out[stride * i] = is_high ? level_ : 0.0f;
        }
    }

  private:
    // More pulses than fit into a period of 4096 frames at 44100 Hz, 48 per quarter note and 300 BPM.
    static constexpr uint32_t kRoom = 32;

    double frames_per_ms_;
    uint64_t length_ = 0;  // in frames
    float level_ = 1.0f;
    std::array<uint64_t, kRoom> begins_ = {};  // frames, oldest at first_
    uint32_t first_ = 0;
    uint32_t count_ = 0;
};

}  // namespace synth

#endif
