// GATE: the sound opens and closes with each division.

#ifndef PIXELBOOP_SYNTH_FX_GATE_H
#define PIXELBOOP_SYNTH_FX_GATE_H

#include <algorithm>
#include <cstdint>

#include "../base/glide.h"
#include "fx_block.h"

namespace synth {

// The place of a block on the clock's line of time.
struct FxTime {
    int64_t place;  // units since the pattern's begin
    int64_t speed;  // units a frame
    bool runs;      // whether the transport runs; if not, only the speed counts
};

class FxGate {
  public:
    explicit FxGate(uint32_t edge_frames) : edge_frames_(edge_frames) {}

    // Begins a division of `units` of the clock.
    void Begin(int64_t units)
    {
        units_ = units;
        place_ = 0;
        level_ = edge_frames_;
    }

    void SetUnits(int64_t units)
    {
        units_ = units;
    }

    // It is open for the first half of each division, and opens before: with the division it is open.
    void Process(FxBlock &block, const FxTime &time)
    {
        place_ = time.runs ? time.place : place_;
        const int64_t edge = edge_frames_ * time.speed;
        int64_t phase = (place_ + edge) % units_;
        phase += phase < 0 ? units_ : 0;
        place_ += block.frames * time.speed;
        for (uint32_t i = 0; i < block.frames; ++i) {
            // An edge that has begun is not turned back: its corner would click.
            if (level_ == 0 || level_ == edge_frames_) {
                opens_ = phase < units_ / 2 + edge;
            }
            level_ = opens_ ? std::min(level_ + 1, edge_frames_) : level_ - (level_ > 0 ? 1 : 0);
            const float open = SmoothStep(static_cast<float>(level_) / static_cast<float>(edge_frames_));
            block.wet[i] = block.In(i) * (1.0f - block.y[i] * (1.0f - open));
            phase += time.speed;
            phase -= phase >= units_ ? units_ : 0;
        }
    }

  private:
    const uint32_t edge_frames_;  // in which it opens or closes
    int64_t units_ = 1;
    int64_t place_ = 0;
    uint32_t level_ = 0;  // up to edge_frames_: open
    bool opens_ = true;   // or closes
};

}  // namespace synth

#endif
