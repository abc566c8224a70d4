#include <new>

#include "ring_at_index.h"
#include "synth_probe.h"

typedef synth::Ring<uint64_t, synth_probe_ring_capacity> NumberRing;

struct SynthProbeRing {
    NumberRing ring;
};

RING_INDICES(synth::Ring<uint64_t, synth_probe_ring_capacity>);

SynthProbeRing *synth_probe_ring_create(uint32_t index)
{
    SynthProbeRing *probe = new (std::nothrow) SynthProbeRing;
    if (probe != nullptr) {
        probe::SetIndices(probe->ring, index);
    }
    return probe;
}

void synth_probe_ring_destroy(SynthProbeRing *ring)
{
    delete ring;
}

bool synth_probe_ring_write(SynthProbeRing *ring, const uint64_t *numbers, uint32_t count)
{
    return ring->ring.Write(numbers, count);
}

bool synth_probe_ring_front(const SynthProbeRing *ring, uint64_t *number)
{
    const uint64_t *front = ring->ring.Front();
    if (front == nullptr) {
        return false;
    }
    *number = *front;
    return true;
}

void synth_probe_ring_drop(SynthProbeRing *ring)
{
    ring->ring.Drop();
}
