#include "position_hammer.h"

#include <atomic>
#include <thread>

#include "position.h"

namespace {

// The second half of a pair, computed from its first; different for every frame.
uint64_t Nanoseconds(uint64_t frame)
{
    return frame * 0x9e3779b97f4a7c15u;
}

}  // namespace

PositionHammering position_hammer(uint64_t reads, uint64_t changes)
{
    alsa_output::Position position;
    position.Write(1, Nanoseconds(1));
    std::atomic<bool> done = {false};
    std::thread writer([&] {
        for (uint64_t frame = 2; !done.load(std::memory_order_relaxed); ++frame) {
            position.Write(frame, Nanoseconds(frame));
        }
    });
    PositionHammering result = {};
    uint64_t last = 0;
    while (result.read < reads || result.changes < changes) {
        uint64_t frame = 0;
        uint64_t nanoseconds = 0;
        position.Read(&frame, &nanoseconds);
        result.read += 1;
        result.torn += nanoseconds == Nanoseconds(frame) ? 0 : 1;
        result.changes += frame > last ? 1 : 0;
        result.reversed += frame < last ? 1 : 0;
        last = frame;
    }
    done.store(true, std::memory_order_relaxed);
    writer.join();
    return result;
}
