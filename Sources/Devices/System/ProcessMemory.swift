import CSystem

/// The memory of this process.
public enum ProcessMemory {
    /// Lets the system have each block of 128 KiB or more as soon as it is freed. Without this the C library keeps larger
    /// blocks once such blocks come and go, up to 32 MiB: a box to which many files are sent grew by 60 MiB (mallopt(3),
    /// M_MMAP_THRESHOLD).
    public static func returnLargeBlocks() { system_return_large_blocks() }
}
