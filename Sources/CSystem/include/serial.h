// Serial lines (termios(3), Documentation/driver-api/serial in Linux).

#ifndef PIXELBOOP_SERIAL_H
#define PIXELBOOP_SERIAL_H

#include <stdint.h>

// Opens a serial line for reading and writing without waiting, for this process alone, at `baud` bits a second with 8
// data bits, no parity and no flow control; bytes with errors are dropped, and bytes that wait are forgotten. −1 and
// errno on failure; EBUSY if a process has it alone, ENOTTY if it is no serial line, ERANGE if its driver tells of a
// speed that differs by more than 1 %.
int system_serial_open(const char *path, uint32_t baud);

// Whether `path` opens and is a serial line, without a change of it. −1 and errno if not.
int system_serial_check(const char *path);

#endif
