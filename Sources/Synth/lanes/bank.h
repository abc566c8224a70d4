// A fixed set of voices of one kind. It has more lanes than voices: a voice that is stolen, stopped or muted fades in
// its own lane while the new one starts in another.

#ifndef PIXELBOOP_SYNTH_BANK_H
#define PIXELBOOP_SYNTH_BANK_H

#include <array>
#include <cstdint>

#include "lane_group.h"

namespace synth {

template <typename Source, uint32_t kVoices, uint32_t kGroups>
class Bank {
    static_assert(kGroups * kLanes > kVoices, "spare lanes for voices that fade");

  public:
    typedef Source Voice;

    Source &SourceOf(uint32_t group)
    {
        return groups_[group].Voices();
    }

    // Tells every voice that sounds of an update.
    template <typename Tick>
    void Update(const Tick &tick)
    {
        EachGroup([&](auto &group) { group.Voices().Update(tick); });
    }

    // Tells every voice to stay as it is, `at` frames after the last update.
    void Keep(uint32_t at)
    {
        for (LaneGroup<Source> &group : groups_) {
            group.Voices().Keep(at);
        }
    }

    // Starts a voice. If kVoices are sounding, the oldest fades within `fade` frames. If every lane is taken, which
    // needs several fades of the whole bank within milliseconds, the new voice is dropped. Returns the number of lost
    // voices.
    uint32_t Start(uint64_t serial, uint32_t track, const typename Source::Sound &sound, const SegmentList &list,
                   uint32_t fade)
    {
        uint32_t lost = 0;
        if (Sounding() >= kVoices) {
            FadeOldest(fade);
            lost += 1;
        }
        for (uint32_t group = 0; group < kGroups; ++group) {
            if (!groups_[group].Full()) {
                groups_[group].Start(groups_[group].FreeLane(), serial, track, sound, list);
                used_ |= 1u << group;
                return lost;
            }
        }
        return lost + 1;
    }

    // Fades out every sounding voice of the tracks in `tracks`, a bit mask.
    void Fade(uint32_t tracks, uint32_t frames)
    {
        FadeIf([tracks](uint32_t track) { return (tracks >> track & 1) != 0; }, frames);
    }

    // Fades out every sounding voice for whose track `condition` holds.
    template <typename Condition>
    void FadeIf(Condition condition, uint32_t frames)
    {
        for (LaneGroup<Source> &group : groups_) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                if (condition(group.Track(lane))) {
                    group.Fade(lane, frames);
                }
            }
        }
    }

    // Fades out the voices of the note `serial`.
    void FadeVoice(uint64_t serial, uint32_t frames)
    {
        EachLane(serial, [&](auto &group, uint32_t lane) { group.Fade(lane, frames); });
    }

    // Moves the voicing of the note `serial` to `target` within `frames`.
    void GlideVoice(uint64_t serial, const Voicing &target, uint32_t frames)
    {
        EachLane(serial, [&](auto &group, uint32_t lane) { group.Glide(lane, target, frames); });
    }

    // Moves the pitch of the note `serial` to `pitch`, until EndBends.
    template <typename Pitch>
    void BendVoice(uint64_t serial, const Pitch &pitch)
    {
        EachLane(serial, [&](auto &group, uint32_t lane) { group.Bend(lane, pitch); });
    }

    // Every voice has the pitch that it moved to.
    void EndBends()
    {
        EachGroup([](auto &group) { group.EndBends(); });
    }

    // Moves the voicing of every voice of `track` to `target` within `frames`.
    void Glide(uint32_t track, const Voicing &target, uint32_t frames)
    {
        for (LaneGroup<Source> &group : groups_) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                if (group.Track(lane) == track) {
                    group.Glide(lane, target, frames);
                }
            }
        }
    }

    // Adds `frames` samples to `bus`, group by group in a fixed order; if `sends`, also to the effect sends. If the bus
    // `is_empty` the first group overwrites it. Returns whether it still is.
    template <typename Bus>
    bool Render(const float *waves, Bus &bus, uint32_t frames, bool is_empty, bool sends = false)
    {
        EachGroup([&](auto &group) {
            group.Render(waves, bus, frames, sends, is_empty);
            is_empty = false;
        });
        return is_empty;
    }

    // Performs `action` with each lane group that sounds, in a fixed order.
    template <typename Action>
    void EachGroup(Action action)
    {
        for (uint32_t left = used_; left != 0; left &= left - 1) {
            LaneGroup<Source> &group = groups_[static_cast<uint32_t>(__builtin_ctz(left))];
            if (group.Silent()) {
                used_ ^= left & -left;
            } else {
                action(group);
            }
        }
    }

    // Performs `action` with each lane of the note `serial`, in groups that sound.
    template <typename Action>
    void EachLane(uint64_t serial, Action action)
    {
        EachGroup([&](auto &group) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                if (group.Serial(lane) == serial) {
                    action(group, lane);
                }
            }
        });
    }

    // Whether no voice of `track` sounds.
    bool Silent(uint32_t track) const
    {
        for (const LaneGroup<Source> &group : groups_) {
            if (group.Sounds(track)) {
                return false;
            }
        }
        return true;
    }

    bool Silent() const
    {
        for (uint32_t left = used_; left != 0; left &= left - 1) {
            if (!groups_[static_cast<uint32_t>(__builtin_ctz(left))].Silent()) {
                return false;
            }
        }
        return true;
    }

  private:
    uint32_t Sounding() const
    {
        uint32_t count = 0;
        for (const LaneGroup<Source> &group : groups_) {
            count += static_cast<uint32_t>(__builtin_popcount(group.Sounding()));
        }
        return count;
    }

    void FadeOldest(uint32_t frames)
    {
        LaneGroup<Source> *oldest_group = &groups_[0];
        uint32_t oldest_lane = 0;
        uint64_t oldest = UINT64_MAX;
        for (LaneGroup<Source> &group : groups_) {
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                if ((group.Sounding() >> lane & 1) != 0 && group.Serial(lane) < oldest) {
                    oldest = group.Serial(lane);
                    oldest_group = &group;
                    oldest_lane = lane;
                }
            }
        }
        oldest_group->Fade(oldest_lane, frames);
    }

    std::array<LaneGroup<Source>, kGroups> groups_;
    uint32_t used_ = 0;  // groups that sound, one bit each, and some that have just fallen silent
};

}  // namespace synth

#endif
