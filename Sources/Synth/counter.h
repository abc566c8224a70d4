// A number that one thread increments and any thread reads.

#ifndef PIXELBOOP_SYNTH_COUNTER_H
#define PIXELBOOP_SYNTH_COUNTER_H

#include <atomic>
#include <cstdint>

namespace synth {

class Counter {
  public:
    // Only one thread calls this, so no atomic read-modify-write is needed.
    void Add(uint64_t amount)
    {
        Set(Value() + amount);
    }

    void Set(uint64_t value)
    {
        value_.store(value, std::memory_order_relaxed);
    }

    uint64_t Value() const
    {
        return value_.load(std::memory_order_relaxed);
    }

  private:
    std::atomic<uint64_t> value_ = {0};
};

}  // namespace synth

#endif
