// A buffer with about the last second of rendered sound, from the audio thread to one reader.

#ifndef PIXELBOOP_TAP_H
#define PIXELBOOP_TAP_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

namespace alsa_output {

class Tap {
  public:
    // A buffer for at least `frames` stereo frames.
    explicit Tap(uint32_t frames)
    {
        while (capacity_ < frames) {
            capacity_ *= 2;
        }
        samples_.resize(2 * static_cast<size_t>(capacity_));
    }

    // Writer. Copies the frames that fit; returns the number of frames that do not fit.
    uint32_t Write(const float *in, uint32_t frames)
    {
        const uint32_t end = end_.load(std::memory_order_relaxed);
        const uint32_t room = capacity_ - (end - begin_.load(std::memory_order_acquire));
        const uint32_t count = std::min(frames, room);
        for (uint32_t i = 0; i < count; ++i) {
            std::memcpy(At(end + i), in + 2 * i, 2 * sizeof(float));
        }
        end_.store(end + count, std::memory_order_release);
        return frames - count;
    }

    // Reader. Moves up to `frames` frames, oldest first; returns their number.
    uint32_t Read(float *out, uint32_t frames)
    {
        const uint32_t begin = begin_.load(std::memory_order_relaxed);
        const uint32_t count = std::min(frames, end_.load(std::memory_order_acquire) - begin);
        for (uint32_t i = 0; i < count; ++i) {
            std::memcpy(out + 2 * i, At(begin + i), 2 * sizeof(float));
        }
        begin_.store(begin + count, std::memory_order_release);
        return count;
    }

  private:
    float *At(uint32_t frame)
    {
        return &samples_[2 * static_cast<size_t>(frame % capacity_)];
    }

    uint32_t capacity_ = 1024;  // a power of two: the indices wrap at 2^32
    std::vector<float> samples_;
    alignas(64) std::atomic<uint32_t> begin_ = {0};
    alignas(64) std::atomic<uint32_t> end_ = {0};
};

}  // namespace alsa_output

#endif
