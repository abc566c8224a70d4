// Serial lines (termios(3), Documentation/driver-api/serial in Linux).

#ifndef PIXELBOOP_SERIAL_H
#define PIXELBOOP_SERIAL_H

#include <stdint.h>

// Opens a serial line for reading and writing without waiting, at `baud` bits a second with 8 data bits, no parity and no flow
// control; bytes with errors are dropped. Any speed that the hardware can divide is possible. −1 and errno on failure; ENOTTY if
// it is no serial line, ERANGE if its speed would differ by more than 1 %.
int system_serial_open(const char *path, uint32_t baud);

#endif
