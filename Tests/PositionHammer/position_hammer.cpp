#include "position_hammer.h"

#include <thread>

#include "position.h"

namespace {

// The second half of a pair, from its first: no two frames have the same.
uint64_t Nanoseconds(uint64_t frame)
{
    return frame * 0x9e3779b97f4a7c15u;
}

}  // namespace

PositionHammering position_hammer(uint64_t pairs)
{
    alsa_output::Position position;
    PositionHammering result = {};
    std::thread writer([&] {
        for (uint64_t frame = 1; frame <= pairs; ++frame) {
            position.Write(frame, Nanoseconds(frame));
        }
    });
    uint64_t last = 0;
    while (last < pairs) {
        uint64_t frame = 0;
        uint64_t nanoseconds = 0;
        if (!position.Read(&frame, &nanoseconds)) {
            continue;
        }
        result.read += 1;
        result.torn += nanoseconds == Nanoseconds(frame) ? 0 : 1;
        result.changes += frame > last ? 1 : 0;
        result.reversed += frame < last ? 1 : 0;
        last = frame;
    }
    writer.join();
    return result;
}
