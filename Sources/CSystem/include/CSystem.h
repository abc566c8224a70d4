// The umbrella header of the module CSystem. It lists each header: with an umbrella directory, an incremental build
// would miss an added one.

#ifndef PIXELBOOP_CSYSTEM_H
#define PIXELBOOP_CSYSTEM_H

#include "death.h"
#include "mounts.h"
#include "serial.h"
#include "spi.h"
#include "system_calls.h"

#endif
