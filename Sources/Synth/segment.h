// What one lane does until its next event. A voice is a short list of these; their ends are counted in whole
// samples, and each begins at an exact level, so rounding never adds up from one to the next.

#ifndef PIXELBOOP_SYNTH_SEGMENT_H
#define PIXELBOOP_SYNTH_SEGMENT_H

#include <array>
#include <cstdint>

#include "elementary.h"

namespace synth {

struct Segment {
    uint32_t frames;  // at least 1

    // The gain: level, then level += add - level * decay each sample. (A product level *= ratio drifts by
    // 0.1 dB in 10 s in single precision; the difference form by 0.0003 dB.)
    float level;
    float add;
    float decay;

    // The source: an oscillator's phase increment in 2^-32 turns, falling by increment * sweep each sample;
    // for noise, `increment` is its amplitude.
    float increment;
    float sweep;
};

// The last segment of a list is its ending: a lane in it no longer counts as a sounding voice.
constexpr uint32_t kSegments = 5;

struct SegmentList {
    std::array<Segment, kSegments> segments;
    uint32_t count;

    void Add(const Segment &segment)
    {
        segments[count] = segment;
        count += 1;
    }
};

// The level that every exponential fall of the instrument ends at.
constexpr double kFloor = 0.001;

// The decay that takes `from` to `to` in `frames`.
constexpr double Decay(double from, double to, uint32_t frames)
{
    return OneMinusExp(Logarithm(from / to) / frames);
}

// From `level` to nothing in a straight line of 2.7 ms: no click, and too short to lengthen a note.
inline Segment Ending(uint32_t rate, double level, float increment)
{
    const uint32_t frames = Frames(128.0 / 48.0, rate);
    return {frames, static_cast<float>(level), -static_cast<float>(level) / static_cast<float>(frames), 0.0f,
            increment, 0.0f};
}

}  // namespace synth

#endif
