// Eight lanes of one kind of source, each with its own list of segments. Between two events the group runs
// with its whole state in registers.

#ifndef PIXELBOOP_SYNTH_LANE_GROUP_H
#define PIXELBOOP_SYNTH_LANE_GROUP_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "envelope.h"
#include "lanes.h"
#include "segment.h"

namespace synth {

template <typename Source>
class LaneGroup {
  public:
    bool Silent() const
    {
        return active_ == 0;
    }

    bool Full() const
    {
        return active_ == kAllLanes;
    }

    // Lanes that sound and have neither begun to fade nor reached their last segment, as a bit mask.
    uint32_t Sounding() const
    {
        return active_ & ~leaving_;
    }

    uint32_t FreeLane() const
    {
        return static_cast<uint32_t>(__builtin_ctz(~static_cast<uint32_t>(active_)));
    }

    uint64_t Serial(uint32_t lane) const
    {
        return serial_[lane];
    }

    uint32_t Track(uint32_t lane) const
    {
        return track_[lane];
    }

    void Start(uint32_t lane, uint64_t serial, uint32_t track, const typename Source::Sound &sound,
               const SegmentList &list)
    {
        active_ |= Bit(lane);
        leaving_ &= ~Bit(lane);
        fading_ &= ~Bit(lane);
        serial_[lane] = serial;
        track_[lane] = track;
        lists_[lane] = list;
        segment_[lane] = 0;
        envelope_.Clear(lane);
        source_.Start(lane, sound);
        BeginSegment(lane);
    }

    // Lets the lane go within `frames`. One that is already leaving keeps its own end.
    void Fade(uint32_t lane, uint32_t frames)
    {
        if ((Sounding() & Bit(lane)) == 0) {
            return;
        }
        leaving_ |= Bit(lane);
        fading_ |= Bit(lane);
        fade_left_[lane] = frames;
        envelope_.Fade(lane, frames);
    }

    // Adds `frames` samples of every lane to `sum`.
    void Render(const float *waves, FloatLanes *sum, uint32_t frames)
    {
        while (frames > 0 && active_ != 0) {
            uint32_t run = frames;
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                if ((active_ & Bit(lane)) != 0) {
                    run = std::min(run, left_[lane]);
                }
                if ((fading_ & Bit(lane)) != 0) {
                    run = std::min(run, fade_left_[lane]);
                }
            }
            if (fading_ != 0) {
                Run<true>(waves, sum, run);
            } else {
                Run<false>(waves, sum, run);
            }
            Pass(run);
            sum += run;
            frames -= run;
        }
    }

  private:
    static constexpr uint32_t kAllLanes = (1u << kLanes) - 1;

    static constexpr uint32_t Bit(uint32_t lane)
    {
        return 1u << lane;
    }

    template <bool fading>
    void Run(const float *waves, FloatLanes *sum, uint32_t frames)
    {
        Source source = source_;
        Envelope envelope = envelope_;
        for (uint32_t i = 0; i < frames; ++i) {
            FloatLanes signal;
            source.Next(waves, signal);
            envelope.Apply<fading>(signal);
            sum[i] += signal;
        }
        source_ = source;
        envelope_ = envelope;
    }

    void Pass(uint32_t frames)
    {
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            if ((active_ & Bit(lane)) == 0) {
                continue;
            }
            left_[lane] -= frames;
            if ((fading_ & Bit(lane)) != 0) {
                fade_left_[lane] -= frames;
                if (fade_left_[lane] == 0) {
                    Free(lane);
                    continue;
                }
            }
            if (left_[lane] == 0) {
                segment_[lane] += 1;
                if (segment_[lane] == lists_[lane].count) {
                    Free(lane);
                } else {
                    BeginSegment(lane);
                }
            }
        }
    }

    void BeginSegment(uint32_t lane)
    {
        const Segment &segment = lists_[lane].segments[segment_[lane]];
        left_[lane] = segment.frames;
        envelope_.Begin(lane, segment);
        source_.Begin(lane, segment);
        if (segment_[lane] + 1 == lists_[lane].count) {
            leaving_ |= Bit(lane);
        }
    }

    // A free lane computes zeros from zeros: no denormal numbers, and nothing to test for in the loop.
    void Free(uint32_t lane)
    {
        active_ &= ~Bit(lane);
        leaving_ &= ~Bit(lane);
        fading_ &= ~Bit(lane);
        envelope_.Clear(lane);
        source_.Clear(lane);
    }

    Source source_;
    Envelope envelope_;
    uint32_t active_ = 0;   // lanes in use, a bit each
    uint32_t leaving_ = 0;  // of these, fading or in their last segment
    uint32_t fading_ = 0;   // of these, fading
    std::array<uint32_t, kLanes> left_ = {};
    std::array<uint32_t, kLanes> fade_left_ = {};
    std::array<uint32_t, kLanes> segment_ = {};
    std::array<uint32_t, kLanes> track_ = {};
    std::array<uint64_t, kLanes> serial_ = {};
    std::array<SegmentList, kLanes> lists_ = {};
};

}  // namespace synth

#endif
