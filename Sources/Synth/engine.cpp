// The engine for every processor.

#include "engine.h"

#include <new>

AnyEngine *MakeEngine(uint32_t rate)
{
    return new (std::nothrow) synth::Engine(rate);
}
