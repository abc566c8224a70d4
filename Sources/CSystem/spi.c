#define _GNU_SOURCE
#include "spi.h"

#include "death.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <sys/ioctl.h>
#include <unistd.h>

int system_spi_open(const char *path)
{
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

int system_spi_configure(int descriptor, uint8_t mode, uint32_t hertz)
{
    const uint8_t bits = 8;
    const uint8_t least_first = 0;
    if (ioctl(descriptor, SPI_IOC_WR_MODE, &mode) < 0 || ioctl(descriptor, SPI_IOC_WR_LSB_FIRST, &least_first) < 0
        || ioctl(descriptor, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0
        || ioctl(descriptor, SPI_IOC_WR_MAX_SPEED_HZ, &hertz) < 0) {
        return -1;
    }
    return 0;
}

long system_spi_write(int descriptor, const uint8_t *bytes, uint32_t count)
{
    if (system_is_dying()) {
        errno = ESHUTDOWN;
        return -1;
    }
    return write(descriptor, bytes, count);
}
