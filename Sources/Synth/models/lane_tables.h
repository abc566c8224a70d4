// The tables of voices that bend: a wave passes from table to table, as each has the harmonics of its band.

#ifndef PIXELBOOP_SYNTH_LANE_TABLES_H
#define PIXELBOOP_SYNTH_LANE_TABLES_H

#include <array>
#include <cstdint>

#include "../controls/modulation.h"
#include "../lanes/lanes.h"
#include "../lanes/ramp.h"

namespace synth {

// The table of a voice, and the last one while the wave passes over to it, within an update.
struct TableChange {
    uint32_t now = 0;
    uint32_t last = 0;

    void Start(uint32_t table)
    {
        now = table;
        last = table;
    }

    void MoveTo(uint32_t table)
    {
        last = now;
        now = table;
    }

    void Arrive()
    {
        last = now;
    }

    // Performs `look_up` with the table and a signal; with both tables while the voice is `moving` between them.
    // `times` are frames after the update.
    template <bool moving, typename Action>
    void LookUpIn(const FloatLanes &times, FloatLanes &signal, Action look_up) const
    {
        look_up(now, signal);
        if (moving && last != now) {
            FloatLanes before;
            look_up(last, before);
            signal = before + (signal - before) * (times * (1.0f / kTick));
        }
    }
};

// The tables of eight voices.
class LaneTables {
  public:
    const TableChange &operator[](uint32_t lane) const
    {
        return changes_[lane];
    }

    void Start(uint32_t lane, uint32_t table)
    {
        changes_[lane].Start(table);
    }

    void MoveTo(uint32_t lane, uint32_t table)
    {
        if (table != changes_[lane].now) {
            changes_[lane].MoveTo(table);
            change_ = true;
        }
    }

    // An update ends the changes.
    void Advance()
    {
        if (change_) {
            change_ = false;
            for (TableChange &change : changes_) {
                change.Arrive();
            }
        }
    }

  private:
    std::array<TableChange, kLanes> changes_ = {};
    bool change_ = false;
};

}  // namespace synth

#endif
