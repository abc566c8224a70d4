#define _GNU_SOURCE
#include "serial.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Closes `descriptor` and returns −1, with the present errno.
static int give_up(int descriptor)
{
    const int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

static int configure(int descriptor, uint32_t baud)
{
    if (ioctl(descriptor, TIOCEXCL) < 0) {
        return -1;
    }
    // termios2 instead of termios: only it knows other speeds than the named ones.
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) < 0) {
        return -1;
    }
    settings.c_iflag = IGNBRK | IGNPAR;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT);
    settings.c_ispeed = baud;
    settings.c_ospeed = baud;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (ioctl(descriptor, TCSETS2, &settings) < 0 || ioctl(descriptor, TCGETS2, &settings) < 0) {
        return -1;
    }
    const uint32_t speed = settings.c_ospeed;
    if (speed < baud - baud / 100 || speed > baud + baud / 100) {
        errno = ERANGE;
        return -1;
    }
    return ioctl(descriptor, TCFLSH, TCIOFLUSH);
}

int system_serial_open(const char *path, uint32_t baud)
{
    const int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    return descriptor >= 0 && configure(descriptor, baud) < 0 ? give_up(descriptor) : descriptor;
}

int system_serial_check(const char *path)
{
    const int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    struct termios2 settings;
    if (descriptor < 0) {
        return -1;
    }
    return ioctl(descriptor, TCGETS2, &settings) < 0 ? give_up(descriptor) : close(descriptor);
}
