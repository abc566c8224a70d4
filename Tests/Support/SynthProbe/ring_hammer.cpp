#include <algorithm>
#include <array>
#include <thread>

#include "ring_at_index.h"
#include "synth_probe.h"

namespace {

// Four words, like a command's three: the checksum of a record torn between two writes is wrong.
struct Record {
    uint64_t number = 0;
    uint64_t left = 0;
    uint64_t right = 0;
    uint64_t checksum = 0;

    // Word by word: ThreadSanitizer (of clang 21) does not report a race with a memcpy, which assignment of a plain struct
    // compiles to.
    Record() = default;
    Record(const Record &) = default;
    Record &operator=(const Record &other)
    {
        number = other.number;
        left = other.left;
        right = other.right;
        checksum = other.checksum;
        return *this;
    }
};

constexpr uint32_t kCapacity = 64;
typedef synth::Ring<Record, kCapacity> RecordRing;

// The finaliser of SplitMix64.
uint64_t Mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

Record Make(uint64_t number, uint64_t seed)
{
    const uint64_t left = Mix(number + seed);
    const uint64_t right = Mix(left + seed);
    Record record;
    record.number = number;
    record.left = left;
    record.right = right;
    record.checksum = Mix(number ^ left ^ right);
    return record;
}

bool IsWhole(const Record &record, uint64_t number, uint64_t seed)
{
    const Record expected = Make(number, seed);
    return record.number == number && record.left == expected.left && record.right == expected.right
        && record.checksum == expected.checksum;
}

// Returns the number of refused batches.
uint64_t Write(RecordRing &ring, uint64_t records, uint64_t seed)
{
    std::array<Record, kCapacity> batch;
    uint64_t refused = 0;
    for (uint64_t written = 0; written < records;) {
        const uint64_t wanted = 1 + Mix(seed ^ written) % kCapacity;
        const uint32_t count = static_cast<uint32_t>(std::min(wanted, records - written));
        for (uint32_t i = 0; i < count; ++i) {
            batch[i] = Make(written + i, seed);
        }
        while (!ring.Write(batch.data(), count)) {
            refused += 1;
            std::this_thread::yield();
        }
        written += count;
    }
    return refused;
}

}  // namespace

RING_INDICES(synth::Ring<Record, kCapacity>);

SynthProbeHammering synth_probe_hammer(uint64_t records, uint32_t index, uint64_t seed)
{
    RecordRing ring;
    probe::SetIndices(ring, index);
    SynthProbeHammering result = {};
    std::thread writer([&] { result.refused = Write(ring, records, seed); });
    while (result.read < records) {
        const Record *record = ring.Front();
        if (record == nullptr) {
            std::this_thread::yield();
            continue;
        }
        result.wrong += IsWhole(*record, result.read, seed) ? 0 : 1;
        ring.Drop();
        result.read += 1;
    }
    writer.join();
    return result;
}
