// The state of one lane until its next event. A voice is a short list of segments; they end on exact samples and begin
// at exact levels, so rounding errors do not accumulate.

#ifndef PIXELBOOP_SYNTH_SEGMENT_H
#define PIXELBOOP_SYNTH_SEGMENT_H

#include <array>
#include <cstdint>

#include "../base/elementary.h"

namespace synth {

struct Segment {
    uint32_t frames;  // at least 1

    // The gain: starts at level; each sample adds add - level * decay. (The product form level *= ratio drifts by 0.1
    // dB in 10 s in single precision; the difference form by 0.0003 dB.)
    float level;
    float add;
    float decay;

    // The source: an oscillator's phase increment in 2^-32 turns, falling by increment * sweep each sample; for noise,
    // `increment` is the amplitude.
    float increment;
    float sweep;
};

// The last segment of a list is the ending: a lane in it no longer counts as sounding.
constexpr uint32_t kSegments = 5;

struct SegmentList {
    std::array<Segment, kSegments> segments;
    uint32_t count;

    void Add(const Segment &segment)
    {
        segments[count] = segment;
        count += 1;
    }

    // The same list with every level multiplied by `gain`.
    SegmentList Scaled(float gain) const
    {
        SegmentList list = *this;
        for (Segment &segment : list.segments) {
            segment.level *= gain;
            segment.add *= gain;
        }
        return list;
    }
};

// End level of every exponential decay of the instrument.
constexpr double kFloor = 0.001;

// The decay factor from `from` to `to` in `frames`.
constexpr double Decay(double from, double to, uint32_t frames)
{
    return OneMinusExp(Logarithm(from / to) / frames);
}

// A linear fall from `level` to 0 in 2.7 ms: long enough for no click, too short to lengthen a note audibly.
inline Segment Ending(uint32_t rate, double level, float increment)
{
    const uint32_t frames = Frames(128.0 / 48.0, rate);
    return {frames, static_cast<float>(level), -static_cast<float>(level) / static_cast<float>(frames), 0.0f,
            increment, 0.0f};
}

}  // namespace synth

#endif
