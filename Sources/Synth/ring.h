// A queue of fixed-size records from one writer thread to one reader thread, without locks. Each side owns one index
// and publishes it with release, so that a thread that sees the index also sees the records before it.

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
    // Writer. Writes all of `records` or none; returns whether they fit.
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

    // Reader. The oldest record, or null; valid until Drop().
    const Record *Front() const
    {
        const uint32_t begin = begin_.load(std::memory_order_relaxed);
        return begin == end_.load(std::memory_order_acquire) ? nullptr : &records_[begin % kCapacity];
    }

    // Reader. Removes the record that Front() returned.
    void Drop()
    {
        begin_.store(begin_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

  private:
    // On separate cache lines, to avoid false sharing between the threads.
    alignas(64) std::atomic<uint32_t> begin_ = {0};
    alignas(64) std::atomic<uint32_t> end_ = {0};
    alignas(64) std::array<Record, kCapacity> records_ = {};
};

}  // namespace synth

#endif
