// The newest pair of an engine frame and the time at which it is heard. One writer, any number of readers, no locks (a
// sequence lock: an odd count means that a write is in progress).

#ifndef PIXELBOOP_POSITION_H
#define PIXELBOOP_POSITION_H

#include <atomic>
#include <cstdint>

namespace alsa_output {

class Position {
  public:
    void Write(uint64_t frame, uint64_t nanoseconds)
    {
        const uint32_t count = count_.load(std::memory_order_relaxed);
        count_.store(count + 1, std::memory_order_relaxed);
        // Release, so that a reader of a new half also sees the odd count.
        frame_.store(frame, std::memory_order_release);
        nanoseconds_.store(nanoseconds, std::memory_order_release);
        count_.store(count + 2, std::memory_order_release);
    }

    // False before the first Write.
    bool Read(uint64_t *frame, uint64_t *nanoseconds) const
    {
        while (true) {
            const uint32_t before = count_.load(std::memory_order_acquire);
            if (before == 0) {
                return false;
            }
            // Acquire, so that the count is not read again before the halves.
            *frame = frame_.load(std::memory_order_acquire);
            *nanoseconds = nanoseconds_.load(std::memory_order_acquire);
            if (before % 2 == 0 && before == count_.load(std::memory_order_relaxed)) {
                return true;
            }
        }
    }

  private:
    std::atomic<uint32_t> count_ = {0};
    std::atomic<uint64_t> frame_ = {0};
    std::atomic<uint64_t> nanoseconds_ = {0};
};

}  // namespace alsa_output

#endif
