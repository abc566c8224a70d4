// What Swift imports as CSystem. Named here, file by file: a build that has seen the folder without one of them would not
// look for it again.

#ifndef PIXELBOOP_CSYSTEM_H
#define PIXELBOOP_CSYSTEM_H

#include "death.h"
#include "mounts.h"
#include "spi.h"
#include "system_calls.h"

#endif
