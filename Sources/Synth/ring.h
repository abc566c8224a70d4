// A queue of fixed-size records between one writing and one reading thread. No locks: each side owns one index
// and publishes it with release, so whoever sees the index sees the records before it.

#ifndef PIXELBOOP_SYNTH_RING_H
#define PIXELBOOP_SYNTH_RING_H

#include <array>
#include <atomic>
#include <cstdint>

namespace synth {

template <typename Record, uint32_t kCapacity>
class Ring {
    static_assert((kCapacity & (kCapacity - 1)) == 0, "indices wrap at 2^32: the capacity must divide it");

  public:
    // Writer. All of `records` or none.
    bool Write(const Record *records, uint32_t count)
    {
        const uint32_t end = end_.load(std::memory_order_relaxed);
        if (count > kCapacity - (end - begin_.load(std::memory_order_acquire))) {
            return false;
        }
        for (uint32_t i = 0; i < count; ++i) {
            records_[(end + i) % kCapacity] = records[i];
        }
        end_.store(end + count, std::memory_order_release);
        return true;
    }

    // Reader. The oldest record, or null. It stays valid until Drop().
    const Record *Front() const
    {
        const uint32_t begin = begin_.load(std::memory_order_relaxed);
        return begin == end_.load(std::memory_order_acquire) ? nullptr : &records_[begin % kCapacity];
    }

    // Reader. Gives up the record that Front() returned.
    void Drop()
    {
        begin_.store(begin_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

  private:
    // A cache line apart, so that the threads do not take the line from each other.
    alignas(64) std::atomic<uint32_t> begin_ = {0};
    alignas(64) std::atomic<uint32_t> end_ = {0};
    alignas(64) std::array<Record, kCapacity> records_ = {};
};

}  // namespace synth

#endif
