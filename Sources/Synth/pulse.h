// Analogue clock as sound: a pulse at each place of a grid, for the clock inputs of other instruments.

#ifndef PIXELBOOP_SYNTH_PULSE_H
#define PIXELBOOP_SYNTH_PULSE_H

#include <algorithm>
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

    // Begins a pulse of at most `length_max` frames on `frame` of the output, not before the last one.
    void Begin(uint64_t frame, uint32_t length_max)
    {
        places_[(first_ + count_) % kRoom] = {frame, frame + std::min<uint64_t>(length_, length_max)};
        if (count_ < kRoom) {
            count_ += 1;
        } else {
            first_ += 1;
        }
    }

    // Writes `frames` of the signal, from number `first` on, to every `stride`th place of `out`. Frames must not
    // decrease.
    void Write(float *out, uint32_t frames, uint64_t first, uint32_t stride)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            const uint64_t frame = first + i;
            while (count_ > 1 && places_[(first_ + 1) % kRoom].begin <= frame) {
                first_ += 1;
                count_ -= 1;
            }
            const Place &place = places_[first_ % kRoom];
            out[stride * i] = place.begin <= frame && frame < place.end ? level_ : 0.0f;
        }
    }

  private:
    struct Place {
        uint64_t begin;  // frame
        uint64_t end;    // the frame after its last
    };

    // More pulses than fit into a period of 4096 frames at 44100 Hz, 48 per quarter note and 300 BPM.
    static constexpr uint32_t kRoom = 32;

    double frames_per_ms_;
    uint64_t length_ = 0;  // in frames
    float level_ = 1.0f;
    std::array<Place, kRoom> places_ = {};  // oldest at first_
    uint32_t first_ = 0;
    uint32_t count_ = 0;
};

}  // namespace synth

#endif
