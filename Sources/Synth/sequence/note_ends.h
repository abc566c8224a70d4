// The notes that other instruments hold, and where each ends: within a step, if lanes or divisions say so.

#ifndef PIXELBOOP_SYNTH_NOTE_ENDS_H
#define PIXELBOOP_SYNTH_NOTE_ENDS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/tracks.h"
#include "clock.h"

namespace synth {

struct NoteEnd {
    uint32_t track;
    uint32_t note;
    Clock::Place place;
};

class NoteEnds {
  public:
    // Adds `end`. There must be none of the same note, so that there is room for it.
    void Add(const NoteEnd &end)
    {
        ends_[count_] = end;
        count_ += 1;
    }

    // Removes the ends for which `condition` holds, and passes each to `action`.
    template <typename Condition, typename Action>
    void Remove(Condition condition, Action action)
    {
        uint32_t left = 0;
        for (uint32_t i = 0; i < count_; ++i) {
            if (condition(ends_[i])) {
                action(ends_[i]);
            } else {
                ends_[left] = ends_[i];
                left += 1;
            }
        }
        count_ = left;
    }

    void Clear()
    {
        count_ = 0;
    }

  private:
    std::array<NoteEnd, 3 * kMelodicNotes + synth_drums> ends_ = {};
    uint32_t count_ = 0;
};

}  // namespace synth

#endif
