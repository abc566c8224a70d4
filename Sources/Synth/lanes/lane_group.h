// Eight lanes of one kind of source, each with its own list of segments. Between two events the group runs with its
// whole state in registers.

#ifndef PIXELBOOP_SYNTH_LANE_GROUP_H
#define PIXELBOOP_SYNTH_LANE_GROUP_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "envelope.h"
#include "lanes.h"
#include "low_lanes.h"
#include "segment.h"
#include "voicing.h"

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

    // Whether any lane of `track` is in use.
    bool Sounds(uint32_t track) const
    {
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            if ((active_ & Bit(lane)) != 0 && track_[lane] == track) {
                return true;
            }
        }
        return false;
    }

    // The voices themselves.
    Source &Voices()
    {
        return source_;
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
        gliding_ &= ~Bit(lane);
        fade_left_[lane] = kNever;
        glide_left_[lane] = kNever;
        serial_[lane] = serial;
        track_[lane] = track;
        lists_[lane] = list;
        segment_[lane] = 0;
        envelope_.Clear(lane);
        source_.Start(lane, sound);
        BeginSegment(lane);
    }

    // Fades the lane out within `frames`. A lane that is already ending keeps its own end.
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

    // Moves the lane's voicing to `target` within `frames`; ignored for a free lane.
    void Glide(uint32_t lane, const Voicing &target, uint32_t frames)
    {
        if ((active_ & Bit(lane)) == 0) {
            return;
        }
        gliding_ |= Bit(lane);
        glide_left_[lane] = frames;
        source_.BeginGlide(lane, target, frames, glides_);
    }

    // Moves the lane's pitch to `pitch` until EndBends, one update later; ignored for a free lane.
    template <typename Pitch>
    void Bend(uint32_t lane, const Pitch &pitch)
    {
        if ((active_ & Bit(lane)) == 0) {
            return;
        }
        bending_ |= Bit(lane);
        source_.BeginBend(lane, pitch, glides_);
    }

    // Every lane has the pitch that it moved to.
    void EndBends()
    {
        for (; bending_ != 0; bending_ &= bending_ - 1) {
            source_.EndBend(static_cast<uint32_t>(__builtin_ctz(bending_)), glides_);
        }
        Source::EndBends(glides_);
    }

    // Adds `frames` samples of every lane to `bus`; if `sends`, also to the effect sends. The first group overwrites
    // the bus.
    template <typename Bus>
    void Render(const float *waves, Bus &bus, uint32_t frames, bool sends, bool is_first)
    {
        uint32_t done = 0;
        while (done < frames && active_ != 0) {
            const uint32_t run = FramesToEvent(frames - done);
            Choose(waves, bus, done, run, sends, is_first);
            Pass(run);
            done += run;
        }
        if (is_first) {
            bus.Clear(done, frames, sends);
        }
    }

    // The same in steps, for a source whose `Loop` is a filter: makes `frames` samples of every lane, of which the
    // first is `at` samples after the last update. `filters` may filter them later; Finish has to follow then.
    template <typename Filters>
    void Make(const float *waves, uint32_t at, FloatLanes *signal, uint32_t frames, Filters &filters)
    {
        uint32_t done = 0;
        while (done < frames && active_ != 0) {
            const uint32_t run = FramesToEvent(frames - done);
            source_.Make(waves, at + done, signal + done, run, active_);
            if (run == frames) {
                filters.Add(source_.Loop(), envelope_, signal, frames, AreLow(active_), fading_ != 0,
                            source_.Moves());
                waits_ = true;
                return;
            }
            filters.RunNow(source_.Loop(), envelope_, signal + done, run, fading_ != 0, source_.Moves());
            Pass(run);
            done += run;
        }
        std::fill(signal + done, signal + frames, FloatLanes{});
    }

    // After the filters have run for `frames`.
    void Finish(uint32_t frames)
    {
        if (waits_) {
            waits_ = false;
            Pass(frames);
        }
    }

  private:
    static constexpr uint32_t kNever = UINT32_MAX;
    static constexpr uint32_t kAllLanes = (1u << kLanes) - 1;

    static constexpr uint32_t Bit(uint32_t lane)
    {
        return 1u << lane;
    }

    // Frames to the next event of a lane, `frames` at most.
    uint32_t FramesToEvent(uint32_t frames) const
    {
        const UintLanes least = Least(segment_left_, Least(fade_left_, glide_left_));
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            frames = std::min(frames, least[lane]);
        }
        return frames;
    }

    static UintLanes Least(const UintLanes &a, const UintLanes &b)
    {
        return a < b ? a : b;
    }

    // Counts `left` down by `frames`, except lanes without an event.
    static void CountDown(UintLanes &left, uint32_t frames)
    {
        left -= left == kNever ? UintLanes{} : UintLanes{} + frames;
    }

    // Selects the loop variant, so that inactive features cost nothing.
    template <typename Bus>
    void Choose(const float *waves, Bus &bus, uint32_t first, uint32_t frames, bool sends, bool is_first)
    {
        const bool fading = fading_ != 0;
        if ((gliding_ | bending_) == 0 && !source_.Moves()) {
            switch ((fading ? 4 : 0) + (is_first ? 2 : 0) + (sends ? 1 : 0)) {
            case 0:
                return Run<false, false, false, false>(waves, bus, first, frames);
            case 1:
                return Run<false, false, false, true>(waves, bus, first, frames);
            case 2:
                return Run<false, false, true, false>(waves, bus, first, frames);
            case 3:
                return Run<false, false, true, true>(waves, bus, first, frames);
            case 4:
                return Run<true, false, false, false>(waves, bus, first, frames);
            case 5:
                return Run<true, false, false, true>(waves, bus, first, frames);
            case 6:
                return Run<true, false, true, false>(waves, bus, first, frames);
            default:
                return Run<true, false, true, true>(waves, bus, first, frames);
            }
        }
        if (is_first) {
            bus.Clear(first, first + frames, sends);
        }
        switch ((fading ? 2 : 0) + (sends ? 1 : 0)) {
        case 0:
            return Run<false, true, false, false>(waves, bus, first, frames);
        case 1:
            return Run<false, true, false, true>(waves, bus, first, frames);
        case 2:
            return Run<true, true, false, false>(waves, bus, first, frames);
        default:
            return Run<true, true, false, true>(waves, bus, first, frames);
        }
    }

    // With `overwrites` the bus need not hold zeros, and they are not loaded.
    template <bool fading, bool gliding, bool overwrites, bool sending, typename Bus>
    void Run(const float *waves, Bus &bus, uint32_t first, uint32_t frames)
    {
        source_.Prepare(waves, bus, first, frames, active_);
        if constexpr (!gliding) {
            if (AreLow(active_)) {
                if (fading || envelope_.Rises()) {
                    RunLow<fading, true, overwrites, sending>(waves, bus, first, frames);
                } else {
                    RunLow<fading, false, overwrites, sending>(waves, bus, first, frames);
                }
                return;
            }
        }
        auto loop = source_.Loop();
        Envelope envelope = envelope_;
        for (uint32_t i = first; i < first + frames; ++i) {
            FloatLanes signal;
            if constexpr (gliding && Source::kBends) {
                loop.NextOfBend(waves, glides_, signal);
            } else {
                loop.Next(waves, bus, i, signal);
            }
            envelope.template Apply<fading>(signal);
            loop.template Add<overwrites, sending>(signal, bus, i);
            if (gliding) {
                loop.Glide(glides_);
            }
        }
        source_.Loop() = loop;
        envelope_ = envelope;
    }

    // The same if no upper lane sounds. The state of these does not change: zeros give zeros. With few voices the loop
    // waits for its last sample, and less without `rising` gains.
    template <bool fading, bool rising, bool overwrites, bool sending, typename Bus>
    void RunLow(const float *waves, Bus &bus, uint32_t first, uint32_t frames)
    {
        typename Source::LowLoop loop;
        loop.CopyFrom(source_.Loop());
        EnvelopeOf<LowFloats> envelope;
        envelope.CopyFrom(envelope_);
        for (uint32_t i = first; i < first + frames; ++i) {
            LowFloats signal;
            loop.Next(waves, bus, i, signal);
            envelope.template Apply<fading, rising>(signal);
            loop.template Add<overwrites, sending>(signal, bus, i);
        }
        source_.Loop().CopyFrom(loop);
        envelope_.CopyFrom(envelope);
    }

    void Pass(uint32_t frames)
    {
        CountDown(segment_left_, frames);
        CountDown(fade_left_, frames);
        CountDown(glide_left_, frames);
        const UintLanes least = Least(segment_left_, Least(fade_left_, glide_left_));
        const UintLanes due = reinterpret_cast<UintLanes>(least == 0u);
        if (AreEqual(due, UintLanes{})) {
            return;
        }
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            if (glide_left_[lane] == 0) {
                EndGlide(lane);
            }
            if (fade_left_[lane] == 0) {
                Free(lane);
            } else if (segment_left_[lane] == 0) {
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
        segment_left_[lane] = segment.frames;
        envelope_.Begin(lane, segment);
        source_.Begin(lane, segment);
        if (segment_[lane] + 1 == lists_[lane].count) {
            leaving_ |= Bit(lane);
        }
    }

    void EndGlide(uint32_t lane)
    {
        gliding_ &= ~Bit(lane);
        glide_left_[lane] = kNever;
        source_.EndGlide(lane, glides_);
    }

    // A free lane computes zeros from zeros: no denormal numbers, and no test in the loop.
    void Free(uint32_t lane)
    {
        active_ &= ~Bit(lane);
        leaving_ &= ~Bit(lane);
        fading_ &= ~Bit(lane);
        segment_left_[lane] = kNever;
        fade_left_[lane] = kNever;
        EndGlide(lane);
        if constexpr (Source::kBends) {
            source_.EndBend(lane, glides_);
        }
        bending_ &= ~Bit(lane);
        envelope_.Clear(lane);
        source_.Clear(lane);
    }

    Source source_;
    typename Source::Glides glides_;
    Envelope envelope_;
    uint32_t active_ = 0;   // lanes in use, one bit each
    uint32_t leaving_ = 0;  // of these, fading or in their last segment
    uint32_t fading_ = 0;   // of these, fading
    uint32_t gliding_ = 0;  // of the lanes in use, moving to another voicing
    uint32_t bending_ = 0;  // of the lanes in use, moving to another pitch
    bool waits_ = false;    // whether Finish has to follow
    UintLanes segment_left_ = UintLanes{} + kNever;  // frames to the end of each lane's segment, fade and glide
    UintLanes fade_left_ = UintLanes{} + kNever;
    UintLanes glide_left_ = UintLanes{} + kNever;
    std::array<uint32_t, kLanes> segment_ = {};
    std::array<uint32_t, kLanes> track_ = {};
    std::array<uint64_t, kLanes> serial_ = {};
    std::array<SegmentList, kLanes> lists_ = {};
};

}  // namespace synth

#endif
