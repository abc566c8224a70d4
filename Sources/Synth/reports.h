// Reports of the engine to the loop.

#ifndef PIXELBOOP_SYNTH_REPORTS_H
#define PIXELBOOP_SYNTH_REPORTS_H

#include <cstdint>

#include "counter.h"
#include "ring.h"
#include "synth.h"

namespace synth {

class Reports {
  public:
    // Returns whether there was room; a report without it is counted.
    bool Write(const SynthReport &report)
    {
        if (ring_.Write(&report, 1)) {
            written_.Add(1);
            return true;
        }
        lost_.Add(1);
        return false;
    }

    // Moves up to `capacity` reports into `reports`, oldest first; returns their number.
    uint32_t Read(SynthReport *reports, uint32_t capacity)
    {
        uint32_t count = 0;
        for (; count < capacity; ++count) {
            const SynthReport *report = ring_.Front();
            if (report == nullptr) {
                break;
            }
            reports[count] = *report;
            ring_.Drop();
        }
        return count;
    }

    uint64_t Written() const
    {
        return written_.Value();
    }

    uint64_t Lost() const
    {
        return lost_.Value();
    }

    bool transmits = false;

  private:
    // Room for 6 s of every note on every step at 200 BPM: a reader that sleeps that long loses nothing.
    static constexpr uint32_t kCapacity = 4096;

    Ring<SynthReport, kCapacity> ring_;
    Counter written_;
    Counter lost_;
};

}  // namespace synth

#endif
